"""Numbers that claims, goals, tables and figures derive from the table alike."""

from collections.abc import Mapping

import numpy as np

from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import TIME, Study, Table
from tumble.bench.papers.bsp.broad_phases import FACES, TWIN
from tumble.bench.papers.bsp.published import TABLE_1
from tumble.bench.papers.bsp.races import FIGURE_7, LOADS, STREAMS, called
from tumble.bench.papers.bsp.sweeps import Seconds


def speedups(table: Table, way: str) -> dict[str, float]:
    """How many times as long as bulk streams take on one way, by scene."""
    return table.study(FIGURE_7).ratios(called(way, STREAMS), way)


def kernel_speedups(table: Table, way: str) -> dict[str, float]:
    """The same by the device's clock."""
    study, names = table.study(FIGURE_7), (called(way, STREAMS), way)
    timed = [scene for scene in study.cases(*names) if all(study.has(scene, name, "kernels") for name in names)]
    times = {scene: [study.value(scene, name, "kernels") for name in names] for scene in timed}
    return {scene: theirs / ours for scene, (theirs, ours) in times.items()}


def mean(values: Mapping[str, float]) -> float:
    """The plain mean, as the paper's average is one; NaN of nothing."""
    return sum(values.values()) / len(values) if values else float("nan")


def lead_over(study: Study, scene: str, family: str, ours: str = TWIN) -> tuple[str, float] | None:
    """The fastest of a family of contestants, and how many times as long as ours it takes."""
    names = [name for name in study.contestants(scene) if name.startswith(family)]
    rival = min(names, key=lambda name: study.value(scene, name, TIME), default=None)
    return None if rival is None else (rival, study.ratio(scene, rival, ours))


def object_seconds(table: Table) -> float | None:
    """What IPC Toolkit takes to make one candidate a Python object; None where it did not compete."""
    study = table.study(FACES)
    found = [study.value(scene, "", "per object") for scene in study.cases() if study.has(scene, "", "per object")]
    return float(np.median(found)) if found else None


def ordered(table: Table, case: str) -> int:
    """The leaf pairs of a frame that Table 1 is about, both orders counted."""
    loads = table.study(LOADS)
    within = loads.count(case, "", "within") if TABLE_1[loads.text(case, "", "scene")].within else 0
    return 2 * (loads.count(case, "", "between") + within)


def step_costs(seconds: Seconds) -> dict[int, float]:
    """The mean time of each depth step over all entry levels, the best step being 1."""
    steps = sorted({step for _, step in seconds})
    means = {step: geometric_mean([t for (_, s), t in seconds.items() if s == step]) for step in steps}
    least = min(means.values())
    return {step: value / least for step, value in means.items()}


def smaller_takes(seconds: Seconds, axis: int, good: int, good_other: int) -> float | None:
    """How many times as long settings below a good one take as the others, on average over the good of the other axis.

    `axis` is 0 for the queue and 1 for the group; None where only one side was measured.
    """
    chosen = [(at[axis], time) for at, time in seconds.items() if at[1 - axis] >= good_other]
    below, above = ([t for value, t in chosen if (value < good) == small] for small in (True, False))
    return geometric_mean(below) / geometric_mean(above) if below and above else None
