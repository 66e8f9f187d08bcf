"""The memory in which contact patches are found, for the largest body pair of a piece of work.

Small records, since a kernel that is handed a large one pays for each of its arrays. What fills a table or an index
empties it again, entry by entry: a body pair pays for what it has, not for the size of the memory.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.manifold import columns as col
from tumble.dynamics.manifold.surfaces import Surfaces
from tumble.narrow.contact.segment import POLYGON_SHAPE

EMPTY = -1
KNOWN = -2
"""state of a face that touches the other body or is inside of it"""
SIDE_A = 0
SIDE_B = 1

POINTS_IN_PATCH = 4
"""contact points of one connected patch, at most"""
MOST_POINTS = 8
"""contact points of two bodies, at most"""
MOST_PATCHES = 8
"""patches of a body pair that get points: those with the longest curves"""
MOST_FLOODED = 4096
"""vertices of two bodies inside of each other that are visited beyond those of touching triangles"""
FACES_PER_NODE = 4
"""faces that are visited for each of them; there are about two for each vertex of a mesh"""


class BodyPair(NamedTuple):
    """Two bodies and their k touching triangle pairs."""

    surfaces: Surfaces
    pose_a: NDArray[np.float64]
    first_a: int  # the number of a's first face among those of all meshes
    pose_b: NDArray[np.float64]
    first_b: int
    triangles: NDArray[np.int64]  # (k, 2)


class Curve(NamedTuple):
    """A row for each of k touching pairs of triangles."""

    lines: NDArray[np.float64]  # (k, LINES)
    marks: NDArray[np.int64]  # (k, MARKS)


class Joints(NamedTuple):
    """What neighbours on the curve have in common, and the pair that had it first: a table with open addressing."""

    entries: NDArray[np.int64]  # (size, ENTRIES)
    used: NDArray[np.int64]  # the places of all keys, in the order in which they came


class Nodes(NamedTuple):
    """The vertices that count: n of them."""

    of_vertex: NDArray[np.int32]  # (2, v): the node of each vertex of each side, EMPTY for none
    facts: NDArray[np.int64]  # (n, FACTS)
    at: NDArray[np.float64]  # (n, AT)


class Faces(NamedTuple):
    """The faces of each side that touch the other or are inside of it."""

    state: NDArray[np.int32]  # (2, f): EMPTY for all others, KNOWN, or the last patch that visited it
    flooded: NDArray[np.int64]  # (m, FLOODED_COLUMNS): those inside that do not touch


class Sets(NamedTuple):
    """Elements are k triangle pairs, then n nodes, then m flooded faces."""

    parent: NDArray[np.int64]  # (k + n,): union-find
    patch: NDArray[np.int64]  # (k + n,): the number of an element's patch, EMPTY for none
    after: NDArray[np.int64]  # (k + n + m,): the next element of the same patch
    head: NDArray[np.int64]  # (k,): the first element of each patch
    sums: NDArray[np.float64]  # (k, SUMS): what is added up for each patch


class PatchView(NamedTuple):
    """A patch seen along its normal: two coordinates across, one along it."""

    cap: NDArray[np.float64]  # (c, CORNERS): the faces of a from the start, those of b from the end
    spots: NDArray[np.float64]  # (2k + n + 1, SPOTS): candidates for contact points
    kinds: NDArray[np.int64]  # (2k + n + 1, KINDS)
    chosen: NDArray[np.float64]  # (POINTS_IN_PATCH, CHOSEN)


class PatchPoints(NamedTuple):
    """The points of the patches of one body pair."""

    rows: NDArray[np.float64]  # (MOST_PATCHES, POINTS_IN_PATCH, ROW)
    keys: NDArray[np.int64]  # (MOST_PATCHES, POINTS_IN_PATCH)
    patches: NDArray[np.int64]  # (MOST_PATCHES,): the numbers of the patches that get points
    sizes: NDArray[np.int64]  # (MOST_PATCHES,): how many points each has


class Workspace(NamedTuple):
    """All that a thread needs."""

    curve: Curve
    joints: Joints
    nodes: Nodes
    faces: Faces
    sets: Sets
    patch_view: PatchView
    found: PatchPoints
    counts: NDArray[np.int64]  # (COUNTS,): how much of the above is in use
    scratch: NDArray[np.float64]  # in which coplanar triangles are clipped


def make_workspace(pairs: int, vertices: int, faces: int) -> Workspace:
    """Return memory for body pairs of at most `pairs` triangle pairs, on surfaces of these sizes."""
    nodes = 4 * pairs + MOST_FLOODED
    flooded = FACES_PER_NODE * MOST_FLOODED
    spots = 2 * pairs + nodes + 1
    table = 1 << (16 * pairs - 1).bit_length()  # twice as many places as keys, and a power of two
    return Workspace(
        Curve(np.empty((pairs, col.LINES)), _integers(pairs, col.MARKS)),
        Joints(np.full((table, col.ENTRIES), EMPTY, np.int64), _integers(8 * pairs)),
        Nodes(np.full((2, vertices), EMPTY, np.int32), _integers(nodes, col.FACTS), np.empty((nodes, col.AT))),
        Faces(np.full((2, faces), EMPTY, np.int32), _integers(flooded, col.FLOODED_COLUMNS)),
        Sets(
            *(_integers(pairs + nodes), _integers(pairs + nodes), _integers(pairs + nodes + flooded), _integers(pairs)),
            np.empty((pairs, col.SUMS)),
        ),
        PatchView(
            np.empty((2 * pairs + flooded, col.CORNERS)),
            np.empty((spots, col.SPOTS)),
            _integers(spots, col.KINDS),
            np.empty((POINTS_IN_PATCH, col.CHOSEN)),
        ),
        PatchPoints(
            np.empty((MOST_PATCHES, POINTS_IN_PATCH, col.ROW)),
            _integers(MOST_PATCHES, POINTS_IN_PATCH),
            *(_integers(MOST_PATCHES), _integers(MOST_PATCHES)),
        ),
        _integers(col.COUNTS),
        np.empty(POLYGON_SHAPE),
    )


def _integers(*shape: int) -> NDArray[np.int64]:
    return np.empty(shape, np.int64)
