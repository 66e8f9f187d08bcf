"""Where two touching triangles meet: their intersection segment, in float64.

T. Möller, "A fast triangle-triangle intersection test", 1997, computes intervals on the common line of the two planes.
That line is poor where the planes are nearly parallel, so here the chord in which one triangle cuts the other's plane is
clipped by the other's three edges instead: every point found is a point of the first triangle by construction, and
inside of the other up to rounding.

    heights of a's corners above b's plane → the chord, between two points on edges of a
    chord clipped by the edges of b        → the segment; each end is on an edge of a or on an edge of b

- Coplanar triangles (within `FLAT` of their size) meet in a polygon: the segment joins its two corners that are farthest
  apart.
- A degenerate triangle, one without a normal, is cut by the plane of the other. Two of them: the nearest points.
- The pair is known to touch. Where the numbers leave nothing (a touch within rounding), both ends are the nearest point.
"""

from tumble.jit import kernel
from tumble.narrow.contact_nearest import nearest_point
from tumble.narrow.contact_vectors import along, cross, dot, is_zero, largest, minus
from tumble.narrow.triangles import apex

FLAT = 1e-13
"""heights below this part of the size count as zero"""
BESIDE = 1e-12
"""points are inside of an edge when they are not farther outside than this part of the size"""

# Whose edge an end is on: 0, 1, 2 for the edge of a that starts at this corner, 3, 4, 5 for those of b.
EDGES_OF_B = 3
NO_EDGE = 6

POLYGON_ROOM = (2, 12, 3)
"""the shape of the memory in which coplanar triangles are clipped"""


@kernel
def corner(k, p, q, r):
    """Return one of three points."""
    return p if k == 0 else (q if k == 1 else r)


@kernel
def flattened(height, tolerance):
    """Return a height, or zero for one within the tolerance."""
    return 0.0 if abs(height) <= tolerance else height


@kernel
def sign(x):
    """Return -1, 0 or 1."""
    return 1 if x > 0.0 else (-1 if x < 0.0 else 0)


@kernel
def clip(t0, t1, e0, e1, s0, s1, edge):
    """Shorten the part t0…t1 of a chord, with ends on edges e0 and e1, to where s, linear from s0 to s1, is positive."""
    if s0 < 0.0:
        t = s0 / (s0 - s1) if s1 > s0 else 2.0
        if t > t0:
            t0, e0 = t, edge
    if s1 < 0.0:
        t = s0 / (s0 - s1) if s0 > s1 else -1.0
        if t < t1:
            t1, e1 = t, edge
    return t0, t1, e0, e1


@kernel
def chord_in_triangle(c0, c1, e0, e1, size, p, q, r, normal):
    """Clip the chord c0 c1 by the edges of a triangle in whose plane it lies; the first number is 0 if nothing is left."""
    t0, t1 = 0.0, 1.0
    for k in range(3):
        x, y = corner(k, p, q, r), corner((k + 1) % 3, p, q, r)
        edge = minus(y, x)
        inward = cross(normal, edge)
        slack = BESIDE * size * largest(edge)
        s0, s1 = dot(inward, minus(c0, x)), dot(inward, minus(c1, x))
        if s0 < 0.0 and s0 >= -slack:
            s0 = 0.0
        if s1 < 0.0 and s1 >= -slack:
            s1 = 0.0
        t0, t1, e0, e1 = clip(t0, t1, e0, e1, s0, s1, EDGES_OF_B + k)
    if not t0 <= t1:
        return 0, c0, c1, e0, e1
    return 1, along(c0, c1, t0), along(c0, c1, t1), e0, e1


@kernel
def put(polygon, k, point):
    """Write a corner."""
    polygon[k, 0], polygon[k, 1], polygon[k, 2] = point


@kernel
def get(polygon, k):
    """Read a corner."""
    return polygon[k, 0], polygon[k, 1], polygon[k, 2]


@kernel
def clip_polygon(source, count, target, x, inward, slack):
    """Keep the part of a polygon that is inside of an edge through x; return its number of corners."""
    kept = 0
    for k in range(count):
        u, v = get(source, k), get(source, (k + 1) % count)
        s, t = dot(inward, minus(u, x)), dot(inward, minus(v, x))
        if s >= -slack:
            put(target, kept, u)
            kept += 1
        if (s > slack and t < -slack) or (s < -slack and t > slack):
            put(target, kept, along(u, v, s / (s - t)))
            kept += 1
    return kept


