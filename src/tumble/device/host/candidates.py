"""Launching the binary stack: a list of pairs of bodies goes in, candidate triangle pairs come out.

The tasks of the first round are all pairs of bodies, from their roots; those of the next are the parts into which long
walks were split, until there are none. The candidates of all rounds lie one after the other in one buffer. If it was
too small, the counter says how large it has to be, and everything is repeated.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.scratch import GrowingBuffer, spare_buffers
from tumble.device.protocol import GPU, Buffer, OpenDevice, program
from tumble.device.timings import current_timings, phase
from tumble.errors import DeviceError, OptionError
from tumble.query.settings import DeviceSettings
from tumble.traversal.rules import RULES

FILES = ("boxes", "bits", "candidates", "triangles", "walk", "binary_stack")
FOUND, NEXT, POOLED, COUNTERS = 0, 1, 2, 4
COUNTS = 4  # numbers that are counted for each pair of bodies
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


class TooMany(Exception):
    """More candidates than a launch may have."""


def find_candidates(
    device: OpenDevice, walks: Walks, settings: DeviceSettings, counting: bool
) -> tuple[NDArray[np.uint32], NDArray[np.uint32] | None]:
    """Return the candidates, (k, 3): pair (with CERTAIN where they touch for sure), triangles by their place in the
    trees' orders; and, if asked for, (n, 4) counts.
    """
    if len(walks.live) == 0:
        return np.empty((0, 3), np.uint32), np.zeros((len(walks.trees), COUNTS), np.uint32) if counting else None
    timings = current_timings()
    with phase("upload"):
        query = _Query(device, walks, settings, counting)
    while (found := query.run()) > query.candidates.capacity:
        timings.grown += 1
        query.candidates.grow(found)
    with phase("copy"):
        candidates = np.empty((found, 3), np.uint32)
        device.read(query.candidates.buffer, candidates)
        counts = None
        if counting:
            counts = np.empty((len(walks.trees), COUNTS), np.uint32)
            device.read(query.counts, counts)
    query.release()
    timings.candidates += found
    return candidates, counts


class _Query:
    """The buffers of one query, and the kernel that takes them."""

    def __init__(self, device: OpenDevice, walks: Walks, settings: DeviceSettings, counting: bool) -> None:
        self.device, self.walks, self.settings, self.counting = device, walks, settings, counting
        self.most = min(settings.most_candidates, MOST_COUNTED, device.limits.buffer_bytes // CANDIDATE_BYTES)
        if settings.rule not in RULES:
            raise OptionError(f"unknown descent rule {settings.rule!r}; choose one of: {', '.join(RULES)}")
        options = {"WORDS": words_for(walks.levels), "RULE": RULES[settings.rule], "COUNTING": int(counting)}
        self.kernel = program(*FILES, **options), "binary_stack_pool" if settings.pool else "binary_stack"
        self.width = device.preferred_width(*self.kernel)
        self.steps = settings.steps if settings.pool and not walks.first else 0
        tasks = np.zeros((len(walks.live), 4), np.uint32)
        tasks[:, 0] = walks.live
        self.trees, self.relations, self.tasks = (
            device.upload(array) for array in (walks.trees, walks.relations, tasks)
        )
        self.candidates = GrowingBuffer(device, CANDIDATE_BYTES, settings.first_capacity)
        self.pool_capacity = settings.pool_capacity if self.steps else 1
        self.pools = [spare_buffers(device).take(TASK_BYTES * self.pool_capacity) for _ in range(2)]
        self.counters = device.empty(4 * COUNTERS)
        self.counts = device.empty(4 * COUNTS * (len(walks.trees) if counting else 1))

    def run(self) -> int:
        """Run all rounds; return the number of candidates, which may be more than there is room for."""
        device = self.device
        counters = np.zeros(COUNTERS, np.uint32)
        if self.counting:
            device.fill(self.counts, 0)
        tasks, count, rounds = self.tasks, len(self.walks.live), 0
        while count > 0:
            counters[NEXT] = counters[POOLED] = 0
            device.write(self.counters, counters)
            pool = self.pools[rounds % 2]
            seconds = device.wait(self._launch(tasks, count, pool))
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

    def _launch(self, tasks: Buffer, count: int, pool: Buffer) -> object:
        return self.device.launch(
            *self.kernel, self._items(count), self.width,
            *self.walks.stored[:3], self.trees, self.relations, tasks, count,
            self.candidates.buffer, self.candidates.capacity, self.counters, pool, self.pool_capacity, self.steps,
            int(self.walks.first), self.counts, self.most,
        )  # fmt: skip

    def _items(self, count: int) -> int:
        """Return the number of work-items: one for each task, or with a pool no more than keep the device busy."""
        if not self.settings.pool:
            return count
        info = self.device.info
        return min(count, self.width * info.units * (self.settings.items_per_unit if info.kind == GPU else 1))


def words_for(levels: int) -> int:
    """Return how many words the descent stack needs: two, as in the paper, or the next power of two that will do."""
    if levels > MOST_LEVELS:
        raise DeviceError(f"the two trees have {levels} levels together; devices walk {MOST_LEVELS} at most")
    words = 2
    while words * WORD_BITS < levels:
        words *= 2
    return words
