"""Uniform 1-to-4 subdivision: every edge is halved once, neighbours share midpoints, closed stays closed."""

import numpy as np
from numpy.typing import NDArray

from tumble.errors import OptionError
from tumble.mesh.arrays import MAX_COUNT
from tumble.mesh.convert import MeshLike, as_mesh
from tumble.mesh.mesh import Mesh


def subdivide(mesh: MeshLike, times: int = 1) -> Mesh:
    """Return a Mesh of 4**times as many faces on the same surface; the children of face f are 4f … 4f+3.

    The first three children sit at the corners of their parent, in its order; the fourth is the middle.
    """
    mesh = as_mesh(mesh)
    if isinstance(times, bool) or not isinstance(times, int | np.integer) or times < 0:
        raise OptionError(f"times must be a whole number, 0 or more, not {times!r}")
    if len(mesh) * 4 ** min(int(times), 16) > MAX_COUNT:
        raise OptionError(f"times={times} makes more than {MAX_COUNT} triangles out of {len(mesh)}")
    vertices, faces = mesh.vertices, mesh.faces.astype(np.int64)
    for _ in range(times if len(mesh) else 0):
        vertices, faces = _halved(vertices, faces)
    return Mesh(vertices, faces) if times else mesh


def _halved(vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    ends = np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1)  # edge k runs from corner k to corner k + 1
    keys = ends.min(axis=-1) * len(vertices) + ends.max(axis=-1)
    unique, edge = np.unique(keys.ravel(), return_inverse=True)
    low, high = np.divmod(unique, len(vertices))
    midpoints = 0.5 * vertices[low] + 0.5 * vertices[high]
    a, b, c = faces.T
    ab, bc, ca = (edge.reshape(-1, 3) + len(vertices)).T
    children = np.stack([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], axis=1)
    return np.concatenate([vertices, midpoints]), children.reshape(-1, 3)
