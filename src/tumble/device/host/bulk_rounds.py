"""The bulk-synchronous traversal on a device: the host code that both ways of doing rounds share.

Frontiers stay on the device. If a target was too small, it is replaced by a larger one and the round is repeated, as
its source is still there. If the target would be larger than allowed, the source is cut in half, and one half waits
where it is until all that follows from the other is done. Leaf pairs that exceed the largest buffer of the device are
read before the round is repeated.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import check_pairs
from tumble.device.host.first_frontier import Source
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.kinds import fitting_group
from tumble.device.host.leaf_triangles import LeafTriangles
from tumble.device.host.scratch import KEY_BYTES, GrowingBuffer, Segments, spare_buffers
from tumble.device.protocol import Buffer, Program
from tumble.device.timings import current_timings, phase
from tumble.errors import OptionError
from tumble.hierarchy.implicit.posed import Posed
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.boxes import keep_leaves
from tumble.traversal.bulk.rounds import BOXES, Keys, RoundCounts

MOST_COUNTED = 1 << 31  # pairs that a counter of 32 bits may count
OTHER_LOCAL_BYTES = 256  # of local memory that a kernel needs beside its queues or stacks, generously


class Round(NamedTuple):
    """What a round found: it goes on counting where there is no room."""

    target: Buffer
    pairs: int
    leaves: int  # those of the rounds before it included
    tests: int
    overlaps: int
    leaf_overlaps: int
    flushes: int = 0
    most_flushes: int = 0


class Rounds(ABC):
    """One traversal, and what it has found so far; use it while working with the device."""

    queues = 1
    """how many queues a group has in local memory"""
    per_triangle = 64
    """pairs of a frontier for which there is room at first, for each triangle"""

    def __init__(self, trees: DeviceTrees, settings: BulkSettings) -> None:
        self.trees, self.device, self.settings = trees, trees.device, settings
        self.tester: LeafTriangles | None = None  # tests leaf pairs before they are read
        pairs = (self.device.limits.local_bytes - OTHER_LOCAL_BYTES) // (KEY_BYTES * self.queues)
        if settings.queue > pairs:
            raise OptionError(f"queue={settings.queue}: {self.device.info.name} has local memory for {pairs} pairs")
        self.most_leaves = min(self.device.limits.buffer_bytes // KEY_BYTES, MOST_COUNTED)
        self.most = min(settings.most, self.most_leaves)
        self.capacity = min(settings.capacity(len(trees.posed.bodies.faces), self.per_triangle), self.most)
        self.frontiers: list[Buffer] = []
        self.leaves = GrowingBuffer(self.device, KEY_BYTES, self.capacity)
        self.found = 0
        self.parts: list[NDArray[np.uint64]] = []  # leaf pairs that were read already
        self.read = 0  # how many there were, those included that the device has found not to touch
        self.work = RoundCounts()

    def choose_group(self, default: int, build: Callable[[int], Program]) -> None:
        """Have the program built for groups of the size that was asked for, or of the default."""
        given = self.settings.group is not None
        self.program, self.group = fitting_group(
            self.device, "bulk_round", self.settings.group or default, build, given=given
        )

    @abstractmethod
    def launch(self, source: Source, waiting: list[Source]) -> list[Round]:
        """Do a round, or several that follow each other; the first that had no room is the last of the list."""

    def run(self, first: Keys) -> None:
        """Find all leaf pairs below the pairs of a frontier, whose boxes were not tested yet."""
        if len(first) == 0:
            return
        with phase("upload"):
            source = Source(self.device.upload(first), 0, len(first))
        self.run_from(source)

    def run_from(self, first: Source) -> None:
        """Do the same for a frontier that is on the device already, where it stays as it is."""
        waiting = [first]
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
                    elif not self.had_room(done):
                        self._make_room(done)
                    else:
                        self._take(done)
                        source = Source(done.target, 0, done.pairs)

    def read_leaves(self) -> NDArray[np.uint64]:
        """Return the leaf pairs as the device marked them, and hand the buffers to the next query."""
        self._read_part()
        self.leaves.release()
        spare_buffers(self.device).give(*self.frontiers)
        return self.parts[0] if len(self.parts) == 1 else np.concatenate(self.parts)

    def targets(self, count: int, source: Source, waiting: list[Source]) -> list[Buffer]:
        """Return buffers that hold no source, with room for a whole frontier each."""
        size, read = KEY_BYTES * self.capacity, [source.buffer, *(other.buffer for other in waiting)]
        self.frontiers = [buffer for buffer in self.frontiers if buffer.size >= size or buffer in read]
        free = [buffer for buffer in self.frontiers if buffer.size >= size and buffer not in read]
        while len(free) < count:
            free.append(spare_buffers(self.device).take(size))
            self.frontiers.append(free[-1])
        return free[:count]

    def had_room(self, done: Round) -> bool:
        """Tell whether everything that a round found was written."""
        return done.pairs <= self.capacity and done.leaves <= self.leaves.capacity

    def _read_part(self) -> None:
        leaves = Segments(self.leaves.buffer, self.found, np.array([self.found], np.int64))
        if self.tester is not None:
            self.parts.append(self.tester.read(leaves))
        else:
            with phase("copy"):
                self.parts.append(leaves.read(self.device))
        self.read += self.found
        self.found = 0

    def _make_room(self, done: Round) -> None:
        self.work.repeated += 1
        current_timings().grown += 1
        self.capacity = max(self.capacity, done.pairs)
        if done.leaves > self.leaves.capacity:
            self.leaves.grow(min(2 * done.leaves, self.most_leaves), self.found)

    def _take(self, done: Round) -> None:
        work = self.work
        self.found = done.leaves
        work.rounds += 1
        work.tests += done.tests
        work.overlaps += done.overlaps
        work.leaf_overlaps += done.leaf_overlaps
        work.largest = max(work.largest, done.pairs)
        work.flushes += done.flushes
        work.most_flushes = max(work.most_flushes, done.most_flushes)


def confirmed_leaves(posed: Posed, found: NDArray[np.uint64], work: RoundCounts, counting: bool) -> Keys:
    """Return the leaf pairs whose float64 boxes meet; the array is used up, and overlaps are corrected if counted."""
    with phase("confirm"):
        count, unsure, lost = keep_leaves(found, posed.world.vertices, posed.bodies.faces)
    current_timings().unsure += unsure
    current_timings().candidates += len(found)
    if counting:
        work.leaf_overlaps -= lost
        work.overlaps -= lost
    return found[:count].view(np.int64)
