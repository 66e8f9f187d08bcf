"""The generalised winding number of an open mesh about many points: the sum of its triangles' solid angles, in turns.

A. Jacobson, L. Kavan and O. Sorkine-Hornung, "Robust inside-outside segmentation using generalized winding numbers",
2013. A mesh becomes closed when each edge u v of its boundary gets a strip that goes from there to infinity, along a
ray from the point. A ray along the strips crosses none of them, so the closed mesh winds around the point as often as
the ray crosses the open mesh (`crossing_walk`), less the turns of its boundary around the ray. What the strips add to
that is their solid angles: a sum over the boundary alone instead of all triangles, with the same result.

The solid angle of a strip is poor where a vertex of the boundary lies exactly behind the point. So of the six axes the
one with no vertex near its far end is taken; if each has one, triangles are summed.
"""

import math

import numpy as np
from numba import int64

from tumble.core.jit import external, fixed_kernel, inlined_kernel
from tumble.core.linear import minus, unit
from tumble.core.poll import poll
from tumble.core.simd.memory import float64_at, int64_at, set_float64
from tumble.core.simd.stack_memory import scratch
from tumble.narrow.points.solid_angle import angle_of_strip, angle_of_triangle
from tumble.narrow.rays.ray_triangle import DIRECTION, ORIGIN
from tumble.traversal.points.crossing_walk import SURFACE, along_axis, turns_around
from tumble.traversal.rays.prepare import RAY_WORDS, prepare_ray, sound
from tumble.traversal.rays.triangles import posed_corners, posed_vertex, vector_at

NONE = -1
ON_SURFACE = math.inf
"""in place of a winding number"""
NEAREST_BEHIND = 2.0**-20
"""1 + cosine of the angle between a vertex of the boundary and the ray: less makes the sum of angles poor"""

# Places in the array of addresses and numbers that describes a job: see `rays.cast`.
TREE, FRAME, POSE, POINTS, BOUNDARY, SURPLUS, WINDINGS, COUNT, EDGES = range(9)


@inlined_kernel
def best_direction(tree, pose, point, boundary, edges):
    """Return a direction with no vertex of the boundary near its opposite, as in `turns_around`, and how near they are.

    A vertex that is exactly behind has nearness 0.
    """
    low_x = low_y = low_z = 1.0
    high_x = high_y = high_z = -1.0
    for k in range(edges):  # every vertex of a boundary begins an edge, or ends one whose other end is looked at too
        for end in range(2):
            u = unit(minus(posed_vertex(tree, pose, int64_at(boundary, 2 * k + end)), point))
            low_x, low_y, low_z = min(low_x, u[0]), min(low_y, u[1]), min(low_z, u[2])
            high_x, high_y, high_z = max(high_x, u[0]), max(high_y, u[1]), max(high_z, u[2])
    best, direction = 1.0 + low_x, 0
    for number, room in ((1, 1.0 - high_x), (2, 1.0 + low_y), (3, 1.0 - high_y), (4, 1.0 + low_z), (5, 1.0 - high_z)):
        if room > best:
            best, direction = room, number
    return best, direction


@external(int64(*8 * (int64,)))
def write_winding(tree, pose, ray, direction, boundary, surplus, edges, target):
    """Add to the turns of a mesh, at `target`, what the strips of its boundary make of them."""
    axis, way = direction >> 1, 1 - 2 * (direction & 1)
    point = along_axis(vector_at(ray, ORIGIN), axis)
    turns, angles = 0.0, 0.0
    for k in range(edges):
        u = along_axis(posed_vertex(tree, pose, int64_at(boundary, 2 * k)), axis)
        v = along_axis(posed_vertex(tree, pose, int64_at(boundary, 2 * k + 1)), axis)
        angle, turn = angle_of_strip(u, v, point, way)
        times = int64_at(surplus, k)
        turns += times * turn
        angles += times * angle
    set_float64(target, 0, (float64_at(target, 0) - way * turns) + angles)
    return 0


@external(int64(*5 * (int64,)))
def write_sum(tree, pose, ray, triangles, target):
    """Write the sum of the solid angles of all triangles to `target`."""
    point, total = vector_at(ray, ORIGIN), 0.0
    for triangle in range(triangles):
        a, b, c = posed_corners(tree, pose, triangle)
        total += angle_of_triangle(a, b, c, point)
    set_float64(target, 0, total)
    return 0


@fixed_kernel(int64(int64[::1], int64, int64))
def find_windings(job, start, stop):
    """Find the winding numbers of points start to stop; return the number of the first that is not sound, or NONE."""
    ray, total = scratch(RAY_WORDS), scratch(1)
    for i in range(start, stop):
        if poll(0) != 0:
            break
        for k in range(3):
            set_float64(ray, ORIGIN + k, float64_at(job[POINTS], 3 * i + k))
            set_float64(ray, DIRECTION + k, 0.0)
        set_float64(ray, DIRECTION, 1.0)
        if not sound(ray):
            return i
        room, direction = best_direction(job[TREE], job[POSE], vector_at(ray, ORIGIN), job[BOUNDARY], job[EDGES])
        set_float64(ray, DIRECTION, 0.0)
        set_float64(ray, DIRECTION + (direction >> 1), 1.0 - 2.0 * (direction & 1))
        turns = np.int64(0)
        if prepare_ray(job[FRAME], ray):
            turns = turns_around(job[TREE], job[POSE], ray, direction, job[COUNT])
        set_float64(total, 0, float(turns))
        if turns == SURFACE:
            set_float64(total, 0, ON_SURFACE)
        elif room < NEAREST_BEHIND:
            write_sum(job[TREE], job[POSE], ray, job[COUNT], total)
        else:
            write_winding(job[TREE], job[POSE], ray, direction, job[BOUNDARY], job[SURPLUS], job[EDGES], total)
        set_float64(job[WINDINGS], i, float64_at(total, 0))
    return NONE
