"""Rounds that test descendants before they are written, sent to the device all at once.

How many rounds there can be follows from the depths of the trees. Each learns from the counters of the last how long
its source is, so the host asks once, at the end, what became of all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.device.bulk_rounds import Round, Rounds, Source
from tumble.device.bulk_trees import DeviceTrees
from tumble.device.device import OpenDevice, opencl, wait_for
from tumble.device.launch import copied
from tumble.device.program import kernel_of
from tumble.device.timings import DeviceTimings, phase
from tumble.hierarchy.implicit.layout import Layout, steps_down
from tumble.query.settings import BulkSettings

BULK_TESTED = ("leaf_pairs", "bulk_tested")
PAIRS, LEAVES, OVERLAPS, LEAF_OVERLAPS, TESTS, COUNTERS = 0, 1, 2, 3, 4, 6
GROUPS_PER_UNIT = 16
"""groups of a launch for each compute unit: enough that those with little to do do not matter"""


class TestedRounds(Rounds):
    """The host's part of `kernels/bulk_tested.cl`."""

    queues = 2
    per_triangle = 24

    def __init__(
        self, trees: DeviceTrees, settings: BulkSettings, adjacent: bool, counting: bool, timings: DeviceTimings
    ) -> None:
        super().__init__(trees, settings, timings)
        step = settings.step
        options = {"STEP": step, "QUEUE": settings.queue, "GROUP": self.group, "COUNTING": int(counting)}
        self.kernel = kernel_of(self.device, BULK_TESTED, "bulk_round", **options)
        self.groups = GROUPS_PER_UNIT * max(1, self.device.info.units)
        self.rounds = max(1, -(-int(trees.layout.depth.max()) // step))
        with phase(timings, "upload"):
            rows = trees.kept("rows", lambda: copied(self.device, row_of_nodes(trees.layout)))
            down = trees.kept(("down", step), lambda: copied(self.device, row_records(trees.layout, step)))
        self.arguments = trees.boxes, rows, down, trees.order, trees.faces, np.uint32(adjacent)
        self.counters = trees.kept(("counters", step), lambda: self.new(4 * COUNTERS * self.rounds))

    @staticmethod
    def default_group(device: OpenDevice) -> int:
        """Return 1 for a CPU, which does the work-items of a group one after the other, and vectors by itself."""
        return 1 if device.info.kind == "cpu" else Rounds.default_group(device)

    def launch(self, source: Source, waiting: list[Source]) -> list[Round]:
        """Do all rounds that can follow from a source."""
        cl, queue, kernel = opencl(), self.device.queue, self.kernel
        counts = np.zeros((self.rounds, COUNTERS), np.uint32)
        targets = self.targets(2, source, waiting)
        cl.enqueue_copy(queue, self.counters, counts, is_blocking=False)
        kernel.set_args(
            *self.arguments, self.leaves, np.uint32(self.found), np.uint32(self.leaf_capacity),
            np.uint32(self.capacity), self.counters, np.uint32(source.begin), np.uint32(source.pairs), np.uint32(0),
            source.buffer, targets[0],
        )  # fmt: skip
        events = []
        for number in range(self.rounds):
            if number:
                for place, argument in ((11, 0), (13, number)):
                    kernel.set_arg(place, np.uint32(argument))
                kernel.set_arg(14, targets[(number - 1) % 2])
                kernel.set_arg(15, targets[number % 2])
            events.append(cl.enqueue_nd_range_kernel(queue, kernel, (self.groups * self.group,), (self.group,)))
        queue.flush()
        wait_for(events[-1])
        cl.enqueue_copy(queue, counts, self.counters)
        self.timings.launches += len(events)
        self.timings.kernel += 1e-9 * sum(event.profile.end - event.profile.start for event in events)
        return self._outcome(counts, targets)

    def _outcome(self, counts: NDArray[np.uint32], targets: list[Any]) -> list[Round]:
        done: list[Round] = []
        leaves = self.found
        for number, count in enumerate(counts.tolist()):
            leaves += count[LEAVES]
            tests = count[TESTS] | count[TESTS + 1] << 32
            done.append(Round(targets[number % 2], count[PAIRS], leaves, tests, count[OVERLAPS], count[LEAF_OVERLAPS]))
            if count[PAIRS] == 0 or not self.had_room(done[-1]):
                break
        return done


def row_of_nodes(layout: Layout) -> NDArray[np.uint32]:
    """Return the row of each node."""
    sizes = np.diff(layout.starts, append=layout.nodes)
    return np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)


def row_records(layout: Layout, step: int) -> NDArray[np.uint32]:
    """Return (rows, 8): what the kernel wants to know about going down from each row, in the order of its macros."""
    down = steps_down(layout, step)
    there = np.arange(len(layout.left)) + down
    shift = layout.first_leaf[layout.tree] - layout.starts[there]
    columns = (
        layout.starts,
        down,
        layout.starts[there],
        layout.active[there],
        shift,
        layout.tree,
        layout.left[there] == 0,
    )
    records = np.zeros((len(down), 8), np.int64)
    records[:, : len(columns)] = np.stack(columns, axis=1)
    return records.astype(np.uint32)
