"""The bulk-synchronous traversal on a device, the host's part that both ways of doing rounds share.

Frontiers stay on the device. A target that was too small is made larger, and the round is done again, for its source
is still there. One that would be larger than allowed is not made: then the source is cut in half, and one half waits,
where it is, until all that follows from the other is done. Leaf pairs that are more than a buffer of the device can
hold are read before the round is done again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import check_pairs
from tumble.device.bulk_trees import DeviceTrees
from tumble.device.device import OpenDevice, opencl, require_memory
from tumble.device.launch import copied
from tumble.device.timings import DeviceTimings, phase
from tumble.errors import OptionError
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.rounds import BOXES, Keys, Work

KEY_BYTES = 8
MOST_COUNTED = 1 << 31
"""counters have 32 bits: none may count more pairs"""


class Source(NamedTuple):
    """A frontier, or a part of one."""

    buffer: Any
    begin: int
    pairs: int


class Round(NamedTuple):
    """What came of a round: the counters go on where there was no room."""

    target: Any
    pairs: int
    leaves: int
    """those of the rounds before it included"""
    tests: int
    overlaps: int
    leaf_overlaps: int


class Buffers:
    """What trees keep from one traversal to the next: fresh memory is slow to write to."""

    def __init__(self) -> None:
        self.frontiers: list[tuple[Any, int]] = []
        """buffers, and for how many pairs they have room"""
        self.leaves: tuple[Any, int] | None = None


class Rounds(ABC):
    """One traversal, and what it has found so far; use it with the device's lock held."""

    queues = 1
    """how many queues a group has in local memory"""
    per_triangle = 64
    """pairs of a frontier for which there is room at first, for each triangle"""

    def __init__(self, trees: DeviceTrees, settings: BulkSettings, timings: DeviceTimings) -> None:
        self.trees, self.device, self.settings, self.timings = trees, trees.device, settings, timings
        self.group = settings.group or self.default_group(trees.device)
        _check_device(self.device, self.group, settings.queue, self.queues)
        self.most_leaves = min(self.device.raw.max_mem_alloc_size // KEY_BYTES, MOST_COUNTED)
        self.most = min(settings.most, self.most_leaves)
        self.capacity = min(settings.capacity(len(trees.posed.bodies.faces), self.per_triangle), self.most)
        self.buffers: Buffers = trees.kept("buffers", Buffers)
        if self.buffers.leaves is None or self.buffers.leaves[1] < self.capacity:
            self.buffers.leaves = self.new(KEY_BYTES * self.capacity), self.capacity
        self.leaves, self.leaf_capacity = self.buffers.leaves
        self.found = 0
        self.parts: list[NDArray[np.uint64]] = []
        """leaf pairs that were read already"""
        self.read = 0
        self.work = Work()

    @staticmethod
    def default_group(device: OpenDevice) -> int:
        """Return how many work-items make a group."""
        return 64

    @abstractmethod
    def launch(self, source: Source, waiting: list[Source]) -> list[Round]:
        """Do a round, or several that follow each other; the first that had no room is the last of the list."""

    def run(self, first: Keys) -> None:
        """Find all leaf pairs that follow from a frontier, whose boxes nobody has looked at."""
        if len(first) == 0:
            return
        with phase(self.timings, "upload"):
            waiting = [Source(copied(self.device, first), 0, len(first))]
        while waiting:
            source = waiting.pop()
            while source.pairs:
                for done in self.launch(source, waiting):
                    check_pairs(self.read + done.leaves, BOXES)
                    if done.leaves > self.most_leaves and self.found:
                        self._read_part()
                    elif done.pairs > self.most or done.leaves > self.most_leaves:
                        half = source.pairs // 2
                        waiting.append(Source(source.buffer, source.begin + half, source.pairs - half))
                        source = source._replace(pairs=half)
                        self.work.split += 1
                    elif done.pairs > self.capacity or done.leaves > self.leaf_capacity:
                        self._make_room(done)
                    else:
                        self._take(done)
                        source = Source(done.target, 0, done.pairs)

    def read_leaves(self) -> NDArray[np.uint64]:
        """Return the leaf pairs as the device marked them."""
        self._read_part()
        found = self.parts[0] if len(self.parts) == 1 else np.concatenate(self.parts)
        self.timings.candidates += len(found)
        return found

    def _read_part(self) -> None:
        part = np.empty(self.found, np.uint64)
        with phase(self.timings, "copy"):
            if self.found:
                opencl().enqueue_copy(self.device.queue, part, self.leaves)
        self.parts.append(part)
        self.read += len(part)
        self.found = 0

    def new(self, size: int) -> Any:
        """Return a buffer of so many bytes."""
        cl = opencl()
        require_memory(self.device, size)
        return cl.Buffer(self.device.context, cl.mem_flags.READ_WRITE, size)

    def targets(self, count: int, source: Source, waiting: list[Source]) -> list[Any]:
        """Return buffers that nobody reads any more, with room for a whole frontier each."""
        read = [source.buffer, *(other.buffer for other in waiting)]
        kept = [(buffer, room) for buffer, room in self.buffers.frontiers if room >= self.capacity or buffer in read]
        free = [buffer for buffer, room in kept if room >= self.capacity and buffer not in read]
        while len(free) < count:
            free.append(self.new(KEY_BYTES * self.capacity))
            kept.append((free[-1], self.capacity))
        self.buffers.frontiers = kept
        return free[:count]

    def had_room(self, done: Round) -> bool:
        """Tell whether everything that a round found was written."""
        return done.pairs <= self.capacity and done.leaves <= self.leaf_capacity

    def _make_room(self, done: Round) -> None:
        cl = opencl()
        self.work.repeated += 1
        self.timings.grown += 1
        self.capacity = max(self.capacity, done.pairs)
        if done.leaves > self.leaf_capacity:
            room = min(2 * done.leaves, self.most_leaves)
            larger = self.new(KEY_BYTES * room)
            if self.found:
                cl.enqueue_copy(self.device.queue, larger, self.leaves, byte_count=KEY_BYTES * self.found)
            self.leaves, self.leaf_capacity = self.buffers.leaves = larger, room

    def _take(self, done: Round) -> None:
        work = self.work
        self.found = done.leaves
        work.rounds += 1
        work.tests += done.tests
        work.overlaps += done.overlaps
        work.leaf_overlaps += done.leaf_overlaps
        work.largest = max(work.largest, done.pairs)


def _check_device(device: OpenDevice, group: int, queue: int, queues: int) -> None:
    """Refuse what a device has no room for."""
    most_items, local = int(device.raw.max_work_group_size), int(device.raw.local_mem_size)
    if group > most_items:
        raise OptionError(f"group={group}: {device.info.name} takes up to {most_items} work-items in a group")
    most = (local - 256) // (KEY_BYTES * queues)
    if queue > most:
        raise OptionError(f"queue={queue}: {device.info.name} has local memory for {most} pairs")
