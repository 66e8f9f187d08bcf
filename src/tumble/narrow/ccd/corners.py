"""Both queries as one: when does a flat polygon, whose corners move linearly, contain the origin?

    vertex p, face a b c       the triangle a - p, b - p, c - p, its last corner named twice
    edges a b and c d          the parallelogram a - c, b - c, b - d, a - d of all differences of their points

Elements touch when a difference of their points is zero, so when the polygon contains the origin. A difference of two
float64 is rounded once, wherever the elements are: what follows has errors relative to the size of the query, not to
its coordinates.
"""

from tumble.core.jit import inlined_kernel
from tumble.core.linear import largest, minus, row, scaled

TINY = 1e-290
"""sizes below this are magnified before they are divided by"""
MAGNIFIED = 2.0**500


@inlined_kernel
def differences(points, four, edges):
    """Return the four corners at one end of the step; `four` are rows of points (n, 3)."""
    p, q, r, s = row(points, four[0]), row(points, four[1]), row(points, four[2]), row(points, four[3])
    if edges:
        return minus(p, r), minus(q, r), minus(q, s), minus(p, s)
    last = minus(s, p)
    return minus(q, p), minus(r, p), last, last


@inlined_kernel
def size_of(corners):
    """Return the largest absolute coordinate of four corners."""
    return max(max(largest(corners[0]), largest(corners[1])), max(largest(corners[2]), largest(corners[3])))


@inlined_kernel
def times_all(corners, factor):
    """Return four corners times a number."""
    return (
        scaled(corners[0], factor),
        scaled(corners[1], factor),
        scaled(corners[2], factor),
        scaled(corners[3], factor),
    )


@inlined_kernel
def between(p, q, t):
    """Return (1 - t) p + t q: exact at both ends, and each coordinate rounded thrice."""
    s = 1.0 - t
    return s * p[0] + t * q[0], s * p[1] + t * q[1], s * p[2] + t * q[2]


@inlined_kernel
def at_time(starts, ends, t):
    """Return the corners at a time."""
    return (
        between(starts[0], ends[0], t),
        between(starts[1], ends[1], t),
        between(starts[2], ends[2], t),
        between(starts[3], ends[3], t),
    )
