"""The memory in which contact patches are found, for the largest body pair of a piece of work.

Small records, since a kernel that is handed a large one pays for each of its arrays. Whoever fills a table or an index
empties it again, place by place: a body pair pays for what it has, not for the size of the memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.narrow.contact.segment import POLYGON_SHAPE

EMPTY = -1
MOST_FLOODED = 4096
"""vertices of two bodies inside of each other that are looked at beyond those of touching triangles"""
FACES_OF_A_NODE = 4
"""faces that are looked at for each of them; there are about two for each vertex of a mesh"""


class Joints(NamedTuple):
    """What neighbours on the curve have in common, and the pair that had it first: a table with open addressing."""

    entries: NDArray[np.int64]
    """(size, 2): key and value; the key is EMPTY where there is none"""
    used: NDArray[np.int64]
    """the places of all keys, in the order in which they came"""


class Curve(NamedTuple):
    """A row for each of k touching pairs of triangles."""

    lines: NDArray[np.float64]
    """(k, 15), see below"""
    marks: NDArray[np.int64]
    """(k, 4), see below"""


# Columns of `lines`:
FIRST = 0
SECOND = 3
"""the ends of the segment, directed along normal a × normal b"""
NORMAL_A = 6
NORMAL_B = 9
PUSH = 12
"""how the two triangles come apart, where that was needed"""
# Columns of `marks`, each for the first end, then for the second:
EDGE = 0
"""a number for the edge that an end is on and for the triangle that the edge pierces there; EMPTY for none"""
BEHIND = 2
"""the node of that edge behind the triangle; EMPTY for none"""


class Nodes(NamedTuple):
    """The vertices that count: n of them."""

    of_vertex: NDArray[np.int32]
    """(2, v): the node of each vertex of each side, EMPTY for none"""
    facts: NDArray[np.int64]
    """(n, 4), see below"""
    at: NDArray[np.float64]
    """(n, 4): where it is, and the squared distance from there to the nearest end of the curve on its edges"""


# Columns of `facts`:
VERTEX = 0
SIDE = 1
STATE = 2
HOME = 3
"""the triangle pair that the node belongs to"""
GAP = 3


class Faces(NamedTuple):
    """The faces of each side that touch the other or are inside of it."""

    state: NDArray[np.int32]
    """(2, f): EMPTY for all others, KNOWN, or the patch that has looked at it last"""
    flooded: NDArray[np.int64]
    """(m, 3): side, face and node of those inside that do not touch"""


KNOWN = -2


class Sets(NamedTuple):
    """Elements are k triangle pairs, then n nodes, then m flooded faces."""

    parent: NDArray[np.int64]
    """(k + n,): union-find"""
    patch: NDArray[np.int64]
    """(k + n,): the number of an element's patch, EMPTY for none"""
    after: NDArray[np.int64]
    """(k + n + m,): the next element of the same patch"""
    head: NDArray[np.int64]
    """(k,): the first element of each patch"""
    sums: NDArray[np.float64]
    """(k, SUMS): what is added up for each patch, see below"""


LENGTH = 0
MIDDLE = 1
AREA = 4
FACING = 7
FACINGS = 10
COUNT = 11
LEAKY = 12
SPLIT = 13
DEEPEST = 14
"""of the single triangle pairs, where their pushes were needed"""
SUMS = 15


# The last column of `spots`:
LEAVES = 3


class Seen(NamedTuple):
    """A patch as seen along its normal: two coordinates across, one along it."""

    cap: NDArray[np.float64]
    """(c, 9): three corners of each face"""
    spots: NDArray[np.float64]
    """(2k + n + 1, 4): candidates for contact points, and how far each is from where its edge leaves the other body"""
    kinds: NDArray[np.int64]
    """(2k + n + 1, 2): what kind of candidate, and the number of its node or end"""
    chosen: NDArray[np.float64]
    """(4, 3): candidate, depth and height of the points that were chosen"""


class Found(NamedTuple):
    """The points of the patches of one body pair."""

    rows: NDArray[np.float64]
    """(8, 4, 7): point, normal, depth"""
    keys: NDArray[np.int64]
    """(8, 4)"""
    numbers: NDArray[np.int64]
    """(2, 8): the patches that get points, and how many each has"""


