"""What a run of the benchmark collects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.statistics import Quantiles, geometric_mean, per_round
from tumble.bench.peers.records import Difference, Timed

# The races: overlap tests (Figure 9), trees (Figure 10), work done ahead on other trees (Section 3.2.5); and what
# stands in front of the name where one hit is enough.
TESTS, TREES, AHEAD = "tests", "trees", "ahead"
FIRST = "first "


@dataclass(frozen=True)
class NodeCost:
    """A row of Table 1; None where something is not there yet, or is not counted."""

    name: str
    # Bytes a node, and bytes of the whole tree without the mesh, for each triangle.
    nbytes: float | None = None
    nbytes_a_triangle: float | None = None
    # Floating-point operations a node pair, in the worst case and on average; with the work done ahead and without.
    worst: float | None = None
    mean: float | None = None
    worst_ahead: float | None = None
    mean_ahead: float | None = None


@dataclass(frozen=True)
class Emptiness:
    """The nodes of one AABB tree beside their parents."""

    name: str
    triangles: int
    # For each node but the root: the part of its parent's box that it leaves empty, the split's side not counted ...
    shares: NDArray[np.float64]
    # ... whether it is a leaf, and how many of its six sides lie in a side of its parent's box.
    leaf: NDArray[np.bool_]
    touching: NDArray[np.int64]


@dataclass(frozen=True)
class Built:
    """Seconds that each builder took over one object, in every round."""

    name: str
    kind: str
    # About so many triangles were asked for; shapes have a few more or less.
    size: int
    triangles: int
    rounds: Mapping[str, Sequence[float]]

    def seconds(self, builder: str) -> float:
        """The median round."""
        return float(np.median(self.rounds[builder]))


@dataclass(frozen=True)
class TreeBytes:
    """Bytes of the nodes of every tree over one object, the order of triangles not counted."""

    name: str
    triangles: int
    node_bytes: Mapping[str, int]


@dataclass(frozen=True)
class Turn:
    """A full turn at one distance: the seconds of every query, one a step."""

    name: str
    kind: str
    triangles: int
    distance: float
    first: bool
    seconds: NDArray[np.float64]
    hits: int

    @property
    def mean(self) -> float:
        """The paper's measure: the mean over the turn."""
        return float(self.seconds.mean())


@dataclass(frozen=True)
class Work:
    """What one query does on average."""

    box_pairs: float
    overlapping: float
    leaf_pairs: float


@dataclass(frozen=True)
class Raced(Timed):
    """A timed case that also knows its kind of object ("real" for meshes that were read) and the size asked for."""

    kind: str = ""
    size: int = 0
    # What the traversals did, where somebody counts.
    work: Mapping[str, Work] = field(default_factory=dict)

    def ratio(self, name: str, base: str) -> Quantiles:
        """How many times as long one contestant takes as another, round by round."""
        return per_round(self.rounds[name], self.rounds[base])


@dataclass
class Findings:
    """Everything that a run found out."""

    nodes: list[NodeCost] = field(default_factory=list)
    emptiness: list[Emptiness] = field(default_factory=list)
    built: list[Built] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    tree_bytes: list[TreeBytes] = field(default_factory=list)
    raced: list[Raced] = field(default_factory=list)
    # Between Tumble's own trees and tests, which must agree, and between Tumble and FCL, which need not.
    own_differences: list[Difference] = field(default_factory=list)
    fcl_differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def of(self, *queries: str) -> list[Raced]:
        """The races of some queries."""
        return [raced for raced in self.raced if raced.case.query in queries]

    def cost(self, name: str) -> NodeCost | None:
        """One row of Table 1."""
        return next((cost for cost in self.nodes if cost.name == name), None)


def mean_ratio(raced: Sequence[Raced], name: str, base: str) -> float:
    """The geometric mean over cases of one contestant's time by another's; NaN where they never met."""
    return geometric_mean([one.ratio(name, base).median for one in raced if {name, base} <= set(one.rounds)])


def by_size(raced: Sequence[Raced], value: Callable[[Sequence[Raced]], float]) -> list[tuple[int, float]]:
    """A value of the cases of each size, in the order of sizes: pairs of triangles and value."""
    sizes = sorted({one.size for one in raced})
    return [(size, value([one for one in raced if one.size == size])) for size in sizes]
