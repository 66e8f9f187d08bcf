"""Solid angles as seen from a point, in turns: the whole sphere is 1.

A. van Oosterom and J. Strackee, "The solid angle of a plane triangle", 1983, with unit vectors a, b, c to the corners:

    tan(angle / 2) = det(a, b, c) / (1 + a·b + b·c + c·a)

The sign of the determinant is decided exactly: near a triangle it is the difference between half a turn and minus half
a turn.
"""

import math

from tumble.core.jit import kernel
from tumble.core.linear import cross, dot, minus, unit
from tumble.narrow.points.crossing import moved_side
from tumble.narrow.predicates.orientation import orient2d, orient3d

TURN = 1.0 / (2.0 * math.pi)


@kernel
def angle_of_triangle(a, b, c, p):
    """Return the solid angle of a triangle: positive when its corners turn clockwise as seen from p."""
    side = orient3d(a, b, c, p)
    if side == 0:
        return 0.0
    a, b, c = unit(minus(a, p)), unit(minus(b, p)), unit(minus(c, p))
    return side * math.atan2(abs(dot(cross(a, b), c)), 1.0 + dot(a, b) + dot(b, c) + dot(c, a)) * TURN


@kernel
def angle_of_strip(u, v, p, way):
    """Return the solid angle between an edge and where a ray from p along coordinate 0 goes, and turns in the plane.

    The second number is 1 or -1 when the edge, seen along the ray, passes the ray in direction 1 from the moved point
    (see `crossing`) to its left or right, and 0 when it does not: summed over closed lines, the winding number.
    """
    side = moved_side(orient2d((u[1], u[2]), (v[1], v[2]), (p[1], p[2])), u, v)
    if side == 0:
        return 0.0, 0
    upward, downward = u[2] <= p[2] < v[2], v[2] <= p[2] < u[2]
    turn = side if (upward and side > 0) or (downward and side < 0) else 0
    u, v = unit(minus(u, p)), unit(minus(v, p))
    height = abs(u[1] * v[2] - u[2] * v[1])
    angle = math.atan2(height, 1.0 + dot(u, v) + way * (u[0] + v[0])) * TURN
    return side * way * angle, turn
