"""What one question about many meshes gives: pairs of meshes, and pairs of their triangles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tumble.query.answer import Stats, pairs_of_keys


@dataclass(frozen=True, eq=False)
class MeshCollisions:
    """Pairs of triangles of many meshes, by pairs of meshes; true when there are any."""

    meshes: NDArray[np.int64]
    """(n, 2): the pairs of meshes that have any, the lower number first, two times the same for a mesh with itself;
    sorted"""
    counts: NDArray[np.int64]
    """(n,): how many pairs of triangles each has"""
    triangles: NDArray[np.int64]
    """(k, 2): the pairs of all, triangle of the first mesh and triangle of the second, one pair of meshes after the
    other, sorted within each"""
    stats: Stats | None = None
    """what the traversal did; None unless asked for"""

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """(n + 1,): the triangles of pair k of meshes are triangles[offsets[k] : offsets[k + 1]]"""
        offsets = np.zeros(len(self.counts) + 1, np.int64)
        np.cumsum(self.counts, out=offsets[1:])
        offsets.flags.writeable = False
        return offsets

    def pairs(self, a: int, b: int) -> NDArray[np.int64]:
        """Return the (k, 2) pairs of triangles of mesh a and mesh b, in this order."""
        if not all(isinstance(each, int | np.integer) and each >= 0 for each in (a, b)):
            raise IndexError(f"meshes are numbered from 0, so there are none with the numbers {a!r} and {b!r}")
        low, high = min(a, b), max(a, b)
        at = np.flatnonzero((self.meshes[:, 0] == low) & (self.meshes[:, 1] == high))
        if len(at) == 0:
            return self.triangles[:0]
        found = self.triangles[self.offsets[at[0]] : self.offsets[at[0] + 1]]
        if a <= b:
            return found
        turned = found[np.lexsort((found[:, 0], found[:, 1])), ::-1]
        turned.flags.writeable = False
        return turned

    def __len__(self) -> int:
        return len(self.meshes)

    def __bool__(self) -> bool:
        return len(self.meshes) > 0

    def __repr__(self) -> str:
        return f"<MeshCollisions of {len(self.meshes)} mesh pairs, {len(self.triangles)} triangle pairs>"


def by_meshes(keys: NDArray[np.int64], first_face: NDArray[np.int64], stats: Stats | None) -> MeshCollisions:
    """Group sorted keys of triangles, counted through all meshes, by their meshes."""
    triangles, count = pairs_of_keys(keys), len(first_face) - 1
    if count == 1 and len(keys):
        one = np.zeros((1, 2), np.int64), np.array([len(keys)])
        for array in one:
            array.flags.writeable = False
        return MeshCollisions(*one, triangles, stats)
    of = np.repeat(np.arange(count), np.diff(first_face))[triangles]
    groups = of[:, 0] * count + of[:, 1]
    # a stable sort of 16 bits is one by radix
    order = np.argsort(groups.astype(np.uint16) if count <= 256 else groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    meshes = of[order[starts]]
    counts = np.diff(np.append(starts, len(keys)))
    own = (triangles - first_face[of])[order]
    for array in (meshes, counts, own):
        array.flags.writeable = False
    return MeshCollisions(meshes, counts, own, stats)
