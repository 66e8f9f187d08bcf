"""Sorting keys in place, in kernels: quicksort, with insertion for short ranges; and dropping duplicates.

Keys are given by their address. Where a tree names a triangle by several leaves, a query finds a pair as often as their
slabs meet; sorted, the same keys lie side by side.
"""

import numpy as np
from numba import int64, void

from tumble.core.jit import external, inlined_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import int64_at, set_int64
from tumble.core.simd.stack_memory import scratch

SHORT = 24
LONG = 1 << 16
# The smaller part is sorted first, the larger one waits: no more parts wait than a number has bits.
WAITING_WORDS = 2 * 64


@inlined_kernel
def are_sorted(keys, count):
    """Tell whether `count` keys are in order."""
    for k in range(1, count):  # noqa: SIM110  (kernels have no generators)
        if int64_at(keys, k - 1) > int64_at(keys, k):
            return False
    return True


@inlined_kernel
def insert_each(keys, start, stop):
    """Sort a few keys."""
    for k in range(start + 1, stop):
        key = int64_at(keys, k)
        hole = k
        while hole > start and int64_at(keys, hole - 1) > key:
            set_int64(keys, hole, int64_at(keys, hole - 1))
            hole -= 1
        set_int64(keys, hole, key)


@inlined_kernel
def part(keys, start, stop, pivot):
    """Bring keys up to the pivot before those from the pivot on; return where the first end and the second begin."""
    low, high = start, stop - 1
    while low <= high:
        while int64_at(keys, low) < pivot:
            low += 1
        while int64_at(keys, high) > pivot:
            high -= 1
        if low <= high:
            key = int64_at(keys, low)
            set_int64(keys, low, int64_at(keys, high))
            set_int64(keys, high, key)
            low += 1
            high -= 1
    return high + 1, low


@external(void(int64, int64, int64))
def sort_keys(keys, start, stop):
    """Sort the keys from `start` to `stop`. Pivots come from a fixed pseudo-random sequence: no order is slow."""
    waiting = scratch(WAITING_WORDS)
    top = 0
    state = np.uint64(stop - start)
    while True:
        while stop - start > SHORT:
            # millions of keys take long enough to look for interrupts; short ranges do not
            if stop - start > LONG and poll(0) != 0:
                return  # interrupted: the keys will not be used
            state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            pivot = int64_at(keys, start + np.int64((state >> np.uint64(33)) % np.uint64(stop - start)))
            end, begin = part(keys, start, stop, pivot)
            # so at most log2(n) ranges wait
            smaller_first = end - start < stop - begin
            set_int64(waiting, top, begin if smaller_first else start)
            set_int64(waiting, top + 1, stop if smaller_first else end)
            top += 2
            if smaller_first:
                stop = end
            else:
                start = begin
        insert_each(keys, start, stop)
        if top == 0:
            return
        top -= 2
        start, stop = int64_at(waiting, top), int64_at(waiting, top + 1)


@inlined_kernel
def unique_keys(keys, count):
    """Keep each of `count` sorted keys once; return how many are left."""
    kept = 0
    for k in range(count):
        key = int64_at(keys, k)
        if kept == 0 or int64_at(keys, kept - 1) != key:
            set_int64(keys, kept, key)
            kept += 1
    return kept
