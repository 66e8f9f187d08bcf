"""Where two touching triangles meet: their intersection segment, in float64.

T. Möller, "A fast triangle-triangle intersection test", 1997, computes intervals on the common line of the two planes.
That line is poor where the planes are nearly parallel. So here the chord in which one triangle cuts the other's plane
is clipped by the other's three edges: every point found is a point of the first triangle by construction, and inside of
the other up to rounding.

    heights of a's corners above b's plane → the chord, between two points on edges of a
    chord clipped by the edges of b        → the segment; each end is on an edge of a or on an edge of b

- Coplanar triangles (within `FLAT` of their size) meet in a polygon: the segment joins those two of its corners that
  are farthest apart.
- A degenerate triangle, one without a normal, is cut by the plane of the other. Two of them: the nearest points.
- The pair is known to touch. Where the numbers leave nothing (a touch within rounding), both ends are the point in the
  middle between the nearest points.
"""

from tumble.core.jit import kernel
from tumble.core.linear import along, cross, dot, is_zero, largest, minus, row, set_row
from tumble.narrow.contact.nearest import nearest_of_boundaries
from tumble.narrow.triangles.exact import apex, turn

FLAT = 1e-13  # heights below this part of the size count as zero
BESIDE = 1e-12  # points are inside of an edge when they are not farther outside than this part of the size

LEAST_SHARPNESS = 1e-8
"""the plane of a triangle of less sharpness is poorly known: that of the other is taken, if it is sharper"""

# Whose edge an end is on: 0, 1, 2 for the edge of a that starts at this corner, 3, 4, 5 for those of b.
EDGES_OF_B = 3
NO_EDGE = 6

POLYGON_SHAPE = (2, 12, 3)  # the shape of the memory in which coplanar triangles are clipped


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
def clip(part, c0, c1, x, y, normal, slack, number):
    """Shorten a part (from, to, edge at its start, edge at its end) of the chord c0 c1 to what is inside of edge x y.

    Inside is to the left, seen along the normal; the edge has this number.
    """
    start, stop, first, last = part
    edge = minus(y, x)
    inward = cross(normal, edge)
    s0, s1 = dot(inward, minus(c0, x)), dot(inward, minus(c1, x))
    # `inward` is as long as the edge: so are the distances below, and the slack must be
    slack *= largest(edge)
    if s0 < -slack:
        # the chord does not come inside: a start beyond its end leaves nothing
        t = s0 / (s0 - s1) if s1 > s0 else 2.0
        if t > start:
            start, first = t, number
    if s1 < -slack:
        t = s0 / (s0 - s1) if s0 > s1 else -1.0
        if t < stop:
            stop, last = t, number
    return start, stop, first, last


@kernel
def chord_in_triangle(c0, c1, e0, e1, size, p, q, r, normal):
    """Clip a chord by the edges of a triangle in whose plane it lies; the first number is 0 if nothing is left."""
    slack = BESIDE * size
    part = 0.0, 1.0, e0, e1
    part = clip(part, c0, c1, p, q, normal, slack, EDGES_OF_B)
    part = clip(part, c0, c1, q, r, normal, slack, EDGES_OF_B + 1)
    part = clip(part, c0, c1, r, p, normal, slack, EDGES_OF_B + 2)
    start, stop, first, last = part
    # also when they are not numbers
    if not start <= stop:
        return 0, c0, c1, e0, e1
    return 1, along(c0, c1, start), along(c0, c1, stop), first, last


@kernel
def clip_polygon(source, count, target, x, inward, slack):
    """Keep the part of a polygon that is inside of an edge through x; return its number of corners."""
    kept = 0
    for k in range(count):
        # Sutherland and Hodgman, one edge of the other triangle at a time
        u, v = row(source, k), row(source, (k + 1) % count)
        s, t = dot(inward, minus(u, x)), dot(inward, minus(v, x))
        if s >= -slack:
            set_row(target, kept, u)
            kept += 1
        # corners within the slack are kept as they are: a new one beside them would be noise
        if (s > slack and t < -slack) or (s < -slack and t > slack):
            set_row(target, kept, along(u, v, s / (s - t)))
            kept += 1
    return kept


@kernel
def farthest_corners(polygon, count):
    """Return the two corners that are farthest apart."""
    # a triangle clipped by another has six corners or so: all pairs are few
    best, first, second = -1.0, row(polygon, 0), row(polygon, 0)
    for i in range(count):
        for j in range(i, count):
            gap = minus(row(polygon, i), row(polygon, j))
            square = dot(gap, gap)
            if square > best:
                best, first, second = square, row(polygon, i), row(polygon, j)
    return first, second


@kernel
def coplanar_segment(p1, q1, r1, size, p2, q2, r2, normal, scratch):
    """Return the longest extent of the common region of two triangles in one plane; first 0 if there is none."""
    set_row(scratch[0], 0, p1)
    set_row(scratch[0], 1, q1)
    set_row(scratch[0], 2, r1)
    # back and forth between two polygons; each of three cuts adds a corner at most, so twelve places are plenty
    count, source = 3, 0
    for k in range(3):
        x, y = corner(k, p2, q2, r2), corner((k + 1) % 3, p2, q2, r2)
        edge = minus(y, x)
        slack = BESIDE * size * largest(edge)
        count = clip_polygon(scratch[source], count, scratch[1 - source], x, cross(normal, edge), slack)
        source = 1 - source
        if count == 0:
            return 0, p1, p1
    first, second = farthest_corners(scratch[source], count)
    return 1, first, second


