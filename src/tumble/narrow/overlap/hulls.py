"""Convex hulls of points in planes, many at a time, as fans of triangles; what they cover of the faces of a mesh."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import row, set_row
from tumble.narrow.overlap.order import order_rows


@inlined_kernel
def turn(points, a, b, c):
    """Return twice the signed area of three points of an (n, 2) array."""
    along, up = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    return along * (points[c, 1] - points[a, 1]) - up * (points[c, 0] - points[a, 0])


@kernel
def fan_hulls(starts, points, ring, triangles, owners):
    """Write triangles, three places in `points` each, that fill the hulls of groups of points; return how many.

    starts      (g + 1,) where groups begin
    points      (n, 2), sorted within each group
    ring        (n + 1,) room for one hull
    triangles   (n, 3), which is enough
    owners      (n,) the group of each triangle
    """
    count = 0
    for group in range(len(starts) - 1):
        low, high = starts[group], starts[group + 1]
        size = 0
        for p in range(low, high):
            while size > 1 and turn(points, ring[size - 2], ring[size - 1], p) <= 0.0:
                size -= 1
            ring[size] = p
            size += 1
        lower = size
        for p in range(high - 2, low - 1, -1):
            while size > lower and turn(points, ring[size - 2], ring[size - 1], p) <= 0.0:
                size -= 1
            ring[size] = p
            size += 1
        for k in range(1, size - 2):  # the last is the first again
            triangles[count, 0], triangles[count, 1], triangles[count, 2] = ring[0], ring[k], ring[k + 1]
            owners[count] = group
            count += 1
    return count


class Inside(NamedTuple):
    """Which part of a mesh is in another one."""

    points: NDArray[np.float64]  # (p, 3)
    faces: NDArray[np.int32]  # (m, 3)
    normals: NDArray[np.float64]  # (m, 3)
    members: NDArray[np.int64]
    """(p,) 0 for vertices outside"""
    crossed: NDArray[np.int64]
    """(k,) the faces of segments"""
    ends: NDArray[np.int64]
    """(k, 2) places where segments start and end"""
    places: NDArray[np.float64]


class Corners(NamedTuple):
    """Memory for corners of the parts of faces that are inside."""

    faces: NDArray[np.int64]  # (n,)
    points: NDArray[np.float64]  # (n, 3)
    first: NDArray[np.float64]  # (n,)
    second: NDArray[np.float64]  # (n,)
    order: NDArray[np.int64]  # (n,)
    spare: NDArray[np.int64]  # (n + 1,)
    flat: NDArray[np.float64]  # (n, 2)
    starts: NDArray[np.int64]  # (n + 1,)
    triangles: NDArray[np.int64]  # (n, 3)
    owners: NDArray[np.int64]  # (n,)


def cover_inside(inside: Inside) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return triangles that cover what is inside of each face: the hull of its corners, (n, 3, 3); and their faces."""
    most = 2 * len(inside.crossed) + 3 * len(inside.faces)
    numbers, vectors = (most,), (most, 3)
    corners = Corners(
        np.empty(numbers, np.int64), np.empty(vectors), np.empty(numbers), np.empty(numbers),
        np.empty(numbers, np.int64), np.empty(most + 1, np.int64), np.empty((most, 2)), np.empty(most + 1, np.int64),
        np.empty(vectors, np.int64), np.empty(numbers, np.int64),
    )  # fmt: skip
    pieces, owners = np.empty((most, 3, 3)), np.empty(most, np.int64)
    count = write_cover(inside, corners, np.zeros(len(inside.faces), np.bool_), pieces, owners)
    return pieces[:count], owners[:count]


@inlined_kernel
def add_corner(corners, count, face, point, normal):
    """Add a corner of what is inside of a face, as seen along the axis that the face looks along most."""
    x, y, z = abs(normal[0]), abs(normal[1]), abs(normal[2])
    corners.faces[count] = face
    set_row(corners.points, count, point)
    if x >= y and x >= z:
        corners.first[count], corners.second[count] = point[1], point[2]
    elif y >= z:
        corners.first[count], corners.second[count] = point[2], point[0]
    else:
        corners.first[count], corners.second[count] = point[0], point[1]


@inlined_kernel
def add_corners(inside, corners, cut):
    """Add the ends of all segments, and corners of faces: those in the other mesh; return how many there are."""
    count = 0
    for k in range(len(inside.crossed)):
        face = inside.crossed[k]
        cut[face] = True
        for end in range(2):
            point = row(inside.places, inside.ends[k, end])
            add_corner(corners, count, face, point, row(inside.normals, face))
            count += 1
    for face in range(len(inside.faces)):
        of_face = 0
        for k in range(3):
            of_face += inside.members[inside.faces[face, k]] != 0
        if of_face == 0 or (of_face < 3 and not cut[face]):
            continue
        for k in range(3):
            vertex = inside.faces[face, k]
            if inside.members[vertex] != 0:
                add_corner(corners, count, face, row(inside.points, vertex), row(inside.normals, face))
                count += 1
    return count


@kernel
def write_cover(inside, corners, cut, pieces, owners):
    """Write the triangles of `cover_inside` and their faces; return how many. `cut`: (m,), all False."""
    count = add_corners(inside, corners, cut)
    order_rows(corners.faces, corners.first, corners.second, count, corners.order, corners.spare)
    groups = 0
    for k in range(count):
        i = corners.order[k]
        corners.flat[k, 0], corners.flat[k, 1] = corners.first[i], corners.second[i]
        if k == 0 or corners.faces[i] != corners.faces[corners.order[k - 1]]:
            corners.starts[groups] = k
            groups += 1
    corners.starts[groups] = count
    starts = corners.starts[: groups + 1]
    number = fan_hulls(starts, corners.flat, corners.spare, corners.triangles, corners.owners)
    for t in range(number):
        for k in range(3):
            set_row(pieces[t], k, row(corners.points, corners.order[corners.triangles[t, k]]))
        owners[t] = corners.faces[corners.order[starts[corners.owners[t]]]]
    return number
