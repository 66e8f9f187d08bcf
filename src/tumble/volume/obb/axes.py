"""Three perpendicular directions for a box: by the spread of the triangles' surface, or by their extreme points.

Directions are three vectors, tuples of three numbers. They come from `frame`, and are unit vectors at right angles
within SKEW, whatever the triangles are; `tumble.volume.obb.box` relies on it.

With u = 2**-53: a vector out of `unit` has the squared length 1 within 7 u (3 u from the sum of squares, 2 u from the
root, 2 u from the last division). The cross product of two vectors with the sine s is off by up to 2.2 u / s along the
first as well. Where s is below 0.9, the third direction is therefore made perpendicular to the first; what is left is
3 u from the scalar product, 1 u from the difference and 2 u from `unit`. Otherwise it is off by less than 2.5 u and the
2 u of `unit`, and so is the second, the cross product of the other two. So no entry of U Uᵀ - 1 exceeds 8 u.
"""

from math import sqrt

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import NO_DIRECTION, cross, divided, dot, largest, minus, plus, row, scaled

SKEW = 2.0**-50  # how far directions are from perpendicular units at most: the largest entry of U Uᵀ - 1
STRAIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
SWEEPS = 5  # of Jacobi's method, which converges quadratically: three do for most matrices
CLEARLY_ACROSS = 0.9
"""of two directions with a larger sine between them, the cross product is perpendicular to both within SKEW"""
SHORT = 1e-6  # of two directions with a smaller sine between them, no third can be told


@kernel
def unit(v):
    """Return a vector at unit length and its length, which is 0 where it is too short to have a direction."""
    size = largest(v)
    if not 1e-290 < size < 1e290:
        return NO_DIRECTION, 0.0
    # divided by its largest component first: then squares neither overflow nor underflow
    v = divided(v, size)
    length = sqrt(dot(v, v))
    return divided(v, length), length * size


@kernel
def frame(a, b):
    """Return three directions, the first along a, the second in the plane of a and b; straight ones where none is."""
    a, length = unit(a)
    if length == 0.0:
        return STRAIGHT
    c, length = unit(cross(a, unit(b)[0]))
    if length < SHORT:  # any plane through a will do: with the axis that is farthest from a
        x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
        c, length = unit(cross(a, STRAIGHT[0] if x <= y and x <= z else (STRAIGHT[1] if y <= z else STRAIGHT[2])))
    if length < CLEARLY_ACROSS:  # the cross product of nearly parallel vectors is far from perpendicular to them
        c, length = unit(plus(c, -dot(a, c), a))
    return a, unit(cross(c, a))[0], c


@kernel
def jacobi_turn(app, aqq, apq):
    """Return tangent, cosine and sine of the turn that makes a symmetric matrix diagonal in one plane."""
    if apq == 0.0:
        return 0.0, 1.0, 0.0
    # the smaller of the two angles, as a sum in the denominator: nothing cancels
    theta = (aqq - app) / (2.0 * apq)
    tangent = 1.0 / (abs(theta) + sqrt(theta * theta + 1.0))
    if theta < 0.0:
        tangent = -tangent
    cosine = 1.0 / sqrt(tangent * tangent + 1.0)
    return tangent, cosine, tangent * cosine


@kernel
def principal(xx, yy, zz, xy, yz, zx):
    """Return the eigenvectors of a symmetric matrix as directions, the one with the largest eigenvalue first."""
    p, q, r = STRAIGHT
    for _ in range(3 * SWEEPS):
        tangent, cosine, sine = jacobi_turn(xx, yy, xy)
        xx, yy = xx - tangent * xy, yy + tangent * xy
        zx, yz = cosine * zx - sine * yz, sine * zx + cosine * yz
        p, q = plus(scaled(p, cosine), -sine, q), plus(scaled(p, sine), cosine, q)
        # after each turn in the plane of the first two, the three change places in a ring
        xx, yy, zz, xy, yz, zx = yy, zz, xx, yz, zx, 0.0
        p, q, r = q, r, p
    if xx < yy:
        xx, yy, p, q = yy, xx, q, p
    if xx < zz:
        xx, zz, p, r = zz, xx, r, p
    return frame(p, r if yy < zz else q)


@kernel
def surface_axes(vertices, faces, order, start, stop, middle, size):
    """Return the principal directions of the triangles' surface; the middle is amid them, the size about their extent.

    Each triangle weighs as its area: A / 12 (9 g gᵀ + p pᵀ + q qᵀ + r rᵀ), with g its centroid, adds up to the integral
    of x xᵀ (Gottschalk, Lin and Manocha 1996). Triangles without area count a little by their corners.
    """
    xx = yy = zz = xy = yz = zx = weight = 0.0
    g = 0.0, 0.0, 0.0
    # as seen from the middle and at size one: far from the origin the sums below would cancel
    scale = 1.0 / size
    for k in range(start, stop):
        face = order[k]
        p = scaled(minus(row(vertices, faces[face, 0]), middle), scale)
        q = scaled(minus(row(vertices, faces[face, 1]), middle), scale)
        r = scaled(minus(row(vertices, faces[face, 2]), middle), scale)
        normal = cross(minus(q, p), minus(r, p))
        area = sqrt(dot(normal, normal)) + 1e-12
        s = p[0] + q[0] + r[0], p[1] + q[1] + r[1], p[2] + q[2] + r[2]
        xx += area * (s[0] * s[0] + p[0] * p[0] + q[0] * q[0] + r[0] * r[0])
        yy += area * (s[1] * s[1] + p[1] * p[1] + q[1] * q[1] + r[1] * r[1])
        zz += area * (s[2] * s[2] + p[2] * p[2] + q[2] * q[2] + r[2] * r[2])
        xy += area * (s[0] * s[1] + p[0] * p[1] + q[0] * q[1] + r[0] * r[1])
        yz += area * (s[1] * s[2] + p[1] * p[2] + q[1] * q[2] + r[1] * r[2])
        zx += area * (s[2] * s[0] + p[2] * p[0] + q[2] * q[0] + r[2] * r[0])
        g, weight = plus(g, area, s), weight + area
    # about the centroid: the sums above are 12 times the second moments, 3 times the first
    x, y, z = divided(g, 3.0 * weight)
    weight *= 12.0
    return principal(
        xx - weight * x * x, yy - weight * y * y, zz - weight * z * z,
        xy - weight * x * y, yz - weight * y * z, zx - weight * z * x,
    )  # fmt: skip


@inlined_kernel
def coordinates(axes, v):
    """Return the coordinates of a vector along three directions."""
    return dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)


@kernel
def farthest_along(vertices, faces, order, start, stop, direction):
    """Return the vertices with the lowest and the highest coordinate along a direction."""
    low = high = np.int64(faces[order[start], 0])
    lowest = highest = dot(direction, row(vertices, low))
    for k in range(start, stop):
        for corner in range(3):
            v = np.int64(faces[order[k], corner])
            along = dot(direction, row(vertices, v))
            if along < lowest:
                low, lowest = v, along
            elif along > highest:
                high, highest = v, along
    return low, high


@kernel
def farthest_from_line(vertices, faces, order, start, stop, v, direction):
    """Return the vertex that is farthest from the line through vertex v along a unit vector."""
    found, most = np.int64(v), -1.0
    for k in range(start, stop):
        for corner in range(3):
            w = np.int64(faces[order[k], corner])
            across = cross(minus(row(vertices, w), row(vertices, v)), direction)
            distance = abs(across[0]) + abs(across[1]) + abs(across[2])
            if distance > most:
                found, most = w, distance
    return found
