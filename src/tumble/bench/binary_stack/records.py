"""What a run of the benchmark collects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tumble.bench.boxtree.records import Raced
from tumble.bench.framework.statistics import Quantiles, per_round
from tumble.device import Device
from tumble.mesh import Mesh

# The phases of a step that find what touches, and the one that finds contact points.
COLLISION, CONTACT = ("broad phase", "narrow phase"), "contacts"


@dataclass(frozen=True)
class Step:
    """One step of the simulation."""

    step: int
    seconds: float
    phases: Mapping[str, float]
    counts: Mapping[str, int]
    # Afterwards: the lowest corner of all bodies above the plane, m; the fastest body, m/s; kinetic and potential
    # energy, J.
    lowest: float
    fastest: float
    energy: float

    @property
    def collision(self) -> float:
        """Seconds of the narrow phase, the paper's collision time."""
        return self.phases["narrow phase"]

    @property
    def contact(self) -> float:
        """Seconds that contact points took."""
        return self.phases[CONTACT]


@dataclass(frozen=True, eq=False)
class Moment:
    """Where the bodies were before a step, and the pairs of them that this step looked at."""

    step: int
    poses: NDArray[np.float64]
    pairs: NDArray[np.int64]


@dataclass(frozen=True)
class Rest:
    """How it ended: steps until all bodies slept, or until patience did; and where they were."""

    steps: int
    asleep: int
    lowest: float
    fastest: float

    @property
    def lowest_text(self) -> str:
        """The height of the lowest corner in words."""
        tenths = round(1e4 * self.lowest)
        return f"{'−' if tenths < 0 else ''}{abs(tenths) / 10} mm"


@dataclass(frozen=True, eq=False)
class Simulation:
    """The fall, step by step."""

    what: str
    """what falls, in words"""
    real: bool
    """whether it is a mesh that was read"""
    body: Mesh
    """scaled and turned as it falls"""
    triangles: int
    bodies: int
    length: float
    """m, of a body's longest side"""
    slop: float
    """m, the depth at which bodies rest in each other"""
    free_fall: float
    """m/s, what the highest body would have on the plane"""
    start_energy: float
    steps: Sequence[Step]
    moments: Sequence[Moment]
    rest: Rest

    def at(self, step: int) -> Step:
        """One step by its number."""
        return self.steps[step]

    @property
    def mean_seconds(self) -> float:
        """Seconds a step, the mean."""
        return float(np.mean([step.seconds for step in self.steps]))

    def share(self, *phases: str) -> float:
        """What part of the time some phases took."""
        return sum(step.phases[name] for step in self.steps for name in phases) / sum(s.seconds for s in self.steps)


@dataclass(frozen=True)
class DeviceTimes:
    """Seconds of one call on a device, medians: relative poses sent, traversal, candidates back, exact tests."""

    upload: float
    kernel: float
    copy: float
    confirm: float
    launches: float
    candidates: float
    unsure: float


@dataclass(frozen=True)
class Row:
    """One recorded moment: what touches, and the seconds that each contestant took for all pairs of bodies."""

    step: int
    broad: int
    colliding: int
    faces: int
    rounds: Mapping[str, Sequence[float]]
    devices: Mapping[str, DeviceTimes] = field(default_factory=dict)

    def seconds(self, name: str) -> float:
        """The median round."""
        return float(np.median(self.rounds[name]))

    def ratio(self, name: str, base: str) -> Quantiles:
        """How many times as long one contestant takes as another, round by round."""
        return per_round(self.rounds[name], self.rounds[base])


@dataclass(frozen=True)
class Counts:
    """What a traversal did for all pairs of bodies together."""

    node_pairs: int
    overlapping: int
    leaf_pairs: int


@dataclass(frozen=True)
class Compared:
    """Traversals over the same trees at one recorded moment."""

    step: int
    body_pairs: int
    counts: Mapping[str, Counts]
    """of the binary stack, by descent rule"""
    equal: Mapping[str, int]
    """pairs of bodies for which the ordinary stack counted the same as the binary one, by descent rule"""
    rounds: Mapping[str, Sequence[float]]
    idle: float
    """of the turns of groups of work-items that walk in step, one pair of bodies each, the part that waits"""
    longest: int
    """turns of the longest walk"""

    def ratio(self, name: str, base: str) -> Quantiles:
        """How many times as long one contestant takes as another, round by round."""
        return per_round(self.rounds[name], self.rounds[base])


@dataclass(frozen=True)
class Memory:
    """Bytes that a query of two equal trees walks with, by the paper's bounds and here."""

    name: str
    triangles: int
    children: int
    depth: int
    bound_1: float
    stack: int
    """what an ordinary stack is given here"""
    seen: int
    """what of it a query used"""
    bound_2: float
    binary: int
    """what a binary stack is given here"""


@dataclass(frozen=True)
class Disagreement:
    """A contestant and a moment: pairs of bodies asked about, and those with other triangles than the simulation's."""

    step: int
    contestant: str
    asked: int
    differ: int


@dataclass
class Findings:
    """Everything that a run found out."""

    simulation: Simulation | None = None
    rows: list[Row] = field(default_factory=list)
    compared: list[Compared] = field(default_factory=list)
    memory: list[Memory] = field(default_factory=list)
    obb: list[Raced] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    answers: list[Disagreement] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def gpus(self) -> list[Device]:
        """The devices that are graphics processors."""
        return [device for device in self.devices if device.kind == "gpu"]
