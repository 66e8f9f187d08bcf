"""How often a closed mesh winds around a point: all triangles that a ray along an axis crosses, by a packed tree.

The boxes are those of `rays.packed_walk`, in any order. A triangle that several leaves name is counted once: where the
tree has such triangles, crossed ones are listed, and if the list is full, all triangles of the mesh are looked at
instead, one by one.
"""

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import float64_at, int32_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, REPEATS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, SECOND
from tumble.narrow.points.crossing import ON_SURFACE, crossing
from tumble.narrow.rays.ray_triangle import ORIGIN
from tumble.traversal.rays.packed_walk import NEARS_WORDS, STACK_WORDS, boxes_on_ray
from tumble.traversal.rays.prepare import LONGEST, SINGLES
from tumble.traversal.rays.triangles import posed_corners, vector_at

SURFACE = 1 << 62
"""in place of a number of turns: the point is on the surface"""
MOST_CROSSED = 64
REACH = np.float32(LONGEST)


@inlined_kernel
def along_axis(point, axis):
    """Return the coordinates of a point, that of the axis first; in turn, so that orientation stays."""
    if axis == 0:
        return point
    return (point[1], point[2], point[0]) if axis == 1 else (point[2], point[0], point[1])


@inlined_kernel
def crossed(tree, pose, point, axis, way, triangle):
    """Return what `crossing` says of a triangle."""
    a, b, c = posed_corners(tree, pose, triangle)
    return crossing(along_axis(a, axis), along_axis(b, axis), along_axis(c, axis), point, way)


@external(int64(*5 * (int64,)))
def turns_by_all(tree, pose, ray, direction, triangles):
    """Return the same as `turns_around`, from all triangles."""
    axis, way = direction >> 1, 1 - 2 * (direction & 1)
    point = along_axis(vector_at(ray, ORIGIN), axis)
    turns = 0
    for triangle in range(triangles):
        found = crossed(tree, pose, point, axis, way, triangle)
        if found == ON_SURFACE:
            return SURFACE
        turns += found
    return turns


@inlined_kernel
def is_listed(listed, count, number):
    """Tell whether a number is among the first of a list."""
    k = 0
    while k < count and int64_at(listed, k) != number:
        k += 1
    return k < count


@external(int64(*5 * (int64,)))
def turns_around(tree, pose, ray, direction, triangles):
    """Return how often a mesh winds around the origin of a prepared ray, or SURFACE.

    `direction` is twice the ray's axis, and one more when it goes down. `triangles` is the number of all.
    """
    stack, nears, listed = scratch(STACK_WORDS), scratch(NEARS_WORDS), scratch(MOST_CROSSED)
    axis, way = direction >> 1, 1 - 2 * (direction & 1)
    point = along_axis(vector_at(ray, ORIGIN), axis)
    blocks, repeats = int64_at(tree, BLOCKS), float64_at(tree, REPEATS) != 0.0
    turns, count = 0, 0
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
                continue
            number, second = -1 - child, int32_at(block, LANES * SECOND + lane)
            if child == 0:
                continue
            while number >= 0:
                found = crossed(tree, pose, point, axis, way, number)
                if found == ON_SURFACE:
                    return SURFACE
                if found != 0 and repeats:
                    if is_listed(listed, count, number):
                        found = 0
                    elif count == MOST_CROSSED:
                        return turns_by_all(tree, pose, ray, direction, triangles)
                    else:
                        set_int64(listed, count, number)
                        count += 1
                turns += found
                number, second = second, -1
    return turns
