"""Which way two touching triangles come apart: the shortest push of the first that frees it from the second.

Two convex sets are apart once there is a gap along one of a few axes: a normal, or the cross product of two edges. Each
axis is used in the direction in which the surfaces face each other: a leaves b's face along b's normal, or leaves by
its own face, against its normal; along a cross product it goes the way that agrees with both. So a triangle that sticks
out behind another is pushed back to the front, however deep it is.

A cross product counts in both directions where the surfaces do not say which one is the front, as it is at a right
angle to the facing; and where the triangles only touch along it, as then no push is needed: flush bodies have depth 0.
"""

import math

from tumble.core.jit import kernel
from tumble.core.linear import SMALLEST_SQUARE, across, cross, dot, is_zero, minus, scaled
from tumble.narrow.contact.segment import corner, size_of

PARALLEL = 1e-20  # the squared sine of two edges below which their cross product is not used as an axis
CLEARLY = 1e-9
"""an axis of two edges must be better than that of a face by this part: faces win where both say the same"""
SIDEWAYS = 1e-6
"""an axis with a smaller part along the facing counts in both directions: float32 normals are not known better"""
TOUCHING = 1e-12
"""triangles only touch along an axis when they reach into each other by less than this part of their size"""


@kernel
def pushes_along(axis, p1, q1, r1, p2, q2, r2):
    """Return how far triangle 1 must go along a unit axis until it is past triangle 2, and how far against the axis."""
    # extents relative to one corner each: differences of nearby points keep their digits far from the origin
    q, r, u, v = dot(axis, minus(q1, p1)), dot(axis, minus(r1, p1)), dot(axis, minus(q2, p2)), dot(axis, minus(r2, p2))
    gap = dot(axis, minus(p2, p1))
    forth = gap + max(0.0, u, v) - min(0.0, q, r)
    back = max(0.0, q, r) - min(0.0, u, v) - gap
    return max(0.0, forth), max(0.0, back)


@kernel
def edge_axis(e, f, facing):
    """Return the unit cross product of two edges in the direction of `facing`, or the zero vector of parallel ones."""
    axis = cross(e, f)
    square = dot(axis, axis)
    if not square > PARALLEL * dot(e, e) * dot(f, f) + SMALLEST_SQUARE:
        return 0.0, 0.0, 0.0
    length = math.sqrt(square)
    return scaled(axis, -1.0 / length if dot(axis, facing) < 0.0 else 1.0 / length)


@kernel
def shortest_push(p1, q1, r1, n1, p2, q2, r2, n2):
    """Return the unit direction, and how far triangle 1 must go in it to be free of triangle 2.

    n1 and n2 are the unit normals, zero for degenerate triangles. Where there is no axis at all (two segments on one
    line, two points) the direction is at a right angle to them, and the way is zero.
    """
    best, normal = math.inf, (0.0, 0.0, 0.0)
    # b's face before a's: of equal depths the first is kept
    if not is_zero(n2):
        best, normal = pushes_along(n2, p1, q1, r1, p2, q2, r2)[0], n2
    if not is_zero(n1):
        back = scaled(n1, -1.0)
        depth = pushes_along(back, p1, q1, r1, p2, q2, r2)[0]
        if depth < best:
            best, normal = depth, back
    facing, touching = minus(n2, n1), TOUCHING * size_of(p1, q1, r1, p2, q2, r2)
    for i in range(3):
        e = minus(corner((i + 1) % 3, p1, q1, r1), corner(i, p1, q1, r1))
        for j in range(3):
            f = minus(corner((j + 1) % 3, p2, q2, r2), corner(j, p2, q2, r2))
            axis = edge_axis(e, f, facing)
            if is_zero(axis):
                continue
            # both ways along an axis cost little more than one: the dot products are the same
            depth, behind = pushes_along(axis, p1, q1, r1, p2, q2, r2)
            # see above: only where the facing does not decide, or nothing is to be pushed
            if behind < depth and (behind <= touching or dot(axis, facing) <= SIDEWAYS):
                depth, axis = behind, scaled(axis, -1.0)
            if depth < best * (1.0 - CLEARLY):
                best, normal = depth, axis
    if best < math.inf:
        return best, normal
    # only points and segments on one line come here: any direction at a right angle will do
    for e in (minus(q1, p1), minus(r1, p1), minus(q2, p2)):
        if not is_zero(e):
            return 0.0, across(e)
    return 0.0, across(minus(r2, p2))
