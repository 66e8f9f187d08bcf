"""Rounds as in paper `bsp`: descendants are written untested, and a work-item tests the pair that it reads.

After each round one small copy says how long the next frontier is.
"""

from __future__ import annotations

import numpy as np

from tumble.device.bulk_rounds import MOST_COUNTED, Round, Rounds, Source
from tumble.device.bulk_trees import DeviceTrees
from tumble.device.device import opencl, wait_for
from tumble.device.launch import copied
from tumble.device.program import kernel_of
from tumble.device.timings import DeviceTimings, phase
from tumble.query.settings import BulkSettings

BULK = ("search", "leaf_pairs", "bulk")
PAIRS, LEAVES, OVERLAPS, LEAF_OVERLAPS, COUNTERS = 0, 1, 2, 3, 4


class UntestedRounds(Rounds):
    """The host's part of `kernels/bulk.cl`."""

    def __init__(
        self, trees: DeviceTrees, settings: BulkSettings, adjacent: bool, counting: bool, timings: DeviceTimings
    ) -> None:
        super().__init__(trees, settings, timings)
        layout = trees.layout
        options = {"STEP": settings.step, "QUEUE": settings.queue, "COUNTING": int(counting)}
        self.kernel = kernel_of(self.device, BULK, "bulk_round", **options)
        with phase(timings, "upload"):
            self.arguments = [
                trees.boxes, trees.starts, trees.active, trees.left, copied(self.device, layout.tree.astype(np.int32)),
                np.uint32(len(layout.starts)), trees.first_leaf, trees.order, trees.faces, np.uint32(adjacent),
            ]  # fmt: skip
        self.counters = self.new(4 * COUNTERS)

    def launch(self, source: Source, waiting: list[Source]) -> list[Round]:
        """Do one round, in launches of which none can overrun the counters."""
        cl, queue, group = opencl(), self.device.queue, self.group
        (target,) = self.targets(1, source, waiting)
        counts = np.zeros(COUNTERS, np.uint32)
        counts[LEAVES] = self.found
        cl.enqueue_copy(queue, self.counters, counts)
        at_once = max(1, MOST_COUNTED // 4**self.settings.step)
        for begin in range(0, source.pairs, at_once):
            size = min(at_once, source.pairs - begin)
            event = self.kernel(
                queue, (-(-size // group) * group,), (group,), *self.arguments,
                source.buffer, np.uint32(source.begin + begin), np.uint32(size), target, np.uint32(self.capacity),
                self.leaves, np.uint32(self.leaf_capacity), self.counters,
            )  # fmt: skip
            queue.flush()
            wait_for(event)
            cl.enqueue_copy(queue, counts, self.counters)
            self.timings.kernel += 1e-9 * (event.profile.end - event.profile.start)
            self.timings.launches += 1
            if counts[PAIRS] > self.most or counts[LEAVES] > self.most_leaves:
                break
        pairs, leaves, overlaps, leaf_overlaps = (int(n) for n in counts)
        return [Round(target, pairs, leaves, source.pairs, overlaps, leaf_overlaps)]
