"""What a run of the benchmark collects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tumble.bench.framework.statistics import Quantiles, per_round
from tumble.device import Device

CPU = "CPU twin"
PAPER = "as in the paper"
BETWEEN, ALL = "between objects", "between and within objects"


def papers_way(device: str) -> str:
    """What a device is called where descendants are written before they are tested, with the paper's parameters."""
    return f"{device}, {PAPER}"


def device_of(way: str) -> str:
    """The device of a way, or the CPU."""
    return way.removesuffix(f", {PAPER}")


@dataclass(frozen=True)
class Load:
    """The leaf pairs of one frame, each counted once: of different objects, and of objects with themselves."""

    scene: str
    frame: str
    real: bool
    objects: int
    triangles: int
    between: int
    # Within objects, with triangles that share a vertex and without.
    within: int
    within_apart: int
    itself: bool

    @property
    def counted(self) -> int:
        """What the paper's Table 1 is about."""
        return self.between + (self.within if self.itself else 0)

    @property
    def ordered(self) -> int:
        """The same with both orders of a pair counted."""
        return 2 * self.counted


@dataclass(frozen=True)
class Raced:
    """One question, and the seconds of every way to answer it, round by round."""

    scene: str
    question: str
    rounds: Mapping[str, Sequence[float]]
    # Seconds in kernels by the device's clock, for ways on devices.
    kernels: Mapping[str, Sequence[float]] = field(default_factory=dict)
    # What each found.
    counts: Mapping[str, int] = field(default_factory=dict)

    def seconds(self, name: str) -> float:
        """The median round."""
        return float(np.median(self.rounds[name]))

    def kernel(self, name: str) -> float | None:
        """The median round, in kernels only."""
        return float(np.median(self.kernels[name])) if self.kernels.get(name) else None

    def ratio(self, name: str, base: str) -> Quantiles:
        """How many times as long one way takes as another, round by round."""
        return per_round(self.rounds[name], self.rounds[base])


@dataclass(frozen=True)
class Swept:
    """Seconds over two parameters: Figure 8 by entry level and depth step, Figure 9 by queue and group."""

    figure: int
    scene: str
    way: str
    seconds: Mapping[tuple[int, int], float]
    # Combinations that were refused, by what was said.
    refused: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def best(self) -> tuple[tuple[int, int], float]:
        """The fastest combination."""
        return min(self.seconds.items(), key=lambda item: item[1])


@dataclass(frozen=True)
class Grown:
    """Trees of a scene with room for nodes without triangles (padded), or without."""

    scene: str
    padded_nodes: int
    compressed_nodes: int
    padded_bytes: int
    compressed_bytes: int
    # Build, refit and traversal, by `way, what, padded or compressed`.
    rounds: Mapping[str, Sequence[float]]

    def seconds(self, name: str) -> float:
        """The median round."""
        return float(np.median(self.rounds[name]))


@dataclass(frozen=True)
class Moved:
    """The sheet through all its frames, with one rule for its tree."""

    rule: str
    triangles: int
    frames: int
    # Milliseconds a frame, by what was done.
    milliseconds: Mapping[str, Sequence[float]]
    rebuilt: int
    pairs: int
    """of all frames together, with itself and with the ball"""


@dataclass(frozen=True)
class Answer:
    """One comparison of leaf pairs."""

    scene: str
    question: str
    way: str
    found: int
    wanted: int
    same: bool


@dataclass
class Findings:
    """Everything that a run found out."""

    loads: list[Load] = field(default_factory=list)
    table: list[Raced] = field(default_factory=list)
    streams: list[Raced] = field(default_factory=list)
    swept: list[Swept] = field(default_factory=list)
    grown: list[Grown] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)
    early_megabytes: float | None = None
    late_megabytes: float | None = None
    """of this process, a third of the way through the frames of the sheet and after the last"""
    faces: list[Raced] = field(default_factory=list)
    """face-face candidates of whole scenes, as one mesh: ours, IPC Toolkit's, Embree's"""
    elements: list[Raced] = field(default_factory=list)
    """face-vertex and edge-edge candidates: ours and IPC Toolkit's"""
    object_seconds: list[float] = field(default_factory=list)
    """what IPC Toolkit takes to make one candidate a Python object, scene by scene"""
    answers: list[Answer] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def gpus(self) -> list[Device]:
        """Devices that are GPUs."""
        return [device for device in self.devices if device.kind == "gpu"]

    @property
    def ways(self) -> list[str]:
        """The CPU, and all devices by default and in the paper's way."""
        return [CPU, *(way for device in self.devices for way in (device.name, papers_way(device.name)))]

    @property
    def papers_ways(self) -> list[str]:
        """What the paper's claims are put to: devices in its way, and without any the CPU."""
        return [papers_way(device.name) for device in self.devices] or [CPU]

    def of(self, raced: Sequence[Raced], scene: str, question: str | None = None) -> Raced | None:
        """The race about a scene, if there was one."""
        chosen = (one for one in raced if one.scene == scene and question in (None, one.question))
        return next(chosen, None)
