"""The area that flat faces have in common where they lie on each other: one triangle clipped by the other."""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, minus, plus, row, scaled
from tumble.core.poll import GO_ON, OFTEN, poll

MOST_CORNERS = 9
"""of a triangle clipped by three lines, with one to spare for each"""
PARALLEL = 1e-9
"""the sine of the angle up to which planes count as one, and the part of the coordinates by which they may differ"""


class FlatPairs(NamedTuple):
    """What is found of those of n pairs of triangles that lie in one plane; and memory."""

    areas: NDArray[np.float64]
    """(n,) what both have in common"""
    moments: NDArray[np.float64]
    """(n, 3) the same times its middle"""
    rows: NDArray[np.int64]  # (n,)
    clipped: NDArray[np.float64]  # (2, MOST_CORNERS, 2)
    plane: NDArray[np.float64]  # (2, 3, 2)


def flat_pairs(count: int) -> FlatPairs:
    """Return memory for so many pairs."""
    clipped = np.empty((2, MOST_CORNERS, 2))
    return FlatPairs(np.empty(count), np.empty((count, 3)), np.empty(count, np.int64), clipped, np.empty((2, 3, 2)))


@inlined_kernel
def corners_of(points, faces, face):
    """Return the corners of a face."""
    return row(points, faces[face, 0]), row(points, faces[face, 1]), row(points, faces[face, 2])


@inlined_kernel
def normal_of(p, q, r):
    """Return the normal of a triangle, as long as twice its area, and that length."""
    normal = cross(minus(q, p), minus(r, p))
    return normal, sqrt(dot(normal, normal))


@inlined_kernel
def largest_of(corners):
    """Return the largest absolute coordinate of three points."""
    found = 0.0
    for p in corners:
        found = max(found, max(max(abs(p[0]), abs(p[1])), abs(p[2])))
    return found


@inlined_kernel
def find_parallel(points_a, faces_a, points_b, faces_b, pairs, rows):
    """Write which pairs are of parallel triangles; return how many, and the largest coordinate of these."""
    count, size = 0, 0.0
    for k in range(len(pairs)):
        a, b = corners_of(points_a, faces_a, pairs[k, 0]), corners_of(points_b, faces_b, pairs[k, 1])
        normal_a, size_a = normal_of(a[0], a[1], a[2])
        normal_b, size_b = normal_of(b[0], b[1], b[2])
        across = cross(normal_a, normal_b)
        if size_a > 0.0 and size_b > 0.0 and sqrt(dot(across, across)) <= PARALLEL * size_a * size_b:
            rows[count] = k
            count += 1
            size = max(size, max(largest_of(a), largest_of(b)))
    return count, size


@inlined_kernel
def clip(plane, clipped):
    """Clip the first triangle of a plane by the second, both counterclockwise; return where it is, and its corners."""
    now, count = 0, 3
    for i in range(3):
        clipped[0, i, 0], clipped[0, i, 1] = plane[0, i, 0], plane[0, i, 1]
    for side in range(3):
        x, y = plane[1, side, 0], plane[1, side, 1]
        following = (side + 1) % 3
        u, v = plane[1, following, 0] - x, plane[1, following, 1] - y
        kept = 0
        for i in range(count):
            j = i + 1 if i + 1 < count else 0
            px, py = clipped[now, i, 0], clipped[now, i, 1]
            qx, qy = clipped[now, j, 0], clipped[now, j, 1]
            height_p, height_q = u * (py - y) - v * (px - x), u * (qy - y) - v * (qx - x)
            if height_p >= 0.0:
                clipped[1 - now, kept, 0], clipped[1 - now, kept, 1] = px, py
                kept += 1
            if (height_p > 0.0 and height_q < 0.0) or (height_p < 0.0 and height_q > 0.0):
                share = height_p / (height_p - height_q)
                clipped[1 - now, kept, 0] = px + share * (qx - px)
                clipped[1 - now, kept, 1] = py + share * (qy - py)
                kept += 1
        now, count = 1 - now, kept
    return now, count


@inlined_kernel
def common_area(plane, clipped):
    """Return the common area of two triangles in a plane, and that area times its middle."""
    now, count = clip(plane, clipped)
    area, middle_x, middle_y = 0.0, 0.0, 0.0
    x, y = clipped[now, 0, 0], clipped[now, 0, 1]
    for i in range(1, count - 1):
        px, py = clipped[now, i, 0], clipped[now, i, 1]
        qx, qy = clipped[now, i + 1, 0], clipped[now, i + 1, 1]
        part = 0.5 * ((px - x) * (qy - y) - (py - y) * (qx - x))
        area += part
        middle_x += part * (x + px + qx) / 3.0
        middle_y += part * (y + py + qy) / 3.0
    return area, middle_x, middle_y


@inlined_kernel
def write_seen(plane, which, k, p, along, up):
    """Write where a point, seen from the origin of a plane, is along two axes."""
    plane[which, k, 0], plane[which, k, 1] = dot(p, along), dot(p, up)


@kernel
def write_flat_pairs(points_a, faces_a, points_b, faces_b, pairs, found):
    """Write what triangles that lie in one plane have in common; return how many such pairs there are."""
    parallel, size = find_parallel(points_a, faces_a, points_b, faces_b, pairs, found.rows)
    count = 0
    for t in range(parallel):
        if t & OFTEN == 0 and poll(0) != GO_ON:
            break
        i, j = pairs[found.rows[t], 0], pairs[found.rows[t], 1]
        a, b = corners_of(points_a, faces_a, i), corners_of(points_b, faces_b, j)
        normal, length = normal_of(a[0], a[1], a[2])
        other, _ = normal_of(b[0], b[1], b[2])
        way = normal[0] / length, normal[1] / length, normal[2] / length
        start, highest = a[0], 0.0
        for p in b:
            highest = max(highest, abs(dot(minus(p, start), way)))
        if highest > PARALLEL * size:
            continue
        along = minus(a[1], start)
        length = sqrt(dot(along, along))
        along = along[0] / length, along[1] / length, along[2] / length
        up = cross(way, along)
        if dot(normal, other) < 0.0:
            b = b[2], b[1], b[0]
        for k in range(3):
            write_seen(found.plane, 0, k, minus(a[k], start), along, up)
            write_seen(found.plane, 1, k, minus(b[k], start), along, up)
        area, x, y = common_area(found.plane, found.clipped)
        moment = plus(plus(scaled(along, x), y, up), area, start)
        found.areas[count] = area
        for axis in range(3):
            found.moments[count, axis] = moment[axis]
        count += 1
    return count
