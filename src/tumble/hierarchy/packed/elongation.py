"""Are the triangles of a mesh long and thin? Then the boxes of leaves are mostly empty.

A sample is enough: the answer changes how a query searches, not what it finds.
"""

from tumble.core.jit import kernel
from tumble.core.linear import cross, dot, minus, row

SAMPLE = 1000
SHARE = 0.3
# the square of the longest edge, in areas of the parallelogram that a triangle is half of; 1.15 when equilateral
LONG = 4.0


@kernel
def share_of_elongated(vertices, faces):
    """Return the share of long and thin triangles in a sample."""
    step = max(1, faces.shape[0] // SAMPLE)
    elongated, sampled = 0, 0
    for k in range(0, faces.shape[0], step):
        p, q, r = row(vertices, faces[k, 0]), row(vertices, faces[k, 1]), row(vertices, faces[k, 2])
        e, f, g = minus(q, p), minus(r, p), minus(r, q)
        longest = max(max(dot(e, e), dot(f, f)), dot(g, g))
        normal = cross(e, f)
        area = dot(normal, normal)
        elongated += longest * longest > LONG * LONG * area
        sampled += 1
    return elongated / sampled if sampled > 0 else 0.0
