"""Triangles of one mesh whose boxes meet.

The tree's boxes are float32 and contain two triangles; the triangles' own boxes in float64 decide, by comparisons
alone. So the pairs are those of brute force.
"""

from typing import NamedTuple

from numba import int64

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.simd.memory import float64_at, set_int64
from tumble.hierarchy.packed.over_boxes import BOX_NUMBERS
from tumble.traversal.packed.aligned import compare
from tumble.traversal.packed.self_walk import compare_within, walk_blocks


class BoxPairs(NamedTuple):
    """Addresses: boxes of the triangles, and the keys that are found."""

    boxes: int
    keys: int
    capacity: int


@inlined_kernel
def boxes_meet(boxes, i, j):
    """Tell whether two closed boxes share a point."""
    p, q = BOX_NUMBERS * i, BOX_NUMBERS * j
    return (
        (float64_at(boxes, p) <= float64_at(boxes, q + 3))
        & (float64_at(boxes, q) <= float64_at(boxes, p + 3))
        & (float64_at(boxes, p + 1) <= float64_at(boxes, q + 4))
        & (float64_at(boxes, q + 1) <= float64_at(boxes, p + 4))
        & (float64_at(boxes, p + 2) <= float64_at(boxes, q + 5))
        & (float64_at(boxes, q + 2) <= float64_at(boxes, p + 5))
    )


@inlined_kernel
def keep_pair(step, i, j, found):
    """Keep a pair of triangles, the smaller number first, if it is one."""
    if not boxes_meet(step.boxes, i, j):
        return found
    # each pair comes once, but in the order in which the walk meets it
    if i > j:
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


@fixed_kernel(int64(*8 * (int64,)))
def box_pairs_in_blocks(blocks, boxes, start, stop, keys, capacity, limit, count):
    """Write pairs of triangles of one tree whose lowest common block is among these; see `walk_blocks`."""
    return walk_blocks(BoxPairs(boxes, keys, capacity), blocks, start, stop, limit, count)
