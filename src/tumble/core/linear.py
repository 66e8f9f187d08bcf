"""Vectors of three numbers as tuples, matrices as arrays: the one vector algebra of scalar kernels.

Sums run from left to right and nothing is fused, so all kernels that share a formula get the same bits. Code that works
on several vectors at a time has the same operations in `tumble.core.simd.vectors`.
"""

import math

from tumble.core.jit import inlined_kernel, kernel

DEGENERATE = 1e-14
"""the sine of two edges below which a triangle counts as a segment and has no normal"""
SMALLEST_SQUARE = 1e-290
"""squares below this have lost digits"""

NO_DIRECTION = (0.0, 0.0, 0.0)


@inlined_kernel
def row(array, i):
    """Return row i of an (n, 3) array."""
    return array[i, 0], array[i, 1], array[i, 2]


@inlined_kernel
def set_row(array, i, u):
    """Write a vector to row i of an (n, 3) array."""
    array[i, 0] = u[0]
    array[i, 1] = u[1]
    array[i, 2] = u[2]


@inlined_kernel
def minus(p, q):
    """Return p - q."""
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


@inlined_kernel
def plus(u, factor, v):
    """Return u + factor · v."""
    return u[0] + factor * v[0], u[1] + factor * v[1], u[2] + factor * v[2]


@inlined_kernel
def along(p, q, t):
    """Return the point p + t (q - p)."""
    return p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])


@inlined_kernel
def scaled(u, factor):
    """Return a vector times a number."""
    return u[0] * factor, u[1] * factor, u[2] * factor


@inlined_kernel
def divided(u, divisor):
    """Return a vector divided by a number, which is not the same as times its reciprocal: each quotient is rounded."""
    return u[0] / divisor, u[1] / divisor, u[2] / divisor


@inlined_kernel
def dot(u, v):
    """Return the scalar product."""
    return (u[0] * v[0] + u[1] * v[1]) + u[2] * v[2]


@inlined_kernel
def cross(u, v):
    """Return the vector product."""
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


@inlined_kernel
def largest(u):
    """Return the largest absolute component."""
    return max(max(abs(u[0]), abs(u[1])), abs(u[2]))


@inlined_kernel
def is_zero(u):
    """Tell whether a vector is the zero vector: what has no direction."""
    return u[0] == 0.0 and u[1] == 0.0 and u[2] == 0.0


@inlined_kernel
def times(matrices, i, u):
    """Return the product of matrix i of an (n, 3, 3) array and a vector."""
    return (
        matrices[i, 0, 0] * u[0] + matrices[i, 0, 1] * u[1] + matrices[i, 0, 2] * u[2],
        matrices[i, 1, 0] * u[0] + matrices[i, 1, 1] * u[1] + matrices[i, 1, 2] * u[2],
        matrices[i, 2, 0] * u[0] + matrices[i, 2, 1] * u[1] + matrices[i, 2, 2] * u[2],
    )


@inlined_kernel
def times_transposed(matrices, i, u):
    """Return the product of the transpose of matrix i and a vector."""
    return (
        matrices[i, 0, 0] * u[0] + matrices[i, 1, 0] * u[1] + matrices[i, 2, 0] * u[2],
        matrices[i, 0, 1] * u[0] + matrices[i, 1, 1] * u[1] + matrices[i, 2, 1] * u[2],
        matrices[i, 0, 2] * u[0] + matrices[i, 1, 2] * u[1] + matrices[i, 2, 2] * u[2],
    )


@inlined_kernel
def posed(pose, vertices, v):
    """Return vertex v moved by a (3, 4) or (4, 4) pose, in the order of operations of `tumble.mesh.apply_pose`."""
    x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
    return (
        ((pose[0, 0] * x + pose[0, 1] * y) + pose[0, 2] * z) + pose[0, 3],
        ((pose[1, 0] * x + pose[1, 1] * y) + pose[1, 2] * z) + pose[1, 3],
        ((pose[2, 0] * x + pose[2, 1] * y) + pose[2, 2] * z) + pose[2, 3],
    )


@kernel
def unit(u):
    """Return a vector at length one, or the zero vector where its length is zero or not a number."""
    if not SMALLEST_SQUARE < dot(u, u) < math.inf:
        size = largest(u)
        if not 0.0 < size < math.inf:
            return NO_DIRECTION
        # the squares would vanish or overflow, those of components of at most 1 do not
        u = divided(u, size)
    return divided(u, math.sqrt(dot(u, u)))


@kernel
def normal_of(p, q, r):
    """Return the unit normal of a triangle, the zero vector for one that is (nearly) a segment or a point."""
    e, f = minus(q, p), minus(r, p)
    normal = cross(e, f)
    square = dot(normal, normal)
    # |e × f| = |e| |f| sin, squared: no root is taken of what may be refused
    if not square > DEGENERATE * DEGENERATE * dot(e, e) * dot(f, f) + SMALLEST_SQUARE:
        return NO_DIRECTION
    return scaled(normal, 1.0 / math.sqrt(square))


@kernel
def across(u):
    """Return a unit vector at a right angle to u; along z where u is zero."""
    # the smallest component is left out, so the two others cannot both be tiny
    x, y, z = abs(u[0]), abs(u[1]), abs(u[2])
    if x <= y and x <= z:
        found = unit((0.0, u[2], -u[1]))
    elif y <= z:
        found = unit((-u[2], 0.0, u[0]))
    else:
        found = unit((u[1], -u[0], 0.0))
    return (0.0, 0.0, 1.0) if is_zero(found) else found
