"""Figure 7: bulk beside streams, whose settings are tried out first, so that streams run as fast as they can here.

As in Section 6.1: trees and front are there before the clock starts, which stops when the leaf pairs are here. The
paper leaves out Tang's redistribution of work among groups; here a work-item hands on what is left after `steps` pairs,
and with `steps=0`, which is among the settings that are tried, only what its stack cannot hold.

Both sides enter with the same pairs of objects: all of them in the paper's way, those whose boxes overlap in ours.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product

from tumble.bench.framework.statistics import Interval
from tumble.bench.framework.table import TIME, Table
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.bsp import ways
from tumble.bench.papers.bsp.scenes import Scene
from tumble.device import Device
from tumble.device.front_primed import PrimedFront, primed_front
from tumble.query.settings import FrontSettings

FIGURE_7, SETTINGS = "streams", "settings of streams"
STREAMS, EVERY = "streams", "streams, all pairs"
REFITTED, AT_ROOTS, BY_DEFAULT = "streams, refitted trees", "streams from the roots", "streams by default"


@dataclass(frozen=True)
class StreamsGrid:
    """The settings of streams that are tried, and how long that takes."""

    steps: Sequence[int] = (0, 128)
    segments: Sequence[int] = (1, 4, 64)
    stacks: Sequence[int] = (8, 32)
    effort: Effort = field(default=Effort(4.0, least_rounds=8, most_rounds=16))

    def settings(self, on_cpu: bool) -> list[FrontSettings]:
        """All combinations; the CPU has no segments."""
        segments = (FrontSettings.segments,) if on_cpu else self.segments
        combined = product(self.steps, segments, self.stacks)
        return [FrontSettings(steps=steps, segments=parts, stack=stack) for steps, parts, stack in combined]


def called(way: str, *what: str) -> str:
    """How a method on the CPU or on a device is called, or what is done to trees there."""
    return ", ".join((ways.device_of(way), *what))


def label(settings: FrontSettings) -> str:
    """Settings of streams in words."""
    return f"steps {settings.steps}, segments {settings.segments}, stack {settings.stack}"


def opponent(way: str) -> str:
    """The streams that enter with the same pairs of objects as a way does."""
    return called(way, EVERY if ways.enters_all(way) else STREAMS)


def race_streams(scene: Scene, devices: Sequence[Device], grid: StreamsGrid, effort: Effort, table: Table) -> None:
    """Race bulk and streams on the CPU and on every device, between objects."""
    asks = {way.name: way.ask(ways.BETWEEN) for way in ways.all_ways(scene.now, devices)}
    for way, device in ((ways.CPU, "cpu"), *((each.name, each.name) for each in devices)):
        best = tuned(way, device, scene, grid, table)
        asks |= _streams(way, device, scene, best)
    pairs = [(opponent(way), way) for way in ways.ways_of(table)]
    ways.race_ways(table, table.study(FIGURE_7), scene.name, asks, pairs, effort)


def tuned(way: str, device: str, scene: Scene, grid: StreamsGrid, table: Table) -> FrontSettings:
    """Try settings of streams and return the fastest; times beside the fastest stay in the table."""
    tried = {label(each): each for each in grid.settings(device == "cpu")}
    asks = {
        name: _ask(primed_front(scene.before, scene.now, device=device, settings=each)) for name, each in tried.items()
    }
    for ask in asks.values():
        ask()
    rounds = race(asks, grid.effort)
    middles = {name: Interval.of(seconds).value for name, seconds in rounds.items()}
    best = min(middles, key=lambda name: middles[name])
    study, case = table.study(SETTINGS), f"{scene.name}, {way}"
    study.add_values(case, "", {"scene": scene.name, "way": way, "chosen": best})
    study.add_race(case, rounds, [(name, best) for name in tried if name != best])
    return tried[best]


def _streams(way: str, device: str, scene: Scene, best: FrontSettings) -> dict[str, ways.Ask]:
    """Streams with the front of the frame before: with new trees as in the paper, with refitted ones, and without."""
    prime = partial(primed_front, scene.before, scene.now, device=device)
    anew = prime(settings=best)
    steps = {
        STREAMS: anew,
        EVERY: prime(settings=best, every=True),
        REFITTED: prime(settings=best, rebuild=False),
        AT_ROOTS: replace(anew, front=None),
        BY_DEFAULT: prime(),
    }
    return {called(way, method): _ask(step) for method, step in steps.items()}


def _ask(step: PrimedFront) -> ways.Ask:
    run: Callable[[], ways.Keys] = lambda: step.run()[0]  # noqa: E731
    return ways.Ask(run)


def speedups(table: Table, way: str) -> dict[str, Interval]:
    """How many times as long as bulk streams take on one way, by scene."""
    study, theirs = table.study(FIGURE_7), opponent(way)
    measured = [scene for scene in study.cases(theirs, way) if study.has(scene, theirs, f"{TIME} / {way}")]
    return {scene: study.interval(scene, theirs, way) for scene in measured}


def kernel_speedups(table: Table, way: str) -> dict[str, float]:
    """The same by the device's clock."""
    study, names = table.study(FIGURE_7), (opponent(way), way)
    timed = [scene for scene in study.cases(*names) if all(study.has(scene, name, "kernels") for name in names)]
    times = {scene: [study.value(scene, name, "kernels") for name in names] for scene in timed}
    return {scene: theirs / ours for scene, (theirs, ours) in times.items()}


def chosen_settings(table: Table) -> dict[str, str]:
    """The settings that were fastest, by scene and way."""
    study = table.study(SETTINGS)
    return {case: study.text(case, "", "chosen") for case in study.cases()}
