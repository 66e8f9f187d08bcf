"""Figure 6: processor seconds to build boxtrees over growing objects on one thread, and how they grow.

As in the paper, one thread; the processor's time, not the wall's, so that other programs do not count. Beside it, what
does not depend on the machine: on how many levels each triangle is looked at, which is what Section 4.3 counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.table import TIME, Study
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.boxtree.clock import processor_race
from tumble.bench.papers.boxtree.contestants import BUILDS, LEAF_SIZE
from tumble.bench.papers.boxtree.splits import triangle_levels
from tumble.scenario.objects import shape_duo

BUILT = "build"


def add_builds(study: Study, effort: Effort, kind: str, size: int, say: Say) -> None:
    """Race every builder, on one thread, from the mesh to the finished tree, which is not taken from its cache."""
    from tumble.hierarchy.boxtree.build import build_boxtree

    duo = shape_duo(kind, size)
    ways = {name: (how["split"], LEAF_SIZE, how["planes"]) for name, how in BUILDS.items()}
    builders = {name: partial(build_boxtree, duo.a, *way, 1) for name, way in ways.items()}
    study.add_values(duo.name, "", {"kind": kind, "size": size, "triangles": len(duo.a)})
    for name, make in builders.items():
        study.add(duo.name, name, "levels", float(triangle_levels(make()).mean()))
    study.add_race(duo.name, processor_race(builders, effort))


@dataclass(frozen=True)
class Fit:
    """Seconds over triangles n, twice: as `factor` · n log2 n, and as n to a power."""

    factor: float
    # The largest deviation of a measured time from the first, as a ratio above 1.
    worst: float
    power: float
    # What the power would be if the times were exactly n log n over these sizes.
    expected_power: float

    @property
    def holds(self) -> bool:
        """Whether the times grow no faster than n log n; a tenth more in the power is noise."""
        return self.power <= self.expected_power + 0.1


def fit(sizes: Sequence[int], seconds: Sequence[float]) -> Fit:
    """Least squares of logarithms, so that every size has the same weight."""
    n, measured = np.log(sizes), np.log(seconds)
    model = n + np.log(np.log2(sizes))
    shift = float(np.mean(measured - model))
    worst = float(np.exp(np.abs(measured - model - shift).max()))
    return Fit(float(np.exp(shift)), worst, _slope(n, measured), _slope(n, model))


def _slope(x: Any, y: Any) -> float:
    return float(np.polyfit(x, y, 1)[0])


def kinds(study: Study) -> list[str]:
    """The kinds of objects in a study."""
    return list(dict.fromkeys(study.text(case, "", "kind") for case in study.cases()))


def times_of(study: Study, kind: str, builder: str) -> list[tuple[int, float]]:
    """Triangles and seconds of one builder over one kind of object, by size."""
    cases = [case for case in study.cases(builder) if study.text(case, "", "kind") == kind]
    return sorted((study.count(case, "", "triangles"), study.value(case, builder, TIME)) for case in cases)


def fits(study: Study, builder: str) -> dict[str, Fit]:
    """The fit of one builder over each kind of object with at least four sizes."""
    groups = {kind: times_of(study, kind, builder) for kind in kinds(study)}
    return {kind: fit(*zip(*group, strict=True)) for kind, group in groups.items() if len(group) >= 4}
