"""The sheets of a closed mesh: connected surfaces without a rim, of which the mesh is the sum.

Faces that share an edge with no others are of one sheet. Where more faces share an edge, as where two blocks of a mesh
have an edge in common, they are joined two by two, one that passes the edge upward with one that passes it downward:
any way to do so gives closed surfaces with the same winding numbers in all. Two that are of one sheet already are
joined first, so that bodies which only share an edge stay apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import frozen
from tumble.mesh.edge_kernels import write_patches
from tumble.mesh.edges import NO_EDGE, Edges

NEXT = (1, 2, 0)


def patches_of(edges: Edges) -> NDArray[np.int64]:
    """Return a number from 0 for each face, the same where edges of two faces that are turned alike connect them."""
    labels = np.empty(len(edges.faces), np.int64)
    write_patches(edges.faces, frozen(edges.twins), np.empty(len(edges.faces), np.int64), labels)
    return labels


def sheets_of(edges: Edges, patches: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sheet of each face of an oriented mesh, from 0."""
    joined = list(range(int(patches.max(initial=-1)) + 1))
    if len(joined) < 2:
        return np.zeros(len(patches), np.int64)

    def root(patch: int) -> int:
        while joined[patch] != patch:
            joined[patch] = joined[joined[patch]]
            patch = joined[patch]
        return patch

    for upward, downward in _crowded(edges):
        left = sorted(upward)
        waiting = sorted(downward)
        for face in list(left):
            same = next((other for other in waiting if root(int(patches[other])) == root(int(patches[face]))), None)
            if same is not None:
                left.remove(face)
                waiting.remove(same)
        for face, other in zip(left, waiting, strict=True):
            joined[root(int(patches[other]))] = root(int(patches[face]))
    roots = np.array([root(patch) for patch in range(len(joined))], np.int64)
    return np.unique(roots[patches], return_inverse=True)[1].reshape(-1)


def _crowded(edges: Edges) -> list[tuple[list[int], list[int]]]:
    """Return the faces that pass each edge of more than two upward, and those that pass it downward."""
    numbers = edges.numbers.ravel()
    counts = np.bincount(numbers[numbers != NO_EDGE], minlength=1)
    halves = np.flatnonzero((numbers != NO_EDGE) & (counts[numbers] > 2))
    upward = edges.faces.ravel()[halves] < edges.faces[:, NEXT].ravel()[halves]
    found: dict[int, tuple[list[int], list[int]]] = {}
    for edge, face, up in zip(numbers[halves].tolist(), (halves // 3).tolist(), upward.tolist(), strict=True):
        found.setdefault(edge, ([], []))[0 if up else 1].append(face)
    return list(found.values())
