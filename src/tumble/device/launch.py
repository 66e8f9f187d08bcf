"""Launching the traversal: a list of pairs goes in, candidates come out, however many they are.

Rounds: the tasks of the first are all pairs of bodies from their roots; those of the next are what long walks were
split into, until there are none. The candidates of all rounds lie behind each other in one buffer. When it was too
small, the counter says how large it has to be, and everything is done once more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.device.device import OpenDevice, opencl, require_memory, wait_for
from tumble.device.program import BINARY_STACK, kernel_of
from tumble.device.timings import DeviceTimings, phase
from tumble.errors import DeviceError
from tumble.query.settings import DeviceSettings
from tumble.traversal.rules import RULES

FOUND, NEXT, POOLED, COUNTERS = 0, 1, 2, 4
CANDIDATE_BYTES = 12
TASK_BYTES = 16
CERTAIN = np.uint32(1 << 31)
WORD_BITS = 64
MOST_LEVELS = (1 << 16) - 1
"""tasks have 16 bits for the level of a node"""
LARGEST_KEPT = 1 << 22
MOST_COUNTED = (1 << 31) - 1
"""candidates that a counter of 32 bits can tell, with room for those that work-items still add"""


class Work(NamedTuple):
    """A list of pairs as the device sees it."""

    forest: list[Any]
    """buffers of boxes, links and corners, and others"""
    trees: NDArray[np.uint32]
    relations: NDArray[np.float32]
    live: NDArray[np.int64]
    """the pairs of which no tree is empty"""
    levels: int
    """how deep the two trees of a pair are together, at most"""
    first: bool


class TooMany(Exception):
    """More candidates than a launch may have."""


def find_candidates(
    device: OpenDevice, work: Work, settings: DeviceSettings, timings: DeviceTimings, counting: bool = False
) -> tuple[NDArray[np.uint32], NDArray[np.uint32] | None]:
    """Return the candidates, (k, 3): pair (with CERTAIN where they touch for sure), triangles by their place in the
    trees' orders; and (n, 4) counts if they are wanted. Use it with the device's lock held.
    """
    cl = opencl()
    if len(work.live) == 0:
        return np.empty((0, 3), np.uint32), np.zeros((len(work.trees), 4), np.uint32) if counting else None
    with phase(timings, "upload"):
        arguments = _Arguments(device, work, settings, counting)
    while True:
        found = arguments.run(timings)
        if found > arguments.most:  # walks ended there, so these are not all, even where there was room for them
            raise TooMany
        if found <= arguments.capacity:
            break
        timings.grown += 1
        arguments.make_room(found)
    with phase(timings, "copy"):
        candidates = np.empty((found, 3), np.uint32)
        if found:
            cl.enqueue_copy(device.queue, candidates, arguments.candidates)
        counts = arguments.read_counts()
    timings.candidates += found
    return candidates, counts


class _Arguments:
    """The buffers of one query, and the kernel that takes them."""

    def __init__(self, device: OpenDevice, work: Work, settings: DeviceSettings, counting: bool) -> None:
        cl = opencl()
        self.device, self.work, self.settings = device, work, settings
        most = min(settings.most_candidates, MOST_COUNTED)
        self.most = min(most, device.raw.max_mem_alloc_size // CANDIDATE_BYTES)
        options = {"WORDS": words_for(work.levels), "RULE": RULES[settings.rule], "COUNTING": int(counting)}
        name = "binary_stack_pool" if settings.pool else "binary_stack"
        self.kernel = kernel_of(device, BINARY_STACK, name, **options)
        self.width = max(1, self.kernel.get_work_group_info(
            cl.kernel_work_group_info.PREFERRED_WORK_GROUP_SIZE_MULTIPLE, device.raw
        ))  # fmt: skip
        self.splitting = settings.pool and settings.steps > 0 and not work.first
        tasks = np.zeros((len(work.live), 4), np.uint32)
        tasks[:, 0] = work.live
        self.trees, self.relations, self.tasks = (
            copied(device, array) for array in (work.trees, work.relations, tasks)
        )
        self.pools: list[Any] = []
        self.pool_capacity = settings.pool_capacity if self.splitting else 1
        self.counters = cl.Buffer(device.context, cl.mem_flags.READ_WRITE, 4 * COUNTERS)
        self.counts = cl.Buffer(device.context, cl.mem_flags.READ_WRITE, 16 * len(work.trees) if counting else 16)
        self.counting = counting
        self.candidates, self.capacity = device.kept.get("candidates", (None, 0))
        if self.capacity < settings.first_capacity:
            self.make_room(settings.first_capacity)

    def make_room(self, capacity: int) -> None:
        """Get a buffer for so many candidates; the next query finds it there, if it is not very large."""
        cl = opencl()
        require_memory(self.device, capacity * CANDIDATE_BYTES)
        self.candidates = cl.Buffer(self.device.context, cl.mem_flags.READ_WRITE, capacity * CANDIDATE_BYTES)
        self.capacity = capacity
        if capacity <= LARGEST_KEPT:
            self.device.kept["candidates"] = self.candidates, capacity

    def run(self, timings: DeviceTimings) -> int:
        """Run all rounds; return the number of candidates, for which there may have been no room."""
        cl, queue = opencl(), self.device.queue
        counters = np.zeros(COUNTERS, np.uint32)
        if self.counting:
            cl.enqueue_fill_buffer(queue, self.counts, np.uint32(0), 0, self.counts.size)
        tasks, count, rounds = self.tasks, len(self.work.live), 0
        while count > 0 and counters[FOUND] <= self.most:
            counters[NEXT] = counters[POOLED] = 0
            cl.enqueue_copy(queue, self.counters, counters)
            pool = self._pool(rounds % 2)
            event = self._launch(tasks, count, pool)
            queue.flush()
            wait_for(event)
            cl.enqueue_copy(queue, counters, self.counters)
            timings.kernel += 1e-9 * (event.profile.end - event.profile.start)
            timings.launches += 1
            tasks, count = pool, min(int(counters[POOLED]), self.pool_capacity)
            rounds += 1
        return int(counters[FOUND])

    def read_counts(self) -> NDArray[np.uint32] | None:
        """Return what each pair took, if it was counted."""
        if not self.counting:
            return None
        counts = np.empty((len(self.work.trees), 4), np.uint32)
        opencl().enqueue_copy(self.device.queue, counts, self.counts)
        return counts

    def _pool(self, which: int) -> Any:
        cl = opencl()
        if not self.pools:
            size = self.pool_capacity * TASK_BYTES
            require_memory(self.device, 2 * size)
            self.pools = [cl.Buffer(self.device.context, cl.mem_flags.READ_WRITE, size) for _ in range(2)]
        return self.pools[which]

    def _launch(self, tasks: Any, count: int, pool: Any) -> Any:
        steps = self.settings.steps if self.splitting else 0
        numbers = map(np.uint32, (self.pool_capacity, steps, self.work.first))
        return self.kernel(
            self.device.queue, (self._items(count),), (self.width,),
            *self.work.forest[:3], self.trees, self.relations, tasks, np.uint32(count),
            self.candidates, np.uint32(self.capacity), self.counters, pool, *numbers, self.counts,
            np.uint32(self.most),
        )  # fmt: skip

    def _items(self, count: int) -> int:
        """Return the number of work-items: one for each task, or with a pool no more than keep the device busy."""
        groups = -(-count // self.width)
        if self.settings.pool:
            per_unit = self.settings.items_per_unit if self.device.info.kind == "gpu" else 1
            groups = min(groups, self.device.info.units * per_unit)
        return groups * self.width


def words_for(levels: int) -> int:
    """Return how many words the descent stack needs: two, as in the paper, or the next power of two that will do."""
    if levels > MOST_LEVELS:
        raise DeviceError(f"the two trees have {levels} levels together; devices walk {MOST_LEVELS} at most")
    words = 2
    while words * WORD_BITS < levels:
        words *= 2
    return words


def copied(device: OpenDevice, array: NDArray[Any]) -> Any:
    """Return a buffer for kernels to read, with the array in it, which must not be empty."""
    cl = opencl()
    require_memory(device, array.nbytes)
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    return cl.Buffer(device.context, flags, hostbuf=np.ascontiguousarray(array))
