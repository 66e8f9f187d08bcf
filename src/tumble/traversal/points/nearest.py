"""The nearest triangles of many points in one kernel."""

import numpy as np
from numba import int64

from tumble.core.jit import fixed_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import float64_at, int64_at, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.traversal.points.nearest_walk import DISTANCE, FOUND_WORDS, WAY, nearest_in_packed_tree
from tumble.traversal.points.order import NUMBERS
from tumble.traversal.points.prepare import POINT_WORDS, prepare_point, read_point
from tumble.traversal.rays.triangles import NO_TRIANGLE

NONE = -1
FEW_POINTS = 15  # bits of a point's number that are zero where the loop calls `poll`

# Places in the array of addresses and numbers that describes a job: see `rays.cast`.
TREE, FRAME, POSE, POINTS, KEYS, NEAREST, DISTANCES, TRIANGLES = range(8)


@fixed_kernel(int64(int64[::1], int64, int64))
def find_nearest(job, start, stop):
    """Find what is nearest to the points that keys start to stop name; return the first that is not sound, or NONE.

    Keys are those of `order`.
    """
    point, found = scratch(POINT_WORDS), scratch(FOUND_WORDS)
    triangle = np.int64(NO_TRIANGLE)
    for k in range(start, stop):
        if k & FEW_POINTS == 0 and poll(0) != 0:
            break
        i = int64_at(job[KEYS], k) & NUMBERS
        if not read_point(job[POINTS], i, point):
            return i
        prepare_point(job[FRAME], point)
        # the last one's triangle is often near the next one
        triangle = nearest_in_packed_tree(job[TREE], job[POSE], point, triangle, found)
        set_int64(job[TRIANGLES], i, triangle)
        set_float64(job[DISTANCES], i, float64_at(found, DISTANCE))
        for axis in range(3):
            set_float64(job[NEAREST], 3 * i + axis, float64_at(point, axis) + float64_at(found, WAY + axis))
    return NONE