@kernel
def farthest_corners(polygon, count):
    """Return the two corners that are farthest apart."""
    best, first, second = -1.0, get(polygon, 0), get(polygon, 0)
    for i in range(count):
        for j in range(i, count):
            gap = minus(get(polygon, i), get(polygon, j))
            square = dot(gap, gap)
            if square > best:
                best, first, second = square, get(polygon, i), get(polygon, j)
    return first, second


@kernel
def coplanar_segment(p1, q1, r1, size, p2, q2, r2, normal, room):
    """Return the longest extent of the common region of two triangles in one plane; first 0 if there is none."""
    put(room[0], 0, p1)
    put(room[0], 1, q1)
    put(room[0], 2, r1)
    count, source = 3, 0
    for k in range(3):
        x, y = corner(k, p2, q2, r2), corner((k + 1) % 3, p2, q2, r2)
        edge = minus(y, x)
        slack = BESIDE * size * largest(edge)
        count = clip_polygon(room[source], count, room[1 - source], x, cross(normal, edge), slack)
        source = 1 - source
        if count == 0:
            return 0, p1, p1
    first, second = farthest_corners(room[source], count)
    return 1, first, second


@kernel
def other_side(edge):
    """Return the number of an edge when a and b change places."""
    if edge == NO_EDGE:
        return edge
    return edge - EDGES_OF_B if edge >= EDGES_OF_B else edge + EDGES_OF_B


@kernel
def cut(p1, q1, r1, p2, q2, r2, normal, size, room):
    """Return the segment of the first triangle in the second, which has a normal; first 0 if nothing is left."""
    tolerance = FLAT * size
    h0 = flattened(dot(normal, minus(p1, p2)), tolerance)
    h1 = flattened(dot(normal, minus(q1, p2)), tolerance)
    h2 = flattened(dot(normal, minus(r1, p2)), tolerance)
    s0, s1, s2 = sign(h0), sign(h1), sign(h2)
    if s0 == s1 and s1 == s2:
        if s0 != 0:
            return 0, p1, p1, NO_EDGE, NO_EDGE
        found, first, second = coplanar_segment(p1, q1, r1, size, p2, q2, r2, normal, room)
        return found, first, second, NO_EDGE, NO_EDGE
    k, _ = apex(s0, s1, s2)
    m, n = (k + 1) % 3, (k + 2) % 3
    top, left, right = corner(k, p1, q1, r1), corner(m, p1, q1, r1), corner(n, p1, q1, r1)
    h, h_left, h_right = corner(k, h0, h1, h2), corner(m, h0, h1, h2), corner(n, h0, h1, h2)
    c0, c1 = along(top, left, h / (h - h_left)), along(top, right, h / (h - h_right))
    return chord_in_triangle(c0, c1, k, n, size, p2, q2, r2, normal)


@kernel
def size_of(p1, q1, r1, p2, q2, r2):
    """Return the size of a pair: the largest coordinate of a corner as seen from p2."""
    size = max(largest(minus(p1, p2)), largest(minus(q1, p2)), largest(minus(r1, p2)))
    return max(size, largest(minus(q2, p2)), largest(minus(r2, p2)))


@kernel
def meeting_segment(p1, q1, r1, n1, p2, q2, r2, n2, room):
    """Return the two ends of the segment in which two touching triangles meet, and the edge that each end is on.

    n1 and n2 are the unit normals, zero for degenerate triangles; `room` is memory of shape POLYGON_ROOM.
    """
    size = size_of(p1, q1, r1, p2, q2, r2)
    if not is_zero(n2):
        found, x, y, e, f = cut(p1, q1, r1, p2, q2, r2, n2, size, room)
        if found:
            return x, y, e, f
    if not is_zero(n1):
        found, x, y, e, f = cut(p2, q2, r2, p1, q1, r1, n1, size, room)
        if found:
            return x, y, other_side(e), other_side(f)
    x = nearest_point(p1, q1, r1, n1, p2, q2, r2, n2)
    return x, x, NO_EDGE, NO_EDGE
