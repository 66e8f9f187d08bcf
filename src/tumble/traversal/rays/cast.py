"""Many rays in one kernel."""

import numpy as np
from numba import int64

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import float64_at, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.narrow.rays.ray_triangle import DIRECTION, ORIGIN
from tumble.traversal.rays.boxtree_walk import nearest_in_boxtree
from tumble.traversal.rays.packed_walk import nearest_in_packed
from tumble.traversal.rays.prepare import RAY_WORDS, prepare_ray, sound
from tumble.traversal.rays.triangles import NO_TRIANGLE

NONE = -1
FEW_RAYS = 15  # bits of a ray's number that are zero where the loop calls `poll`

# Places in the array of addresses and numbers that describes a job: plain words, so that there is one signature for all
# arrays, writable or not.
TREE, IS_BOXTREE, FRAME, POSE = range(4)
ORIGINS, DIRECTIONS, LONGEST, LONGEST_STEP, ANY_HIT = range(4, 9)
TRIANGLES, DISTANCES, POINTS = range(9, 12)


@inlined_kernel
def write_hit(job, i, ray, triangle, distance):
    """Write what a ray has hit."""
    found = triangle != NO_TRIANGLE
    set_int64(job[TRIANGLES], i, triangle if found else NONE)
    set_float64(job[DISTANCES], i, distance if found else np.inf)
    for k in range(3):
        point = float64_at(ray, ORIGIN + k) + distance * float64_at(ray, DIRECTION + k)
        set_float64(job[POINTS], 3 * i + k, point if found else np.nan)


@fixed_kernel(int64(int64[::1], int64, int64))
def cast(job, start, stop):
    """Cast rays start to stop; return the number of the first that is not sound, or NONE.

    `longest` has a number for each ray, or one for all, with step 0. The pose may be 0, for none.
    """
    ray, distance_at = scratch(RAY_WORDS), scratch(1)
    for i in range(start, stop):
        if i & FEW_RAYS == 0 and poll(0) != 0:
            break
        for k in range(3):
            set_float64(ray, ORIGIN + k, float64_at(job[ORIGINS], 3 * i + k))
            set_float64(ray, DIRECTION + k, float64_at(job[DIRECTIONS], 3 * i + k))
        longest = float64_at(job[LONGEST], i * job[LONGEST_STEP])
        if not sound(ray) or not longest >= 0.0:
            return i
        set_float64(distance_at, 0, longest)
        triangle = np.int64(NO_TRIANGLE)
        if prepare_ray(job[FRAME], ray):
            if job[IS_BOXTREE] != 0:
                triangle = nearest_in_boxtree(job[TREE], job[POSE], ray, job[ANY_HIT], distance_at)
            else:
                triangle = nearest_in_packed(job[TREE], job[POSE], ray, job[ANY_HIT], distance_at)
        write_hit(job, i, ray, triangle, float64_at(distance_at, 0))
    return NONE
