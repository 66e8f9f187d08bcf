"""Three perpendicular directions for a box: by the spread of the triangles' surface, or by their extreme points.

Directions are tuples of nine numbers, three for each. They come from `frame`, and are unit vectors at right angles
within SKEW, whatever the triangles are; `tumble.volume.obb.box` relies on it.

With u = 2**-53: a vector out of `unit` has the squared length 1 within 7 u (3 u from the sum of squares, 2 u from the
root, 2 u from the last division). The cross product of two vectors with the sine s is off by up to 2.2 u / s along the
first as well. Where s is below 0.9, the third direction is therefore made perpendicular to the first; what is left is
3 u from the scalar product, 1 u from the difference and 2 u from `unit`. Otherwise it is off by less than 2.5 u and the
2 u of `unit`, and so is the second, the cross product of the other two. So no entry of U Uᵀ - 1 exceeds 8 u.
"""

from math import sqrt

import numpy as np

from tumble.core.jit import kernel

SKEW = 2.0**-50
"""how far directions are from perpendicular units at most: the largest entry of U Uᵀ - 1"""
STRAIGHT = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
SWEEPS = 5
"""of Jacobi's method, which converges quadratically: three do for most matrices"""
CLEARLY_ACROSS = 0.9
"""of two directions with a larger sine between them, the cross product is perpendicular to both within SKEW"""
SHORT = 1e-6
"""of two directions with a smaller sine between them, no third can be told"""


@kernel
def unit(x, y, z):
    """Return a vector at unit length and its length, which is 0 where it is too short to have a direction."""
    largest = max(abs(x), abs(y), abs(z))
    if not 1e-290 < largest < 1e290:
        return 0.0, 0.0, 0.0, 0.0
    x, y, z = x / largest, y / largest, z / largest
    length = sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length, length * largest


