"""How often a mesh winds around each of many points, in one kernel.

Where it is known how far points are from the mesh, most of them need no ray: in a ball around a point that does not
reach the mesh, the winding number (its parity, where the mesh is not oriented) is the same everywhere. So points are
taken in the order of a Morton curve, and each is first looked for in two balls: that of the last point, and a wide one.
The radius of a ball is the computed distance, less many times what that may be wrong by: such an answer is as exact as
a ray's.
"""

import numpy as np
from numba import int64

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import float64_at, int64_at, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.narrow.rays.ray_triangle import DIRECTION, ORIGIN
from tumble.traversal.points.crossing_walk import SURFACE, turns_around
from tumble.traversal.points.order import NUMBERS
from tumble.traversal.rays.prepare import RAY_WORDS, SIZE, largest_of, prepare_ray, sound

NONE = -1
UNSOUND = 1 << 60
"""in place of a number of turns"""
FEW_POINTS = 15  # bits of a point's number that are zero where the loop calls `poll`

# Places in the array of addresses and numbers that describes a job: see `rays.cast`.
# KEYS are those of `order`, and DISTANCES what `nearest` found; or both are 0.
TREE, FRAME, POSE, POINTS, BOUNDS, TURNS, COUNT, KEYS, DISTANCES = range(9)

# A ball: its centre, the square of its radius, 0 for none, and the winding number there.
SQUARE = 3
INSIDE = 4
BALL_WORDS = 5
SHRUNK = 1.0 - 2.0**-40
SLACK = 2.0**-44
"""of the coordinates' size: distances are within 2**-48 of that"""
LEAST_RADIUS = 1e-140  # its square is far from denormal numbers


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


@inlined_kernel
def is_in_ball(ray, ball):
    """Tell whether the origin of a ray is in a ball; not a number is in none."""
    square = 0.0
    for k in range(3):
        gap = float64_at(ray, ORIGIN + k) - float64_at(ball, k)
        square += gap * gap
    return square < float64_at(ball, SQUARE)


@inlined_kernel
def set_ball(ball, ray, square, turns):
    """Make the ball around the origin of a ray."""
    for k in range(3):
        set_float64(ball, k, float64_at(ray, ORIGIN + k))
    set_float64(ball, SQUARE, square)
    set_int64(ball, INSIDE, turns)


@inlined_kernel
def square_of_ball(ray, distance, frame):
    """Return the square of the radius of a ball around the origin of a ray that the mesh is certain not to meet."""
    largest = largest_of(float64_at(ray, ORIGIN), float64_at(ray, ORIGIN + 1), float64_at(ray, ORIGIN + 2))
    radius = distance * SHRUNK - SLACK * (2.0 * float64_at(frame, SIZE) + largest)
    return radius * radius * SHRUNK if radius > LEAST_RADIUS else 0.0


@inlined_kernel
def turns_by_ray(job, ray):
    """Return how often the mesh winds around the origin of a ray, SURFACE, or UNSOUND for what cannot be used."""
    for k in range(3):
        set_float64(ray, DIRECTION + k, 0.0)
    direction = shortest_way(ray, job[BOUNDS])
    set_float64(ray, DIRECTION + (direction >> 1), 1.0 - 2.0 * (direction & 1))
    if not sound(ray):
        return UNSOUND
    turns = np.int64(0)
    if prepare_ray(job[FRAME], ray):
        turns = turns_around(job[TREE], job[POSE], ray, direction, job[COUNT])
    return turns


@fixed_kernel(int64(int64[::1], int64, int64))
def count_turns(job, start, stop):
    """Count turns around points start to stop, in the order of the keys if there are any; return as `find_nearest`."""
    ray, last, wide = scratch(RAY_WORDS), scratch(BALL_WORDS), scratch(BALL_WORDS)
    set_float64(last, SQUARE, 0.0)
    set_float64(wide, SQUARE, 0.0)
    for number in range(start, stop):
        if number & FEW_POINTS == 0 and poll(0) != 0:
            break
        i = number if job[KEYS] == 0 else int64_at(job[KEYS], number) & NUMBERS
        for k in range(3):
            set_float64(ray, ORIGIN + k, float64_at(job[POINTS], 3 * i + k))
        if is_in_ball(ray, last):
            turns = int64_at(last, INSIDE)
        elif is_in_ball(ray, wide):
            turns = int64_at(wide, INSIDE)
        else:
            turns = turns_by_ray(job, ray)
            if turns == UNSOUND:
                return i
            set_float64(wide, SQUARE, 0.0)  # it is left behind
        if job[DISTANCES] != 0 and turns != SURFACE:
            square = square_of_ball(ray, float64_at(job[DISTANCES], i), job[FRAME])
            set_ball(last, ray, square, turns)
            if square > float64_at(wide, SQUARE):
                set_ball(wide, ray, square, turns)
        set_int64(job[TURNS], i, turns)
    return NONE
