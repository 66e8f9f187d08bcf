"""The bulk-synchronous traversal on a device, the host's part: Algorithm 1 of paper `bsp`.

Frontiers stay on the device; after each round one small copy says how long the next is. A target that was too small
is made larger, and the round is done again. One that would be larger than allowed is not made: then the source is cut
in half, and one half waits, where it is, until all that follows from the other is done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.bulk_settings import BulkSettings
from tumble.errors import OptionError
from tumble.gpu.bulk_trees import DeviceTrees
from tumble.gpu.device import OpenDevice, opencl, working
from tumble.gpu.launch import copied
from tumble.gpu.program import kernel_of
from tumble.gpu.timings import DeviceTimings, current_timings, phase
from tumble.traversal.bulk.entry import enter_untested, first_frontiers
from tumble.traversal.bulk.leaves import take_leaves
from tumble.traversal.bulk.rounds import Keys, Work

BULK = ("bulk",)
PAIRS, LEAVES, OVERLAPS, LEAF_OVERLAPS, COUNTERS = 0, 1, 2, 3, 4
KEY_BYTES = 8
UNSURE = np.uint64(1 << 63)
MOST_COUNTED = 1 << 31
"""counters have 32 bits: launches are cut so that none can make more pairs"""


class Source(NamedTuple):
    """A frontier, or a part of one."""

    buffer: Any
    begin: int
    pairs: int


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
        rounds = _Rounds(trees, settings, adjacent, counting, timings)

        def enter_range(start: int, stop: int, level: int, pairs: Keys) -> int:
            where = layout.starts, layout.active, layout.first_row, layout.depth
            return int(enter_untested(*where, wanted, start, stop, level, pairs))

        for first in first_frontiers(enter_range, len(wanted), settings, settings.capacity(1)):
            rounds.run(first)
        found = rounds.read_leaves()
    with phase(timings, "confirm"):
        keys = np.empty(len(found), np.int64)
        count = take_leaves(found, UNSURE, trees.posed.world.vertices, trees.posed.bodies.faces, keys)
    timings.unsure += int((found & UNSURE != 0).sum())
    if counting:
        rounds.work.leaf_overlaps -= len(found) - count
        rounds.work.overlaps -= len(found) - count
    return keys[:count], rounds.work


class _Rounds:
    """The buffers of one traversal, and what it has found so far; use it with the device's lock held."""

    def __init__(
        self, trees: DeviceTrees, settings: BulkSettings, adjacent: bool, counting: bool, timings: DeviceTimings
    ) -> None:
        device, layout = trees.device, trees.layout
        _check_device(device, settings)
        self.device, self.settings, self.timings = device, settings, timings
        self.most = min(settings.most, device.raw.max_mem_alloc_size // KEY_BYTES, MOST_COUNTED)
        options = {"STEP": settings.step, "QUEUE": settings.queue, "COUNTING": int(counting)}
        self.kernel = kernel_of(device, BULK, "bulk_round", **options)
        with phase(timings, "upload"):
            self.arguments = [
                trees.boxes, trees.starts, trees.active, trees.left, copied(device, layout.tree.astype(np.int32)),
                np.uint32(len(layout.starts)), trees.first_leaf, trees.order, trees.faces, np.uint32(adjacent),
            ]  # fmt: skip
        self.counters = self._new(4 * COUNTERS)
        self.capacity = min(settings.capacity(len(trees.posed.bodies.faces)), self.most)
        self.pool: list[tuple[Any, int]] = []
        self.leaves, self.leaf_capacity, self.found = self._new(KEY_BYTES * self.capacity), self.capacity, 0
        self.work = Work()

    def run(self, first: Keys) -> None:
        """Find all leaf pairs that follow from a frontier, whose boxes nobody has looked at."""
        if len(first) == 0:
            return
        with phase(self.timings, "upload"):
            waiting = [Source(copied(self.device, first), 0, len(first))]
        while waiting:
            source = waiting.pop()
            while source.pairs:
                target, capacity = self._target(source, waiting)
                counts = self._round(source, target, capacity)
                count, leaves = int(counts[PAIRS]), int(counts[LEAVES])
                if count > self.most:
                    half = source.pairs // 2
                    waiting.append(Source(source.buffer, source.begin + half, source.pairs - half))
                    source = source._replace(pairs=half)
                    self.work.split += 1
                elif count > capacity or leaves > self.leaf_capacity:
                    self._make_room(count, leaves)
                else:
                    self._take(source, counts)
                    source = Source(target, 0, count)

    def read_leaves(self) -> NDArray[np.uint64]:
        """Return the leaf pairs as the device marked them."""
        found = np.empty(self.found, np.uint64)
        with phase(self.timings, "copy"):
            if self.found:
                opencl().enqueue_copy(self.device.queue, found, self.leaves)
        self.timings.candidates += self.found
        return found

    def _new(self, size: int) -> Any:
        cl = opencl()
        return cl.Buffer(self.device.context, cl.mem_flags.READ_WRITE, size)

    def _target(self, source: Source, waiting: list[Source]) -> tuple[Any, int]:
        """Return a buffer of the pool that nobody reads any more, and for how many pairs it has room."""
        read = [source.buffer, *(other.buffer for other in waiting)]
        self.pool = [(buffer, room) for buffer, room in self.pool if room >= self.capacity or buffer in read]
        for buffer, room in self.pool:
            if room >= self.capacity and buffer not in read:
                return buffer, room
        self.pool.append((self._new(KEY_BYTES * self.capacity), self.capacity))
        return self.pool[-1]

    def _round(self, source: Source, target: Any, capacity: int) -> NDArray[np.uint32]:
        """Do a round, in launches of which none can overrun the counters; they say what came of it."""
        cl, queue, group = opencl(), self.device.queue, self.settings.group
        counts = np.zeros(COUNTERS, np.uint32)
        counts[LEAVES] = self.found
        cl.enqueue_copy(queue, self.counters, counts)
        at_once = max(1, MOST_COUNTED // 4**self.settings.step)
        for begin in range(0, source.pairs, at_once):
            size = min(at_once, source.pairs - begin)
            event = self.kernel(
                queue, (-(-size // group) * group,), (group,), *self.arguments,
                source.buffer, np.uint32(source.begin + begin), np.uint32(size), target, np.uint32(capacity),
                self.leaves, np.uint32(self.leaf_capacity), self.counters,
            )  # fmt: skip
            cl.enqueue_copy(queue, counts, self.counters)
            self.timings.kernel += 1e-9 * (event.profile.end - event.profile.start)
            self.timings.launches += 1
            if counts[PAIRS] > self.most:
                break
        return counts

    def _make_room(self, pairs: int, leaves: int) -> None:
        cl = opencl()
        self.work.repeated += 1
        self.timings.grown += 1
        self.capacity = max(self.capacity, pairs)
        if leaves > self.leaf_capacity:
            larger = self._new(KEY_BYTES * 2 * leaves)
            if self.found:
                cl.enqueue_copy(self.device.queue, larger, self.leaves, byte_count=KEY_BYTES * self.found)
            self.leaves, self.leaf_capacity = larger, 2 * leaves

    def _take(self, source: Source, counts: NDArray[np.uint32]) -> None:
        work = self.work
        self.found = int(counts[LEAVES])
        work.rounds += 1
        work.tests += source.pairs
        work.overlaps += int(counts[OVERLAPS])
        work.leaf_overlaps += int(counts[LEAF_OVERLAPS])
        work.largest = max(work.largest, int(counts[PAIRS]))


def _check_device(device: OpenDevice, settings: BulkSettings) -> None:
    """Refuse what a device has no room for."""
    most_items, local = int(device.raw.max_work_group_size), int(device.raw.local_mem_size)
    if settings.group > most_items:
        raise OptionError(f"group={settings.group}: {device.info.name} takes up to {most_items} work-items in a group")
    if KEY_BYTES * settings.queue > local - 256:
        most = (local - 256) // KEY_BYTES
        raise OptionError(f"queue={settings.queue}: {device.info.name} has local memory for {most} pairs")
