"""Sorting keys in place, inside kernels: quicksort, with insertion for short pieces."""

import numpy as np

from tumble.jit import kernel

SHORT = 24


@kernel
def sort_keys(keys, start, stop):
    """Sort keys[start:stop]. The pivot is drawn by a fixed pseudo-random sequence: no order of keys is a slow one.

    The larger piece is kept for the next turn's loop and the smaller one sorted first by the call below, so that calls
    nest no deeper than the number's bits.
    """
    state = np.uint64(stop - start)
    while stop - start > SHORT:
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        pivot = keys[start + np.int64((state >> np.uint64(33)) % np.uint64(stop - start))]
        low, high = start, stop - 1
        while low <= high:
            while keys[low] < pivot:
                low += 1
            while keys[high] > pivot:
                high -= 1
            if low <= high:
                keys[low], keys[high] = keys[high], keys[low]
                low += 1
                high -= 1
        if high + 1 - start < stop - low:
            sort_keys(keys, start, high + 1)
            start = low
        else:
            sort_keys(keys, low, stop)
            stop = high + 1
    for k in range(start + 1, stop):
        key = keys[k]
        hole = k
        while hole > start and keys[hole - 1] > key:
            keys[hole] = keys[hole - 1]
            hole -= 1
        keys[hole] = key
