"""A box in any orientation: what it stores, how it is widened, the test of two of them and their distance at least.

S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996. Two boxes are apart if and only if they are apart along a face
normal of one of them (six axes) or along the cross product of an edge of each (nine axes).

Rounding. A box is three directions u, a centre c and half sizes h, and is fitted so that |u · (x - c)| <= h for each
direction. The tests take it for the points c + Σ s u, |s| <= h, which is the same only where the directions are exactly
perpendicular units. They are so within a skew of 2**-50 as they are fitted (`axes`) and of 2**-49 as they are accepted
from elsewhere (`sound`): no entry of U Uᵀ - 1 is larger. With s = (U Uᵀ)⁻¹ U (x - c) the two differ by at most three
times the skew of the distance of x, and `enclose` widens h by SHARE, eight times the skew, of the farthest point's
distance, which covers the rounding of u · (x - c) too. The test assumes perpendicular units again where it sees b's
directions and the way t between the centres in the frame of box a, and where it takes the extent along a cross product
from the other directions: that is wrong by at most six times the skew of |t| and of each half size. Together with the
rounding of its sums of products, some ten units in the last place, it stays below SHARE of the distance of the centres
and of the half sizes.

The margin of the relative pose covers where the boxes are, and poses that are not quite rigid. Axes are at most unit
vectors, hence a point that is off by the margin in each coordinate is off by at most sqrt(3) margins along an axis: two
are added.

The distance. The faces of a box are perpendicular, so that the gaps along its three directions bound the distance
together, as the length of a vector. So do those along the other box's; and so does the gap along the cross product of
two edges, divided by the sine of their angle. Each gap has the slack of the overlap test taken off: there is one only
where the boxes do not overlap. Directions are units within the skew in the box's own frame, and b's within the distance
of the poses from rotations in a's. Both are in the scale of `tumble.volume.relative`: no direction is longer than
1 / scale. Hence the sine, of which too small a one would be wrong, is taken from 1 / scale² - cos².
"""

from math import inf, sqrt

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import minus, plus, row, scaled
from tumble.volume.obb.axes import coordinates
from tumble.volume.protocol import length_of_gaps
from tumble.volume.relative import TRANSLATION

# A row: three directions, the centre, the half sizes.
CENTRE = 9
HALF = 12
WIDTH = 15

SHARE = 2.0**-46  # more than the rounding of any sum of products here, relative to the largest terms
TINY = 1e-300  # more than what underflow can lose
LEAST_SINE_SQUARE = 2.0**-48


@inlined_kernel
def half_sum(u, v):
    """Return the middle of two points, which cannot overflow."""
    return 0.5 * u[0] + 0.5 * v[0], 0.5 * u[1] + 0.5 * v[1], 0.5 * u[2] + 0.5 * v[2]


@inlined_kernel
def half_difference(low, high):
    """Return half sizes from lowest and highest coordinates."""
    return 0.5 * high[0] - 0.5 * low[0], 0.5 * high[1] - 0.5 * low[1], 0.5 * high[2] - 0.5 * low[2]


@kernel
def reach(axes, vertices, faces, order, start, stop):
    """Return the lowest and the highest coordinates of triangles along three directions, rounded."""
    low, high = (inf, inf, inf), (-inf, -inf, -inf)
    for k in range(start, stop):
        for corner in range(3):
            x, y, z = coordinates(axes, row(vertices, faces[order[k], corner]))
            low = min(low[0], x), min(low[1], y), min(low[2], z)
            high = max(high[0], x), max(high[1], y), max(high[2], z)
    return low, high


@kernel
def enclose(box, axes, vertices, faces, order, start, stop):
    """Make a row the box with these directions about the triangles order[start:stop]."""
    x, y, z = half_sum(*reach(axes, vertices, faces, order, start, stop))
    centre = plus(plus(scaled(axes[0], x), y, axes[1]), z, axes[2])
    # from the rounded centre, so that its rounding does not matter
    half, farthest = (0.0, 0.0, 0.0), 0.0
    for k in range(start, stop):
        for corner in range(3):
            way = minus(row(vertices, faces[order[k], corner]), centre)
            x, y, z = coordinates(axes, way)
            half = max(half[0], abs(x)), max(half[1], abs(y)), max(half[2], abs(z))
            farthest = max(farthest, abs(way[0]) + abs(way[1]) + abs(way[2]))
    slack = SHARE * farthest + TINY
    write(box, (axes[0], axes[1], axes[2], centre, (half[0] + slack, half[1] + slack, half[2] + slack)))


@inlined_kernel
def write(row, box):
    """Write five vectors into a row."""
    for place, vector in enumerate(box):
        row[3 * place], row[3 * place + 1], row[3 * place + 2] = vector


