"""What a device does in the paper's way: where it searches the layout, how it writes, what it sends to the host.

The paper searches its layout arrays in local memory (Section 4), writes through a queue (Section 5.3) and names prefix
sums as a way on (Section 7). All of them are raced, and counted once.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tumble.bench.framework.table import Study, Table
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.bsp import ways
from tumble.bench.papers.bsp.races import questions
from tumble.bench.papers.bsp.scenes import Scene
from tumble.device import Device, measured
from tumble.device.host.bulk import device_leaf_pairs
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.query.settings import BULK_AS_IN_PAPER, BulkSettings
from tumble.traversal.bulk.entry import pairs_entered

VARIANTS = "variants"
GLOBAL, LOCAL, TABLE = "searched in global memory", "searched in local memory", "looked up"
SCANNED = "prefix sums"
SETTINGS = {
    LOCAL: replace(BULK_AS_IN_PAPER, search="local"),
    GLOBAL: BULK_AS_IN_PAPER,
    TABLE: replace(BULK_AS_IN_PAPER, search="table"),
    SCANNED: replace(BULK_AS_IN_PAPER, search="local", places="scan"),
}


def variant(device: str, name: str) -> str:
    """What a variant on a device is called."""
    return f"{device}, {name}"


def race_variants(scene: Scene, devices: Sequence[Device], effort: Effort, table: Table) -> None:
    """Race all variants on every device, beside the one with the search of the paper."""
    question, study = questions(scene.name)[-1], table.study(VARIANTS)
    for device in devices:
        trees = ways.trees_on(device, scene.now)
        pairs = ways.pairs_for(trees, question, every=True)
        asks = {variant(device.name, name): ways.ask_bulk(trees, pairs, each) for name, each in SETTINGS.items()}
        local, table_of_rows = (variant(device.name, name) for name in (LOCAL, TABLE))
        truth = np.sort(asks[local]())
        for name, ask in asks.items():
            study.add(scene.name, name, "same", bool(np.array_equal(np.sort(ask()), truth)))
        beside = [(name, local) for name in asks if name != local]
        study.add_race(scene.name, race(asks, effort), [*beside, (local, table_of_rows)])
        _add_work(trees, pairs, SETTINGS[LOCAL], study, scene.name, local)


def _add_work(
    trees: DeviceTrees, pairs: ways.Keys, settings: BulkSettings, study: Study, scene: str, name: str
) -> None:
    with measured() as timings:
        keys, work = device_leaf_pairs(trees, pairs, settings, adjacent=True)
    numbers = {"flushes": work.flushes, "most flushes": work.most_flushes, "rounds": work.rounds, "tests": work.tests}
    # one of two inner nodes that overlap writes their descendants
    numbers |= {"writing": work.overlaps - work.leaf_overlaps}
    # all frontiers but the first, which the host made, were written by the device
    first = pairs_entered(trees.layout, pairs, settings.entry_level)
    numbers |= {"written": work.tests - first, "launches": timings.launches - timings.grown}
    numbers |= {"returned": timings.candidates, "leaves": len(keys) + timings.unsure}
    numbers |= {"µ": settings.step, "|G|": settings.group or 0, "κ": settings.queue}
    study.add_values(scene, name, numbers)
