"""The meshes of many bodies in one set of arrays, with the faces around each vertex and across each edge.

Vertices in the same place are one vertex here, so that meshes from files that repeat them (STL, seams of textures) hang
together. Faces keep their numbers.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import unique_rows
from tumble.errors import InputError
from tumble.mesh import MeshLike, as_mesh

OPEN = -1  # an edge of one face, or of more than two
NOT_OUTWARDS = -2  # an edge at which the surface is flat or bends inwards
BENT = 1e-6  # the sine of the angle between two faces from which on they are not flat


class Surfaces(NamedTuple):
    """All meshes, one after the other; made once by `gather`, for as long as the meshes stay the same."""

    vertices: NDArray[np.float64]  # (v, 3): each mesh in its own frame
    faces: NDArray[np.int32]  # (f, 3) into `vertices`
    first_faces: NDArray[np.int64]  # (m,): face i of mesh k is faces[first_faces[k] + i]
    starts: NDArray[np.int64]  # (v + 1,): the faces around vertex v are around[starts[v] : starts[v + 1]]
    around: NDArray[np.int32]  # (3 f,)
    across: NDArray[np.int32]  # (f, 3): the face beyond the edge that starts at each corner; or OPEN, or NOT_OUTWARDS


def gather(meshes: Sequence[MeshLike]) -> Surfaces:
    """Return the surfaces of meshes; a body refers to its mesh by the place in this list."""
    vertices, faces = [np.empty((0, 3))], [np.empty((0, 3), np.int64)]
    count, first_faces, faces_before = 0, [], 0
    for mesh in map(as_mesh, meshes):
        places, _, numbers = unique_rows(mesh.vertices + 0.0)  # + 0.0: -0.0 is 0.0
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
        _faces_across(np.concatenate(vertices), corners),
    )


def _faces_across(vertices: NDArray[np.float64], corners: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the face beyond each edge at which the surface bends outwards."""
    first, second = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
    keys = np.minimum(first, second) * len(vertices) + np.maximum(first, second)
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(keys[order]) != 0)[: len(keys)])
    pairs = starts[np.diff(np.append(starts, len(keys))) == 2]
    one, other = order[pairs], order[pairs + 1]  # edges by the number of their corner among those of all faces
    across = np.full(len(keys), OPEN, np.int32)
    outwards = _drops(vertices, corners, one, other) | _drops(vertices, corners, other, one)
    across[one] = np.where(outwards, other // 3, NOT_OUTWARDS)
    across[other] = np.where(outwards, one // 3, NOT_OUTWARDS)
    return across.reshape(-1, 3)


def _drops(
    vertices: NDArray[np.float64], corners: NDArray[np.int64], here: NDArray[np.int64], there: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell at which of these edges the face beyond falls off below the plane of the face on this side."""
    p, q, r = (vertices[corners[here // 3, (here + turn) % 3]] for turn in range(3))
    way = vertices[corners[there // 3, (there + 2) % 3]] - p
    normal = np.cross(q - p, r - p)
    drop = (normal * way).sum(axis=1)
    below: NDArray[np.bool_] = drop < -BENT * np.sqrt((normal * normal).sum(axis=1) * (way * way).sum(axis=1))
    return below


def check_surfaces(surfaces: Surfaces) -> None:
    """Raise InputError unless these are the surfaces of meshes, as `gather` makes them."""
    if not isinstance(surfaces, Surfaces):
        raise InputError(f"surfaces must come from tumble.dynamics.manifold.gather, not {type(surfaces).__name__}")
    vertices, faces, first_faces, starts, around, across = surfaces
    kinds = (np.float64, 2), (np.int32, 2), (np.int64, 1), (np.int64, 1), (np.int32, 1), (np.int32, 2)
    sound = all(
        type(array) is np.ndarray and array.dtype == dtype and array.ndim == dimension and array.flags.c_contiguous
        for array, (dtype, dimension) in zip(surfaces, kinds, strict=True)
    )
    sound = sound and vertices.shape[1:] == faces.shape[1:] == (3,)
    sound = sound and len(starts) == len(vertices) + 1 and len(around) == 3 * len(faces)
    sound = sound and across.shape == faces.shape
    sound = sound and _within(faces, len(vertices)) and _within(around, len(faces))
    sound = sound and _within(across, len(faces), NOT_OUTWARDS)
    sound = sound and ascends(starts, len(around)) and ascends(np.append(first_faces, len(faces)), len(faces))
    if not sound:
        raise InputError("the surfaces are not what gather made of meshes; gather the meshes anew")


def _within(indices: NDArray[np.int32], stop: int, start: int = 0) -> bool:
    return len(indices) == 0 or (int(indices.min()) >= start and int(indices.max()) < stop)


def ascends(offsets: NDArray[np.int64], last: int) -> bool:
    """Tell whether offsets go from 0 to a last one and never down."""
    return int(offsets[0]) == 0 and int(offsets[-1]) == last and bool((np.diff(offsets) >= 0).all())
