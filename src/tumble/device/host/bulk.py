"""The bulk-synchronous traversal on a device: leaf pairs of many implicit trees. Paper `bsp`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.bulk_rounds import Rounds
from tumble.device.host.bulk_tested import TestedRounds
from tumble.device.host.bulk_untested import UntestedRounds
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.leaves import confirmed_leaves
from tumble.device.timings import current_timings, phase
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.entry import enter_untested, first_frontiers
from tumble.traversal.bulk.rounds import Keys, RoundCounts


def device_leaf_pairs(
    trees: DeviceTrees, tree_pairs: NDArray[np.int64], settings: BulkSettings, *, adjacent: bool, counting: bool = True
) -> tuple[Keys, RoundCounts]:
    """Return the leaf pairs of pairs of trees, as `tumble.traversal.bulk.rounds.leaf_pairs` does, found on a device.

    counting   whether tests and overlaps are counted, which costs atomic additions
    """
    current_timings().pairs += len(tree_pairs)
    with phase("trees"):
        trees.ready()
    layout, wanted = trees.layout, np.ascontiguousarray(tree_pairs, np.int64)
    if len(trees.posed.bodies.faces) == 0:
        return np.empty(0, np.int64), RoundCounts()

    def enter_range(start: int, stop: int, level: int, pairs: Keys) -> int:
        where = layout.starts, layout.active, layout.first_row, layout.depth
        return int(enter_untested(*where, wanted, start, stop, level, pairs))

    with trees.device.working():
        posed = trees.posed
        kind = TestedRounds if settings.tested else UntestedRounds
        rounds: Rounds = kind(trees, settings, adjacent, counting)
        for first in first_frontiers(enter_range, len(wanted), settings, settings.capacity(1)):
            rounds.run(first)
        found = rounds.read_leaves()
    return confirmed_leaves(posed, found, rounds.work, counting), rounds.work
