"""Cut a range across the longest side of the box about its centres: by half the triangles, or by half the space."""

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.eight import lane, load, store
from tumble.core.simd.memory import float32_at
from tumble.hierarchy.boxtree.surface import halve_as_they_lie, other_half
from tumble.hierarchy.packed.cut import bound, divide
from tumble.hierarchy.packed.scratch import PART_CENTRES


@inlined_kernel
def longest_span(centres):
    """Return the axis on which centres span most, and twice the two ends there."""
    chosen, low, high = np.int64(0), lane(centres, 0), -lane(centres, 4)
    for axis in range(1, 3):
        if -lane(centres, 4 + axis) - lane(centres, axis) > high - low:
            chosen, low, high = np.int64(axis), lane(centres, axis), -lane(centres, 4 + axis)
    return chosen, low, high


@inlined_kernel
def key(boxes, i, axis):
    """Return twice the centre of a box."""
    return float32_at(boxes, 8 * i + axis) - float32_at(boxes, 8 * i + 4 + axis)


@inlined_kernel
def swap(boxes, i, j):
    """Exchange two boxes."""
    one = load(boxes, i)
    store(boxes, i, load(boxes, j))
    store(boxes, j, one)


@inlined_kernel
def select(boxes, start, stop, axis):
    """Put the smaller half of the centres in front; return the middle.

    Quickselect; the pivot is drawn by a fixed pseudo-random sequence: no input is slow for more than a few rounds, and
    the same input always gives the same order.
    """
    middle = start + (stop - start) // 2
    low, high = start, stop - 1
    state = stop - start
    while low < high:
        # the constants of a well-known linear congruential generator; the low bits are poor, so they are shifted out
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        pivot = key(boxes, low + (state >> 8) % (high - low + 1), axis)
        i, j = low, high
        while i <= j:
            while key(boxes, i, axis) < pivot:
                i += 1
            while key(boxes, j, axis) > pivot:
                j -= 1
            if i <= j:
                swap(boxes, i, j)
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            break
    return middle


@external(int64(*6 * (int64,)))
def cut_in_halves(boxes, total, start, stop, by_space, scratch):
    """Cut a range into parts 0 and 1 of scratch memory; return where the second begins, times four, plus the axis."""
    axis, low, high = longest_span(load(scratch, PART_CENTRES))
    border = low + (high - low) * np.float32(0.5)
    # all centres equal, up to rounding: no border separates them
    if not low < border <= high:
        return halve_as_they_lie(boxes, start, stop, scratch)
    if by_space:
        # `divide` compares (centre - low) * factor: with 0 and 1, the doubled centre itself
        zero, one = np.float32(0.0), np.float32(1.0)
        return divide(boxes, start, stop, other_half(start, total), axis, zero, one, border, scratch, 0, 1) << 2 | axis
    middle = select(boxes, start, stop, axis)
    bound(boxes, start, middle, scratch, 0)
    bound(boxes, middle, stop, scratch, 1)
    return middle << 2 | axis
