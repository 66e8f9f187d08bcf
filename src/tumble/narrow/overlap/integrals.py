"""Volume and first moments of what two meshes have in common, by integrals over the parts of each surface in the other.

The boundary of the common solid consists of parts of faces of either mesh. Each part is bounded by pieces of the face's
own edges, inside of the other mesh, and by the segments in which the face crosses the other mesh. Over all directed
pieces p q of a part's boundary, the tetrahedra (centre, o, p, q) add up to the cone from the centre over the part,
wherever in the face o is. So no part has to be cut into triangles, nor to be known as a whole.

Sums are compensated (A. Neumaier, 1974): their rounding does not grow with the number of faces.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, minus, row, scaled
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.narrow.overlap.places import EDGE, OWNER, Boundary
from tumble.narrow.overlap.segments import FACE_A, FACE_B

# Rows of the sums: six times the volume, 24 times the first moments, six times the volume without signs, the number of
# cones.
VOLUME, MOMENT, ABSOLUTE, COUNT = 0, 1, 4, 5
SUMS = 6, 2
TRIANGLE = 11
"""numbers of a triangle that is kept: nine coordinates, as seen from the centre, its weight, and whose face it is on"""

WHOLE = -1
"""the reference of a face that nothing crosses"""


class Frame(NamedTuple):
    """From where, and at what scale, volumes are measured."""

    centre: tuple[float, float, float]
    scale: float


class Side(NamedTuple):
    """One mesh, and what is known of it in the other."""

    mesh: Boundary
    members: NDArray[np.int64]
    """(n,) the membership of each vertex in the other mesh"""
    first: NDArray[np.int64]
    """(edges + 1,) where the places of each edge begin, in order"""
    reference: NDArray[np.int64]
    """(m,) for each face, a place, or WHOLE"""


def side_of(mesh: Boundary, members: NDArray[np.int64]) -> Side:
    """Return a side with memory for what `write_sides` writes."""
    return Side(mesh, members, np.empty(len(mesh.ends) + 1, np.int64), np.empty(len(mesh.faces), np.int64))


@inlined_kernel
def write_side(owner, side, segments, places):
    """Write where the places of each edge of a mesh begin, and a place for each face that is crossed, else WHOLE."""
    k, count = 0, len(places.features)
    while k < count and places.features[k, OWNER] < owner:
        k += 1
    for edge in range(len(side.first)):
        while k < count and places.features[k, OWNER] == owner and places.features[k, EDGE] < edge:
            k += 1
        side.first[edge] = k
    for face in range(len(side.reference)):
        side.reference[face] = WHOLE
    for k in range(len(segments)):
        side.reference[segments[k, FACE_A if owner == 0 else FACE_B]] = places.ends[k, 0]


@inlined_kernel
def widen(box, p):
    """Make a box so large that a point is in it."""
    for axis in range(3):
        box[0, axis], box[1, axis] = min(box[0, axis], p[axis]), max(box[1, axis], p[axis])


@kernel
def write_sides(a, b, segments, places, box):
    """Write what `add_common` needs to know of both sides, and the box around all corners of what is common.

    Return how many corners there are: places where a membership changes, and vertices inside.
    """
    write_side(0, a, segments, places)
    write_side(1, b, segments, places)
    count = 0
    for axis in range(3):
        box[0, axis], box[1, axis] = np.inf, -np.inf
    for k in range(len(places.jumps)):
        if places.jumps[k] != 0:
            widen(box, row(places.points, k))
            count += 1
    for side in (a, b):
        for v in range(len(side.members)):
            if side.members[v] != 0:
                widen(box, row(side.mesh.points, v))
                count += 1
    return count


@kernel
def add(sums, i, value):
    """Add a number to a sum and what was rounded off to its second number."""
    total = sums[i, 0] + value
    if abs(sums[i, 0]) >= abs(value):
        sums[i, 1] += (sums[i, 0] - total) + value
    else:
        sums[i, 1] += (value - total) + sums[i, 0]
    sums[i, 0] = total


@kernel
def seen(frame, p):
    """Return a point as seen from the centre."""
    return scaled(minus(p, frame.centre), frame.scale)


@kernel
def add_cone(sums, kept, owner, weight, o, p, q):
    """Add the tetrahedron from the centre over a triangle, all as seen from there, and keep the triangle if it fits."""
    number = int(sums[COUNT, 0])
    sums[COUNT, 0] = number + 1
    if number < len(kept):
        for axis in range(3):
            kept[number, axis], kept[number, 3 + axis], kept[number, 6 + axis] = o[axis], p[axis], q[axis]
        kept[number, 9], kept[number, 10] = weight, owner
    volume = weight * dot(o, cross(minus(p, o), minus(q, o)))
    add(sums, VOLUME, volume)
    add(sums, ABSOLUTE, abs(volume))
    for axis in range(3):
        add(sums, MOMENT + axis, volume * (o[axis] + p[axis] + q[axis]))


@inlined_kernel
def add_edge(owner, side, places, frame, face, k, o, sums, kept):
    """Add what an edge of a face bounds: its pieces in the other mesh."""
    mesh = side.mesh
    number, u, v = mesh.numbers[face, k], mesh.faces[face, k], mesh.faces[face, (k + 1) % 3]
    low, high, weight = (u, v, mesh.weights[face]) if u < v else (v, u, -mesh.weights[face])
    member, start = side.members[low], seen(frame, row(mesh.points, low))
    for i in range(side.first[number], side.first[number + 1]):
        place = places.order[i]
        end = seen(frame, row(places.points, place))
        if member != 0:
            add_cone(sums, kept, owner, weight * member, o, start, end)
        member, start = member + places.jumps[place], end
    if member != 0:
        add_cone(sums, kept, owner, weight * member, o, start, seen(frame, row(mesh.points, high)))


@kernel
def add_faces(owner, side, places, frame, sums, kept):
    """Add what the edges of all faces of a mesh bound."""
    mesh = side.mesh
    for face in range(len(mesh.faces)):
        if face & OFTEN == 0 and poll(0) != GO_ON:
            break
        first, second, third = mesh.numbers[face, 0], mesh.numbers[face, 1], mesh.numbers[face, 2]
        if mesh.weights[face] == 0 or min(first, second, third) < 0:  # no boundary, or without area
            continue
        if side.reference[face] != WHOLE:
            o = seen(frame, row(places.points, side.reference[face]))
            for k in range(3):
                add_edge(owner, side, places, frame, face, k, o, sums, kept)
        elif side.members[mesh.faces[face, 0]] != 0:
            o = seen(frame, row(mesh.points, mesh.faces[face, 0]))
            p = seen(frame, row(mesh.points, mesh.faces[face, 1]))
            q = seen(frame, row(mesh.points, mesh.faces[face, 2]))
            add_cone(sums, kept, owner, mesh.weights[face] * side.members[mesh.faces[face, 0]], o, p, q)


@kernel
def add_segments(segments, a, b, places, frame, sums, kept):
    """Add what the segments bound."""
    for k in range(len(segments)):
        if k & OFTEN == 0 and poll(0) != GO_ON:
            break
        f, g = segments[k, FACE_A], segments[k, FACE_B]
        weight = a.mesh.weights[f] * b.mesh.weights[g]
        if weight == 0:
            continue
        start = seen(frame, row(places.points, places.ends[k, 0]))
        end = seen(frame, row(places.points, places.ends[k, 1]))
        add_cone(sums, kept, 0, weight, seen(frame, row(places.points, a.reference[f])), start, end)
        add_cone(sums, kept, 1, weight, seen(frame, row(places.points, b.reference[g])), end, start)


@kernel
def add_common(a, b, segments, places, frame, sums, kept):
    """Add all that bounds what two meshes have in common; `write_sides` comes before."""
    add_faces(0, a, places, frame, sums, kept)
    add_faces(1, b, places, frame, sums, kept)
    add_segments(segments, a, b, places, frame, sums, kept)


class Totals(NamedTuple):
    """What the sums are, at the scale of the frame."""

    volume: float
    moments: NDArray[np.float64]
    absolute: float
    """the volume without signs"""
    triangles: NDArray[np.float64]
    """(k, TRIANGLE) what bounds the volume, as signed triangles"""


def totals(add: Callable[[NDArray[np.float64], NDArray[np.float64]], None], capacity: int) -> Totals:
    """Return what `add(sums, kept)` sums up; it is called again when there are more triangles than were guessed."""
    while True:
        sums, kept = np.zeros(SUMS), np.empty((capacity, TRIANGLE))
        add(sums, kept)
        count = int(sums[COUNT, 0])
        if count <= capacity:
            whole = sums.sum(axis=1)
            moments = whole[MOMENT : MOMENT + 3] / 24.0
            return Totals(float(whole[VOLUME]) / 6.0, moments, float(whole[ABSOLUTE]) / 6.0, kept[:count])
        capacity = count
