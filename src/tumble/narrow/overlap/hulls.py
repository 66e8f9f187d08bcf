"""Convex hulls of points in planes, many at a time, as fans of triangles; what they cover of the faces of a mesh."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import row, set_row
from tumble.core.union_find import root_of, unite
from tumble.narrow.overlap.order import order_rows
from tumble.narrow.overlap.places import EDGE, OWNER, Boundary, Places

NO_CORNER = -1


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

    owner: int
    """0 for a, 1 for b"""
    mesh: Boundary
    normals: NDArray[np.float64]  # (m, 3)
    members: NDArray[np.int64]
    """(p,) 0 for vertices outside"""
    crossed: NDArray[np.int64]
    """(k,) the faces of segments"""
    places: Places


class Corners(NamedTuple):
    """Memory for corners of the parts of faces that are inside."""

    faces: NDArray[np.int64]  # (n,)
    places: NDArray[np.int64]
    """(n,) a place, or a vertex v as -1 - v"""
    parts: NDArray[np.int64]
    """(n,) the first corner that bounds the same part of the face"""
    points: NDArray[np.float64]  # (n, 3)
    first: NDArray[np.float64]  # (n,)
    second: NDArray[np.float64]  # (n,)
    order: NDArray[np.int64]  # (n,)
    spare: NDArray[np.int64]  # (n + 1,)
    flat: NDArray[np.float64]  # (n, 2)
    starts: NDArray[np.int64]  # (n + 1,)
    triangles: NDArray[np.int64]  # (n, 3)
    owners: NDArray[np.int64]  # (n,)
    at_place: NDArray[np.int64]
    """(places,) the corner at each place of the face at hand"""


def cover_inside(inside: Inside) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return triangles that cover what is inside of each face: (n, 3, 3), and their faces.

    What is inside of a face has parts, each bounded by segments and by pieces of the face's edges that are connected.
    It lies in the hull of their corners.
    """
    faces = len(inside.mesh.faces)
    most = 2 * len(inside.crossed) + 3 * faces
    one, three = (most,), (most, 3)
    corners = Corners(
        np.empty(one, np.int64), np.empty(one, np.int64), np.empty(one, np.int64), np.empty(three), np.empty(one),
        np.empty(one), np.empty(one, np.int64), np.empty(most + 1, np.int64), np.empty((most, 2)),
        np.empty(most + 1, np.int64), np.empty(three, np.int64), np.empty(one, np.int64),
        np.empty(len(inside.places.points), np.int64),
    )  # fmt: skip
    pieces, owners = np.empty((most, 3, 3)), np.empty(most, np.int64)
    count = write_cover(inside, corners, np.zeros(faces, np.bool_), pieces, owners)
    return pieces[:count], owners[:count]


@inlined_kernel
def add_corner(corners, count, face, place, point, normal):
    """Add a corner of what is inside of a face, as seen along the axis that the face looks along most."""
    x, y, z = abs(normal[0]), abs(normal[1]), abs(normal[2])
    corners.faces[count], corners.places[count], corners.parts[count] = face, place, count
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
    count, mesh = 0, inside.mesh
    for k in range(len(inside.crossed)):
        face = inside.crossed[k]
        cut[face] = True
        for end in range(2):
            place = inside.places.ends[k, end]
            add_corner(corners, count, face, place, row(inside.places.points, place), row(inside.normals, face))
            count += 1
        unite(corners.parts, count - 2, count - 1)
    for face in range(len(mesh.faces)):
        of_face = 0
        for k in range(3):
            of_face += inside.members[mesh.faces[face, k]] != 0
        if of_face == 0 or (of_face < 3 and not cut[face]):
            continue
        for k in range(3):
            vertex = mesh.faces[face, k]
            if inside.members[vertex] != 0:
                add_corner(corners, count, face, -1 - vertex, row(mesh.points, vertex), row(inside.normals, face))
                count += 1
    return count


