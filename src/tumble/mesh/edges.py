"""The edges of a mesh: is it closed, are its faces oriented alike, which faces are neighbours?

A mesh is *closed* when every edge belongs to an even number of its faces, and *oriented* when each edge is passed as
often in one direction as in the other. Then its winding number is a whole number at every point off the surface.
Vertices that stand in the same place count as one, to the last bit: a mesh from an STL file, whose faces share no
vertices, can be closed. A pose changes nothing of this, as it takes equal points to equal points.

Edges without length, of faces that name one place twice, are left out: they bound nothing.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import frozen
from tumble.errors import MeshError
from tumble.mesh.mesh import Mesh

KEY = ("edges",)
NO_FACE = -1
NO_EDGE = -1
# Places in `Edges.record`.
COUNT, TRIANGLES, ORIENTED, CORNERS = range(4)


class Edges:
    """What the edges of a mesh say; read-only."""

    def __init__(self, faces: NDArray[np.int32]) -> None:
        from tumble.mesh.edge_kernels import edge_memory, write_edges

        self.faces: NDArray[np.int32] = frozen(np.ascontiguousarray(faces, np.int32))
        """(m, 3) the faces, each place named by the first of the vertices that stand there"""
        memory = edge_memory(self.faces)
        halves, count = write_edges(self.faces, memory)
        self._halves = memory.halves[:halves]
        self._first, counts = memory.first[:count], np.diff(memory.first[: count + 1])
        self._counts, surplus, edges = counts, memory.surplus[:count], memory.ends[:count]
        self.ends = edges
        """(e, 2) the vertices of each edge, the lower one first"""
        self.open = edges[counts & 1 == 1]
        """(k, 2) vertices of the edges that belong to an odd number of faces: none, if the mesh is closed"""
        uneven = np.flatnonzero(surplus)
        passed = np.where((surplus[uneven] > 0)[:, None], edges[uneven], edges[uneven, ::-1])
        self.boundary = np.ascontiguousarray(passed)
        """(n, 2) vertices of the edges that are passed more often from the first to the second than back: none, if the
        mesh is oriented"""
        self.surplus = np.abs(surplus[uneven])
        """(n,) how much more often"""

    @property
    def closed(self) -> bool:
        """Whether every edge belongs to an even number of faces."""
        return len(self.open) == 0

    @property
    def oriented(self) -> bool:
        """Whether every edge is passed as often in both directions."""
        return len(self.boundary) == 0

    @cached_property
    def twins(self) -> NDArray[np.int32]:
        """(m, 3) the other face at the edge from corner k to the next, NO_FACE where there is none or more than one."""
        twins = np.full(self.faces.size, NO_FACE, np.int32)
        two = self._first[self._counts == 2]
        one, other = self._halves[two], self._halves[two + 1]
        twins[one], twins[other] = other // 3, one // 3
        return twins.reshape(-1, 3)

    @cached_property
    def numbers(self) -> NDArray[np.int32]:
        """(m, 3) the edge from corner k to the next, a row of `ends`; NO_EDGE for one without length."""
        numbers = np.full(self.faces.size, NO_EDGE, np.int32)
        numbers[self._halves] = np.repeat(np.arange(len(self._first), dtype=np.int32), self._counts)
        return numbers.reshape(-1, 3)

    @cached_property
    def components(self) -> NDArray[np.int32]:
        """(m,) which component a face belongs to, from 0: those that are connected by edges."""
        return self._parts[0]

    @property
    def samples(self) -> NDArray[np.int64]:
        """A face of each component."""
        return self._parts[1]

    @cached_property
    def sample_corners(self) -> NDArray[np.int64]:
        """A vertex of each component."""
        return self.faces[self.samples, 0].astype(np.int64)

    @cached_property
    def record(self) -> NDArray[np.int64]:
        """What kernels need to know: how many components and triangles there are, 1 if they are oriented, and
        `sample_corners`.
        """
        corners = self.sample_corners
        return np.concatenate([np.array([len(corners), len(self.faces), self.oriented], np.int64), corners])

    @cached_property
    def _parts(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        from tumble.mesh.components import connect

        labels = np.empty(len(self.faces), np.int32)
        connect(self._halves // 3, np.append(self._first, len(self._halves)), labels)
        _, samples, numbers = np.unique(labels, return_index=True, return_inverse=True)
        return numbers.astype(np.int32).reshape(-1), samples


def edges_of(mesh: Mesh) -> Edges:
    """Return what the edges of a mesh say, computed once and kept by the mesh."""
    known: Edges | None = mesh._trees.get(KEY)
    if known is None:
        known = mesh._trees.setdefault(KEY, _edges(mesh))
    return known


def require_closed(
    mesh: Mesh, called: str, wanted: str, instead: str = "ask tumble.collides about the surfaces"
) -> Edges:
    """Return the edges of a closed mesh; refuse others, by one of their open edges.

    called    what the message calls the mesh
    wanted    what needs a volume
    instead   what takes open meshes
    """
    edges = edges_of(mesh)
    if edges.closed:
        return edges
    number = "1 open edge" if len(edges.open) == 1 else f"{len(edges.open)} open edges"
    ends = " and ".join(f"vertex {k} at {tuple(mesh.vertices[k].tolist())}" for k in edges.open[0].tolist())
    raise MeshError(
        f"{called} has {number} (an odd number of triangles), such as the one between {ends}; {wanted} needs closed "
        f"meshes, which bound a volume: close the holes, or {instead}"
    )


def _edges(mesh: Mesh) -> Edges:
    edges = Edges(mesh.faces)
    if not edges.oriented:  # only then can it matter that some vertices stand in the same place
        edges = Edges(first_in_place(mesh.vertices)[mesh.faces])
    return edges


def first_in_place(vertices: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return for each vertex the first that stands in the same place."""
    from tumble.mesh.edge_kernels import NO_VERTEX, write_first_in_place

    first = np.empty(len(vertices), np.int32)
    table = np.full(2 << len(vertices).bit_length(), NO_VERTEX, np.int64)
    places = np.ascontiguousarray(vertices + 0.0).view(np.int64)  # minus zero becomes zero
    write_first_in_place(places, table, first)
    return first
