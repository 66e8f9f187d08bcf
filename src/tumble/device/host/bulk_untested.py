"""Rounds as in paper `bsp`: descendants are written untested, and a work-item tests the pair that it reads.

After each round the host reads how long the next frontier is.
"""

from __future__ import annotations

import numpy as np

from tumble.device.host.bulk_rounds import MOST_COUNTED, Round, Rounds, Source
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.protocol import program
from tumble.device.timings import current_timings
from tumble.query.settings import BulkSettings

PAIRS, LEAVES, OVERLAPS, LEAF_OVERLAPS, COUNTERS = 0, 1, 2, 3, 4


class UntestedRounds(Rounds):
    """The host code of `kernels/bulk.cl`."""

    def __init__(self, trees: DeviceTrees, settings: BulkSettings, adjacent: bool, counting: bool) -> None:
        super().__init__(trees, settings)
        options = {"STEP": settings.step, "QUEUE": settings.queue, "COUNTING": int(counting)}
        self.program = program("search", "leaf_pairs", "bulk", **options)
        self.arguments = [
            trees.boxes, trees.starts, trees.active, trees.left, trees.tree, len(trees.layout.starts),
            trees.first_leaf, trees.order, trees.faces, int(adjacent),
        ]  # fmt: skip
        self.counters = self.device.empty(4 * COUNTERS)

    def launch(self, source: Source, waiting: list[Source]) -> list[Round]:
        """Do one round, in launches that cannot overrun the counters."""
        device = self.device
        (target,) = self.targets(1, source, waiting)
        counts = np.zeros(COUNTERS, np.uint32)
        counts[LEAVES] = self.found
        device.write(self.counters, counts)
        at_once = max(1, MOST_COUNTED // 4**self.settings.step)
        for begin in range(0, source.pairs, at_once):
            size = min(at_once, source.pairs - begin)
            launch = device.launch(
                self.program, "bulk_round", size, self.group, *self.arguments,
                source.buffer, source.begin + begin, size, target, self.capacity,
                self.leaves.buffer, self.leaves.capacity, self.counters,
            )  # fmt: skip
            current_timings().launched(device.wait(launch))
            device.read(self.counters, counts)
            if counts[PAIRS] > self.most or counts[LEAVES] > self.most_leaves:
                break
        pairs, leaves, overlaps, leaf_overlaps = (int(n) for n in counts)
        return [Round(target, pairs, leaves, source.pairs, overlaps, leaf_overlaps)]
