"""The arguments of `manifold`, checked before kernels use them as indices: kernels check no bounds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.manifold.surfaces import Surfaces
from tumble.errors import InputError
from tumble.mesh.arrays import plain_copy
from tumble.mesh.rigid import as_poses
from tumble.query.bodies import checked_deviations

Indices = NDArray[np.int64]


def checked_list(
    surfaces: Surfaces, mesh_of: Any, poses: Any, bodies: Any, offsets: Any, triangles: Any
) -> tuple[Indices, NDArray[np.float64], Indices, Indices, Indices]:
    """Return copies of a list of body pairs and their touching triangles; raise InputError where a number is wrong."""
    mesh_of, bodies = _indices("mesh_of", mesh_of, 1), _indices("bodies", bodies, 2)
    offsets, triangles = _indices("offsets", offsets, 1), _indices("triangles", triangles, 2)
    poses = as_poses(poses, "poses")
    if len(poses) != len(mesh_of):
        raise InputError(f"poses must have shape ({len(mesh_of)}, 4, 4), one for each body; found {poses.shape}")
    checked_deviations(poses)
    _require_below("mesh_of", mesh_of, len(surfaces.first_faces), "meshes")
    _require_below("bodies", bodies, len(mesh_of), "bodies")
    _check_offsets(offsets, len(bodies), len(triangles))
    sizes = np.diff(np.append(surfaces.first_faces, len(surfaces.faces)))
    _require_below("triangles", triangles, np.repeat(sizes[mesh_of[bodies]], np.diff(offsets), axis=0), "triangles")
    return mesh_of, poses, bodies, offsets, triangles


def check_surfaces(surfaces: Surfaces) -> None:
    """Raise InputError unless these are the surfaces of meshes, as `gather` makes them."""
    if not isinstance(surfaces, Surfaces):
        raise InputError(f"surfaces must come from tumble.dynamics.manifold.gather, not {type(surfaces).__name__}")
    vertices, faces, first_faces, starts, around = surfaces
    kinds = (np.float64, 2), (np.int32, 2), (np.int64, 1), (np.int64, 1), (np.int32, 1)
    sound = all(
        type(array) is np.ndarray and array.dtype == dtype and array.ndim == dimension and array.flags.c_contiguous
        for array, (dtype, dimension) in zip(surfaces, kinds, strict=True)
    )
    sound = sound and vertices.shape[1:] == faces.shape[1:] == (3,)
    sound = sound and len(starts) == len(vertices) + 1 and len(around) == 3 * len(faces)
    sound = sound and _within(faces, len(vertices)) and _within(around, len(faces))
    sound = sound and _ascends(starts, len(around)) and _ascends(np.append(first_faces, len(faces)), len(faces))
    if not sound:
        raise InputError("the surfaces are not what gather made of meshes; gather the meshes anew")


def _indices(name: str, given: Any, dimension: int) -> Indices:
    """Return a copy of whole numbers, (n,) or (n, 2)."""
    try:
        raw = np.asarray(given)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{name} cannot be read as an array of whole numbers: {error}") from error
    if raw.size == 0 and raw.ndim <= dimension:
        return np.empty((0, 2)[:dimension], np.int64)
    shape = "(n,)" if dimension == 1 else "(n, 2)"
    if raw.dtype.kind not in "iu" or raw.ndim != dimension or raw.shape[1:] != (2,)[: dimension - 1]:
        raise InputError(f"{name} must be whole numbers of shape {shape}; found {raw.dtype} of shape {raw.shape}")
    indices: Indices = plain_copy(raw, np.int64)  # what is too large for it becomes negative, and is refused
    return indices


def _require_below(name: str, indices: Indices, stop: int | NDArray[np.int64], what: str) -> None:
    wrong = (indices < 0) | (indices >= stop)
    if wrong.any():
        place = tuple(int(k) for k in np.argwhere(wrong)[0])
        limit = np.broadcast_to(stop, indices.shape)[place]
        at = "".join(f"[{k}]" for k in place)
        raise InputError(f"{name}{at} is {indices[place]}, but there are {limit} {what}, counted from 0")


def _check_offsets(offsets: Indices, pairs: int, triangles: int) -> None:
    if len(offsets) != pairs + 1:
        raise InputError(f"bodies must be (n, 2) and offsets (n + 1,); found {pairs} pairs and {len(offsets)} offsets")
    if not _ascends(offsets, triangles):
        raise InputError(f"offsets must go from 0 up to the number of triangles, {triangles}, and never down")


def _within(indices: NDArray[np.int32], stop: int) -> bool:
    return len(indices) == 0 or (int(indices.min()) >= 0 and int(indices.max()) < stop)


def _ascends(offsets: NDArray[np.int64], last: int) -> bool:
    """Tell whether offsets go from 0 to a last one and never down."""
    return int(offsets[0]) == 0 and int(offsets[-1]) == last and bool((np.diff(offsets) >= 0).all())
