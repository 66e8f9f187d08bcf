"""Launching a walk: a list of pairs of bodies goes in, candidate triangle pairs come out.

The tasks of the first round are all pairs of bodies, from their roots; those of the next are the parts into which long
walks were split, until there are none. The candidates of all rounds lie one after the other in one buffer. If it was
too small, the counter says how large it has to be, and everything is repeated.

Where one hit is enough, walks are split as well, so that no launch takes long: drivers of GPUs end launches that do.
The parts of a walk are skipped if their pair of bodies had a certain hit in an earlier round; one in the same round
does not count, so the answer does not depend on which of them runs first.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.kinds import defaults_for
from tumble.device.host.scratch import GrowingBuffer, spare_buffers
from tumble.device.host.walk_kinds import BINARY_STACK, FEWEST_WORDS, WalkKind
from tumble.device.protocol import Buffer, OpenDevice
from tumble.device.timings import current_timings, phase
from tumble.errors import DeviceError
from tumble.query.settings import DeviceSettings

FOUND, NEXT, POOLED, COUNTERS = 0, 1, 2, 4
COUNTS = 4  # numbers that are counted for each pair of bodies
NO_ROUND = 0xFFFFFFFF
CANDIDATE_BYTES = 12
TASK_BYTES = 16
CERTAIN = np.uint32(1 << 31)
WORD_BITS = 64
MOST_LEVELS = (1 << 16) - 1  # tasks have 16 bits for the level of a node
MOST_COUNTED = (1 << 31) - 1
"""candidates that a counter of 32 bits can count, including those that work-items add after the limit is reached"""


class Walks(NamedTuple):
    """A list of pairs of bodies as the kernel takes it."""

    stored: list[Buffer]  # boxes, links and corners of all trees
    trees: NDArray[np.uint32]  # (n, 4) where the trees of each pair begin
    relations: NDArray[np.float32]
    live: NDArray[np.int64]  # the pairs of which neither tree is empty
    levels: int  # how deep the two trees of a pair are together, at most
    first: bool
    kind: WalkKind = BINARY_STACK


class TooMany(Exception):
    """More candidates than a launch may have."""


def find_candidates(
    device: OpenDevice,
    walks: Walks,
    settings: DeviceSettings,
    counting: bool,
    before_read: Callable[[Buffer, int], None] | None = None,
) -> tuple[NDArray[np.uint32], NDArray[np.uint64] | None]:
    """Return the candidates, (k, 3): pair (with CERTAIN where they touch for sure), triangles by their place in the
    trees' orders; and, if asked for, (n, 4) counts of 64 bits.

    before_read   is called with the buffer that holds them, and how many there are, before they are read
    """
    if len(walks.live) == 0:
        if before_read is not None:
            before_read(walks.stored[0], 0)
        return np.empty((0, 3), np.uint32), np.zeros((len(walks.trees), COUNTS), np.uint64) if counting else None
    timings = current_timings()
    with phase("upload"):
        query = _Query(device, walks, settings, counting)
    while (found := query.run()) > query.candidates.capacity:
        timings.grown += 1
        query.candidates.grow(found)
    if before_read is not None:
        before_read(query.candidates.buffer, found)
    with phase("copy"):
        candidates = np.empty((found, 3), np.uint32)
        device.read(query.candidates.buffer, candidates)
        counts = None
        if counting:
            counts = np.empty((len(walks.trees), COUNTS), np.uint64)
            device.read(query.counts, counts)
    query.release()
    timings.candidates += found
    return candidates, counts


class _Query:
    """The buffers of one query, and the kernel that takes them."""

    def __init__(self, device: OpenDevice, walks: Walks, settings: DeviceSettings, counting: bool) -> None:
        self.device, self.walks, self.settings, self.counting = device, walks, settings, counting
        self.most = min(settings.most_candidates, MOST_COUNTED, device.limits.buffer_bytes // CANDIDATE_BYTES)
        words = words_for(walks.levels) if walks.kind.takes_rule else FEWEST_WORDS
        self.kernel = walks.kind.code(settings, words, counting)
        self.width = min(device.preferred_width(*self.kernel), max(1, device.most_in_group(*self.kernel)))
        self.steps = settings.steps if settings.pool else 0
        tasks = np.zeros((len(walks.live), 4), np.uint32)
        tasks[:, 0] = walks.live
        self.trees, self.relations, self.tasks = (
            device.upload(array) for array in (walks.trees, walks.relations, tasks)
        )
        self.candidates = GrowingBuffer(device, CANDIDATE_BYTES, settings.first_capacity)
        self.pool_capacity = settings.pool_capacity if self.steps else 1
        self.pools = [spare_buffers(device).take(TASK_BYTES * self.pool_capacity) for _ in range(2)]
        self.counters = device.empty(4 * COUNTERS)
        self.counts = device.empty(8 * COUNTS * (len(walks.trees) if counting else 1))
        self.hits = device.empty(4 * (len(walks.trees) if walks.first else 1))

    def run(self) -> int:
        """Run all rounds; return the number of candidates, which may be more than there is room for."""
        device = self.device
        counters = np.zeros(COUNTERS, np.uint32)
        if self.counting:
            device.fill(self.counts, 0)
        device.fill(self.hits, NO_ROUND)
        tasks, count, rounds = self.tasks, len(self.walks.live), 0
        while count > 0:
            counters[NEXT] = counters[POOLED] = 0
            device.write(self.counters, counters)
            pool = self.pools[rounds % 2]
            seconds = device.wait(self._launch(tasks, count, pool, rounds))
            device.read(self.counters, counters)
            current_timings().launched(seconds)
            if counters[FOUND] > self.most:  # walks have ended early, so these are not all
                raise TooMany
            tasks, count = pool, min(int(counters[POOLED]), self.pool_capacity)
            rounds += 1
        return int(counters[FOUND])

    def release(self) -> None:
        """Hand the large buffers to the next query."""
        spare_buffers(self.device).give(*self.pools)
        self.candidates.release()

    def _launch(self, tasks: Buffer, count: int, pool: Buffer, number: int) -> object:
        return self.device.launch(
            *self.kernel, self._items(count), self.width,
            *self.walks.stored[:3], self.trees, self.relations, tasks, count,
            self.candidates.buffer, self.candidates.capacity, self.counters, pool, self.pool_capacity, self.steps,
            int(self.walks.first), self.counts, self.most, self.hits, number,
        )  # fmt: skip

    def _items(self, count: int) -> int:
        """Return the number of work-items: one for each task, or with a pool no more than keep the device busy."""
        if not self.settings.pool:
            return count
        per_unit = self.settings.items_per_unit or defaults_for(self.device).items_per_unit
        return min(count, self.width * self.device.info.units * per_unit)


def words_for(levels: int) -> int:
    """Return how many words the descent stack needs: two, as in the paper, or the next power of two that will do."""
    if levels > MOST_LEVELS:
        raise DeviceError(f"the two trees have {levels} levels together; devices walk {MOST_LEVELS} at most")
    words = FEWEST_WORDS
    while words * WORD_BITS < levels:
        words *= 2
    return words