@inlined_kernel
def turned(relative, row, axis):
    """Return a direction of b's box, or its centre without the translation, as a's frame sees it."""
    x, y, z = row[axis], row[axis + 1], row[axis + 2]
    return (
        relative[0] * x + relative[1] * y + relative[2] * z,
        relative[3] * x + relative[4] * y + relative[5] * z,
        relative[6] * x + relative[7] * y + relative[8] * z,
    )


@inlined_kernel
def seen_from_a(b, relative):
    """Return b's box in a's frame as five vectors: three directions, the centre, the half sizes."""
    x, y, z = turned(relative, b, CENTRE)
    centre = x + relative[TRANSLATION], y + relative[TRANSLATION + 1], z + relative[TRANSLATION + 2]
    half = b[HALF], b[HALF + 1], b[HALF + 2]
    return turned(relative, b, 0), turned(relative, b, 3), turned(relative, b, 6), centre, half


@inlined_kernel
def vectors(row):
    """Return a row as `seen_from_a` does."""
    centre, half = (row[CENTRE], row[CENTRE + 1], row[CENTRE + 2]), (row[HALF], row[HALF + 1], row[HALF + 2])
    return (row[0], row[1], row[2]), (row[3], row[4], row[5]), (row[6], row[7], row[8]), centre, half


@inlined_kernel
def along(row, axis, v):
    """Return the coordinate of a vector along a direction of a box."""
    return row[axis] * v[0] + row[axis + 1] * v[1] + row[axis + 2] * v[2]


@inlined_kernel
def boxes_overlap(a, box, margin):
    """Tell whether box a may share a point with a box in its frame, given as five vectors.

    The order of axes: a's faces, b's faces, then edges; what is computed for the one is used by the next.
    """
    # one slack for all fifteen axes: too much for cross products shorter than one, never too little
    d, e, f, centre, (h0, h1, h2) = box
    t = centre[0] - a[CENTRE], centre[1] - a[CENTRE + 1], centre[2] - a[CENTRE + 2]
    g0, g1, g2 = a[HALF], a[HALF + 1], a[HALF + 2]
    slack = SHARE * (abs(t[0]) + abs(t[1]) + abs(t[2]) + g0 + g1 + g2 + h0 + h1 + h2) + 2.0 * margin
    # a's faces; m is b's directions in the frame of box a, t the way from centre to centre
    m00, m01, m02 = along(a, 0, d), along(a, 0, e), along(a, 0, f)
    n00, n01, n02 = abs(m00), abs(m01), abs(m02)
    t0 = along(a, 0, t)
    if abs(t0) > g0 + h0 * n00 + h1 * n01 + h2 * n02 + slack:
        return False
    m10, m11, m12 = along(a, 3, d), along(a, 3, e), along(a, 3, f)
    n10, n11, n12 = abs(m10), abs(m11), abs(m12)
    t1 = along(a, 3, t)
    if abs(t1) > g1 + h0 * n10 + h1 * n11 + h2 * n12 + slack:
        return False
    m20, m21, m22 = along(a, 6, d), along(a, 6, e), along(a, 6, f)
    n20, n21, n22 = abs(m20), abs(m21), abs(m22)
    t2 = along(a, 6, t)
    if abs(t2) > g2 + h0 * n20 + h1 * n21 + h2 * n22 + slack:
        return False
    # b's faces: no product is new but those with t
    if (
        abs(t0 * m00 + t1 * m10 + t2 * m20) > h0 + g0 * n00 + g1 * n10 + g2 * n20 + slack
        or abs(t0 * m01 + t1 * m11 + t2 * m21) > h1 + g0 * n01 + g1 * n11 + g2 * n21 + slack
        or abs(t0 * m02 + t1 * m12 + t2 * m22) > h2 + g0 * n02 + g1 * n12 + g2 * n22 + slack
    ):
        return False
    # edge of a × edge of b; whatever is not finite does not separate
    return not (
        abs(t2 * m10 - t1 * m20) > g1 * n20 + g2 * n10 + h1 * n02 + h2 * n01 + slack
        or abs(t2 * m11 - t1 * m21) > g1 * n21 + g2 * n11 + h0 * n02 + h2 * n00 + slack
        or abs(t2 * m12 - t1 * m22) > g1 * n22 + g2 * n12 + h0 * n01 + h1 * n00 + slack
        or abs(t0 * m20 - t2 * m00) > g0 * n20 + g2 * n00 + h1 * n12 + h2 * n11 + slack
        or abs(t0 * m21 - t2 * m01) > g0 * n21 + g2 * n01 + h0 * n12 + h2 * n10 + slack
        or abs(t0 * m22 - t2 * m02) > g0 * n22 + g2 * n02 + h0 * n11 + h1 * n10 + slack
        or abs(t1 * m00 - t0 * m10) > g0 * n10 + g1 * n00 + h1 * n22 + h2 * n21 + slack
        or abs(t1 * m01 - t0 * m11) > g0 * n11 + g1 * n01 + h0 * n22 + h2 * n20 + slack
        or abs(t1 * m02 - t0 * m12) > g0 * n12 + g1 * n02 + h0 * n21 + h1 * n20 + slack
    )