class Workspace(NamedTuple):
    """All that a thread needs."""

    curve: Curve
    joints: Joints
    nodes: Nodes
    faces: Faces
    sets: Sets
    seen: Seen
    found: Found
    counts: NDArray[np.int64]
    """how much of the above is in use, see below"""
    room: NDArray[np.float64]


NODES = 0
JOINTS = 1
OPEN_ENDS = 2
FLOODED = 3


def make_workspace(pairs: int, vertices: int, faces: int) -> Workspace:
    """Return memory for body pairs of at most so many triangle pairs, and for as many vertices and faces in all."""
    nodes = 4 * pairs + MOST_FLOODED
    flooded = FACES_OF_A_NODE * MOST_FLOODED
    spots = 2 * pairs + nodes + 1
    return Workspace(
        Curve(np.empty((pairs, 15)), _whole(pairs, 4)),
        Joints(np.full((joints_size(pairs), 2), EMPTY, np.int64), _whole(8 * pairs)),
        Nodes(np.full((2, vertices), EMPTY, np.int32), _whole(nodes, 4), np.empty((nodes, 4))),
        Faces(np.full((2, faces), EMPTY, np.int32), _whole(flooded, 3)),
        Sets(
            _whole(pairs + nodes),
            _whole(pairs + nodes),
            _whole(pairs + nodes + flooded),
            _whole(pairs),
            np.empty((pairs, SUMS)),
        ),
        Seen(np.empty((2 * pairs + flooded, 9)), np.empty((spots, 4)), _whole(spots, 2), np.empty((4, 3))),
        Found(np.empty((8, 4, 7)), _whole(8, 4), _whole(2, 8)),
        _whole(8),
        np.empty(POLYGON_SHAPE),
    )


def _whole(*shape: int) -> NDArray[np.int64]:
    return np.empty(shape, np.int64)


def joints_size(pairs: int) -> int:
    """Return the size of the table for so many triangle pairs: twice as many places as keys, and a power of two."""
    return 1 << (16 * pairs - 1).bit_length()


@inlined_kernel
def mixed(x, y):
    """Return a number from 0 on that depends on every bit of two others."""
    h = (np.int64(x) + 0x2545F491) * np.int64(-7046029254386353131) + np.int64(y)
    h = (h ^ (h >> 32)) * np.int64(-4658895280553007687)
    h = (h ^ (h >> 29)) * np.int64(-7723592293110705685)
    return (h ^ (h >> 32)) & 0x7FFFFFFFFFFFFFFF


@inlined_kernel
def slot_of(entries, mask, key):
    """Return where a key is in the first mask + 1 places of a table, or the empty place where it would be."""
    slot = key & mask
    while entries[slot, 0] != key and entries[slot, 0] != EMPTY:
        slot = (slot + 1) & mask
    return slot


@inlined_kernel
def insert(joints, slot, key, value, count):
    """Put a key with a value in an empty place; return the new number of keys."""
    joints.entries[slot, 0], joints.entries[slot, 1] = key, value
    joints.used[count] = slot
    return count + 1


@kernel
def clear_joints(joints, count):
    """Empty the places of a table that were used."""
    for k in range(count):
        joints.entries[joints.used[k], 0] = EMPTY


@kernel
def clear_nodes(nodes, count):
    """Forget all nodes."""
    for node in range(count):
        nodes.of_vertex[nodes.facts[node, SIDE], nodes.facts[node, VERTEX]] = EMPTY


@kernel
def clear_faces(faces, triangles, first_a, first_b, count):
    """Forget the touching faces and the flooded ones."""
    for k in range(triangles.shape[0]):
        faces.state[0, first_a + triangles[k, 0]] = EMPTY
        faces.state[1, first_b + triangles[k, 1]] = EMPTY
    for k in range(count):
        faces.state[faces.flooded[k, 0], faces.flooded[k, 1]] = EMPTY


@inlined_kernel
def root_of(parent, x):
    """Return the element that stands for x's set."""
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


@inlined_kernel
def unite(parent, x, y):
    """Make one set of two; the smaller number stands for it."""
    x, y = root_of(parent, x), root_of(parent, y)
    if x < y:
        parent[y] = x
    else:
        parent[x] = y


@inlined_kernel
def triple(array, k, column):
    """Return three neighbouring numbers of a row."""
    return array[k, column], array[k, column + 1], array[k, column + 2]


@inlined_kernel
def put_triple(array, k, column, values):
    """Write three neighbouring numbers of a row."""
    array[k, column], array[k, column + 1], array[k, column + 2] = values
