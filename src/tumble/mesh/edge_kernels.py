"""What `edges` says of a mesh, in one pass each: edges in order, equal places, patches."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.poll import GO_ON, poll
from tumble.core.union_find import root_of, unite

NO_VERTEX = -1


class EdgeMemory(NamedTuple):
    """For the edges of m faces; a half is an edge of one face: half 3 f + k goes from corner k to the next."""

    halves: NDArray[np.int64]
    """(3 m,) by their edges, in order"""
    spare: NDArray[np.int64]
    """(3 m,)"""
    low: NDArray[np.int64]
    """(3 m,) the lower vertex of each half"""
    high: NDArray[np.int64]
    """(3 m,)"""
    places: NDArray[np.int64]
    """(vertices + 1,)"""
    first: NDArray[np.int64]
    """(3 m + 1,) where the halves of each edge begin"""
    ends: NDArray[np.int64]
    """(3 m, 2) the vertices of each edge, the lower one first"""
    surplus: NDArray[np.int64]
    """(3 m,) how much more often an edge is passed upward than downward"""


def edge_memory(faces: NDArray[np.int32]) -> EdgeMemory:
    """Return memory for the edges of some faces."""
    most = faces.size
    halves, spare, low, high, surplus = (np.empty(most, np.int64) for _ in range(5))
    places = np.empty(int(faces.max(initial=-1)) + 2, np.int64)
    return EdgeMemory(
        halves, spare, low, high, places, np.empty(most + 1, np.int64), np.empty((most, 2), np.int64), surplus
    )


@inlined_kernel
def sort_halves(source, count, vertices, places, target):
    """Sort halves by one of their vertices; those that are equal keep their order."""
    for v in range(len(places)):
        places[v] = 0
    for k in range(count):
        places[vertices[source[k]] + 1] += 1
    for v in range(1, len(places)):
        places[v] += places[v - 1]
    for k in range(count):
        v = vertices[source[k]]
        target[places[v]] = source[k]
        places[v] += 1


@kernel
def write_edges(faces, memory):
    """Write the edges of faces, those without length left out; return how many halves and how many edges there are."""
    halves, low, high, count = memory.halves, memory.low, memory.high, 0
    for face in range(len(faces)):
        for k in range(3):
            u, v = faces[face, k], faces[face, k + 1 if k < 2 else 0]
            if u != v:
                half = 3 * face + k
                halves[count], low[half], high[half] = half, min(u, v), max(u, v)
                memory.surplus[half] = 1 if u < v else -1
                count += 1
    # between the passes, each of which needs all of the one before
    if poll(0) != GO_ON:
        return 0, 0
    sort_halves(halves, count, high, memory.places, memory.spare)
    if poll(0) != GO_ON:
        return 0, 0
    sort_halves(memory.spare, count, low, memory.places, halves)
    edges, last = 0, -1
    for k in range(count):  # the way of a half is read before a sum is written in its place
        memory.spare[k] = memory.surplus[halves[k]]
    for k in range(count):
        half = halves[k]
        if last < 0 or low[last] != low[half] or high[last] != high[half]:
            memory.ends[edges, 0], memory.ends[edges, 1] = low[half], high[half]
            memory.first[edges], memory.surplus[edges] = k, 0
            edges += 1
        memory.surplus[edges - 1] += memory.spare[k]
        last = half
    memory.first[edges] = count
    return count, edges


@inlined_kernel
def mixed(x, y, z):
    """Return a number in which all bits of three play a part."""
    found = np.uint64(x) * np.uint64(0x9E3779B97F4A7C15)
    found = (found ^ (found >> np.uint64(32)) ^ np.uint64(y)) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(29)) ^ np.uint64(z)) * np.uint64(0x94D049BB133111EB)
    return found ^ (found >> np.uint64(32))


@kernel
def write_first_in_place(places, table, first):
    """Write for each vertex the first that stands in the same place.

    places   (n, 3) the bits of coordinates, without minus zero
    table    a power of two of numbers, at least twice as many as vertices: all NO_VERTEX
    """
    last = np.uint64(len(table) - 1)
    for v in range(len(places)):
        x, y, z = places[v, 0], places[v, 1], places[v, 2]
        k = np.int64(mixed(x, y, z) & last)
        while table[k] != NO_VERTEX:
            other = table[k]
            if places[other, 0] == x and places[other, 1] == y and places[other, 2] == z:
                break
            k = (k + 1) & (len(table) - 1)
        if table[k] == NO_VERTEX:
            table[k] = v
        first[v] = table[k]


@kernel
def write_patches(faces, twins, parent, labels):
    """Write a number from 0 for each face, the same where edges of two faces that are turned alike connect them.

    Return how many there are; `parent` is memory for a number of each face.
    """
    for face in range(len(faces)):
        parent[face] = face
    for face in range(len(faces)):
        for k in range(3):
            twin = twins[face, k]
            if twin <= face and twin >= 0 and twin != face:
                start, end = faces[face, k], faces[face, (k + 1) % 3]
                for other in range(3):
                    if faces[twin, other] == end and faces[twin, (other + 1) % 3] == start:
                        unite(parent, face, twin)
    count = 0
    for face in range(len(faces)):
        root = root_of(parent, face)
        if root == face:
            labels[face] = count
            count += 1
        else:
            labels[face] = labels[root]
    return count
