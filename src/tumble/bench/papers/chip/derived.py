"""Numbers that claims, tables and figures derive from the table alike."""

from typing import Any

import numpy as np

from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import Study, Table
from tumble.bench.papers.chip.measure import BUSY, BY_K, RUN_COUNTS, SWEEP, VOLUMES, contestant
from tumble.bench.papers.chip.published import BEST_K
from tumble.bench.papers.chip.rotation import AS_IT_IS, CHIP, LISTED, RECURSIVE, WITHOUT
from tumble.chip import ChipRun, Design
from tumble.chip.sweep import Point, designs


def volumes_of(lists: Study) -> list[str]:
    """The kinds of volumes that were raced."""
    return [volume for volume in VOLUMES if lists.cases(contestant(volume, RECURSIVE))]


def speedup(rotations: Study, name: str) -> float:
    """The recursive traversal's time, triangles included, by the chip's by Equation 5, both on average."""
    return float(rotations.series(name, RECURSIVE, "time").mean() / rotations.series(name, CHIP, "time").mean())


def worst_speedup(rotations: Study, name: str) -> float:
    """The same for the longest of each, as in the paper."""
    return float(rotations.series(name, RECURSIVE, "time").max() / rotations.series(name, CHIP, "time").max())


def gain(lists: Study, volume: str, method: str) -> float:
    """How many times as fast as the recursive traversal a method is over one kind of volume: a geometric mean."""
    return lists.mean_ratio(contestant(volume, RECURSIVE), contestant(volume, method))


def less_work(lists: Study, quantity: str, volume: str, method: str, base: str = RECURSIVE) -> float:
    """How many times less of one count a method has than another: a geometric mean over the objects."""
    names = contestant(volume, base), contestant(volume, method)
    counts = [[lists.value(case, name, quantity) for name in names] for case in lists.cases(*names)]
    return geometric_mean([more / less for more, less in counts if less])


def times_by_k(table: Table, method: str) -> dict[int, float]:
    """Time over k, that of k = 24 being 1."""
    study = table.study(BY_K)
    return {int(case.removeprefix("kdop")): study.value(case, method, "time") for case in study.cases(method)}


def chip_times_by_k(table: Table) -> dict[int, float]:
    """The same on the cycle model, from the sweep over k."""
    times = {p.run.design.k: p.run.seconds for p in points_of(table.study(SWEEP)) if p.knob == "k"}
    return {k: value / times[BEST_K] for k, value in times.items()} if times.get(BEST_K) else {}


def series_by_k(table: Table) -> dict[str, dict[int, float]]:
    """Software and chip, those of them that were measured."""
    software = {f"software, {method}": times_by_k(table, method) for method in (RECURSIVE, LISTED)}
    series = {**software, "chip": chip_times_by_k(table)}
    return {name: times for name, times in series.items() if times}


def apart(model: Study, case: str) -> float:
    """How much longer the model took without triangles than Equation 5 says, as a share of the equation's."""
    expected = model.value(case, WITHOUT, "Equation 5")
    return model.value(case, WITHOUT, "cycles") / expected - 1 if expected else 0.0


def points_of(study: Study) -> list[Point]:
    """The points of the sweep; a design follows from its knob and its label."""
    points = []
    for knob, label, design in designs(Design()):
        case = f"{knob.name}: {label}"
        if study.has(case, AS_IT_IS, "cycles"):
            runs = [_run(study, case, contestant, design) for contestant in (AS_IT_IS, WITHOUT)]
            points.append(Point(knob.name, label, design == Design(), *runs))
    return points


def _run(study: Study, case: str, contestant: str, design: Design) -> ChipRun:
    counts: dict[str, Any] = {name: study.count(case, contestant, name) for name in RUN_COUNTS}
    units = [name for name in study.quantities(case, contestant) if name.startswith(BUSY)]
    busy = {name.removeprefix(BUSY): study.count(case, contestant, name) for name in units}
    return ChipRun(np.empty((0, 2), np.int64), busy=busy, design=design, **counts)
