"""Elements whose boxes meet: vertices, edges, faces, whatever has a box in float64 and up to three corners.

The trees' boxes are float32 and hold two elements; the last word has the elements' own boxes, by comparisons alone. So
the pairs are those of brute force, to the last one.
"""

from typing import NamedTuple

import numpy as np
from numba import int64

from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES
from tumble.hierarchy.packed.over_boxes import BOX_NUMBERS
from tumble.jit import fixed_kernel, inlined_kernel
from tumble.simd.memory import float64_at, int32_at, scratch, set_int64
from tumble.traversal.wide.aligned import NO_SIDE, STACK_WORDS, compare, walk_down
from tumble.traversal.wide.self_walk import compare_within, walk_blocks
from tumble.traversal.wide.walk import link, waiting_pair

ROOT_BLOCK = np.int64(0)


class BoxPairs(NamedTuple):
    """Addresses: boxes of either tree's elements, their corners, and the keys that are found."""

    boxes_a: int
    corners_a: int
    """int32, three each, repeated where there are fewer; 0: elements that share some are pairs, too"""
    boxes_b: int
    corners_b: int
    itself: int
    """1 when both trees are the same: then a pair's smaller number comes first"""
    keys: int
    capacity: int


@inlined_kernel
def boxes_meet(a, i, b, j):
    """Tell whether two closed boxes share a point."""
    p, q = BOX_NUMBERS * i, BOX_NUMBERS * j
    return (
        (float64_at(a, p) <= float64_at(b, q + 3))
        & (float64_at(b, q) <= float64_at(a, p + 3))
        & (float64_at(a, p + 1) <= float64_at(b, q + 4))
        & (float64_at(b, q + 1) <= float64_at(a, p + 4))
        & (float64_at(a, p + 2) <= float64_at(b, q + 5))
        & (float64_at(b, q + 2) <= float64_at(a, p + 5))
    )


@inlined_kernel
def share_corner(a, i, b, j):
    """Tell whether two elements have a corner in common."""
    x, y, z = int32_at(b, 3 * j), int32_at(b, 3 * j + 1), int32_at(b, 3 * j + 2)
    shared = False
    for k in range(3):
        corner = int32_at(a, 3 * i + k)
        shared |= (corner == x) | (corner == y) | (corner == z)
    return shared


@inlined_kernel
def keep_pair(step, i, j, found):
    """Keep a pair of an element of the first tree and one of the second, if it is one."""
    if not boxes_meet(step.boxes_a, i, step.boxes_b, j):
        return found
    if step.corners_a != 0 and share_corner(step.corners_a, i, step.corners_b, j):
        return found
    if step.itself != 0 and i > j:
        i, j = j, i
    if found < step.capacity:
        set_int64(step.keys, found, i << 32 | j)
    return found + 1


@compare.register(BoxPairs)
def _compare(step, node, one, two, three, four, found):
    found = keep_pair(step, one, three, found)
    if two >= 0:
        found = keep_pair(step, two, three, found)
    if four >= 0:
        found = keep_pair(step, one, four, found)
        if two >= 0:
            found = keep_pair(step, two, four, found)
    return found


@compare_within.register(BoxPairs)
def _compare_within(step, one, two, found):
    return keep_pair(step, one, two, found)


@fixed_kernel(int64(*9 * (int64,)))
def box_pairs_in_blocks(blocks, boxes, corners, start, stop, keys, capacity, limit, count):
    """Write pairs of elements of one tree whose lowest common block is among these; see `walk_blocks`."""
    step = BoxPairs(boxes, corners, boxes, corners, 1, keys, capacity)
    return walk_blocks(step, blocks, start, stop, limit, count)


@fixed_kernel(int64(*12 * (int64,)))
def box_pairs_of_trees(
    blocks_a, boxes_a, corners_a, blocks_b, boxes_b, corners_b, start, stop, keys, capacity, limit, count
):
    """Write pairs of elements in leaves of some blocks of a and of elements of b; return as `walk_blocks` does.

    Neither tree is empty, and both have the same frame.
    """
    step = BoxPairs(boxes_a, corners_a, boxes_b, corners_b, 0, keys, capacity)
    stack = scratch(STACK_WORDS)
    found = np.int64(0)
    for number in range(start, stop):
        before = found
        for lane in range(LANES):
            if link(blocks_a + number * BLOCK_BYTES, CHILD, lane) < 0:
                set_int64(stack, 0, waiting_pair(LANES * number + lane, ROOT_BLOCK, NO_SIDE))
                found = walk_down(step, blocks_a, blocks_b, stack, np.int64(1), found, limit)
        if found > limit:
            set_int64(count, 0, before)
            return number
    set_int64(count, 0, found)
    return stop
