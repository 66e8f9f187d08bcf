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

from typing import NamedTuple

import numpy as np
from numba import float64, int64

from tumble.core.jit import external, fixed_kernel, inlined_kernel
from tumble.core.linear import cross, dot, largest, minus
from tumble.core.poll import poll
from tumble.core.simd.memory import float64_at, int64_at, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.narrow.rays.ray_triangle import DIRECTION, ERROR, LARGEST, ORIGIN, VOLUME_ERROR
from tumble.narrow.triangles.filter import SAFE_BOUND, SAFE_PRODUCT
from tumble.traversal.rays.prepare import RAY_WORDS, prepare_ray, sound
from tumble.traversal.rays.signed_sum import FULL, STOP, is_listed, passed, signed_sum
from tumble.traversal.rays.triangles import posed_corners, vector_at

UNSURE = -(1 << 40)
FEW_RAYS = 15

# Places in the array of addresses that describes a job.
TREE, FRAME, POSE, ORIGINS, DIRECTIONS, SLACKS, OFFSETS, THROUGH, WINDINGS = range(9)


class Certain(NamedTuple):
    """Any ray, as a rule of `signed_sum`: STOP where rounding may decide."""

    slack: float
    through: int
    """address of a list of triangles that contain the origin and do not count, at places `first` to `last`"""
    first: int
    last: int


@passed.register(Certain)
def _certainly_passed(rule, tree, pose, ray, triangle):
    if is_listed(rule.through, rule.first, rule.last, triangle):
        return 0
    return certainly_passed(tree, pose, ray, rule.slack, triangle)


@inlined_kernel
def certainly_passed(tree, pose, ray, slack, triangle):
    """Return 1 when the ray leaves by a triangle, -1 when it enters, 0 when it misses it, or STOP."""
    a, b, c = posed_corners(tree, pose, triangle)
    o, d = vector_at(ray, ORIGIN), vector_at(ray, DIRECTION)
    e, f, s = minus(b, a), minus(c, a), minus(o, a)
    edge, far = max(largest(e), largest(f)), largest(s)
    if edge == 0.0:  # a point: no ray passes it
        return 0
    p, q = cross(d, f), cross(s, e)
    determinant, u, v, volume = dot(e, p), dot(s, p), dot(d, q), dot(f, q)
    w = (determinant - u) - v
    across, square = float64_at(ray, LARGEST) * edge, edge * edge
    bound = ERROR * across * (far + edge) + 16.0 * slack * across
    volume_bound = VOLUME_ERROR * square * far + 8.0 * slack * square
    if not (square > SAFE_PRODUCT and far * edge > SAFE_PRODUCT and across > SAFE_PRODUCT):
        return STOP
    if not (across * edge > SAFE_PRODUCT and bound > SAFE_BOUND and volume_bound > SAFE_BOUND):
        return STOP
    if (u > bound or v > bound or w > bound) and (u < -bound or v < -bound or w < -bound):
        return 0
    if u > bound and v > bound and w > bound:
        return -1 if volume > volume_bound else 0 if volume < -volume_bound else STOP
    if u < -bound and v < -bound and w < -bound:
        return 1 if volume < -volume_bound else 0 if volume > volume_bound else STOP
    return STOP


@external(int64(int64, int64, int64, float64, int64, int64, int64))
def certain_winding(tree, pose, ray, slack, through, first, last):
    """Return the signed sum of the triangles that a prepared ray passes, or UNSURE; see `Certain`."""
    found = signed_sum(Certain(slack, through, first, last), tree, pose, ray)
    return UNSURE if found >= FULL else found  # STOP is more


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
                found = certain_winding(job[TREE], job[POSE], ray, slack, job[THROUGH], first, last)
        set_int64(job[WINDINGS], i, found)
    return 0
