"""Convex hulls: all that a plane can touch of a body, and a closed stand-in for an open mesh."""

import weakref
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from tumble.core.products import dot_product
from tumble.errors import MeshError, MissingDependencyError
from tumble.mesh import Mesh, MeshLike, as_mesh

_known: weakref.WeakKeyDictionary[Mesh, NDArray[np.int64]] = weakref.WeakKeyDictionary()


def convex_hull(mesh: MeshLike) -> Mesh:
    """Return the convex hull of a mesh, its faces turned outward."""
    source = as_mesh(mesh)
    vertices = source.vertices[np.unique(source.faces)]
    faces = _hull_faces(vertices)
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = dot_product(normals, corners[:, 0] - vertices[np.unique(faces)].mean(axis=0)) < 0
    faces[inward] = faces[inward, ::-1]
    used, renumbered = np.unique(faces, return_inverse=True)
    return Mesh(vertices[used], renumbered.reshape(-1, 3))


def hull_vertices(mesh: Mesh) -> NDArray[np.int64]:
    """Return the numbers of the vertices that a half-space can touch first, sorted; remembered with the mesh."""
    known = _known.get(mesh)
    if known is None:
        known = np.unique(mesh.faces).astype(np.int64)
        with suppress(MeshError):  # flat: a plane may touch any of them
            known = known[np.unique(_hull_faces(mesh.vertices[known]))]
        _known[mesh] = known
    return known


def _hull_faces(points: NDArray[np.float64]) -> NDArray[np.int64]:
    try:
        from scipy.spatial import ConvexHull, QhullError
    except ImportError as error:
        raise MissingDependencyError("convex hulls need SciPy: pip install scipy") from error
    try:
        return ConvexHull(points).simplices.astype(np.int64)
    except (QhullError, ValueError) as error:
        raise MeshError(f"{len(points)} vertices that lie in a plane, or too few, have no convex hull") from error