@kernel
def beyond_box(x, y, p, q, r, margin):
    """Tell whether a segment leaves the box of a triangle by more than a margin."""
    for axis in range(3):
        if min(x[axis], y[axis]) < min(p[axis], q[axis], r[axis]) - margin:
            return True
        if max(x[axis], y[axis]) > max(p[axis], q[axis], r[axis]) + margin:
            return True
    return False


@kernel
def part_in_box(x, y, p, q, r, margin):
    """Return the part of a segment in the box of a triangle; the first number is 0 if there is none."""
    start, stop = 0.0, 1.0
    for axis in range(3):
        low, high = min(p[axis], q[axis], r[axis]) - margin, max(p[axis], q[axis], r[axis]) + margin
        step = y[axis] - x[axis]
        # parallel to the slab: no quotient, all of the segment is in it or nothing
        if step == 0.0:
            if not low <= x[axis] <= high:
                return 0, x, y
        else:
            first, second = (low - x[axis]) / step, (high - x[axis]) / step
            start, stop = max(start, min(first, second)), min(stop, max(first, second))
    if not start <= stop:
        return 0, x, y
    return 1, along(x, y, start), along(x, y, stop)


@kernel
def other_side(edge):
    """Return the number of an edge when a and b change places."""
    if edge == NO_EDGE:
        return edge
    return edge - EDGES_OF_B if edge >= EDGES_OF_B else edge + EDGES_OF_B


@kernel
def cut(p1, q1, r1, p2, q2, r2, normal, size, scratch):
    """Return the segment of the first triangle in the second, which has a normal; first 0 if nothing is left.

    Edges say nothing beyond the tip of a needle, where they are too close to each other; the box of the needle does.
    """
    # the edge numbers stay those of the chord: the box has no edges of its own
    found, x, y, e, f = cut_by_edges(p1, q1, r1, p2, q2, r2, normal, size, scratch)
    if found and beyond_box(x, y, p2, q2, r2, BESIDE * size):
        found, x, y = part_in_box(x, y, p2, q2, r2, BESIDE * size)
    return found, x, y, e, f


@kernel
def cut_by_edges(p1, q1, r1, p2, q2, r2, normal, size, scratch):
    """Return the segment of the first triangle between the edges of the second; first 0 if nothing is left."""
    # heights within rounding count as in the plane: a chord between such corners would be noise
    tolerance = FLAT * size
    h0 = flattened(dot(normal, minus(p1, p2)), tolerance)
    h1 = flattened(dot(normal, minus(q1, p2)), tolerance)
    h2 = flattened(dot(normal, minus(r1, p2)), tolerance)
    s0, s1, s2 = sign(h0), sign(h1), sign(h2)
    if s0 == s1 and s1 == s2:
        if s0 != 0:
            return 0, p1, p1, NO_EDGE, NO_EDGE
        found, first, second = coplanar_segment(p1, q1, r1, size, p2, q2, r2, normal, scratch)
        return found, first, second, NO_EDGE, NO_EDGE
    k, _ = apex(s0, s1, s2)
    top, left, right = turn(k, p1, q1, r1)
    h, h_left, h_right = turn(k, h0, h1, h2)
    # h and h_left have different signs or one is zero, so the divisor is no smaller than h
    c0, c1 = along(top, left, h / (h - h_left)), along(top, right, h / (h - h_right))
    return chord_in_triangle(c0, c1, k, (k + 2) % 3, size, p2, q2, r2, normal)


@kernel
def size_of(p1, q1, r1, p2, q2, r2):
    """Return the size of a pair: the largest coordinate of a corner as seen from p2."""
    size = max(largest(minus(p1, p2)), largest(minus(q1, p2)), largest(minus(r1, p2)))
    return max(size, largest(minus(q2, p2)), largest(minus(r2, p2)))


@kernel
def sharpness(p, q, r):
    """Return the squared sine between two edges: how much a triangle is one, and how well its normal is known."""
    e, f = minus(q, p), minus(r, p)
    normal = cross(e, f)
    return dot(normal, normal) / (dot(e, e) * dot(f, f))


@kernel
def meeting_segment(p1, q1, r1, n1, p2, q2, r2, n2, scratch):
    """Return the two ends of the segment in which two touching triangles meet, and the edge that each end is on.

    n1 and n2 are the unit normals, zero for degenerate triangles; `scratch` is memory of shape POLYGON_SHAPE.
    """
    size = size_of(p1, q1, r1, p2, q2, r2)
    sharpness2 = sharpness(p2, q2, r2)
    # the plane of a needle is poorly known: cut the needle by the other plane first
    if sharpness2 < LEAST_SHARPNESS and not is_zero(n1) and sharpness(p1, q1, r1) > sharpness2:
        found, x, y, e, f = cut(p2, q2, r2, p1, q1, r1, n1, size, scratch)
        if found:
            return x, y, other_side(e), other_side(f)
    # b's plane, then a's: where the first leaves nothing, rounding took it, and the other may still find the segment
    if not is_zero(n2):
        found, x, y, e, f = cut(p1, q1, r1, p2, q2, r2, n2, size, scratch)
        if found:
            return x, y, e, f
    if not is_zero(n1):
        found, x, y, e, f = cut(p2, q2, r2, p1, q1, r1, n1, size, scratch)
        if found:
            return x, y, other_side(e), other_side(f)
    # two degenerate triangles, or a touch within rounding
    _, x, y = nearest_of_boundaries(p1, q1, r1, p2, q2, r2)
    x = along(x, y, 0.5)
    return x, x, NO_EDGE, NO_EDGE
