"""What a run of the benchmark collects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.boxtree.records import Raced
from tumble.bench.peers.records import Difference
from tumble.bench.peers.speedup import geometric_mean
from tumble.bench.triangle_operations import TriangleOperations
from tumble.chip.cost import cycles_of_reads, seconds
from tumble.chip.sweep import Point
from tumble.query.answer import Stats

Steps = NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """One pose of a rotation on the cycle model, beside Equation 5 for what it read."""

    step: int
    cycles: int
    seconds: float
    plain_cycles: int
    """with the triangles left to the host: what Equation 5 describes"""
    equation_cycles: float
    lists: int
    pairs_a_list: float
    tumbled: int
    different_tumbled: int
    """tumbled nodes moved, and how many different ones those are"""
    polygon_checks: int
    unsure: int
    bottleneck: str
    plain_bottleneck: str
    agrees: bool
    """whether its pairs are those of `tumble.collide`"""

    @property
    def difference(self) -> float:
        """How much longer the model took without triangles than Equation 5 says, as a share of the equation's."""
        return self.plain_cycles / self.equation_cycles - 1 if self.equation_cycles else 0.0


@dataclass(frozen=True)
class Rotation:
    """A row of Table 1: one of two equal objects makes a full turn; one value a step."""

    name: str
    what: str
    """what it is: the stand-in in words, or the real mesh"""
    triangles: int
    distance: float
    touching: int
    """steps at which the two touch"""
    aligned: Steps
    """comparisons of aligned nodes with tumbled ones: the paper's count"""
    reads: Steps
    """aligned nodes read, each once for two tumbled siblings"""
    tumbled: Steps
    """tumbled nodes transformed"""
    reached: Steps
    """tumbled nodes that must be transformed, each counted once"""
    checks: Steps
    """pairs of triangles tested"""
    recursive: Steps
    """seconds of the recursive traversal in software"""
    listed: Steps
    """seconds of the list traversal of sibling pairs in software"""
    samples: Sequence[Sample] = ()

    @property
    def hardware(self) -> Steps:
        """Seconds by Equation 5, which leaves out triangles."""
        counts = zip(self.reads, self.tumbled, strict=True)
        return np.array([seconds(cycles_of_reads(reads, tumbled, tumbled / 2)) for reads, tumbled in counts])

    @property
    def speedup(self) -> float:
        """The recursive traversal's time, triangles included, by the chip's by Equation 5, both on average."""
        return float(self.recursive.mean() / self.hardware.mean())

    @property
    def speedups_with_triangles(self) -> list[float]:
        """The same pose by pose on the cycle model, for the poses in which both test triangles."""
        return [float(self.recursive[sample.step] / sample.seconds) for sample in self.samples if sample.polygon_checks]

    @property
    def worst_speedup(self) -> float:
        """The same for the longest of each, as in the paper."""
        return float(self.recursive.max() / self.hardware.max())


@dataclass(frozen=True)
class Listed(Raced):
    """A race of traversals over volumes, `(volume, method)` by its name, with what each does on average."""

    counts: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass
class Findings:
    """Everything that a run found out."""

    rotations: list[Rotation] = field(default_factory=list)
    listed: list[Listed] = field(default_factory=list)
    # Runs of the cycle model that are no part of a rotation, with what they ran.
    others: list[tuple[str, Sample]] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    triangle_tests: list[TriangleOperations] = field(default_factory=list)
    sweep: list[Point] = field(default_factory=list)
    swept: str = ""
    """what the sweep ran: object, step and distance in words"""
    notes: list[str] = field(default_factory=list)

    @property
    def samples(self) -> list[tuple[str, Sample]]:
        """Every pose that the cycle model ran, with its object."""
        return [(one.name, sample) for one in self.rotations for sample in one.samples] + self.others


def contestant(volume: str, method: str) -> str:
    """How a traversal over a kind of volume is called in a race."""
    return f"{volume} {method}"


def gain(listed: Sequence[Listed], volume: str, method: str, base: str = "stack") -> float:
    """How many times as fast a method is as another, over one kind of volume: the geometric mean of objects."""
    names = contestant(volume, base), contestant(volume, method)
    return geometric_mean([one.ratio(*names).median for one in listed if set(names) <= set(one.rounds)])


def less_work(listed: Sequence[Listed], column: str, volume: str, method: str, base: str = "stack") -> float:
    """How many times less of one count a method has than another."""
    names = contestant(volume, base), contestant(volume, method)
    ratios = [
        one.counts[names[0]][column] / one.counts[names[1]][column]
        for one in listed
        if set(names) <= set(one.counts) and one.counts[names[1]][column]
    ]
    return geometric_mean(ratios)


def mean_counts(stats: Sequence[Stats]) -> dict[str, float]:
    """The mean of every count of some queries."""
    return {name: float(np.mean([getattr(one, name) for one in stats])) for name in vars(stats[0])}


def plain(values: Any) -> list[float]:
    """An array for a JSON file."""
    return [float(f"{value:.6g}") for value in values]
