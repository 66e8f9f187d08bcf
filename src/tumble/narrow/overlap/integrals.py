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

from tumble.core.jit import kernel
from tumble.core.linear import cross, dot, minus, row, scaled
from tumble.core.poll import GO_ON, OFTEN, poll

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
    """One mesh, and where its edges pierce the other."""

    owner: int
    """0 for a, 1 for b"""
    points: NDArray[np.float64]
    faces: NDArray[np.int32]
    numbers: NDArray[np.int32]
    """(m, 3) the edge from each corner to the next; -1 for none"""
    weights: NDArray[np.int8]
    members: NDArray[np.int64]
    """(n,) the membership of each vertex in the other mesh"""
    first: NDArray[np.int64]
    """(edges + 1,) where the places of each edge begin"""
    places: NDArray[np.float64]
    """(k, 3) by edges, in order along each"""
    jumps: NDArray[np.int64]
    """(k,) how much the membership grows there"""
    reference: NDArray[np.int64]
    """(m,) for each face, a row of `references`, or WHOLE"""
    references: NDArray[np.float64]


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


@kernel
def add_edge(side, frame, face, k, o, sums, kept):
    """Add what an edge of a face bounds: its pieces in the other mesh."""
    number, u, v = side.numbers[face, k], side.faces[face, k], side.faces[face, (k + 1) % 3]
    low, high, weight = (u, v, side.weights[face]) if u < v else (v, u, -side.weights[face])
    member, start = side.members[low], seen(frame, row(side.points, low))
    for i in range(side.first[number], side.first[number + 1]):
        end = seen(frame, row(side.places, i))
        if member != 0:
            add_cone(sums, kept, side.owner, weight * member, o, start, end)
        member, start = member + side.jumps[i], end
    if member != 0:
        add_cone(sums, kept, side.owner, weight * member, o, start, seen(frame, row(side.points, high)))


@kernel
def add_faces(side, frame, sums, kept):
    """Add what the edges of all faces of a mesh bound."""
    for face in range(len(side.faces)):
        if face & OFTEN == 0 and poll(0) != GO_ON:
            break
        first, second, third = side.numbers[face, 0], side.numbers[face, 1], side.numbers[face, 2]
        if side.weights[face] == 0 or min(first, second, third) < 0:  # no boundary, or without area
            continue
        if side.reference[face] != WHOLE:
            o = seen(frame, row(side.references, side.reference[face]))
            for k in range(3):
                add_edge(side, frame, face, k, o, sums, kept)
        elif side.members[side.faces[face, 0]] != 0:
            o = seen(frame, row(side.points, side.faces[face, 0]))
            p = seen(frame, row(side.points, side.faces[face, 1]))
            q = seen(frame, row(side.points, side.faces[face, 2]))
            add_cone(sums, kept, side.owner, side.weights[face] * side.members[side.faces[face, 0]], o, p, q)


@kernel
def add_segments(segments, weights_a, weights_b, reference_a, reference_b, places, frame, sums, kept):
    """Add what the segments bound: rows of a's face, b's face, and the places of start and end."""
    for k in range(len(segments)):
        if k & OFTEN == 0 and poll(0) != GO_ON:
            break
        f, g = segments[k, 0], segments[k, 1]
        weight = weights_a[f] * weights_b[g]
        if weight == 0:
            continue
        start, end = seen(frame, row(places, segments[k, 2])), seen(frame, row(places, segments[k, 3]))
        add_cone(sums, kept, 0, weight, seen(frame, row(places, reference_a[f])), start, end)
        add_cone(sums, kept, 1, weight, seen(frame, row(places, reference_b[g])), end, start)


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
