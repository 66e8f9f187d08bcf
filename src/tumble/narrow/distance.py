"""How far two triangles are apart, and their nearest points: float64, and zero exactly where they touch.

Two triangles apart are nearest at two edges, or at a corner of one and the face of the other: nine pairs of edges and
six corners (`contact.nearest`). Triangles that touch are told apart first, by the exact predicate; only their common
point is computed, for which edges that pierce the other face are looked at too. Segments and points are triangles whose
edges say it all.

The error. A pair is brought near the origin and to a size S in [1, 2) by exact powers of two. With u = 2**-53, each
step is exact for corners that are moved by a few u S, whatever the triangles look like:

    segments   The point of the first line nearest to the second is at s = ((w × v) · n) / |n|², with n = u × v. From
               components n is off by u |u| |v|, so that s is off by about u d / sin²; d is the distance, sin the sine
               between the segments. That moves a point by u d / sin across the other segment and changes the distance
               by the square of it over 2 d, u² d / (2 sin²). Where the sine is so small that this exceeds u S, any s
               is as good: it changes the distance by no more than sin² S² / (2 d). (From the scalar products,
               |u|² |v|² - (u · v)², it would be off by √u S.)
    face       Coordinates along the longest edge and perpendicular to it, each from what is left after the other: both
               are off by u S / height, which moves the foot by u S.

A distance is taken between two points, each a few u S from its triangle, so it is never too small by more. All in all
|result - distance| <= TOLERANCE S, where S is the largest difference of a coordinate of two corners of the pair; the
largest error found is 3 u S. The points are rounded once more where they are taken back to where the triangles are.
"""

import math

from numba import float64, int64

from tumble.core.jit import external, kernel
from tumble.core.linear import along, cross, dot, minus
from tumble.core.simd.memory import set_float64
from tumble.narrow.contact.contact import all_near, comes_first, power_below, taken_back
from tumble.narrow.contact.nearest import clamped, foot_on_face, nearer, nearest_of_boundaries
from tumble.narrow.contact.segment import size_of
from tumble.narrow.triangles.exact import points_touch

TOLERANCE = 2.0**-48  # how far a distance is off at most, relative to the size of the pair
SMALLEST = 5e-324  # the distance of triangles that do not touch is never zero


@kernel
def nearest_of_piercing(best, x, y, p, q, r):
    """Compare the point where segment x y passes through a triangle's plane with the triangle; for touching ones."""
    normal = cross(minus(q, p), minus(r, p))
    from_x, from_y = dot(normal, minus(x, p)), dot(normal, minus(y, p))
    if (from_x > 0.0) == (from_y > 0.0):
        return best
    through = along(x, y, clamped(from_x / (from_x - from_y)))
    over, foot = foot_on_face(through, p, q, r)
    return nearer(best, through, foot) if over else best


@kernel
def nearest_points(p, q, r, u, v, w):
    """Return the distance of two triangles and the nearest point of each; for touching ones a common point, twice."""
    touching = points_touch(p, q, r, u, v, w)
    origin = u
    exponent = power_below(size_of(p, q, r, u, v, w))
    p, q, r = all_near(p, q, r, origin, exponent)
    u, v, w = all_near(u, v, w, origin, exponent)
    best = nearest_of_boundaries(p, q, r, u, v, w)
    if touching:
        # the edges of each triangle against the face of the other
        for x, y, s, t in ((p, q, u, v), (q, r, v, w), (r, p, w, u)):
            best = nearest_of_piercing(best, x, y, u, v, w)
            best = nearest_of_piercing(best, s, t, p, q, r)
        common = taken_back(best[1], origin, exponent)
        return 0.0, common, common
    distance = max(math.ldexp(math.sqrt(best[0]), exponent), SMALLEST)
    return distance, taken_back(best[1], origin, exponent), taken_back(best[2], origin, exponent)


@external(float64(*18 * (float64,), int64))
def triangle_distance(
    p1x, p1y, p1z, q1x, q1y, q1z, r1x, r1y, r1z, p2x, p2y, p2z, q2x, q2y, q2z, r2x, r2y, r2z, points
):  # fmt: skip
    """Return the distance of two triangles and write their nearest points, six numbers, to an address.

    The triangle whose corners come first, compared number by number, is taken first: so the answer for (b, a) is that
    for (a, b), to the last bit.
    """
    p, q, r = (p1x, p1y, p1z), (q1x, q1y, q1z), (r1x, r1y, r1z)
    u, v, w = (p2x, p2y, p2z), (q2x, q2y, q2z), (r2x, r2y, r2z)
    if comes_first(p, q, r, u, v, w):
        distance, x, y = nearest_points(p, q, r, u, v, w)
    else:
        distance, y, x = nearest_points(u, v, w, p, q, r)
    for axis in range(3):
        set_float64(points, axis, x[axis])
        set_float64(points, 3 + axis, y[axis])
    return distance
