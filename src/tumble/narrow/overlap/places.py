"""The places where edges of one mesh pierce faces of the other: numbered by what meets there, never by coordinates.

Each segment (`segments`) starts and ends at a place; a place is the end of one segment, and the start of another. In
order, places are sorted by the mesh whose edge it is, the edge and the face; along each edge by how far they are on it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import along, row, set_row
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.narrow.overlap.order import order_rows
from tumble.narrow.overlap.points import pierced_at
from tumble.narrow.overlap.segments import EDGES_OF_B, END, FACE_A, FACE_B, START

OWNER, EDGE, FACE = range(3)
"""columns of a feature"""


class Boundary(NamedTuple):
    """A mesh as the boundary of a solid."""

    points: NDArray[np.float64]  # (p, 3)
    faces: NDArray[np.int32]  # (m, 3)
    numbers: NDArray[np.int32]  # (m, 3) the edge from corner k to the next
    ends: NDArray[np.int64]  # (e, 2) the vertices of edges, the lower one first
    weights: NDArray[np.int8]  # (m,)


class Places(NamedTuple):
    """What is found out about n places; there is memory for two of each of k segments."""

    ends: NDArray[np.int64]
    """(k, 2) the places where segments start and end"""
    features: NDArray[np.int64]
    """(n, 3) whose edge it is on, 0 or 1, the edge, and the face of the other mesh"""
    upward: NDArray[np.int64]
    """(n,) 1 where the edge, from its lower vertex on, comes out through the front of the face, else -1"""
    points: NDArray[np.float64]
    """(n, 3)"""
    shares: NDArray[np.float64]
    """(n,) how far along its edge a place is, from 0 to 1"""
    jumps: NDArray[np.int64]
    """(n,) how much the membership in the other mesh grows there, along the edge"""
    order: NDArray[np.int64]
    """(n,) places sorted along the edges, those of each edge where their features are"""


class Stubs(NamedTuple):
    """Memory for the ends of segments, which are to be sorted."""

    edges: NDArray[np.int64]
    faces: NDArray[np.float64]
    ways: NDArray[np.float64]
    order: NDArray[np.int64]
    spare: NDArray[np.int64]


def places_of(segments: NDArray[np.int64], a: Boundary, b: Boundary) -> Places:
    """Return the places at the ends of segments."""
    most = 2 * len(segments)
    numbers = (most,)
    places = Places(
        np.empty((len(segments), 2), np.int64), np.empty((most, 3), np.int64), np.empty(numbers, np.int64),
        np.empty((most, 3)), np.empty(numbers), np.empty(numbers, np.int64), np.empty(numbers, np.int64),
    )  # fmt: skip
    if most == 0:
        return places
    stubs = Stubs(
        np.empty(numbers, np.int64), np.empty(numbers), np.empty(numbers), np.empty(numbers, np.int64),
        np.empty(numbers, np.int64),
    )  # fmt: skip
    count = write_all_places(segments, a, b, stubs, places)
    return Places(
        places.ends, places.features[:count], places.upward[:count], places.points[:count], places.shares[:count],
        places.jumps[:count], places.order[:count],
    )  # fmt: skip


@inlined_kernel
def add_stub(segments, k, column, mesh, stubs, i):
    """Write whose edge is at one end of a segment, the edge, the face of the other mesh, and the way through it."""
    local = segments[k, column]
    of_b = local >= EDGES_OF_B
    own, corner = segments[k, FACE_B if of_b else FACE_A], local % 3
    ascending = mesh.faces[own, corner] < mesh.faces[own, (corner + 1) % 3]
    outward = (column == START) != of_b  # see `segments`
    stubs.edges[i] = np.int64(of_b) << 32 | np.int64(mesh.numbers[own, corner])
    stubs.faces[i] = segments[k, FACE_A if of_b else FACE_B]
    stubs.ways[i] = 1.0 if ascending == outward else -1.0


@inlined_kernel
def number_stubs(stubs, total, places):
    """Give ends with one feature one number, in order; return how many there are."""
    count = 0
    for k in range(total):
        i = stubs.order[k]
        before = stubs.order[k - 1] if k > 0 else i
        if k == 0 or stubs.edges[i] != stubs.edges[before] or stubs.faces[i] != stubs.faces[before]:
            places.features[count, OWNER] = stubs.edges[i] >> 32
            places.features[count, EDGE] = stubs.edges[i] & 0xFFFFFFFF
            places.features[count, FACE] = np.int64(stubs.faces[i])
            places.upward[count] = np.int64(stubs.ways[i])
            count += 1
        half = total // 2
        places.ends[i % half, i // half] = count - 1
    return count


@inlined_kernel
def write_place(own, other, places, k):
    """Write where an edge pierces a face, and how much the membership grows there."""
    edge, face = places.features[k, EDGE], places.features[k, FACE]
    u, v = row(own.points, own.ends[edge, 0]), row(own.points, own.ends[edge, 1])
    p, q = row(other.points, other.faces[face, 0]), row(other.points, other.faces[face, 1])
    share = pierced_at(u, v, p, q, row(other.points, other.faces[face, 2]))
    places.shares[k] = share
    # from the nearer end: so a place next to a vertex keeps its digits
    set_row(places.points, k, along(u, v, share) if share <= 0.5 else along(v, u, 1.0 - share))
    places.jumps[k] = -places.upward[k] * np.int64(other.weights[face])


@kernel
def write_all_places(segments, a, b, stubs, places):
    """Number the places at the ends of segments and write all about them; return how many there are."""
    half = len(segments)
    for column in range(START, END + 1):
        for k in range(half):
            mesh = b if segments[k, column] >= EDGES_OF_B else a
            add_stub(segments, k, column, mesh, stubs, (column - START) * half + k)
    order_rows(stubs.edges, stubs.faces, stubs.ways, 2 * half, stubs.order, stubs.spare)
    count = number_stubs(stubs, 2 * half, places)
    for k in range(count):
        if k & OFTEN == 0 and poll(0) != GO_ON:
            break
        if places.features[k, OWNER] == 0:
            write_place(a, b, places, k)
        else:
            write_place(b, a, places, k)
        stubs.edges[k] = places.features[k, OWNER] << 32 | places.features[k, EDGE]
        stubs.faces[k], stubs.ways[k] = places.shares[k], 0.0
    order_rows(stubs.edges, stubs.faces, stubs.ways, count, places.order, stubs.spare)
    return count
