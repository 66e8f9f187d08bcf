"""A quick answer for two triangles, in plain float64 with bounds on its rounding; when it cannot be sure, it says so.

The same steps as `triangles.points_touch`, without a path for special cases: a sign that is not certain ends it. Pairs
of the fast path come here first, and only the few that stay open go to the exact test.

Bounds: with u = 2**-53, e and f edges, d a difference of vertices, E, F, D their largest absolute components. Each
component of e, f, d is off by one rounding, of e × f by 4u of the 2EF that it can have, and each of the three products
of (e × f) · d and their sum by 8u in all of 2EFD: 48u EFD together. 64u leaves room for the second order. Below 1e-250
(EF) and 1e-280 (the bound) products may have lost bits to underflow, which the bound does not know.
"""

from tumble.jit import inlined_kernel

APART = 0
TOUCH = 1
UNSURE = -1

ERROR = 64 * 2.0**-53
SAFE_PRODUCT = 1e-250
SAFE_BOUND = 1e-280


@inlined_kernel
def minus(a, b):
    """Return the difference of two points."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined_kernel
def cross(a, b):
    """Return the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined_kernel
def dot(a, b):
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined_kernel
def largest(a):
    """Return the largest absolute component."""
    return max(max(abs(a[0]), abs(a[1])), abs(a[2]))


@inlined_kernel
def error_bound(e, f, far):
    """Return how much (e × f) · d may be off for components of d up to `far`; -1 when that cannot be said."""
    product = largest(e) * largest(f)
    bound = ERROR * product * far
    return bound if product > SAFE_PRODUCT and bound > SAFE_BOUND else -1.0


@inlined_kernel
def lonely(a, b, c):
    """Return which of three non-zero numbers has a sign of its own, and whether it is positive."""
    if (b > 0.0) == (c > 0.0):
        return 0, a > 0.0
    if (a > 0.0) == (c > 0.0):
        return 1, b > 0.0
    return 2, c > 0.0


@inlined_kernel
def turned(k, p, q, r):
    """Rotate three points so that number k comes first."""
    if k == 0:
        return p, q, r
    if k == 1:
        return q, r, p
    return r, p, q


@inlined_kernel
def likely_sign(a, b, c, d):
    """Return the sign of det(a - d, b - d, c - d), or 0 when it is not certain."""
    x, y, z = minus(a, d), minus(b, d), minus(c, d)
    determinant = dot(cross(y, z), x)
    bound = error_bound(y, z, largest(x))
    if bound > 0.0:
        if determinant > bound:
            return 1
        if determinant < -bound:
            return -1
    return 0


@inlined_kernel
def filtered_touch(p1, q1, r1, p2, q2, r2):
    """Return TOUCH or APART when that is certain, else UNSURE."""
    # where the vertices of triangle 2 are, seen from the plane of triangle 1
    e, f = minus(q1, p1), minus(r1, p1)
    normal = cross(e, f)
    x, y, z = minus(p2, p1), minus(q2, p1), minus(r2, p1)
    a2, b2, c2 = dot(normal, x), dot(normal, y), dot(normal, z)
    bound1 = error_bound(e, f, max(max(largest(x), largest(y)), largest(z)))
    if bound1 < 0.0:
        return UNSURE
    if min(min(a2, b2), c2) > bound1 or max(max(a2, b2), c2) < -bound1:
        return APART
    e, f = minus(q2, p2), minus(r2, p2)
    normal = cross(e, f)
    y, z = minus(q1, p2), minus(r1, p2)
    a1, b1, c1 = -dot(normal, x), dot(normal, y), dot(normal, z)
    bound2 = error_bound(e, f, max(max(largest(x), largest(y)), largest(z)))
    if bound2 < 0.0:
        return UNSURE
    if min(min(a1, b1), c1) > bound2 or max(max(a1, b1), c1) < -bound2:
        return APART
    if min(min(abs(a2), abs(b2)), abs(c2)) <= bound1 or min(min(abs(a1), abs(b1)), abs(c1)) <= bound2:
        return UNSURE
    return _intervals_touch(p1, q1, r1, p2, q2, r2, lonely(a1, b1, c1), lonely(a2, b2, c2))


@inlined_kernel
def _intervals_touch(p1, q1, r1, p2, q2, r2, apex1, apex2):
    """Compare the pieces that the triangles cut out of the common line of their planes."""
    p1, q1, r1 = turned(apex1[0], p1, q1, r1)
    p2, q2, r2 = turned(apex2[0], p2, q2, r2)
    if apex1[1]:  # look at the other triangle from its other face
        q2, r2 = r2, q2
    if apex2[1]:
        q1, r1 = r1, q1
    first = likely_sign(p1, q1, p2, q2)
    if first > 0:
        return APART
    second = likely_sign(p1, r1, r2, p2)
    if second > 0:
        return APART
    return TOUCH if first < 0 and second < 0 else UNSURE