@kernel
def frame(ax, ay, az, bx, by, bz):
    """Return three directions, the first along a, the second in the plane of a and b; straight ones where none is."""
    ax, ay, az, length = unit(ax, ay, az)
    if length == 0.0:
        return STRAIGHT
    bx, by, bz, length = unit(bx, by, bz)
    cx, cy, cz, length = unit(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    if length < SHORT:  # any plane through a will do: with the axis that is farthest from a
        if abs(ax) <= abs(ay) and abs(ax) <= abs(az):
            bx, by, bz = 1.0, 0.0, 0.0
        elif abs(ay) <= abs(az):
            bx, by, bz = 0.0, 1.0, 0.0
        else:
            bx, by, bz = 0.0, 0.0, 1.0
        cx, cy, cz, length = unit(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    if length < CLEARLY_ACROSS:  # the cross product of nearly parallel vectors is far from perpendicular to them
        lean = ax * cx + ay * cy + az * cz
        cx, cy, cz, length = unit(cx - lean * ax, cy - lean * ay, cz - lean * az)
    bx, by, bz, length = unit(cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax)
    return ax, ay, az, bx, by, bz, cx, cy, cz


@kernel
def jacobi_turn(app, aqq, apq):
    """Return tangent, cosine and sine of the turn that makes a symmetric matrix diagonal in one plane."""
    if apq == 0.0:
        return 0.0, 1.0, 0.0
    theta = (aqq - app) / (2.0 * apq)
    tangent = 1.0 / (abs(theta) + sqrt(theta * theta + 1.0))
    if theta < 0.0:
        tangent = -tangent
    cosine = 1.0 / sqrt(tangent * tangent + 1.0)
    return tangent, cosine, tangent * cosine


@kernel
def principal(xx, yy, zz, xy, yz, zx):
    """Return the eigenvectors of a symmetric matrix as directions, the one with the largest eigenvalue first."""
    # after each turn in the plane of the first two, the three change places in a ring
    p0, p1, p2, q0, q1, q2, r0, r1, r2 = STRAIGHT
    for _ in range(3 * SWEEPS):
        tangent, cosine, sine = jacobi_turn(xx, yy, xy)
        xx, yy = xx - tangent * xy, yy + tangent * xy
        zx, yz = cosine * zx - sine * yz, sine * zx + cosine * yz
        p0, q0 = cosine * p0 - sine * q0, sine * p0 + cosine * q0
        p1, q1 = cosine * p1 - sine * q1, sine * p1 + cosine * q1
        p2, q2 = cosine * p2 - sine * q2, sine * p2 + cosine * q2
        xx, yy, zz, xy, yz, zx = yy, zz, xx, yz, zx, 0.0
        p0, p1, p2, q0, q1, q2, r0, r1, r2 = q0, q1, q2, r0, r1, r2, p0, p1, p2
    if xx < yy:
        xx, yy, p0, p1, p2, q0, q1, q2 = yy, xx, q0, q1, q2, p0, p1, p2
    if xx < zz:
        xx, zz, p0, p1, p2, r0, r1, r2 = zz, xx, r0, r1, r2, p0, p1, p2
    if yy < zz:
        q0, q1, q2 = r0, r1, r2
    return frame(p0, p1, p2, q0, q1, q2)


@kernel
def surface_axes(vertices, faces, order, start, stop, cx, cy, cz, size):
    """Return the principal directions of the triangles' surface; c is a point amid them and size about their extent.

    Each triangle weighs as its area: A / 12 (9 g gᵀ + p pᵀ + q qᵀ + r rᵀ), with g its centroid, adds up to the integral
    of x xᵀ (Gottschalk, Lin and Manocha 1996). Triangles without area count a little by their corners.
    """
    xx = yy = zz = xy = yz = zx = gx = gy = gz = weight = 0.0
    scale = 1.0 / size
    for k in range(start, stop):
        face = order[k]
        u, v, w = faces[face, 0], faces[face, 1], faces[face, 2]
        px, py, pz = (vertices[u, 0] - cx) * scale, (vertices[u, 1] - cy) * scale, (vertices[u, 2] - cz) * scale
        qx, qy, qz = (vertices[v, 0] - cx) * scale, (vertices[v, 1] - cy) * scale, (vertices[v, 2] - cz) * scale
        rx, ry, rz = (vertices[w, 0] - cx) * scale, (vertices[w, 1] - cy) * scale, (vertices[w, 2] - cz) * scale
        ex, ey, ez, fx, fy, fz = qx - px, qy - py, qz - pz, rx - px, ry - py, rz - pz
        nx, ny, nz = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
        area = sqrt(nx * nx + ny * ny + nz * nz) + 1e-12
        sx, sy, sz = px + qx + rx, py + qy + ry, pz + qz + rz
        xx += area * (sx * sx + px * px + qx * qx + rx * rx)
        yy += area * (sy * sy + py * py + qy * qy + ry * ry)
        zz += area * (sz * sz + pz * pz + qz * qz + rz * rz)
        xy += area * (sx * sy + px * py + qx * qy + rx * ry)
        yz += area * (sy * sz + py * pz + qy * qz + ry * rz)
        zx += area * (sz * sx + pz * px + qz * qx + rz * rx)
        gx, gy, gz, weight = gx + area * sx, gy + area * sy, gz + area * sz, weight + area
    # about the centroid: the sums above are 12 times the second moments, 3 times the first
    gx, gy, gz = gx / (3.0 * weight), gy / (3.0 * weight), gz / (3.0 * weight)
    weight *= 12.0
    return principal(
        xx - weight * gx * gx, yy - weight * gy * gy, zz - weight * gz * gz,
        xy - weight * gx * gy, yz - weight * gy * gz, zx - weight * gz * gx,
    )  # fmt: skip


@kernel
def between(vertices, v, w):
    """Return the way from one vertex to another."""
    return vertices[w, 0] - vertices[v, 0], vertices[w, 1] - vertices[v, 1], vertices[w, 2] - vertices[v, 2]


@kernel
def farthest_along(vertices, faces, order, start, stop, x, y, z):
    """Return the vertices with the lowest and the highest coordinate along a direction."""
    low = high = np.int64(faces[order[start], 0])
    lowest = highest = x * vertices[low, 0] + y * vertices[low, 1] + z * vertices[low, 2]
    for k in range(start, stop):
        for corner in range(3):
            v = np.int64(faces[order[k], corner])
            along = x * vertices[v, 0] + y * vertices[v, 1] + z * vertices[v, 2]
            if along < lowest:
                low, lowest = v, along
            elif along > highest:
                high, highest = v, along
    return low, high


@kernel
def farthest_from_line(vertices, faces, order, start, stop, v, x, y, z):
    """Return the vertex that is farthest from the line through vertex v along a unit vector."""
    found, most = np.int64(v), -1.0
    for k in range(start, stop):
        for corner in range(3):
            w = np.int64(faces[order[k], corner])
            dx, dy, dz = between(vertices, v, w)
            cx, cy, cz = dy * z - dz * y, dz * x - dx * z, dx * y - dy * x
            distance = abs(cx) + abs(cy) + abs(cz)
            if distance > most:
                found, most = w, distance
    return found
