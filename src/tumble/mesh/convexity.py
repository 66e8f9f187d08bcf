"""Is a mesh convex, as trimesh sees it: closed, in one piece, and nowhere bent inwards by more than a tolerance?

The tolerance is trimesh's, 1e-5 of the diagonal of the box. An exact test would be of little use: the vertices of a box
that was turned are rounded, and then one diagonal in two of its faces is bent inwards.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.edges import edges_of
from tumble.mesh.mesh import Mesh

KEY = ("convex",)
TOLERANCE = 1e-5


def is_convex(mesh: Mesh) -> bool:
    """Tell whether a mesh is convex, with its faces turned outward; computed once and kept by the mesh."""
    known: bool | None = mesh._trees.get(KEY)
    if known is None:
        known = mesh._trees.setdefault(KEY, _is_convex(mesh))
    return known


def _is_convex(mesh: Mesh) -> bool:
    edges, bounds = edges_of(mesh), mesh.bounds
    if bounds is None or not (edges.closed and edges.oriented):
        return False
    size = float(np.abs(bounds[1] - bounds[0]).max())
    if size == 0.0:
        return False
    points = (mesh.vertices - bounds[0]) / size  # of a size whose products neither overflow nor underflow
    faces = edges.faces.astype(np.int64)
    corners = points[faces]
    normals = _cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.sqrt((normals * normals).sum(axis=1))
    proper = lengths > 0
    face, k = np.nonzero((faces != faces[:, [1, 2, 0]]) & proper[:, None])
    twins = edges.twins[face, k]
    if len(face) == 0 or (twins < 0).any():  # of more than two faces at an edge
        return False
    across = faces[twins].sum(axis=1) - faces[face, k] - faces[face, (k + 1) % 3]
    heights = (normals[face] * (points[across] - corners[face, 0])).sum(axis=1) / lengths[face]
    diagonal = float(np.sqrt((((bounds[1] - bounds[0]) / size) ** 2).sum()))
    if not heights.max() < TOLERANCE * diagonal:
        return False
    return len(np.unique(edges.components[proper])) == 1


def _cross(u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    return u[:, [1, 2, 0]] * v[:, [2, 0, 1]] - u[:, [2, 0, 1]] * v[:, [1, 2, 0]]
