"""Figure 6: processor seconds to build boxtrees over growing objects on one thread, and how they grow.

As in the paper, one thread; the processor's time, not the wall's, so that other programs do not count. Beside it, what
does not depend on the machine: on how many levels each triangle is looked at, which is what Section 4.3 counts.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.statistics import Interval
from tumble.bench.framework.table import TIME, Study
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.boxtree.clock import processor_race
from tumble.bench.papers.boxtree.contestants import BUILDS, LEAF_SIZE
from tumble.bench.papers.boxtree.splits import triangle_levels
from tumble.scenario.objects import shape_duo

BUILT = "build"
# Powers of n that differ by less say nothing about growth: caches alone are worth as much.
MORE_POWER = 0.1


def add_builds(study: Study, effort: Effort, kind: str, size: int, say: Say) -> None:
    """Race every builder, on one thread, from the mesh to the finished tree, which is not taken from its cache."""
    from tumble.hierarchy.boxtree.build import build_boxtree

    duo = shape_duo(kind, size)
    ways = {name: (how["split"], LEAF_SIZE, how["planes"]) for name, how in BUILDS.items()}
    builders = {name: partial(build_boxtree, duo.a, *way, 1) for name, way in ways.items()}
    study.add_values(duo.name, "", {"kind": kind, "size": size, "triangles": len(duo.a)})
    for name, make in builders.items():
        study.add(duo.name, name, "levels", float(triangle_levels(make()).mean()))
    seconds = processor_race(builders, effort)
    study.add_race(duo.name, seconds)
    for name, rounds in seconds.items():
        known = Interval.of(rounds)
        study.add_values(duo.name, name, {f"{TIME}, from": known.low, f"{TIME}, to": known.high}, "s")


@dataclass(frozen=True)
class Fit:
    """Seconds over triangles n, twice: as `factor` · n log2 n, and as n to a power."""

    factor: float
    # The largest deviation of a measured time from the first, as a ratio above 1.
    worst: float
    power: Interval
    # What the power would be if the times were exactly n log n over these sizes.
    expected_power: float

    @property
    def holds(self) -> bool | None:
        """Whether the times grow no faster than n log n; None where noise is larger than the difference."""
        return self.power.below(self.expected_power + MORE_POWER)


def fit(sizes: Sequence[int], seconds: Sequence[Interval]) -> Fit:
    """Least squares of logarithms, so that every size has the same weight.

    The slope is a weighted sum of the logarithms; errors of different sizes are independent, and add up like the sides
    of a right angle.
    """
    n = np.log(sizes)
    with np.errstate(divide="ignore"):
        measured, low, high = (np.log([each[end] for each in seconds]) for end in range(3))
    model = n + np.log(np.log2(sizes))
    shift = float(np.mean(measured - model))
    worst = float(np.exp(np.abs(measured - model - shift).max()))
    weights = (n - n.mean()) / ((n - n.mean()) ** 2).sum()
    power = float(weights @ measured)
    down = math.hypot(*_errors(weights, measured - low, high - measured))
    up = math.hypot(*_errors(weights, high - measured, measured - low))
    return Fit(float(np.exp(shift)), worst, Interval(power, power - down, power + up), float(weights @ model))


def _errors(weights: Any, below: Any, above: Any) -> Any:
    """How much each size may move the slope one way; one without a weight does not."""
    with np.errstate(invalid="ignore"):
        return np.where(weights == 0, 0.0, np.abs(weights) * np.where(weights > 0, below, above))


def kinds(study: Study) -> list[str]:
    """The kinds of objects in a study."""
    return list(dict.fromkeys(study.text(case, "", "kind") for case in study.cases()))


def times_of(study: Study, kind: str, builder: str) -> list[tuple[int, Interval]]:
    """Triangles and seconds of one builder over one kind of object, by size."""
    cases = [case for case in study.cases(builder) if study.text(case, "", "kind") == kind]
    return sorted((study.count(case, "", "triangles"), seconds_of(study, case, builder)) for case in cases)


def seconds_of(study: Study, case: str, builder: str) -> Interval:
    """The median time of a builder, and what it lies between; by deciles in tables that were kept without."""
    ends = ("from", "to") if study.has(case, builder, f"{TIME}, from") else ("low", "high")
    value = study.value(case, builder, TIME)
    return Interval(value, *(study.value(case, builder, f"{TIME}, {end}", value) for end in ends))


def fits(study: Study, builder: str) -> dict[str, Fit]:
    """The fit of one builder over each kind of object with at least four sizes."""
    groups = {kind: times_of(study, kind, builder) for kind in kinds(study)}
    return {kind: fit(*zip(*group, strict=True)) for kind, group in groups.items() if len(group) >= 4}


def power_text(power: Interval) -> str:
    """A power of n with what it lies between: "0.87 (0.85 to 0.90)"."""
    if math.isinf(power.high):
        return f"{power.value:.2f} (too few rounds)"
    return f"{power.value:.2f} ({power.low:.2f} to {power.high:.2f})"
