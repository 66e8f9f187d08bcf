"""Triangles that share a plane, and degenerate triangles (segments, points): exact, on signs and comparisons only.

Here at least one of the two triangles is degenerate, or both lie in one plane. Coplanar sets are projected along a
coordinate axis on which the projection is one-to-one, then separated by the lines through their edges: two convex
polygons in the plane, degenerate ones too, are disjoint exactly when such a line or a coordinate direction separates
them.
"""

from tumble.core.jit import kernel
from tumble.core.linear import cross, minus
from tumble.narrow.predicates.orientation import orient2d, orient3d


@kernel
def project(point, axis):
    """Drop one coordinate."""
    if axis == 0:
        return point[1], point[2]
    if axis == 1:
        return point[2], point[0]
    return point[0], point[1]


@kernel
def projecting_axis(p, q, r):
    """Return an axis along which three points project to a proper triangle, or -1 when they are collinear.

    The axis on which the normal is longest is tried first: on the others an exact zero may be expensive.
    """
    n = cross(minus(q, p), minus(r, p))
    nx, ny, nz = abs(n[0]), abs(n[1]), abs(n[2])
    first = 0 if nx >= ny and nx >= nz else (1 if ny >= nz else 2)
    for k in range(3):
        axis = (first + k) % 3
        if orient2d(project(p, axis), project(q, axis), project(r, axis)) != 0:
            return axis
    return -1


@kernel
def lexicographic(p, q):
    """Tell whether p stands at or before q in the order of x, then y, then z."""
    if p[0] != q[0]:
        return p[0] < q[0]
    if p[1] != q[1]:
        return p[1] < q[1]
    return p[2] <= q[2]


@kernel
def segment_ends(p, q, r):
    """Return the ends of a degenerate triangle: on a line, lexicographic order runs along the line."""
    # comparisons alone: the ends are vertices, so nothing is computed that could be rounded
    first, last = p, p
    for x in (q, r):
        if lexicographic(x, first):
            first = x
        if lexicographic(last, x):
            last = x
    return first, last


@kernel
def edge_separates(u, v, side, a, b, c):
    """Tell whether the line u v has a, b, c strictly on the outer side; side is the turn of u v's own triangle."""
    # a degenerate triangle has side 0: then any line through two of its points may separate, on either side
    first = orient2d(u, v, a)
    if first == 0 or first == side:
        return False
    return orient2d(u, v, b) == first and orient2d(u, v, c) == first


@kernel
def intervals_apart(a, b, c, d, e, f):
    """Tell whether the intervals spanned by a, b, c and by d, e, f are disjoint."""
    return max(a, b, c) < min(d, e, f) or max(d, e, f) < min(a, b, c)


@kernel
def planar_touch(p1, q1, r1, p2, q2, r2):
    """Tell whether two triangles in the plane, proper or degenerate, share a point."""
    # comparisons before orientations: they are exact and nearly free. They are also needed, because lines through the
    # edges of collinear points cannot separate along that line
    if intervals_apart(p1[0], q1[0], r1[0], p2[0], q2[0], r2[0]):
        return False
    if intervals_apart(p1[1], q1[1], r1[1], p2[1], q2[1], r2[1]):
        return False
    side = orient2d(p1, q1, r1)
    if edge_separates(p1, q1, side, p2, q2, r2) or edge_separates(q1, r1, side, p2, q2, r2):
        return False
    if edge_separates(r1, p1, side, p2, q2, r2):
        return False
    side = orient2d(p2, q2, r2)
    if edge_separates(p2, q2, side, p1, q1, r1) or edge_separates(q2, r2, side, p1, q1, r1):
        return False
    return not edge_separates(r2, p2, side, p1, q1, r1)


@kernel
def touch_along(axis, p1, q1, r1, p2, q2, r2):
    """Tell whether two triangles of one plane share a point, seen along an axis."""
    a, b, c = project(p1, axis), project(q1, axis), project(r1, axis)
    d, e, f = project(p2, axis), project(q2, axis), project(r2, axis)
    return planar_touch(a, b, c, d, e, f)


@kernel
def segment_crosses(u, v, p, q, r):
    """Tell whether a segment whose ends are not both in the plane of a proper triangle meets the triangle."""
    # both ends strictly on one side; zero means that an end is in the plane, which the next three signs decide
    if orient3d(p, q, r, u) * orient3d(p, q, r, v) > 0:
        return False
    first, second, third = orient3d(u, v, p, q), orient3d(u, v, q, r), orient3d(u, v, r, p)
    return (first >= 0 and second >= 0 and third >= 0) or (first <= 0 and second <= 0 and third <= 0)


@kernel
def segments_touch(a, b, c, d):
    """Tell whether two segments in space, or points, share a point."""
    # segments that are not coplanar cannot meet
    if orient3d(a, b, c, d) != 0:
        return False
    for p, q, r in ((a, b, c), (a, b, d), (c, d, a), (c, d, b)):
        axis = projecting_axis(p, q, r)
        if axis >= 0:
            return touch_along(axis, a, b, b, c, d, d)
    # all on one line, where the lexicographic order decides
    return lexicographic(a, d) and lexicographic(c, b)


@kernel
def special_touch(p1, q1, r1, p2, q2, r2):
    """Tell whether two triangles share a point when they are coplanar or one of them is degenerate."""
    axis = projecting_axis(p1, q1, r1)
    if axis < 0:
        # at least one of the two is degenerate here unless they are coplanar: let the proper one be the first
        p1, q1, r1, p2, q2, r2 = p2, q2, r2, p1, q1, r1
        axis = projecting_axis(p1, q1, r1)
    first, last = segment_ends(p2, q2, r2)
    if axis < 0:
        a, b = segment_ends(p1, q1, r1)
        return segments_touch(a, b, first, last)
    if orient3d(p1, q1, r1, p2) == 0 and orient3d(p1, q1, r1, q2) == 0 and orient3d(p1, q1, r1, r2) == 0:
        return touch_along(axis, p1, q1, r1, p2, q2, r2)
    return segment_crosses(first, last, p1, q1, r1)
