"""Vertices split along sharp edges: browsers shade smoothly across shared vertices, and a box is not a ball."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from tumble.mesh import Mesh

SHARP = np.cos(np.radians(35.0))
"""faces that meet at a larger angle share no normal"""


def split_creases(mesh: Mesh) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Return vertices and faces of the same surface, where corners share a vertex if their faces meet smoothly."""
    groups = _smooth_groups(mesh)
    keys = np.repeat(groups, 3) * len(mesh.vertices) + mesh.faces.ravel()
    _, first, corner_of = np.unique(keys, return_index=True, return_inverse=True)
    vertices = mesh.vertices[mesh.faces.ravel()[first]]
    return vertices.astype(np.float32), corner_of.reshape(-1, 3).astype(np.uint32)


def unit_normals(mesh: Mesh) -> NDArray[np.float64]:
    """Return the normals of the faces; zero for faces without area."""
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return normals / np.where(lengths > 0.0, lengths, 1.0)


def _smooth_groups(mesh: Mesh) -> NDArray[np.int64]:
    """Return a number for each face, that of its patch; faces of a patch are linked by edges that are not sharp."""
    ends = np.sort(np.stack([mesh.faces, np.roll(mesh.faces, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    order = np.lexsort(ends.T)
    same = (ends[order[1:]] == ends[order[:-1]]).all(axis=1)
    one, other = order[1:][same] // 3, order[:-1][same] // 3
    normals = unit_normals(mesh)
    smooth = (normals[one] * normals[other]).sum(axis=1) > SHARP
    links = coo_matrix((np.ones(int(smooth.sum())), (one[smooth], other[smooth])), shape=(len(mesh.faces),) * 2)
    return connected_components(links, directed=False)[1].astype(np.int64)
