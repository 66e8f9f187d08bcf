"""The meshes of many bodies in one set of arrays, with the faces around each vertex: what `manifold` reads.

Vertices in the same place are one vertex here, so that meshes from files that repeat them (STL, seams of textures) hang
together. Faces keep their numbers.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import MeshLike, as_mesh


class Surfaces(NamedTuple):
    """All meshes, one after the other; made once by `gather`, for as long as the meshes stay the same."""

    vertices: NDArray[np.float64]  # (v, 3): each mesh in its own frame
    faces: NDArray[np.int32]  # (f, 3) into `vertices`
    first_faces: NDArray[np.int64]  # (m,): face i of mesh k is faces[first_faces[k] + i]
    starts: NDArray[np.int64]  # (v + 1,): the faces around vertex v are around[starts[v] : starts[v + 1]]
    around: NDArray[np.int32]  # (3 f,)


def gather(meshes: Sequence[MeshLike]) -> Surfaces:
    """Return the surfaces of meshes; a body refers to its mesh by the place in this list."""
    vertices, faces = [np.empty((0, 3))], [np.empty((0, 3), np.int64)]
    count, first_faces, faces_before = 0, [], 0
    for mesh in map(as_mesh, meshes):
        places, numbers = np.unique(mesh.vertices + 0.0, axis=0, return_inverse=True)  # + 0.0: -0.0 is 0.0
        first_faces.append(faces_before)
        vertices.append(places)
        faces.append(numbers.reshape(-1)[mesh.faces] + count)
        count += len(places)
        faces_before += len(mesh.faces)
    corners = np.concatenate(faces)
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(corners.ravel(), minlength=count), out=starts[1:])
    around = np.argsort(corners.ravel(), kind="stable") // 3
    return Surfaces(
        np.ascontiguousarray(np.concatenate(vertices)),
        np.ascontiguousarray(corners.astype(np.int32)),
        np.array(first_faces, np.int64),
        starts,
        around.astype(np.int32),
    )
