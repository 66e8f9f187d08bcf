"""Convex hulls: all that a plane can touch of a body, and a closed stand-in for an open mesh."""

import weakref

import numpy as np
from numpy.typing import NDArray

from tumble.errors import MeshError, MissingDependencyError
from tumble.mesh import Mesh, MeshLike, as_mesh

_known: weakref.WeakKeyDictionary[Mesh, NDArray[np.int64]] = weakref.WeakKeyDictionary()


def convex_hull(mesh: MeshLike) -> Mesh:
    """Return the convex hull of a mesh, its faces turned outward."""
    source = as_mesh(mesh)
    vertices, faces = _hull_of(source.vertices[np.unique(source.faces)])
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("ij,ij->i", normals, corners[:, 0] - vertices[np.unique(faces)].mean(axis=0)) < 0
    faces[inward] = faces[inward, ::-1]
    used, renumbered = np.unique(faces, return_inverse=True)
    return Mesh(vertices[used], renumbered.reshape(-1, 3))


def hull_vertices(mesh: Mesh) -> NDArray[np.int64]:
    """Return the numbers of the vertices that a half-space can touch first, sorted; remembered with the mesh."""
    known = _known.get(mesh)
    if known is None:
        used = np.unique(mesh.faces).astype(np.int64)
        known = _known[mesh] = used[_corners(mesh.vertices[used])]
    return known


def _corners(points: NDArray[np.float64]) -> NDArray[np.int64]:
    try:
        _, faces = _hull_of(points)
    except MeshError:  # flat: a plane may touch any of them
        return np.arange(len(points))
    return np.unique(faces).astype(np.int64)


def _hull_of(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    try:
        from scipy.spatial import ConvexHull, QhullError
    except ImportError as error:
        raise MissingDependencyError("convex hulls need SciPy: pip install scipy") from error
    try:
        return points, ConvexHull(points).simplices.astype(np.int64)
    except (QhullError, ValueError) as error:
        raise MeshError(f"{len(points)} vertices that lie in a plane, or too few, have no convex hull") from error