@inlined_kernel
def first_place_on(edge, owner, features):
    """Return the first place on an edge of a mesh, or where it would be, in order."""
    low, high = 0, len(features)
    while low < high:
        middle = (low + high) // 2
        if features[middle, OWNER] < owner or (features[middle, OWNER] == owner and features[middle, EDGE] < edge):
            low = middle + 1
        else:
            high = middle
    return low


@inlined_kernel
def unite_along(edge, ends, inside, corners):
    """Unite the corners between which an edge of the face at hand is inside; return whether all were known.

    ends   the corners at its lower and at its upper vertex, NO_CORNER for those outside
    """
    low, places = inside.mesh.ends[edge, 0], inside.places
    member, before, k = inside.members[low], ends[0], first_place_on(edge, inside.owner, places.features)
    known = True
    while k < len(places.features) and places.features[k, OWNER] == inside.owner and places.features[k, EDGE] == edge:
        place = places.order[k]
        here = corners.at_place[place]
        known = known and here != NO_CORNER
        if member != 0 and known and before != NO_CORNER:
            unite(corners.parts, before, here)
        member, before = member + places.jumps[place], here
        k += 1
    if member != 0 and before != NO_CORNER and ends[1] != NO_CORNER:
        unite(corners.parts, before, ends[1])
    return known


@inlined_kernel
def corner_at(vertex, low, high, order, places):
    """Return the corner of the face at hand that is a vertex, or NO_CORNER."""
    found = NO_CORNER
    for k in range(low, high):
        i = order[k]
        if places[i] == -1 - vertex:
            found = i
    return found


@inlined_kernel
def unite_parts(inside, corners, low, high):
    """Unite the corners of a face, from `low` to `high` in order, that bound one part of what is inside of it."""
    face, mesh = corners.faces[corners.order[low]], inside.mesh
    known = True
    for edge in range(3):
        number = mesh.numbers[face, edge]
        if number < 0:
            known = False
            continue
        k = first_place_on(number, inside.owner, inside.places.features)
        while (
            k < len(inside.places.features)
            and inside.places.features[k, EDGE] == number
            and (inside.places.features[k, OWNER] == inside.owner)
        ):
            corners.at_place[inside.places.order[k]] = NO_CORNER
            k += 1
    for k in range(low, high):  # several segments may end at a place
        i = corners.order[k]
        if corners.places[i] >= 0:
            corners.at_place[corners.places[i]] = NO_CORNER
    for k in range(low, high):
        i = corners.order[k]
        place = corners.places[i]
        if place >= 0:
            if corners.at_place[place] == NO_CORNER:
                corners.at_place[place] = i
            unite(corners.parts, corners.at_place[place], i)
    for edge in range(3):
        number = mesh.numbers[face, edge]
        if number >= 0:
            ends = mesh.ends[number, 0], mesh.ends[number, 1]
            known = (
                unite_along(
                    number,
                    (
                        corner_at(ends[0], low, high, corners.order, corners.places),
                        corner_at(ends[1], low, high, corners.order, corners.places),
                    ),
                    inside,
                    corners,
                )
                and known
            )
    if not known:  # it is one part as far as is known
        for k in range(low + 1, high):
            unite(corners.parts, corners.order[low], corners.order[k])


@kernel
def write_cover(inside, corners, cut, pieces, owners):
    """Write the triangles of `cover_inside` and their faces; return how many. `cut`: (m,), all False."""
    count = add_corners(inside, corners, cut)
    order_rows(corners.faces, corners.first, corners.second, count, corners.order, corners.spare)
    low = 0
    for k in range(1, count + 1):
        if k == count or corners.faces[corners.order[k]] != corners.faces[corners.order[low]]:
            unite_parts(inside, corners, low, k)
            low = k
    for i in range(count):
        corners.parts[i] = root_of(corners.parts, i)
    for i in range(count):
        corners.faces[i] = corners.faces[i] << 32 | corners.parts[i]
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
        owners[t] = corners.faces[corners.order[starts[corners.owners[t]]]] >> 32
    return number
