"""How often a closed mesh winds around a point: the signed sum of all triangles that a ray from the point passes.

A triangle that the ray leaves by (its normal points along the ray) counts +1, one that it enters by -1. Nothing is
decided by rounding: a triangle is certain to be passed or to be missed, or the ray is *unsure*, and the caller takes
another direction, since every direction gives the same sum. A point is given by float64 numbers and a *slack*, the most
that any coordinate may be off: so it can be a point that float64 cannot name, such as one where an edge pierces a face.
Triangles through the point are named, and left out.

The bounds are those of `narrow.rays.ray_triangle`, with 6 slack M G (of 12 slack M G for w) and 6 slack G G more for
weights and volume: each is a sum of six products that contain one coordinate of the origin. Boxes are as wide as for
any ray: `prepare` has a margin of 2**-44 of the coordinates, and the slack is less than 2**-50 of them.
"""

import numpy as np
from numba import float64, int64

from tumble.core.jit import external, fixed_kernel, inlined_kernel
from tumble.core.linear import cross, dot, largest, minus
from tumble.core.poll import poll
from tumble.core.simd.memory import float64_at, int32_at, int64_at, lowest_bit, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, REPEATS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, MAX_DEPTH, SECOND
from tumble.narrow.rays.ray_triangle import DIRECTION, ERROR, LARGEST, ORIGIN, VOLUME_ERROR
from tumble.narrow.triangles.filter import SAFE_BOUND, SAFE_PRODUCT
from tumble.traversal.rays.packed_walk import NEARS_WORDS, boxes_on_ray
from tumble.traversal.rays.prepare import LONGEST, RAY_WORDS, SINGLES, prepare_ray, sound
from tumble.traversal.rays.triangles import posed_corners, vector_at

UNSURE = -(1 << 40)
MISSED = 0
FEW_RAYS = 15
STACK_WORDS = MAX_DEPTH * (LANES - 1) + LANES
PASSED_WORDS = 256
"""passed triangles that are remembered where a tree may name one of them twice"""

# Places in the array of addresses that describes a job.
TREE, FRAME, POSE, ORIGINS, DIRECTIONS, SLACKS, OFFSETS, THROUGH, WINDINGS = range(9)


@inlined_kernel
def passed(tree, pose, ray, slack, triangle):
    """Return 1 when the ray leaves by a triangle, -1 when it enters, MISSED or UNSURE."""
    a, b, c = posed_corners(tree, pose, triangle)
    o, d = vector_at(ray, ORIGIN), vector_at(ray, DIRECTION)
    e, f, s = minus(b, a), minus(c, a), minus(o, a)
    edge, far = max(largest(e), largest(f)), largest(s)
    if edge == 0.0:  # a point: no ray passes it
        return MISSED
    p, q = cross(d, f), cross(s, e)
    determinant, u, v, volume = dot(e, p), dot(s, p), dot(d, q), dot(f, q)
    w = (determinant - u) - v
    across, square = float64_at(ray, LARGEST) * edge, edge * edge
    bound = ERROR * across * (far + edge) + 16.0 * slack * across
    volume_bound = VOLUME_ERROR * square * far + 8.0 * slack * square
    if not (square > SAFE_PRODUCT and far * edge > SAFE_PRODUCT and across > SAFE_PRODUCT):
        return UNSURE
    if not (across * edge > SAFE_PRODUCT and bound > SAFE_BOUND and volume_bound > SAFE_BOUND):
        return UNSURE
    if (u > bound or v > bound or w > bound) and (u < -bound or v < -bound or w < -bound):
        return MISSED
    if u > bound and v > bound and w > bound:
        return -1 if volume > volume_bound else MISSED if volume < -volume_bound else UNSURE
    if u < -bound and v < -bound and w < -bound:
        return 1 if volume < -volume_bound else MISSED if volume > volume_bound else UNSURE
    return UNSURE


@inlined_kernel
def is_listed(listed, first, last, number):
    """Tell whether a number is among those from `first` to `last`."""
    found = False
    for k in range(first, last):
        found |= int64_at(listed, k) == number
    return found


@external(int64(int64, int64, int64, float64, int64, int64, int64))
def winding_in_packed(tree, pose, ray, slack, through, first, last):
    """Return the signed sum of the triangles that a prepared ray passes, or UNSURE.

    `through` lists triangles that contain the ray's origin, at places `first` to `last`; they do not count.
    """
    stack, nears, remembered = scratch(STACK_WORDS), scratch(NEARS_WORDS), scratch(PASSED_WORDS)
    blocks, repeats = int64_at(tree, BLOCKS), float64_at(tree, REPEATS) != 0.0
    total, known = np.int64(0), np.int64(0)
    set_int64(stack, 0, 0)
    top = 1
    while top > 0:
        top -= 1
        block = blocks + int64_at(stack, top) * BLOCK_BYTES
        mask = boxes_on_ray(block, ray + SINGLES, np.float32(LONGEST), nears)
        while mask != 0:
            lane = lowest_bit(mask)
            mask &= mask - 1
            child = int32_at(block, LANES * CHILD + lane)
            if child > 0:
                set_int64(stack, top, child)
                top += 1
            if child >= 0:
                continue
            for k in range(2):
                triangle = -1 - child if k == 0 else int32_at(block, LANES * SECOND + lane)
                if triangle < 0 or is_listed(through, first, last, triangle):
                    continue
                sign = passed(tree, pose, ray, slack, triangle)
                if sign == UNSURE:
                    return UNSURE
                if sign != MISSED and repeats:
                    if is_listed(remembered, 0, known, triangle):
                        continue
                    if known == PASSED_WORDS:
                        return UNSURE
                    set_int64(remembered, known, triangle)
                    known += 1
                total += sign
    return total


@fixed_kernel(int64(int64[::1], int64, int64))
def windings(job, start, stop):
    """Write how often a mesh winds around points `start` to `stop`, or UNSURE; the pose may be 0, for none."""
    ray = scratch(RAY_WORDS)
    for i in range(start, stop):
        if i & FEW_RAYS == 0 and poll(0) != 0:
            break
        for k in range(3):
            set_float64(ray, ORIGIN + k, float64_at(job[ORIGINS], 3 * i + k))
            set_float64(ray, DIRECTION + k, float64_at(job[DIRECTIONS], 3 * i + k))
        found = np.int64(UNSURE)
        if sound(ray):
            found = np.int64(0)
            if prepare_ray(job[FRAME], ray):
                first, last = int64_at(job[OFFSETS], i), int64_at(job[OFFSETS], i + 1)
                slack = float64_at(job[SLACKS], i)
                found = winding_in_packed(job[TREE], job[POSE], ray, slack, job[THROUGH], first, last)
        set_int64(job[WINDINGS], i, found)
    return 0
