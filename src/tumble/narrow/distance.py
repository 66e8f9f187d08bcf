"""How far two triangles are apart, and their nearest points: float64, and zero exactly where they touch.

Two triangles apart are nearest at two edges, or at a corner of one and the face of the other: nine pairs of edges and
six corners. Triangles that touch are told apart first, by the exact predicate; only their common point is computed, for
which edges that pierce the other face are looked at too. Segments and points are triangles whose edges say it all.

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

import numpy as np
from numba import float64, int64

from tumble.core.jit import external, kernel
from tumble.core.linear import along, cross, dot, minus, plus
from tumble.core.simd.memory import address_of, set_float64
from tumble.narrow.contact.contact import all_near, comes_first, power_below, taken_back
from tumble.narrow.contact.nearest import clamped
from tumble.narrow.contact.segment import size_of
from tumble.narrow.triangles.exact import points_touch

TOLERANCE = 2.0**-48
"""how far a distance is off at most, relative to the size of the pair"""
SMALLEST = 5e-324
"""the distance of triangles that do not touch is never zero"""
FLAT = 2.0**-104
"""a triangle whose height is below the rounding of its corners, squared, has no face that its edges do not have"""


@kernel
def nearest_on_segment(x, p, q):
    """Return the point of segment p q that is nearest to x."""
    v = minus(q, p)
    square = dot(v, v)
    return along(p, q, clamped(dot(minus(x, p), v) / square)) if square > 0.0 else p


@kernel
def nearest_of_two_segments(p, q, r, s):
    """Return the nearest points of the segments p q and r s."""
    u, v, w = minus(q, p), minus(s, r), minus(r, p)
    normal = cross(u, v)
    square = dot(normal, normal)
    x = along(p, q, clamped(dot(cross(w, v), normal) / square)) if square > 0.0 else p
    # with one point given, the other follows, and then the first again, in case the other was an end
    y = nearest_on_segment(x, r, s)
    return nearest_on_segment(y, p, q), y


@kernel
def longest_edge_first(p, q, r):
    """Return the corners of a triangle, turned so that p q is its longest edge."""
    e, f, g = minus(q, p), minus(r, q), minus(p, r)
    first, second, third = dot(e, e), dot(f, f), dot(g, g)
    if second > first and second >= third:
        return q, r, p
    if third > first:
        return r, p, q
    return p, q, r


@kernel
def foot_on_face(x, p, q, r):
    """Return whether x is straight above or below a triangle, and the point of the triangle's plane nearest to x."""
    p, q, r = longest_edge_first(p, q, r)
    edge, side = minus(q, p), minus(r, p)
    square = dot(edge, edge)
    if not square > 0.0:
        return False, p
    lean = dot(side, edge) / square
    height = plus(side, -lean, edge)
    height_square = dot(height, height)
    if not height_square > FLAT * square:
        return False, p
    way = minus(x, p)
    s = dot(way, edge) / square
    way = plus(way, -s, edge)
    t = dot(way, height) / height_square
    over = 0.0 <= t <= 1.0 and t * lean <= s <= 1.0 + t * (lean - 1.0)
    return over, (
        p[0] + (s * edge[0] + t * height[0]),
        p[1] + (s * edge[1] + t * height[1]),
        p[2] + (s * edge[2] + t * height[2]),
    )


@kernel
def nearer(best, x, y):
    """Return the squared distance of x and y with both, or `best` where that is nearer."""
    gap = minus(x, y)
    square = dot(gap, gap)
    return (square, x, y) if square < best[0] else best


@kernel
def nearest_of_edges(best, p, q, u, v, w):
    """Compare segment p q of the first triangle with the edges of the second."""
    for edge in range(3):
        r, s = (u, v) if edge == 0 else ((v, w) if edge == 1 else (w, u))
        x, y = nearest_of_two_segments(p, q, r, s)
        best = nearer(best, x, y)
    return best


@kernel
def nearest_of_corner(best, x, p, q, r, first):
    """Compare corner x of one triangle with the face of the other; `first` says whether x is of the first."""
    over, foot = foot_on_face(x, p, q, r)
    if over:
        return nearer(best, x, foot) if first else nearer(best, foot, x)
    return best


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
def nearest_of_corners(best, p, q, r, u, v, w):
    """Compare the corners of each triangle with the face of the other."""
    for corner in range(3):
        x, y = (p, u) if corner == 0 else ((q, v) if corner == 1 else (r, w))
        best = nearest_of_corner(best, x, u, v, w, True)
        best = nearest_of_corner(best, y, p, q, r, False)
    return best


@kernel
def nearest_of_touching(best, p, q, r, u, v, w):
    """Compare the edges of each triangle with the face of the other."""
    for edge in range(3):
        x, y = (p, q) if edge == 0 else ((q, r) if edge == 1 else (r, p))
        best = nearest_of_piercing(best, x, y, u, v, w)
        x, y = (u, v) if edge == 0 else ((v, w) if edge == 1 else (w, u))
        best = nearest_of_piercing(best, x, y, p, q, r)
    return best


@kernel
def nearest_points(p, q, r, u, v, w):
    """Return the distance of two triangles and the nearest point of each; for touching ones a common point, twice."""
    touching = points_touch(p, q, r, u, v, w)
    origin = u
    exponent = power_below(size_of(p, q, r, u, v, w))
    p, q, r = all_near(p, q, r, origin, exponent)
    u, v, w = all_near(u, v, w, origin, exponent)
    best = math.inf, p, u
    best = nearest_of_edges(best, p, q, u, v, w)
    best = nearest_of_edges(best, q, r, u, v, w)
    best = nearest_of_edges(best, r, p, u, v, w)
    best = nearest_of_corners(best, p, q, r, u, v, w)
    if touching:
        best = nearest_of_touching(best, p, q, r, u, v, w)
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


@kernel
def distance_rows(a, b, distances, points):
    """Compare row with row of two (n, 9) arrays."""
    for i in range(distances.size):
        p, q = a[i], b[i]
        distances[i] = triangle_distance(
            p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8],
            q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8], address_of(points[i]),
        )  # fmt: skip


def triangle_distances(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distance of each row of two (n, 3, 3) arrays of triangles, and the (n, 2, 3) nearest points."""
    distances, points = np.empty(len(a)), np.empty((len(a), 6))
    rows_a, rows_b = (np.ascontiguousarray(side, np.float64).reshape(-1, 9) for side in (a, b))
    distance_rows(rows_a, rows_b, distances, points)
    return distances, points.reshape(-1, 2, 3)
