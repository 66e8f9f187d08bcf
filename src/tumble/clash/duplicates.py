"""Parts of the same shape in the same place: by a hash, before any triangle is tested.

Only parts with as many triangles and the same box can be copies of each other, so most parts are never hashed.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import unique_rows
from tumble.mesh import Mesh

Two = tuple[int, int]


def duplicates_of(meshes: Sequence[Mesh], offset: float) -> tuple[list[Two], NDArray[np.int64]]:
    """Return pairs of copies, and for each mesh the group of copies that it belongs to.

    Of a group of n copies there are n - 1 pairs: each with the first that it is a copy of. With an offset, vertices of
    copies may be as far from each other.
    """
    groups = np.arange(len(meshes))
    found: list[Two] = []
    for i, j in sorted(_equal(meshes) if offset == 0.0 else _similar(meshes, offset)):
        if groups[i] != groups[j]:
            found.append((i, j))
            groups[groups == groups[j]] = groups[i]
    return found, groups


def _equal(meshes: Sequence[Mesh]) -> Iterable[Two]:
    alike: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    for k, mesh in enumerate(meshes):
        if mesh.bounds is not None:
            alike[len(mesh), (mesh.bounds + 0.0).tobytes()].append(k)
    for members in alike.values():
        firsts: dict[bytes, int] = {}
        for k in members if len(members) > 1 else ():
            first = firsts.setdefault(_digest(meshes[k]), k)
            if first != k:
                yield first, k


def _digest(mesh: Mesh) -> bytes:
    """Return what the triangles of a mesh have in common with those of its copies, in whatever order and direction."""
    places, faces = _canonical(mesh)
    return hashlib.sha256(places.tobytes() + faces.tobytes()).digest()


def _canonical(mesh: Mesh) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the places of corners, sorted, and faces by their numbers, sorted; neither depends on any order."""
    places, _, numbers = unique_rows(mesh.vertices[mesh.faces].reshape(-1, 3) + 0.0)
    faces = np.sort(numbers.reshape(-1, 3), axis=1)
    return places, np.ascontiguousarray(faces[np.lexsort(faces.T[::-1])], np.int64)


def _similar(meshes: Sequence[Mesh], offset: float) -> Iterable[Two]:
    from scipy.spatial import cKDTree

    by_size: dict[int, list[tuple[int, NDArray[np.float64]]]] = defaultdict(list)
    for k, mesh in enumerate(meshes):
        if mesh.bounds is not None:
            by_size[len(mesh)].append((k, mesh.bounds.ravel()))
    for members in by_size.values():
        boxes = np.array([box for _, box in members])
        for one, other in cKDTree(boxes).query_pairs(offset, p=np.inf):
            i, j = sorted((members[one][0], members[other][0]))
            if _are_near(meshes[i], meshes[j], offset):
                yield i, j


def _are_near(a: Mesh, b: Mesh, offset: float) -> bool:
    """Tell whether each corner of a is near one of b, so that the faces correspond."""
    from scipy.spatial import cKDTree

    (places_a, faces_a), (places_b, faces_b) = _canonical(a), _canonical(b)
    if len(places_a) != len(places_b) or len(faces_a) != len(faces_b):
        return False
    distances, numbers = cKDTree(places_b).query(places_a)
    if distances.max(initial=0.0) > offset:
        return False
    mapped = np.sort(numbers[faces_a], axis=1)
    return bool(np.array_equal(mapped[np.lexsort(mapped.T[::-1])], faces_b))
