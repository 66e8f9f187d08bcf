"""The bulk-synchronous traversal on a device: leaf pairs of many implicit trees. Paper `bsp`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.device.bulk_rounds import Rounds
from tumble.device.bulk_tested import TestedRounds
from tumble.device.bulk_trees import DeviceTrees
from tumble.device.bulk_untested import UntestedRounds
from tumble.device.device import working
from tumble.device.timings import current_timings, phase
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.entry import enter_untested, first_frontiers
from tumble.traversal.bulk.leaves import keep_leaves
from tumble.traversal.bulk.rounds import Keys, Work


def device_leaf_pairs(
    trees: DeviceTrees, tree_pairs: NDArray[np.int64], settings: BulkSettings, *, adjacent: bool, counting: bool = True
) -> tuple[Keys, Work]:
    """Return the leaf pairs of pairs of trees, as `tumble.traversal.bulk.rounds.leaf_pairs` does, found on a device.

    Overlaps are only counted if asked for, as that costs atomic additions.
    """
    timings, layout = current_timings(), trees.layout
    timings.pairs += len(tree_pairs)
    wanted = np.ascontiguousarray(tree_pairs, np.int64)
    with phase(timings, "trees"):
        trees.ready()
    if len(trees.posed.bodies.faces) == 0:
        return np.empty(0, np.int64), Work()
    with working(trees.device):
        kind = TestedRounds if settings.tested else UntestedRounds
        rounds: Rounds = kind(trees, settings, adjacent, counting, timings)

        def enter_range(start: int, stop: int, level: int, pairs: Keys) -> int:
            where = layout.starts, layout.active, layout.first_row, layout.depth
            return int(enter_untested(*where, wanted, start, stop, level, pairs))

        for first in first_frontiers(enter_range, len(wanted), settings, settings.capacity(1)):
            rounds.run(first)
        found = rounds.read_leaves()
    with phase(timings, "confirm"):
        count, unsure, lost = keep_leaves(found, trees.posed.world.vertices, trees.posed.bodies.faces)
    timings.unsure += unsure
    if counting:
        rounds.work.leaf_overlaps -= lost
        rounds.work.overlaps -= lost
    return found[:count].view(np.int64), rounds.work
