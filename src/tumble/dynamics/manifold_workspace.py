"""The memory in which contact patches are found: arrays for the largest body pair of a piece of work, and hash tables.

A table is an array of keys, EMPTY where there is none, and of values beside it; whoever fills it keeps a list of the
places that it used and empties them again. So a body pair pays for what it has, not for the size of the memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.jit import kernel
from tumble.narrow.contact_segment import POLYGON_ROOM

EMPTY = -1
MOST_FLOODED = 4096
"""vertices of two bodies inside of each other that are looked at beyond those of touching triangles"""
NODES_OF_A_PAIR = 4
"""each of two segment ends is on an edge with two vertices"""
KEYS_OF_A_PAIR = 8
"""two segment ends, and six neighbourhoods"""
FACES_OF_A_NODE = 8


class Workspace(NamedTuple):
    """Memory of one thread; k counts triangle pairs of a body pair, n vertices (nodes)."""

    ends: NDArray[np.float64]
    """(2k, 3): the ends of the segments, directed along normal_a × normal_b"""
    end_edge: NDArray[np.int64]
    """(2k,): a number for the edge that an end is on and the triangle that the edge meets there; EMPTY for none"""
    end_behind: NDArray[np.int64]
    """(2k,): the node of the edge that is behind the triangle; EMPTY for none"""
    normals_a: NDArray[np.float64]
    normals_b: NDArray[np.float64]
    """(k, 3)"""
    parent: NDArray[np.int64]
    """(k + n,): union-find over triangle pairs, then nodes"""
    patch: NDArray[np.int64]
    """(k + n,): the number of each element's patch; EMPTY where it has none"""
    sums: NDArray[np.float64]
    """(k, SUMS): what is added up for each patch"""
    keys: NDArray[np.int64]
    key_values: NDArray[np.int64]
    key_slots: NDArray[np.int64]
    """the table of neighbourhoods"""
    node_keys: NDArray[np.int64]
    node_values: NDArray[np.int64]
    node_slots: NDArray[np.int64]
    """the table of nodes"""
    node_vertex: NDArray[np.int64]
    node_side: NDArray[np.int64]
    node_at: NDArray[np.float64]
    node_gap: NDArray[np.float64]
    """the squared distance to the nearest place where an edge of the vertex meets the other body; infinite for none"""
    node_state: NDArray[np.int64]
    face_keys: NDArray[np.int64]
    face_values: NDArray[np.int64]
    face_slots: NDArray[np.int64]
    """the table of touching and flooded faces"""
    flooded: NDArray[np.int64]
    """(m, 3): side, face, node of the faces inside of the other body that do not touch it"""
    cap: NDArray[np.float64]
    """(c, 10): the faces of one patch as seen along its normal, and their side"""
    candidates: NDArray[np.float64]
    """(2k + n, 3): points of a patch as seen along its normal: across, across, along"""
    candidate_of: NDArray[np.int64]
    """(2k + n, 2): kind and number of a candidate"""
    found: NDArray[np.float64]
    """(8, 4, 7): the points of the patches that are kept"""
    found_keys: NDArray[np.int64]
    """(8, 4)"""
    room: NDArray[np.float64]


SUMS = 9
# Of the sums of a patch:
LENGTH = 0
MIDDLE = 1
COUNT = 4
AREA = 5
LEAKY = 8


def make_workspace(pairs: int) -> Workspace:
    """Return memory for body pairs of at most so many triangle pairs."""
    nodes = NODES_OF_A_PAIR * pairs + MOST_FLOODED
    faces = 2 * pairs + FACES_OF_A_NODE * MOST_FLOODED
    flooded = FACES_OF_A_NODE * MOST_FLOODED
    numbers, integers = np.empty, lambda *shape: np.empty(shape, np.int64)
    tables = []
    for count in (KEYS_OF_A_PAIR * pairs, nodes, faces):
        size = 1 << int(2 * max(count, 8) - 1).bit_length()
        tables += [np.full(size, EMPTY, np.int64), integers(size), integers(count)]
    return Workspace(
        numbers((2 * pairs, 3)),
        integers(2 * pairs),
        integers(2 * pairs),
        numbers((pairs, 3)),
        numbers((pairs, 3)),
        integers(pairs + nodes),
        integers(pairs + nodes),
        numbers((pairs, SUMS)),
        *tables[0:3],
        *tables[3:6],
        integers(nodes),
        integers(nodes),
        numbers((nodes, 3)),
        numbers(nodes),
        integers(nodes),
        *tables[6:9],
        integers(flooded, 3),
        numbers((2 * pairs + flooded, 10)),
        numbers((2 * pairs + nodes, 3)),
        integers(2 * pairs + nodes, 2),
        numbers((8, 4, 7)),
        integers(8, 4),
        numbers(POLYGON_ROOM),
    )


@kernel
def mixed(x, y):
    """Return a number from 0 on that depends on every bit of two others."""
    h = np.int64(x) * np.int64(-7046029254386353131) + np.int64(y)
    h ^= (h >> 29) & 0x7FFFFFFFF
    h *= np.int64(-4658895280553007687)
    h ^= (h >> 32) & 0xFFFFFFFF
    h *= np.int64(-7723592293110705685)
    h ^= (h >> 29) & 0x7FFFFFFFF
    return h & 0x7FFFFFFFFFFFFFFF


@kernel
def slot_of(keys, key):
    """Return where a key is in a table, or the empty place where it would be."""
    mask = keys.size - 1
    slot = (key ^ (key >> 17)) * 0x9E3779B1 & mask
    while keys[slot] != key and keys[slot] != EMPTY:
        slot = (slot + 1) & mask
    return slot


@kernel
def empty_slots(keys, slots, count):
    """Empty the places of a table that were used."""
    for k in range(count):
        keys[slots[k]] = EMPTY


@kernel
def root_of(parent, x):
    """Return the element that stands for x's set."""
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


@kernel
def unite(parent, x, y):
    """Make one set of two; the smaller number stands for it."""
    x, y = root_of(parent, x), root_of(parent, y)
    if x < y:
        parent[y] = x
    else:
        parent[x] = y
