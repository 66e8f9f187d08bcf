"""The signed sum of all triangles that a ray passes, by a packed tree: how often a closed mesh winds around its origin.

The boxes are those of `packed_walk`, in any order. What a triangle counts, 1 where the ray leaves by it and -1 where it
enters, is up to a rule: `points.crossing_walk` decides exactly for rays along axes, `winding` for any ray, or not at
all. A triangle that several leaves name is counted once: where the tree has such triangles, those that count are
listed.
"""

import numpy as np

from tumble.core.jit import inlined_generic, inlined_kernel
from tumble.core.simd.memory import float64_at, int32_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, REPEATS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, SECOND
from tumble.traversal.rays.packed_walk import NEARS_WORDS, STACK_WORDS, boxes_on_ray
from tumble.traversal.rays.prepare import LONGEST, SINGLES

STOP = 1 << 60
"""in place of what a triangle counts, and then of the sum: no sum decides"""
FULL = 1 << 59
"""in place of the sum: more triangles count than the list can hold"""
MOST_LISTED = 128
REACH = np.float32(LONGEST)


@inlined_generic
def passed(rule, tree, pose, ray, triangle):
    """Return what a triangle counts, 1, 0 or -1, or STOP."""


@inlined_kernel
def is_listed(listed, first, last, number):
    """Tell whether a number is in a list, from place `first` to `last`."""
    k = first
    while k < last and int64_at(listed, k) != number:
        k += 1
    return k < last


@inlined_kernel
def signed_sum(rule, tree, pose, ray):
    """Return the sum over all triangles on a prepared ray, STOP or FULL."""
    stack, nears, listed = scratch(STACK_WORDS), scratch(NEARS_WORDS), scratch(MOST_LISTED)
    blocks, repeats = int64_at(tree, BLOCKS), float64_at(tree, REPEATS) != 0.0
    total, count = 0, 0
    set_int64(stack, 0, 0)
    top = 1
    while top > 0:
        top -= 1
        block = blocks + int64_at(stack, top) * BLOCK_BYTES
        mask = boxes_on_ray(block, ray + SINGLES, REACH, nears)
        while mask != 0:
            lane = lowest_bit(mask)
            mask &= mask - 1
            child = int32_at(block, LANES * CHILD + lane)
            if child > 0:
                set_int64(stack, top, child)
                top += 1
            if child >= 0:
                continue
            number, second = -1 - child, int32_at(block, LANES * SECOND + lane)
            while number >= 0:
                found = passed(rule, tree, pose, ray, number)
                if found == STOP:
                    return STOP
                if found != 0 and repeats:
                    if is_listed(listed, 0, count, number):
                        found = 0
                    elif count == MOST_LISTED:
                        return FULL
                    else:
                        set_int64(listed, count, number)
                        count += 1
                total += found
                number, second = second, -1
    return total
