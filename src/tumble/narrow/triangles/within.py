"""Are two triangles nearer than d? Exact for float64 coordinates, by three stages.

1. The distance in float64, with the bound on its error that `tumble.narrow.distance` derives (four times as wide here):
   this decides all but the pairs that are as good as d apart. Triangles that touch are told by the exact predicate.
2. A gap along a coordinate axis, exactly: faces of CAD parts are often parallel to one, and exactly d apart.
3. Feature by feature (`features`): first in float64 with bounds on the rounding, then in whole numbers.

Bounds of the third stage, with u = 2**-53 and S no less than any difference of coordinates: differences are off by u S;
components of a vector product, at most 2 S², by 8 u S²; a triple product by 48 u S³, (a × b) · n by 132 u S⁴, a scalar
product by 12 u S². ERROR is 256 u. Sizes are between 1e-60 and 1e60, so that nothing overflows and what underflows
is far below the bounds; for other sizes whole numbers decide at once.
"""

import math

import numpy as np
from numba import float64, int32

from tumble.core.jit import external, inlined_kernel, kernel
from tumble.core.linear import cross, dot, minus
from tumble.core.simd.stack_memory import scratch
from tumble.narrow.contact.segment import size_of
from tumble.narrow.distance import SMALLEST, TOLERANCE, triangle_distance
from tumble.narrow.predicates.expansion import two_difference
from tumble.narrow.triangles.features import (
    corner_nearer_to_edge,
    corner_nearer_to_face,
    corners_nearer,
    edges_nearer,
    rows_of,
)

FILTER = 8 * TOLERANCE
"""times the size as seen from one corner, which is at least half of the largest difference of coordinates"""
ERROR = 2.0**-45
ROUNDED_UP = 1.0 + 2.0**-45
SMALLEST_SIZE, LARGEST_SIZE = 1e-60, 1e60


@inlined_kernel
def filter_error(size):
    """Return how far the distance of a pair of this size may be off, at most."""
    return FILTER * size + 8.0 * SMALLEST


@kernel
def norm(u):
    """Return the length of a vector whose squares do not overflow."""
    return math.sqrt(dot(u, u))


@kernel
def point(values, k):
    """Return corner k of two triangles given as 18 numbers."""
    return values[3 * k], values[3 * k + 1], values[3 * k + 2]


@kernel
def gap_is_wide(low, high, d):
    """Tell whether low - high >= d, exactly."""
    whole, rest = two_difference(low, high)
    return whole > d or (whole == d and rest >= 0.0)


@kernel
def apart_along_axes(values, d):
    """Tell whether two triangles are d or more apart along a coordinate axis, exactly."""
    for k in range(3):
        p, q, r = values[k], values[3 + k], values[6 + k]
        u, v, w = values[9 + k], values[12 + k], values[15 + k]
        if gap_is_wide(min(u, v, w), max(p, q, r), d) or gap_is_wide(min(p, q, r), max(u, v, w), d):
            return True
    return False


@kernel
def corners_may_be_nearer(values, x, y, d):
    """Tell whether two corners may be nearer than d."""
    return not norm(minus(point(values, x), point(values, y))) > d * ROUNDED_UP


@kernel
def corner_may_be_nearer_to_edge(values, x, p, q, d, size):
    """Tell whether `corner_nearer_to_edge` may be true."""
    start, error = point(values, p), ERROR * size * size
    way, across = minus(point(values, q), start), minus(point(values, x), start)
    if norm(cross(across, way)) > d * norm(way) * ROUNDED_UP + error:
        return False
    foot = dot(across, way)
    return -error <= foot <= dot(way, way) + error


@kernel
def plane_may_be_near(normal, across, d, size):
    """Tell whether a way may reach less than d along a normal."""
    square = size * size
    return not abs(dot(normal, across)) > d * (norm(normal) + ERROR * square) * ROUNDED_UP + ERROR * square * size


@kernel
def edges_may_be_nearer(values, p, q, r, s, d, size):
    """Tell whether `edges_nearer` may be true."""
    start, other = point(values, p), point(values, r)
    u, v, across = minus(point(values, q), start), minus(point(values, s), other), minus(other, start)
    normal = cross(u, v)
    if not plane_may_be_near(normal, across, d, size):
        return False
    error = ERROR * size * size * size * size
    most = dot(normal, normal) + error
    return (
        -error <= dot(cross(across, v), normal) <= most
        and -error <= dot(cross(across, u), normal) <= most
    )  # fmt: skip


