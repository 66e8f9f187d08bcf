"""The direction in which a polygon is apart from the origin: towards its nearest point, or along its normal.

A direction need not be accurate: `advance` proves what it is good for. It may be zero, or not a number, where the
origin is in the polygon or float64 is at its end; then it proves nothing.
"""

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, minus, plus, scaled

FLAT = 1e-14
"""sine squared of two edges below which their cross product is not used as a direction"""


@inlined_kernel
def along_edge(p, q):
    """Return the point of segment p q nearest to the origin."""
    e = minus(q, p)
    square = dot(e, e)
    if not square > 0.0:
        return p
    return plus(p, min(max(-dot(p, e) / square, 0.0), 1.0), e)


@inlined_kernel
def nearer(u, v):
    """Return the shorter of two vectors."""
    return u if dot(u, u) <= dot(v, v) else v


@inlined_kernel
def facing(normal, p):
    """Return a normal on the side of a point."""
    return scaled(normal, 1.0 if dot(normal, p) > 0.0 else -1.0)


@kernel
def towards_triangle(a, b, c):
    """Return the normal of a triangle where its nearest point to the origin is inside, else that nearest point."""
    e, f = minus(b, a), minus(c, a)
    normal = cross(e, f)
    if dot(normal, normal) > FLAT * dot(e, e) * dot(f, f):
        inside = dot(cross(a, b), normal) > 0.0 and dot(cross(b, c), normal) > 0.0 and dot(cross(c, a), normal) > 0.0
        if inside:
            return facing(normal, a)
    return nearer(nearer(along_edge(a, b), along_edge(b, c)), along_edge(c, a))


@kernel
def towards_parallelogram(a, b, c, d):
    """Return the same for the parallelogram a b c d: the difference of two segments at their nearest points."""
    e, f = minus(b, a), minus(d, a)
    normal = cross(e, f)
    square = dot(normal, normal)
    if square > FLAT * dot(e, e) * dot(f, f):
        s, t = dot(cross(f, a), normal), dot(cross(a, e), normal)
        if 0.0 < s < square and 0.0 < t < square:
            return facing(normal, a)
    return nearer(nearer(along_edge(a, b), along_edge(b, c)), nearer(along_edge(c, d), along_edge(d, a)))


@inlined_kernel
def towards(corners, edges):
    """Return the direction in which a polygon is apart from the origin."""
    if edges:
        return towards_parallelogram(corners[0], corners[1], corners[2], corners[3])
    return towards_triangle(corners[0], corners[1], corners[2])
