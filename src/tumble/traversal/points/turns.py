"""How often a mesh winds around each of many points, in one kernel."""

import numpy as np
from numba import int64

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import float64_at, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.narrow.rays.ray_triangle import DIRECTION, ORIGIN
from tumble.traversal.points.crossing_walk import turns_around
from tumble.traversal.rays.prepare import RAY_WORDS, prepare_ray, sound

NONE = -1
FEW_POINTS = 15  # bits of a point's number that are zero where the loop calls `poll`

# Places in the array of addresses and numbers that describes a job: see `rays.cast`.
TREE, FRAME, POSE, POINTS, BOUNDS, TURNS, COUNT = range(7)


@inlined_kernel
def shortest_way(ray, bounds):
    """Return the direction in which the point is nearest to the end of the mesh: see `turns_around`.

    `bounds` are the least and largest coordinates of the mesh, roughly: every direction gives the same answer.
    """
    best, direction = np.inf, 0
    for axis in range(3):
        x = float64_at(ray, ORIGIN + axis)
        down, up = x - float64_at(bounds, axis), float64_at(bounds, 3 + axis) - x
        if up < best:
            best, direction = up, 2 * axis
        if down < best:
            best, direction = down, 2 * axis + 1
    return direction


@fixed_kernel(int64(int64[::1], int64, int64))
def count_turns(job, start, stop):
    """Count turns around points start to stop; return the number of the first that is not sound, or NONE."""
    ray = scratch(RAY_WORDS)
    for i in range(start, stop):
        if i & FEW_POINTS == 0 and poll(0) != 0:
            break
        for k in range(3):
            set_float64(ray, ORIGIN + k, float64_at(job[POINTS], 3 * i + k))
            set_float64(ray, DIRECTION + k, 0.0)
        direction = shortest_way(ray, job[BOUNDS])
        set_float64(ray, DIRECTION + (direction >> 1), 1.0 - 2.0 * (direction & 1))
        if not sound(ray):
            return i
        turns = np.int64(0)
        if prepare_ray(job[FRAME], ray):
            turns = turns_around(job[TREE], job[POSE], ray, direction, job[COUNT])
        set_int64(job[TURNS], i, turns)
    return NONE