@kernel
def corner_may_be_nearer_to_face(values, x, p, q, r, d, size):
    """Tell whether `corner_nearer_to_face` may be true."""
    corner, start = point(values, x), point(values, p)
    normal = cross(minus(point(values, q), start), minus(point(values, r), start))
    if not plane_may_be_near(normal, minus(corner, start), d, size):
        return False
    error = ERROR * size * size * size * size
    for a, b in ((p, q), (q, r), (r, p)):
        begin = point(values, a)
        if dot(cross(minus(point(values, b), begin), minus(corner, begin)), normal) < -error:
            return False
    return True


@external(int32(*19 * (float64,), float64))
def exactly_nearer(
    p1x, p1y, p1z, q1x, q1y, q1z, r1x, r1y, r1z, p2x, p2y, p2z, q2x, q2y, q2z, r2x, r2y, r2z, d, size
):  # fmt: skip
    """Return 1 when two triangles that do not touch are nearer than d, else 0; see `nearer_than`."""
    values = np.array((
        p1x, p1y, p1z, q1x, q1y, q1z, r1x, r1y, r1z, p2x, p2y, p2z, q2x, q2y, q2z, r2x, r2y, r2z, d,
    ))  # fmt: skip
    if apart_along_axes(values, d):
        return 0
    filtered = SMALLEST_SIZE < size < LARGEST_SIZE
    rows = rows_of(values)
    for face in (0, 3):
        for x in range(3 - face, 6 - face):
            if filtered and not corner_may_be_nearer_to_face(values, x, face, face + 1, face + 2, d, size):
                continue
            if corner_nearer_to_face(rows, x, face, face + 1, face + 2):
                return 1
    for i in range(3):
        for j in range(3, 6):
            p, q, r, s = i, (i + 1) % 3, j, 3 + (j + 1) % 3
            may_be = not filtered or edges_may_be_nearer(values, p, q, r, s, d, size)
            if may_be and edges_nearer(rows, p, q, r, s):
                return 1
            if (not filtered or corners_may_be_nearer(values, i, j, d)) and corners_nearer(rows, i, j):
                return 1
            # corner i with the edge that begins at corner j, and the other way round
            for x, a, b in ((i, r, s), (j, p, q)):
                may_be = not filtered or corner_may_be_nearer_to_edge(values, x, a, b, d, size)
                if may_be and corner_nearer_to_edge(rows, x, a, b):
                    return 1
    return 0


@external(int32(*19 * (float64,)))
def nearer_than(
    p1x, p1y, p1z, q1x, q1y, q1z, r1x, r1y, r1z, p2x, p2y, p2z, q2x, q2y, q2z, r2x, r2y, r2z, d
):  # fmt: skip
    """Return 1 when two closed triangles touch, or their exact distance is less than d, else 0."""
    distance = triangle_distance(
        p1x, p1y, p1z, q1x, q1y, q1z, r1x, r1y, r1z, p2x, p2y, p2z, q2x, q2y, q2z, r2x, r2y, r2z, scratch(6)
    )
    if distance == 0.0:
        return 1
    p, q, r = (p1x, p1y, p1z), (q1x, q1y, q1z), (r1x, r1y, r1z)
    size = size_of(p, q, r, (p2x, p2y, p2z), (q2x, q2y, q2z), (r2x, r2y, r2z))
    error = filter_error(size)
    if distance > d + error:
        return 0
    if distance < d - error:
        return 1
    return exactly_nearer(
        p1x, p1y, p1z, q1x, q1y, q1z, r1x, r1y, r1z, p2x, p2y, p2z, q2x, q2y, q2z, r2x, r2y, r2z, d, 2.0 * size
    )


@inlined_kernel
def corners_nearer_than(p, q, r, x, y, z, d):
    """Tell whether two triangles are nearer than d, or touch, by a call of `nearer_than`."""
    return nearer_than(
        p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2],
        x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2], d,
    ) != 0  # fmt: skip
