"""Is a mesh the surface of a solid? Its edges, with equal vertices taken as one: which are open, who shares them.

A mesh is *closed* when every edge belongs to an even number of faces; it is *oriented* when, besides, as many of them
run through the edge one way as the other. Then the winding number of the mesh is a whole number at every point off the
surface, and it is not changed by posing: a pose takes equal points to equal points.

Edges without length, of faces that name one point twice, are left out: they bound nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.errors import MeshError
from tumble.mesh.mesh import Mesh

KEY = ("surface",)
NO_FACE = -1
NEXT = (1, 2, 0)


@dataclass(frozen=True, eq=False)
class Surface:
    """The edges of a mesh."""

    faces: NDArray[np.int32]
    """(m, 3) the faces, each point named by one of its vertices, whichever stands for all that are equal"""
    open_edges: NDArray[np.int64]
    """(k, 2) vertices of the edges that an odd number of faces has"""
    oriented: bool
    """whether every edge has as many faces one way as the other"""
    twins: NDArray[np.int32]
    """(m, 3) the other face at the edge from corner k to the next, NO_FACE where there is none or more than one"""
    components: NDArray[np.int32]
    """(m,) which component a face belongs to: those that are connected by edges"""
    samples: NDArray[np.int64]
    """a face of each component"""

    @property
    def closed(self) -> bool:
        """Whether no edge is open."""
        return len(self.open_edges) == 0


def surface_of(mesh: Mesh) -> Surface:
    """Return the edges of a mesh, computed once and kept by the mesh."""
    known: Surface | None = mesh._trees.get(KEY)
    if known is None:
        known = mesh._trees.setdefault(KEY, _surface(mesh))
    return known


def require_closed(mesh: Mesh, called: str, wanted: str) -> Surface:
    """Return the edges of a closed mesh; of others, name an open edge. `wanted` is what needs a volume."""
    surface = surface_of(mesh)
    if not surface.closed:
        u, v = surface.open_edges[0].tolist()
        count = len(surface.open_edges)
        number = "1 open edge" if count == 1 else f"{count} open edges"
        ends = " and ".join(f"vertex {k} at {tuple(mesh.vertices[k].tolist())}" for k in (u, v))
        raise MeshError(
            f"{called} has {number} (an odd number of faces), such as the one between {ends}; {wanted} needs closed"
            " meshes, which bound a volume: close the holes, or ask tumble.collides about the surfaces"
        )
    return surface


def _surface(mesh: Mesh) -> Surface:
    surface = _edges_of(mesh.faces)
    if not surface.closed:  # only then can it matter that some vertices are equal
        surface = _edges_of(_first_equal(mesh.vertices)[mesh.faces])
    return surface


def _first_equal(vertices: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return for each vertex one that stands for all equal to it."""
    points = vertices + 0.0  # minus zero becomes zero
    order = np.lexsort(points.T)
    ordered = points[order]
    new = np.ones(len(points), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    first = np.empty(len(points), np.int32)
    first[order] = order[new][np.cumsum(new) - 1]
    return first


def _edges_of(faces: NDArray[np.int32]) -> Surface:
    from tumble.mesh.components import connect

    starts, ends = faces.ravel(), faces[:, NEXT].ravel()
    halves = np.flatnonzero(starts != ends)
    starts, ends = starts[halves].astype(np.int64), ends[halves].astype(np.int64)
    keys = np.minimum(starts, ends) << 32 | np.maximum(starts, ends)
    order = np.argsort(keys, kind="stable")
    keys, halves, forward = keys[order], halves[order], (starts < ends)[order]
    first = np.flatnonzero(np.concatenate([np.ones(min(1, len(keys)), bool), keys[1:] != keys[:-1]]))
    counts = np.diff(np.append(first, len(keys)))
    sums = np.add.reduceat(np.where(forward, 1, -1), first) if len(first) else counts
    odd = keys[first[counts % 2 == 1]]
    twins = np.full(faces.size, NO_FACE, np.int32)
    two = first[counts == 2]
    twins[halves[two]], twins[halves[two + 1]] = halves[two + 1] // 3, halves[two] // 3
    components = np.empty(len(faces), np.int32)
    connect(halves // 3, np.append(first, len(keys)), components)
    _, samples, numbers = np.unique(components, return_index=True, return_inverse=True)
    return Surface(
        np.ascontiguousarray(faces, np.int32),
        np.stack([odd >> 32, odd & 0xFFFFFFFF], axis=1),
        not sums.any(),
        twins.reshape(-1, 3),
        numbers.astype(np.int32).reshape(-1),
        samples,
    )
