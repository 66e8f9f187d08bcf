"""Figures 8 and 9: the time of a query over two parameters at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from tumble.bench.bsp.asking import Ask, bulk_on_cpu, bulk_on_device, compare, pairs_for, trees_of, trees_on
from tumble.bench.bsp.records import CPU, Findings, Swept, papers_way
from tumble.bench.bsp.scenes import Scene
from tumble.bench.bsp.scope import Scope
from tumble.bench.bsp.table import questions
from tumble.bench.tasks import Say
from tumble.errors import TumbleError
from tumble.hierarchy.implicit import ImplicitTrees
from tumble.query.settings import BULK_AS_IN_PAPER, BULK_ON_DEVICES, BulkSettings

Asker = Callable[[BulkSettings], Ask]
SHORT_TURN, MOST_IN_A_TURN = 0.05, 5
FIGURES = {8: ("entry level", "µ"), 9: ("κ", "|G|")}


def settings_of(figure: int, scope: Scope, base: BulkSettings) -> Iterator[tuple[tuple[int, int], BulkSettings]]:
    """All combinations of a figure; what is not swept is as everywhere, but for the depth step of Figure 9."""
    if figure == 8:
        for entry in scope.entry_levels:
            for step in scope.depth_steps:
                yield (entry, step), replace(base, entry_level=entry, depth_step=step)
    else:
        for queue in scope.queues:
            for group in scope.groups:
                yield (queue, group), replace(base, depth_step=scope.sweep_step, queue=queue, group=group)


def sweep(scene: Scene, figure: int, scope: Scope, findings: Findings, say: Say) -> None:
    """Ask every way for every combination; all must find the same."""
    question = questions(scene)[-1]
    here = trees_of(scene.now)
    pairs = pairs_for(here, question)
    truth = np.sort(bulk_on_cpu(here, pairs)())
    for way, asker, base in _askers(scene, here, pairs, findings):
        seconds: dict[tuple[int, int], list[float]] = {}
        refused: dict[tuple[int, int], str] = {}
        asks: dict[tuple[int, int], Ask] = {}
        for at, settings in settings_of(figure, scope, base):
            say(f"Figure {figure}: {scene.name}, {way}, {_told(figure, at)}")
            try:
                ask = asker(settings)
                compare(scene.name, f"{question}, {_told(figure, at)}", way, ask(), truth, findings)
            except TumbleError as error:
                refused[at] = str(error)
                continue
            asks[at], seconds[at] = ask, []
        for _ in range(scope.sweep_rounds):
            for at, ask in asks.items():
                seconds[at] += _turn(ask)
        # Few rounds of many settings: the fastest is the one that others disturbed least.
        least = {at: min(values) for at, values in seconds.items()}
        findings.swept.append(Swept(figure, scene.name, way, least, refused))


def _turn(ask: Ask) -> list[float]:
    """Ask once, and again where that takes no time: short calls are disturbed most."""
    taken: list[float] = []
    while not taken or (sum(taken) < SHORT_TURN and len(taken) < MOST_IN_A_TURN):
        start = perf_counter()
        ask()
        taken.append(perf_counter() - start)
    return taken


def _told(figure: int, at: Sequence[int]) -> str:
    first, second = FIGURES[figure]
    return f"{first} {at[0]}, {second} {at[1]}"


def _askers(
    scene: Scene, here: ImplicitTrees, pairs: NDArray[np.int64], findings: Findings
) -> Iterator[tuple[str, Asker, BulkSettings]]:
    yield CPU, partial(bulk_on_cpu, here, pairs), BulkSettings()
    for device in findings.devices:
        there = trees_on(device, scene.now)
        asker = partial(bulk_on_device, there, pairs)
        yield device.name, asker, BULK_ON_DEVICES
        yield papers_way(device.name), asker, BULK_AS_IN_PAPER
