"""A box in any orientation: what it stores, how it is widened, and the test of two of them on fifteen axes.

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
"""

from math import inf

from tumble.core.jit import inlined_kernel, kernel
from tumble.volume.relative import TRANSLATION

# A row: three directions, the centre, the half sizes.
CENTRE = 9
HALF = 12
WIDTH = 15

SHARE = 2.0**-46
"""more than the rounding of any sum of products here, relative to the largest terms"""
TINY = 1e-300
"""more than what underflow can lose"""


@kernel
def reach(axes, vertices, faces, order, start, stop):
    """Return the lowest and the highest coordinates of triangles along three directions, rounded."""
    low0 = low1 = low2 = inf
    high0 = high1 = high2 = -inf
    for k in range(start, stop):
        for corner in range(3):
            v = faces[order[k], corner]
            x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
            along0 = axes[0] * x + axes[1] * y + axes[2] * z
            along1 = axes[3] * x + axes[4] * y + axes[5] * z
            along2 = axes[6] * x + axes[7] * y + axes[8] * z
            low0, high0 = min(low0, along0), max(high0, along0)
            low1, high1 = min(low1, along1), max(high1, along1)
            low2, high2 = min(low2, along2), max(high2, along2)
    return low0, low1, low2, high0, high1, high2


@kernel
def enclose(row, axes, vertices, faces, order, start, stop):
    """Make a row the box with these directions about the triangles order[start:stop]."""
    for k in range(9):
        row[k] = axes[k]
    low0, low1, low2, high0, high1, high2 = reach(axes, vertices, faces, order, start, stop)
    along0, along1, along2 = 0.5 * low0 + 0.5 * high0, 0.5 * low1 + 0.5 * high1, 0.5 * low2 + 0.5 * high2
    for k in range(3):
        row[CENTRE + k] = axes[k] * along0 + axes[3 + k] * along1 + axes[6 + k] * along2
    # from the rounded centre, so that its rounding does not matter
    half0 = half1 = half2 = farthest = 0.0
    for k in range(start, stop):
        for corner in range(3):
            v = faces[order[k], corner]
            x, y, z = vertices[v, 0] - row[CENTRE], vertices[v, 1] - row[CENTRE + 1], vertices[v, 2] - row[CENTRE + 2]
            half0 = max(half0, abs(axes[0] * x + axes[1] * y + axes[2] * z))
            half1 = max(half1, abs(axes[3] * x + axes[4] * y + axes[5] * z))
            half2 = max(half2, abs(axes[6] * x + axes[7] * y + axes[8] * z))
            farthest = max(farthest, abs(x) + abs(y) + abs(z))
    slack = SHARE * farthest + TINY
    row[HALF], row[HALF + 1], row[HALF + 2] = half0 + slack, half1 + slack, half2 + slack


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
def five_vectors(row):
    """Return a row as `seen_from_a` does."""
    centre, half = (row[CENTRE], row[CENTRE + 1], row[CENTRE + 2]), (row[HALF], row[HALF + 1], row[HALF + 2])
    return (row[0], row[1], row[2]), (row[3], row[4], row[5]), (row[6], row[7], row[8]), centre, half


@inlined_kernel
def write_in_frame_of_a(b, relative, row):
    """Write b's box in a's frame into a row of the same form."""
    for place, vector in enumerate(seen_from_a(b, relative)):
        row[3 * place], row[3 * place + 1], row[3 * place + 2] = vector


@inlined_kernel
def along(row, axis, v):
    """Return the coordinate of a vector along a direction of a box."""
    return row[axis] * v[0] + row[axis + 1] * v[1] + row[axis + 2] * v[2]


@inlined_kernel
def boxes_overlap(a, box, margin):
    """Tell whether box a may share a point with a box in its frame, given as five vectors.

    The order of axes: a's faces, b's faces, then edges; what is computed for the one is used by the next.
    """
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
    # b's faces
    if abs(t0 * m00 + t1 * m10 + t2 * m20) > h0 + g0 * n00 + g1 * n10 + g2 * n20 + slack:
        return False
    if abs(t0 * m01 + t1 * m11 + t2 * m21) > h1 + g0 * n01 + g1 * n11 + g2 * n21 + slack:
        return False
    if abs(t0 * m02 + t1 * m12 + t2 * m22) > h2 + g0 * n02 + g1 * n12 + g2 * n22 + slack:
        return False
    # edge of a × edge of b
    if abs(t2 * m10 - t1 * m20) > g1 * n20 + g2 * n10 + h1 * n02 + h2 * n01 + slack:
        return False
    if abs(t2 * m11 - t1 * m21) > g1 * n21 + g2 * n11 + h0 * n02 + h2 * n00 + slack:
        return False
    if abs(t2 * m12 - t1 * m22) > g1 * n22 + g2 * n12 + h0 * n01 + h1 * n00 + slack:
        return False
    if abs(t0 * m20 - t2 * m00) > g0 * n20 + g2 * n00 + h1 * n12 + h2 * n11 + slack:
        return False
    if abs(t0 * m21 - t2 * m01) > g0 * n21 + g2 * n01 + h0 * n12 + h2 * n10 + slack:
        return False
    if abs(t0 * m22 - t2 * m02) > g0 * n22 + g2 * n02 + h0 * n11 + h1 * n10 + slack:
        return False
    if abs(t1 * m00 - t0 * m10) > g0 * n10 + g1 * n00 + h1 * n22 + h2 * n21 + slack:
        return False
    if abs(t1 * m01 - t0 * m11) > g0 * n11 + g1 * n01 + h0 * n22 + h2 * n20 + slack:
        return False
    # whatever is not finite does not separate
    return not abs(t1 * m02 - t0 * m12) > g0 * n12 + g1 * n02 + h0 * n21 + h1 * n20 + slack