@inlined_kernel
def edge_gap(way, reach, cosine, limit):
    """Return the gap along a cross product of edges, given the way of the centres along it and the boxes' reach."""
    # edges that are nearly parallel: too large a sine makes the gap smaller, and a bound may be too small
    return (abs(way) - reach) / sqrt(max(limit - cosine * cosine, LEAST_SINE_SQUARE))


@kernel
def distance_bound(a, box, margin, scale):
    """Return how far box a is at least from a box in its frame, given as five vectors.

    m is b's directions in the frame of box a, t the way from centre to centre, as in `boxes_overlap`.
    """
    d, e, f, centre, (h0, h1, h2) = box
    t = centre[0] - a[CENTRE], centre[1] - a[CENTRE + 1], centre[2] - a[CENTRE + 2]
    g0, g1, g2 = a[HALF], a[HALF + 1], a[HALF + 2]
    slack = SHARE * (abs(t[0]) + abs(t[1]) + abs(t[2]) + g0 + g1 + g2 + h0 + h1 + h2) + 2.0 * margin
    m00, m01, m02 = along(a, 0, d), along(a, 0, e), along(a, 0, f)
    m10, m11, m12 = along(a, 3, d), along(a, 3, e), along(a, 3, f)
    m20, m21, m22 = along(a, 6, d), along(a, 6, e), along(a, 6, f)
    n00, n01, n02, n10, n11, n12 = abs(m00), abs(m01), abs(m02), abs(m10), abs(m11), abs(m12)
    n20, n21, n22 = abs(m20), abs(m21), abs(m22)
    t0, t1, t2 = along(a, 0, t), along(a, 3, t), along(a, 6, t)
    faces_a = length_of_gaps(
        abs(t0) - (g0 + h0 * n00 + h1 * n01 + h2 * n02 + slack),
        abs(t1) - (g1 + h0 * n10 + h1 * n11 + h2 * n12 + slack),
        abs(t2) - (g2 + h0 * n20 + h1 * n21 + h2 * n22 + slack),
    )
    faces_b = length_of_gaps(
        abs(t0 * m00 + t1 * m10 + t2 * m20) - (h0 + g0 * n00 + g1 * n10 + g2 * n20 + slack),
        abs(t0 * m01 + t1 * m11 + t2 * m21) - (h1 + g0 * n01 + g1 * n11 + g2 * n21 + slack),
        abs(t0 * m02 + t1 * m12 + t2 * m22) - (h2 + g0 * n02 + g1 * n12 + g2 * n22 + slack),
    )
    limit = 1.0 / (scale * scale)
    edges_0 = max(
        edge_gap(t2 * m10 - t1 * m20, g1 * n20 + g2 * n10 + h1 * n02 + h2 * n01 + slack, m00, limit),
        edge_gap(t2 * m11 - t1 * m21, g1 * n21 + g2 * n11 + h0 * n02 + h2 * n00 + slack, m01, limit),
        edge_gap(t2 * m12 - t1 * m22, g1 * n22 + g2 * n12 + h0 * n01 + h1 * n00 + slack, m02, limit),
    )
    edges_1 = max(
        edge_gap(t0 * m20 - t2 * m00, g0 * n20 + g2 * n00 + h1 * n12 + h2 * n11 + slack, m10, limit),
        edge_gap(t0 * m21 - t2 * m01, g0 * n21 + g2 * n01 + h0 * n12 + h2 * n10 + slack, m11, limit),
        edge_gap(t0 * m22 - t2 * m02, g0 * n22 + g2 * n02 + h0 * n11 + h1 * n10 + slack, m12, limit),
    )
    edges_2 = max(
        edge_gap(t1 * m00 - t0 * m10, g0 * n10 + g1 * n00 + h1 * n22 + h2 * n21 + slack, m20, limit),
        edge_gap(t1 * m01 - t0 * m11, g0 * n11 + g1 * n01 + h0 * n22 + h2 * n20 + slack, m21, limit),
        edge_gap(t1 * m02 - t0 * m12, g0 * n12 + g1 * n02 + h0 * n21 + h1 * n20 + slack, m22, limit),
    )
    return max(faces_a, faces_b, edges_0, edges_1, edges_2) * scale
