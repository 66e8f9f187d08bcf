"""Rounds, tests and frontiers of the paper's traversal, by entry level and depth step µ: the same on every machine.

The CPU twin counts in the paper's way (`BulkSettings(tested=False)`), for all pairs of objects and for those whose
boxes overlap, and once more with the inactive nodes of padded trees. Each frontier is kept, the first one included; all
else follows: as many rounds as frontiers, as many tests as pairs in them. Beside it, what streams keep from frame to
frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.table import Study, Table
from tumble.bench.papers.bsp import ways
from tumble.bench.papers.bsp.lockstep import busy_shares
from tumble.bench.papers.bsp.races import questions
from tumble.bench.papers.bsp.scenes import Scene
from tumble.core.parallel import thread_count
from tumble.device.front_primed import primed_front
from tumble.hierarchy.implicit import ImplicitTrees
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.entry import pairs_entered
from tumble.traversal.bulk.rounds import leaf_pairs

COUNTS = "counts"
EVERY, OVERLAPPING, INACTIVE = "all pairs", "overlapping objects", "all pairs, inactive nodes"
ONLY_BETWEEN, FRONTS, LOCKSTEP = "between objects", "fronts", "lockstep"
SPIKED_STEPS = (3, 4)
"""the depth steps with which the paper saw spikes"""
MOST_ENTERED = 1 << 26
"""pairs of a first frontier: deeper levels are left out"""
SETTING = BulkSettings(depth_step=2, tested=False)
At = tuple[int, int]


@dataclass(frozen=True)
class CountGrid:
    """Entry levels and depth steps."""

    entry_levels: Sequence[int]
    depth_steps: Sequence[int]


def add_counts(scene: Scene, grid: CountGrid, table: Table, say: Say) -> None:
    """Count everything about a scene, as Table 1 asks about it, and between objects as in Figure 7."""
    study, trees, question = table.study(COUNTS), ways.trees_on(None, scene.now), questions(scene.name)[-1]
    pairs = {name: ways.pairs_for(trees, question, name != OVERLAPPING) for name in (EVERY, OVERLAPPING, INACTIVE)}
    _add_facts(scene, trees, pairs, study)
    for name in pairs:
        # padding is said to show with large steps only
        steps = [step for step in grid.depth_steps if name != INACTIVE or step in SPIKED_STEPS]
        for entry, step in ((entry, step) for entry in grid.entry_levels for step in steps):
            say(f"Counts: {scene.name}, {name}, entry level {entry}, µ = {step}")
            if pairs_entered(trees.layout, pairs[name], entry) <= MOST_ENTERED:
                settings = BulkSettings(entry, step, tested=False, inactive=name == INACTIVE)
                _count(trees, pairs[name], settings, study, scene.name, name)
    _count(trees, ways.pairs_for(trees, ways.BETWEEN, True), SETTING, study, scene.name, ONLY_BETWEEN)
    _add_fronts(scene, trees, study)
    study.add_values(scene.name, LOCKSTEP, busy_shares(scene))


def _add_facts(scene: Scene, trees: ImplicitTrees, pairs: dict[str, NDArray[np.int64]], study: Study) -> None:
    layout = trees.layout
    active = int(layout.active.sum())
    study.add_values(scene.name, "", {"pairs of objects": len(pairs[EVERY]), "overlapping": len(pairs[OVERLAPPING])})
    study.add_values(scene.name, "", {"nodes": layout.nodes, "active nodes": active, "depth": int(layout.depth.max())})


def _count(
    trees: ImplicitTrees, pairs: NDArray[np.int64], settings: BulkSettings, study: Study, scene: str, name: str
) -> None:
    _, work = leaf_pairs(trees, pairs, settings, adjacent=True, threads=thread_count(None))
    at = f"{settings.entry_level} {settings.step}"
    study.add_series(scene, name, f"frontiers: {at}", work.frontiers)
    numbers = {"rounds": len(work.frontiers), "tests": work.tests, "overlaps": work.overlaps}
    study.add_values(scene, name, {f"{what}: {at}": number for what, number in numbers.items()})


def _add_fronts(scene: Scene, trees: ImplicitTrees, study: Study) -> None:
    """What streams keep for the next frame, and what bulk writes when it tests first; both for both questions."""
    for question in questions(scene.name):
        within = question != ways.BETWEEN
        primed = primed_front(scene.before, scene.now, within=within, every=True)
        found, after = primed.run()
        pairs = ways.pairs_for(trees, question, True)
        untested, tested = (
            leaf_pairs(trees, pairs, BulkSettings(depth_step=2, tested=each), adjacent=True, threads=1)[1]
            for each in (False, True)
        )
        values = {"front before": primed.front.size, "front after": after, "leaf pairs": len(found)}
        values |= {"bulk": sum(untested.frontiers), "bulk, tested first": sum(tested.frontiers)}
        both = [sum(two) for two in zip(untested.frontiers, [*untested.frontiers[1:], 0], strict=True)]
        study.add_values(scene.name, f"{FRONTS}, {question}", {**values, "bulk at once": max(both)})


def frontiers_of(study: Study, scene: str, name: str) -> dict[At, NDArray[np.float64]]:
    """The frontiers of every combination that was counted."""
    found: dict[At, NDArray[np.float64]] = {}
    for quantity in study.quantities(scene, name):
        kind, _, at = quantity.partition(": ")
        if kind == "frontiers":
            entry, step = map(int, at.split())
            found[entry, step] = study.series(scene, name, quantity)
    return found


def rounds_of(study: Study, scene: str, name: str) -> dict[At, int]:
    """The rounds of every combination."""
    found = frontiers_of(study, scene, name)
    return {at: study.count(scene, name, f"rounds: {at[0]} {at[1]}") for at in found}


def tests_of(study: Study, scene: str, name: str) -> dict[At, float]:
    """The tests of every combination."""
    return {at: float(sizes.sum()) for at, sizes in frontiers_of(study, scene, name).items()}


def below_entry(study: Study, scene: str, name: str, step: int) -> dict[int, float]:
    """The tests behind the first frontier, by entry level: what does not grow with the number of pairs of objects."""
    found = frontiers_of(study, scene, name)
    return {entry: float(sizes[1:].sum()) for (entry, s), sizes in found.items() if s == step}
