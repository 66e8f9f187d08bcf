"""How often one mesh winds around vertices of another, both posed: one call, with nothing to prepare.

The frame of `prepare` is made here from the header of the tree. The answers are exact: see `crossing_walk`.
"""

import numpy as np
from numba import int64

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.linear import cross, dot, minus
from tumble.core.poll import poll
from tumble.core.simd.memory import float64_at, int64_at, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed import header
from tumble.narrow.rays.ray_triangle import DIRECTION, ORIGIN
from tumble.traversal.points.crossing_walk import turns_around
from tumble.traversal.points.turns import FEW_POINTS
from tumble.traversal.rays import prepare
from tumble.traversal.rays.prepare import FRAME_NUMBERS, RAY_WORDS, prepare_ray, sound
from tumble.traversal.rays.triangles import NO_POSE, posed_vector, posed_vertex, vector_at

UNKNOWN = 1 << 61
"""in place of a number of turns: the coordinates of the point are too large"""


@inlined_kernel
def write_frame(tree, pose, frame):
    """Write how points come into the frame of a tree whose mesh has a (3, 4) pose, or NO_POSE: see `prepare`."""
    scale = float64_at(tree, header.SCALE)
    a, b, c, shift = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    if pose != NO_POSE:
        a, b, c = vector_at(pose, 0), vector_at(pose, 4), vector_at(pose, 8)
        shift = float64_at(pose, 3), float64_at(pose, 7), float64_at(pose, 11)
    # the inverse of a matrix: its cofactors, turned, by its determinant, which is near to 1
    first, second, third = cross(b, c), cross(c, a), cross(a, b)
    factor = scale / dot(a, first)
    for k in range(3):
        row = 3 * k
        set_float64(frame, prepare.TURN + row, first[k] * factor)
        set_float64(frame, prepare.TURN + row + 1, second[k] * factor)
        set_float64(frame, prepare.TURN + row + 2, third[k] * factor)
        set_float64(frame, prepare.SHIFT + k, shift[k])
        set_float64(frame, prepare.MIDDLE + k, float64_at(tree, header.ORIGIN + k) * scale)
    farthest = max(max(abs(shift[0]), abs(shift[1])), abs(shift[2]))
    set_float64(frame, prepare.SIZE, float64_at(tree, header.EXTENT) + farthest)
    set_float64(frame, prepare.SCALE, scale)


@inlined_kernel
def away_from(middle, point):
    """Return the direction along an axis in which a point is farthest from the middle: see `turns_around`."""
    x, y, z = minus(point, middle)
    if abs(x) >= max(abs(y), abs(z)):
        return 1 if x < 0.0 else 0
    if abs(y) >= abs(z):
        return 3 if y < 0.0 else 2
    return 5 if z < 0.0 else 4


@inlined_kernel
def turns_at(tree, pose, frame, triangles, point, ray):
    """Return how often a mesh of some triangles, with a frame by `write_frame`, winds around a point; see above."""
    direction = away_from(posed_vector(pose, vector_at(tree, header.ORIGIN)), point)
    for k in range(3):
        set_float64(ray, ORIGIN + k, point[k])
        set_float64(ray, DIRECTION + k, 0.0)
    set_float64(ray, DIRECTION + (direction >> 1), 1.0 - 2.0 * (direction & 1))
    if not sound(ray):
        return np.int64(UNKNOWN)
    return turns_around(tree, pose, ray, direction, triangles) if prepare_ray(frame, ray) else np.int64(0)


@fixed_kernel(int64(*8 * (int64,)))
def vertex_turns(tree, pose, triangles, other_tree, other_pose, numbers, count, turns):
    """Write how often a mesh of some triangles winds around vertices of another, SURFACE or UNKNOWN; return 0.

    Trees, (3, 4) poses (or NO_POSE), the numbers of the vertices and what is written are given by addresses.
    """
    ray, frame = scratch(RAY_WORDS), scratch(FRAME_NUMBERS)
    write_frame(tree, pose, frame)
    for i in range(count):
        if i & FEW_POINTS == 0 and poll(0) != 0:
            break
        point = posed_vertex(other_tree, other_pose, int64_at(numbers, i))
        set_int64(turns, i, turns_at(tree, pose, frame, triangles, point, ray))
    return 0
