"""Do two closed triangles share a point? Exact, from the signs of orientation determinants alone.

P. Guigue and O. Devillers, "Fast and robust triangle–triangle overlap test using orientation predicates", 2003. Each
triangle is turned until one vertex, the apex, stands alone on its side of the other's plane. The two triangles then
cut the common line of the planes in intervals that start and end on the apex's edges, and two more orientations tell
whether the intervals overlap. Pairs for which one of the two sign triples is all zero (coplanar or degenerate) go to
`coplanar`.
"""

import numpy as np
from numba import float64, int32

from tumble.core.jit import external, inlined_kernel, kernel
from tumble.narrow.predicates.orientation import orient3d
from tumble.narrow.triangles.coplanar import special_touch


@kernel
def apex(s0, s1, s2):
    """Return which vertex stands alone on its side, and that side, for signs that are not all on one side."""
    # a vertex in the other plane counts for neither side; with one above and one below, the one above is the apex
    positive = (s0 > 0) + (s1 > 0) + (s2 > 0)
    negative = (s0 < 0) + (s1 < 0) + (s2 < 0)
    if positive == 1:
        lonely, side = 1, 1
    elif negative == 1:
        lonely, side = -1, -1
    else:  # two on one side, the third in the plane
        lonely, side = 0, (-1 if positive == 2 else 1)
    if s0 == lonely:
        return 0, side
    return (1, side) if s1 == lonely else (2, side)


@kernel
def turn(k, p, q, r):
    """Rotate three points so that number k comes first."""
    if k == 0:
        return p, q, r
    if k == 1:
        return q, r, p
    return r, p, q


@kernel
def apexes_first(p1, q1, r1, p2, q2, r2, apex1, apex2):
    """Return two triangles turned until their apexes come first, each on the positive side of the other's plane."""
    p1, q1, r1 = turn(apex1[0], p1, q1, r1)
    p2, q2, r2 = turn(apex2[0], p2, q2, r2)
    if apex1[1] < 0:  # look at the other triangle from its other face, so that the apex is on the positive side
        q2, r2 = r2, q2
    if apex2[1] < 0:
        q1, r1 = r1, q1
    return p1, q1, r1, p2, q2, r2


@kernel
def points_touch(p1, q1, r1, p2, q2, r2):
    """Tell whether two closed triangles share a point; vertices are tuples of three float64."""
    # first the planes: they separate most pairs that reach the exact test, and three signs are enough for that
    dp2, dq2, dr2 = orient3d(p1, q1, r1, p2), orient3d(p1, q1, r1, q2), orient3d(p1, q1, r1, r2)
    if dp2 == dq2 and dq2 == dr2:
        if dp2 != 0:
            return False
        return special_touch(p1, q1, r1, p2, q2, r2)
    dp1, dq1, dr1 = orient3d(p2, q2, r2, p1), orient3d(p2, q2, r2, q1), orient3d(p2, q2, r2, r1)
    if dp1 == dq1 and dq1 == dr1:
        if dp1 != 0:
            return False
        return special_touch(p1, q1, r1, p2, q2, r2)
    p1, q1, r1, p2, q2, r2 = apexes_first(p1, q1, r1, p2, q2, r2, apex(dp1, dq1, dr1), apex(dp2, dq2, dr2))
    # the intervals on the common line overlap unless one ends before the other begins; closed, so equality counts as
    # touching
    return orient3d(p1, q1, p2, q2) <= 0 and orient3d(p1, r1, r2, p2) <= 0


@kernel
def points_share_segment(p1, q1, r1, p2, q2, r2):
    """Tell whether two proper triangles, each with vertices on both sides of the other's plane, share a segment."""
    apex2 = apex(orient3d(p1, q1, r1, p2), orient3d(p1, q1, r1, q2), orient3d(p1, q1, r1, r2))
    apex1 = apex(orient3d(p2, q2, r2, p1), orient3d(p2, q2, r2, q1), orient3d(p2, q2, r2, r1))
    p1, q1, r1, p2, q2, r2 = apexes_first(p1, q1, r1, p2, q2, r2, apex1, apex2)
    return orient3d(p1, q1, p2, q2) < 0 and orient3d(p1, r1, r2, p2) < 0


@external(int32(*18 * (float64,)))
def triangles_touch(
    p1x, p1y, p1z, q1x, q1y, q1z, r1x, r1y, r1z, p2x, p2y, p2z, q2x, q2y, q2z, r2x, r2y, r2z
):  # fmt: skip
    """Return 1 when two closed triangles, given vertex by vertex, share a point, else 0."""
    return points_touch(
        (p1x, p1y, p1z), (q1x, q1y, q1z), (r1x, r1y, r1z), (p2x, p2y, p2z), (q2x, q2y, q2z), (r2x, r2y, r2z)
    )


@inlined_kernel
def corners_touch(p, q, r, x, y, z):
    """Tell whether two closed triangles share a point, by a call of `triangles_touch` instead of its code."""
    return triangles_touch(
        p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2],
        x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2],
    ) != 0  # fmt: skip


@kernel
def touch_rows(a, b, result):
    """Test row against row of two (n, 9) arrays."""
    for i in range(result.size):
        p, q = a[i], b[i]
        result[i] = triangles_touch(
            p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8],
            q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8],
        )  # fmt: skip


def triangles_touch_many(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return for each row of two (n, 3, 3) float64 arrays of triangles whether the two triangles touch."""
    result = np.empty(len(a), np.bool_)
    rows_a, rows_b = (np.ascontiguousarray(side, np.float64).reshape(-1, 9) for side in (a, b))
    touch_rows(rows_a, rows_b, result)
    return result
