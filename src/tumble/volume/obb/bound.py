"""How far two oriented boxes are from each other at least, from the gaps along the fifteen axes of `box`.

The faces of a box are perpendicular, so that the gaps along its three directions bound the distance together, as the
length of a vector. So do those along the other box's; and so does the gap along the cross product of two edges, divided
by the product's length, the sine of their angle. Each gap has the slack of the overlap test taken off: there is one
only where the boxes do not overlap.

Directions are units within a skew of 2**-49 in the box's own frame, and b's within the distance of the poses from
rotations in a's. Both are in the scale of `tumble.volume.relative`: no direction is longer than 1 / scale. Hence the
sine, of which too small a one would be wrong, is taken from 1 / scale² - cos².
"""

from math import sqrt

from tumble.core.jit import inlined_kernel, kernel
from tumble.volume.obb.box import CENTRE, HALF, SHARE, along
from tumble.volume.protocol import length_of_gaps

LEAST_SINE_SQUARE = 2.0**-48


@inlined_kernel
def edge_gap(way, reach, cosine, limit):
    """Return the gap along a cross product of edges, given the way of the centres along it and the boxes' reach."""
    return (abs(way) - reach) / sqrt(max(limit - cosine * cosine, LEAST_SINE_SQUARE))


@kernel
def distance_bound(a, box, margin, scale):
    """Return how far box a is at least from a box in its frame, given as five vectors.

    m is b's directions in the frame of box a, t the way from centre to centre, as in `box.boxes_overlap`.
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
