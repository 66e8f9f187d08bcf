"""Triangles beside faces: how far a point of each can be from its face, and how far it reaches beyond it."""

from math import sqrt

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, minus, plus


@inlined_kernel
def corner(triangles, i, k):
    """Return corner k of triangle i of an (n, 3, 3) array."""
    return triangles[i, k, 0], triangles[i, k, 1], triangles[i, k, 2]


@inlined_kernel
def square_to_segment(point, start, end):
    """Return the square of the distance of a point to a segment."""
    edge, way = minus(end, start), minus(point, start)
    length = dot(edge, edge)
    share = min(max(dot(way, edge) / length, 0.0), 1.0) if length > 0.0 else 0.0
    rest = plus(way, -share, edge)
    return dot(rest, rest)


@inlined_kernel
def distance_to_triangle(point, a, b, c, normal):
    """Return the distance of a point to a triangle with a unit normal, or with none: zero."""
    above = dot(normal, normal) > 0.0
    above = above and dot(cross(normal, minus(b, a)), minus(point, a)) >= 0.0
    above = above and dot(cross(normal, minus(c, b)), minus(point, b)) >= 0.0
    above = above and dot(cross(normal, minus(a, c)), minus(point, c)) >= 0.0
    if above:
        return abs(dot(normal, minus(point, a)))
    first, second, third = (
        square_to_segment(point, a, b),
        square_to_segment(point, b, c),
        square_to_segment(point, c, a),
    )
    return sqrt(min(min(first, second), third))


@kernel
def measure_bounds(pieces, nearest, corners, normals, bounds):
    """Write for each piece how far one of its corners is from its face at most."""
    for i in range(len(pieces)):
        f = nearest[i]
        a, b, c = corner(corners, f, 0), corner(corners, f, 1), corner(corners, f, 2)
        normal = (normals[f, 0], normals[f, 1], normals[f, 2])
        farthest = 0.0
        for k in range(3):
            farthest = max(farthest, distance_to_triangle(corner(pieces, i, k), a, b, c, normal))
        bounds[i] = farthest


@kernel
def measure_beyond(pieces, nearest, corners, normals, twins, heights):
    """Write how far the corners of pieces are beyond an edge of their faces: that over which each reaches farthest.

    Beyond is on the other side of the plane through the edge that halves the angle with the neighbour; without a
    neighbour, of the plane that is upright on the face.
    """
    for i in range(len(pieces)):
        f, farthest = nearest[i], -1.0
        heights[i, 0] = heights[i, 1] = heights[i, 2] = 0.0
        for k in range(3):
            start = corner(corners, f, k)
            up = (normals[f, 0], normals[f, 1], normals[f, 2])
            if twins[f, k] >= 0:
                t = twins[f, k]
                up = plus(up, 1.0, (normals[t, 0], normals[t, 1], normals[t, 2]))
            way = cross(minus(corner(corners, f, (k + 1) % 3), start), up)
            length = sqrt(dot(way, way))
            if length == 0.0:
                continue
            first = dot(way, minus(corner(pieces, i, 0), start)) / length
            second = dot(way, minus(corner(pieces, i, 1), start)) / length
            third = dot(way, minus(corner(pieces, i, 2), start)) / length
            if max(max(first, second), third) > farthest:
                farthest = max(max(first, second), third)
                heights[i, 0], heights[i, 1], heights[i, 2] = first, second, third
