"""Vectors of three float64 as tuples: what contact geometry computes with."""

import math

from tumble.core.jit import kernel

DEGENERATE = 1e-14
"""the sine of two edges below which a triangle counts as a segment and has no normal"""
SMALLEST_SQUARE = 1e-290
"""squares below this have lost digits"""

NO_DIRECTION = (0.0, 0.0, 0.0)


@kernel
def minus(p, q):
    """Return p - q."""
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


@kernel
def dot(u, v):
    """Return the scalar product."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


@kernel
def cross(u, v):
    """Return the vector product."""
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


@kernel
def along(p, q, t):
    """Return the point p + t (q - p)."""
    return p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])


@kernel
def scaled(u, factor):
    """Return a vector times a number."""
    return u[0] * factor, u[1] * factor, u[2] * factor


@kernel
def largest(u):
    """Return the largest component, whatever its sign."""
    return max(abs(u[0]), abs(u[1]), abs(u[2]))


@kernel
def unit(u):
    """Return a vector at length one, or the zero vector where its length is zero or no number."""
    if not SMALLEST_SQUARE < dot(u, u) < math.inf:
        size = largest(u)
        if not 0.0 < size < math.inf:
            return NO_DIRECTION
        u = u[0] / size, u[1] / size, u[2] / size
    length = math.sqrt(dot(u, u))
    return u[0] / length, u[1] / length, u[2] / length


@kernel
def normal_of(p, q, r):
    """Return the unit normal of a triangle, the zero vector for one that is (nearly) a segment or a point."""
    e, f = minus(q, p), minus(r, p)
    normal = cross(e, f)
    square = dot(normal, normal)
    if not square > DEGENERATE * DEGENERATE * dot(e, e) * dot(f, f) + SMALLEST_SQUARE:
        return NO_DIRECTION
    return scaled(normal, 1.0 / math.sqrt(square))


@kernel
def is_zero(u):
    """Tell whether a vector is the zero vector: what has no direction."""
    return u[0] == 0.0 and u[1] == 0.0 and u[2] == 0.0


@kernel
def across(u):
    """Return a unit vector at a right angle to u; along z where u is zero."""
    x, y, z = abs(u[0]), abs(u[1]), abs(u[2])
    if x <= y and x <= z:
        found = unit((0.0, u[2], -u[1]))
    elif y <= z:
        found = unit((-u[2], 0.0, u[0]))
    else:
        found = unit((u[1], -u[0], 0.0))
    return (0.0, 0.0, 1.0) if is_zero(found) else found
