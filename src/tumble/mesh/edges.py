"""Is a mesh closed, and are its triangles oriented alike? Where not, which edges say so.

A mesh is closed when every edge belongs to an even number of its triangles, and consistently oriented when each edge is
passed as often in one direction as in the other. Vertices that stand in the same place count as one, to the last bit: a
mesh from an STL file, whose triangles share no vertices, can be closed. Triangles that are segments or points change
nothing.
"""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.mesh import Mesh


class Edges(NamedTuple):
    """What the edges of a mesh say."""

    open: NDArray[np.int64]
    """(k, 2) vertices of the edges that belong to an odd number of triangles: none, if the mesh is closed"""
    boundary: NDArray[np.int64]
    """(m, 2) vertices of the edges that are passed more often from the first to the second than back: none, if the mesh
    is closed and consistently oriented"""
    surplus: NDArray[np.int64]
    """(m,) how much more often"""

    @property
    def closed(self) -> bool:
        """Whether every edge belongs to an even number of triangles."""
        return len(self.open) == 0

    @property
    def oriented(self) -> bool:
        """Whether every edge is passed as often in both directions."""
        return len(self.boundary) == 0


_known: WeakKeyDictionary[Mesh, Edges] = WeakKeyDictionary()


def edges_of(mesh: Mesh) -> Edges:
    """Return what the edges of a mesh say; computed once for each mesh."""
    edges = _known.get(mesh)
    if edges is None:
        faces = mesh.faces.astype(np.int64)
        edges = _looked_at(faces, len(mesh.vertices))
        if not edges.oriented:
            edges = _looked_at(_first_in_place(mesh.vertices)[faces], len(mesh.vertices))
        _known[mesh] = edges
    return edges


def _first_in_place(vertices: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return for each vertex the first that stands in the same place."""
    # adding zero makes one zero of both
    _, first, place = np.unique(vertices + 0.0, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[place.ravel()], np.int64)


def _looked_at(faces: NDArray[np.int64], vertex_count: int) -> Edges:
    starts, ends = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    proper = starts != ends
    starts, ends = starts[proper], ends[proper]
    keys = np.minimum(starts, ends) * vertex_count + np.maximum(starts, ends)
    order = np.argsort(keys, kind="stable")
    keys, ways = keys[order], np.where(starts < ends, 1, -1)[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.diff(first, append=len(keys))
    surplus = np.add.reduceat(ways, first) if len(first) else np.empty(0, np.int64)
    edges = np.stack(np.divmod(keys[first], max(vertex_count, 1)), axis=1)
    boundary = np.where((surplus > 0)[:, None], edges, edges[:, ::-1])[surplus != 0]
    return Edges(edges[counts % 2 == 1], np.ascontiguousarray(boundary), np.abs(surplus[surplus != 0]))
