"""Figures 8 and 9: the time of a query over two parameters at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.statistics import Interval, geometric_mean
from tumble.bench.framework.table import TIME, Study, Table
from tumble.bench.papers.bsp.counts import MOST_ENTERED
from tumble.bench.papers.bsp.races import case_of, questions
from tumble.bench.papers.bsp.scenes import Scene
from tumble.bench.papers.bsp.ways import CPU, PRUNED, Ask, Way, all_ways, compare, papers_way
from tumble.device import Device
from tumble.errors import OptionError, TumbleError
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.entry import pairs_entered

SHORT_TURN, MOST_IN_A_TURN = 0.05, 5
FIGURES = {8: ("entry level", "µ"), 9: ("κ", "|G|")}
"""a figure and its two parameters"""
At = tuple[int, int]
Seconds = Mapping[At, float]
Rounds = Mapping[At, NDArray[np.float64]]
"""the seconds of every combination, round by round"""


@dataclass(frozen=True)
class Grid:
    """What is swept in a figure, and how often each combination is asked."""

    figure: int
    first: Sequence[int]
    second: Sequence[int]
    rounds: int
    # The depth step where it is not swept.
    depth_step: int

    def settings(self, base: BulkSettings) -> Iterator[tuple[At, BulkSettings]]:
        """All combinations; what is not swept is as everywhere, but for the depth step of Figure 9."""
        for at in ((a, b) for a in self.first for b in self.second):
            if self.figure == 8:
                yield at, replace(base, entry_level=at[0], depth_step=at[1])
            else:
                yield at, replace(base, depth_step=self.depth_step, queue=at[0], group=at[1])


def study_of(table: Table, figure: int) -> Study:
    """The study of a figure: seconds by scene, way and combination."""
    return table.study(" and ".join(FIGURES[figure]))


def add_sweep(scene: Scene, grid: Grid, devices: Sequence[Device], table: Table, say: Say) -> None:
    """Ask every way for every combination; all must find the same."""
    question, study, truth = questions(scene.name)[-1], study_of(table, grid.figure), None
    study.add(scene.name, "", "depth step", grid.depth_step)
    for way in all_ways(scene.now, devices):
        if truth is None:
            truth = np.sort(way.ask(question)())  # of the first way, the CPU twin
        if not _is_swept(way.name, grid.figure, devices):
            continue
        asks: dict[At, Ask] = {}
        for at, settings in grid.settings(way.settings):
            where = ", ".join(f"{name} {value}" for name, value in zip(FIGURES[grid.figure], at, strict=True))
            say(f"Figure {grid.figure}: {scene.name}, {way.name}, {where}")
            try:
                ask = _asked(way, question, settings)
                compare(table, f"{case_of(scene.name, question)}, {where}", way.name, ask(), truth)
            except TumbleError as error:
                study.add(scene.name, way.name, f"refused: {at[0]} {at[1]}", str(error))
                continue
            asks[at] = ask
        rounds = [{at: _turn(ask) for at, ask in asks.items()} for _ in range(grid.rounds)]
        for at in asks:
            study.add_series(scene.name, way.name, f"{TIME}: {at[0]} {at[1]}", [one[at] for one in rounds], "s")


def _is_swept(way: str, figure: int, devices: Sequence[Device]) -> bool:
    """Figure 9 is about queues, so one list of objects will do; the CPU in the paper's way is for want of devices."""
    return not (figure == 9 and way.endswith(PRUNED)) and not (devices and way == papers_way(CPU))


def _asked(way: Way, question: str, settings: BulkSettings) -> Ask:
    pairs = pairs_entered(way.trees.layout, way.pairs(question), settings.entry_level)
    if pairs > MOST_ENTERED:
        raise OptionError(f"a first frontier of {pairs} pairs is left out")
    return way.ask(question, settings)


def _turn(ask: Ask) -> float:
    """Ask once, and again where that takes no time: short calls are disturbed most."""
    taken: list[float] = []
    while not taken or (sum(taken) < SHORT_TURN and len(taken) < MOST_IN_A_TURN):
        start = perf_counter()
        ask()
        taken.append(perf_counter() - start)
    return min(taken)


def rounds_of(study: Study, scene: str, way: str) -> dict[At, NDArray[np.float64]]:
    """The times of every combination that was not refused."""
    found: dict[At, NDArray[np.float64]] = {}
    for quantity in study.quantities(scene, way):
        kind, _, at = quantity.partition(": ")
        if kind == TIME:
            first, second = map(int, at.split())
            found[first, second] = study.series(scene, way, quantity)
    return found


def seconds_of(study: Study, scene: str, way: str) -> dict[At, float]:
    """Their medians."""
    return {at: float(np.median(times)) for at, times in rounds_of(study, scene, way).items()}


def known(rounds: Rounds, measure: Callable[[Seconds], float | None]) -> Interval | None:
    """What a measure of the times of a round says over all rounds: what slows one round slows all combinations."""
    each = [measure(dict(zip(rounds, times, strict=True))) for times in zip(*rounds.values(), strict=True)]
    values = [value for value in each if value is not None]
    return Interval.of(values) if values else None


def refused(study: Study, scene: str, way: str) -> int:
    """How many combinations were."""
    return sum(quantity.startswith("refused: ") for quantity in study.quantities(scene, way))


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
