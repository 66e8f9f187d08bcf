"""Triangles beside faces: how far a point of each can be from its face, what that says of it, and how to cut it.

The distance to one face is a convex function, so no point of a triangle T is farther from the face F than a corner of
T, and none is farther from the surface. Where T reaches beyond F, it is cut along the border between F and its
neighbour: by the plane through their common edge that halves the angle between the two. So a facet of a pin falls
into as many pieces as there are facets of the bore beside it, however long and thin they are. Where no border cuts T,
it is halved.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import along, cross, dot, minus, plus, row

SAME_WAY = 0.5
"""the cosine from which two faces look the same way"""
OUTSIDE, NEAR, ABOVE, BELOW = range(4)
"""what is said of a piece: outside of the body as a whole; near to one face; neither, its middle outside, or inside"""
NEAR_AREA, ALIKE_AREA, FLUSH = range(3)
"""places in the sums of `sort_pieces`"""


class Surface(NamedTuple):
    """The faces of a surface, with their neighbours."""

    corners: NDArray[np.float64]  # (m, 3, 3)
    normals: NDArray[np.float64]  # (m, 3) unit, or zero
    twins: NDArray[np.int32]  # (m, 3) the face beyond the edge from corner k to the next, or -1


class Placed(NamedTuple):
    """Pieces of faces, and what is nearest to them; arrays may be longer than there are pieces."""

    pieces: NDArray[np.float64]  # (n, 3, 3)
    owners: NDArray[np.int64]  # (n,) the faces whose pieces they are
    middles: NDArray[np.float64]  # (n, 3)
    nearest: NDArray[np.int64]  # (n,) the face of the surface that is nearest to the middle
    heights: NDArray[np.float64]  # (n,) how far that is, negative inside


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


@inlined_kernel
def heights_beyond(pieces, i, face, surface):
    """Return how far the corners of a piece are beyond an edge of a face: that over which it reaches farthest.

    Beyond is on the other side of the plane through the edge that halves the angle with the neighbour; without a
    neighbour, of the plane that is upright on the face.
    """
    found, farthest = (0.0, 0.0, 0.0), -1.0
    for k in range(3):
        start, up, twin = corner(surface.corners, face, k), row(surface.normals, face), surface.twins[face, k]
        if twin >= 0:
            up = plus(up, 1.0, row(surface.normals, twin))
        way = cross(minus(corner(surface.corners, face, (k + 1) % 3), start), up)
        length = sqrt(dot(way, way))
        if length == 0.0:
            continue
        first = dot(way, minus(corner(pieces, i, 0), start)) / length
        second = dot(way, minus(corner(pieces, i, 1), start)) / length
        third = dot(way, minus(corner(pieces, i, 2), start)) / length
        if max(max(first, second), third) > farthest:
            farthest = max(max(first, second), third)
            found = (first, second, third)
    return found


@inlined_kernel
def farthest_corner(pieces, i, face, surface):
    """Return how far a corner of a piece is from a face at most."""
    a, b, c = corner(surface.corners, face, 0), corner(surface.corners, face, 1), corner(surface.corners, face, 2)
    normal, farthest = row(surface.normals, face), 0.0
    for k in range(3):
        farthest = max(farthest, distance_to_triangle(corner(pieces, i, k), a, b, c, normal))
    return farthest


@inlined_kernel
def write_piece(found, count, a, b, c):
    """Write a triangle."""
    for k in range(3):
        found[count, 0, k], found[count, 1, k], found[count, 2, k] = a[k], b[k], c[k]


@kernel
def sort_pieces(placed, count, own, their, surface, tolerance, flush, states, sums):
    """Write what there is to say of each piece of one body beside the surface of another: its state.

    count        how many pieces there are
    own, their   (m, 3) the normals of faces out of the two solids, zero where there is no telling
    tolerance    how far from one face a piece that is near to it may be
    flush        how far below its face one that looks the same way may be, and still be on it
    sums         to which areas of near pieces are added: of all, and of those that look the way of the nearest face
                 and are below it; and 1 if one that looks that way is not wholly above it
    """
    for i in range(count):
        middle, face = row(placed.middles, i), placed.nearest[i]
        a, b, c = corner(placed.pieces, i, 0), corner(placed.pieces, i, 1), corner(placed.pieces, i, 2)
        size = 0.0
        for each in (a, b, c):
            way = minus(each, middle)
            size = max(size, dot(way, way))
        if placed.heights[i] >= sqrt(size):
            states[i] = OUTSIDE
            continue
        if farthest_corner(placed.pieces, i, face, surface) > tolerance:
            states[i] = ABOVE if placed.heights[i] > 0.0 else BELOW
            continue
        states[i] = NEAR
        normal = cross(minus(b, a), minus(c, a))
        area = 0.5 * sqrt(dot(normal, normal))
        sums[NEAR_AREA] += area
        outward = row(their, face)
        if dot(row(own, placed.owners[i]), outward) > SAME_WAY:
            start, lowest = corner(surface.corners, face, 0), np.inf
            for each in (a, b, c):
                lowest = min(lowest, dot(minus(each, start), outward))
            if -lowest >= -flush:
                sums[FLUSH] = 1.0
            if -lowest > flush:
                sums[ALIKE_AREA] += area


@kernel
def cut_pieces(pieces, total, nearest, surface, least, found, owners):
    """Cut each of `total` pieces in two or three: write the new ones, which piece each was; return how many there are.

    One that reaches beyond the border of its face is cut along it, if that leaves some of it on both sides: at least
    `least` of its longest edge. Others are halved, from the middle of the longest edge to the corner opposite.
    """
    count = 0
    for i in range(total):
        heights = heights_beyond(pieces, i, nearest[i], surface)
        first, longest = 0, -1.0
        for k in range(3):
            edge = minus(corner(pieces, i, (k + 1) % 3), corner(pieces, i, k))
            if dot(edge, edge) > longest:
                first, longest = k, dot(edge, edge)
        margin = least * sqrt(longest)
        highest, lowest = max(max(heights[0], heights[1]), heights[2]), min(min(heights[0], heights[1]), heights[2])
        across = highest > margin and lowest < -margin
        if across:  # begin with the corner that is alone on its side
            above = (heights[0] > 0.0) + (heights[1] > 0.0) + (heights[2] > 0.0)
            for k in range(3):
                if (heights[k] > 0.0) == (above == 1):
                    first = k
        a, b, c = corner(pieces, i, first), corner(pieces, i, (first + 1) % 3), corner(pieces, i, (first + 2) % 3)
        if across:
            height = heights[first]
            on_b = along(a, b, height / (height - heights[(first + 1) % 3]))
            on_c = along(a, c, height / (height - heights[(first + 2) % 3]))
            write_piece(found, count, a, on_b, on_c)
            write_piece(found, count + 1, on_b, b, c)
            write_piece(found, count + 2, on_b, c, on_c)
        else:
            middle = along(a, b, 0.5)
            write_piece(found, count, a, middle, c)
            write_piece(found, count + 1, middle, b, c)
        for k in range(2 + across):
            owners[count + k] = i
        count += 2 + across
    return count
