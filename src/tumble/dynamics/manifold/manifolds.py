"""`manifold`, and what it returns; body pairs are independent of each other, so pieces of the list run on threads."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.parallel import run_pieces, thread_count
from tumble.dynamics.manifold import workspace as col
from tumble.dynamics.manifold.body_pair import write_points
from tumble.dynamics.manifold.surfaces import Surfaces, ascends, check_surfaces
from tumble.dynamics.manifold.workspace import MOST_POINTS, Workspace, make_workspace
from tumble.errors import InputError
from tumble.mesh.arrays import plain_copy
from tumble.mesh.rigid import as_poses
from tumble.query.answer import CURVE_NUMBERS
from tumble.query.bodies import checked_deviations

Indices = NDArray[np.int64]

PIECE = 4096  # triangle pairs that a piece of work takes together, unless one body pair has more
SMALLEST = 256  # triangle pairs that a workspace has memory for, at least
NO_CURVES = np.empty((0, CURVE_NUMBERS))
KEPT = 8  # workspaces that are kept for the next call
# A piece of work takes one out and puts it back when it is done.
_spare: list[Workspace] = []


@dataclass(frozen=True, eq=False)
class Manifolds:
    """The contact points of many body pairs, one pair's after the other's."""

    offsets: NDArray[np.int64]
    """(n + 1,): the points of body pair i are offsets[i] up to offsets[i + 1]"""
    pairs: NDArray[np.int64]
    """(k,): the body pair of each point"""
    points: NDArray[np.float64]
    """(k, 3) in the world, half way between the two surfaces"""
    normals: NDArray[np.float64]
    """(k, 3) unit: the direction in which a leaves b"""
    depths: NDArray[np.float64]
    """(k,): how deep the bodies are in each other along the normal, 0 or more"""
    keys: NDArray[np.int64]
    """(k,): the same from step to step for the same feature of the same two bodies; for warm starting"""

    def __len__(self) -> int:
        return len(self.depths)


def manifold(
    surfaces: Surfaces,
    mesh_of: NDArray[np.int64],
    poses: NDArray[np.float64],
    bodies: NDArray[np.int64],
    offsets: NDArray[np.int64],
    triangles: NDArray[np.int64],
    *,
    threads: int | None = None,
) -> Manifolds:
    """Return the contact points of many pairs of bodies whose touching triangles are known.

    surfaces   the meshes, from `gather`
    mesh_of    (m,) the place of each body's mesh in the list that was gathered
    poses      (m, 4, 4) rigid
    bodies     (n, 2) the two bodies of each pair, a and b
    offsets    (n + 1,) the touching triangles of pair i are triangles[offsets[i] : offsets[i + 1]]
    triangles  (k, 2) triangle of a and triangle of b, sorted, as `Scene` and `collide` give them
    threads    at most this number; None for all cores. The result does not depend on it.
    """
    return manifold_of_curves(surfaces, mesh_of, poses, bodies, offsets, triangles, None, threads=threads)


def manifold_of_curves(
    surfaces: Surfaces,
    mesh_of: Any,
    poses: Any,
    bodies: Any,
    offsets: Any,
    triangles: Any,
    curves: NDArray[np.float64] | None,
    *,
    threads: int | None = None,
) -> Manifolds:
    """Return the same, from the segments that a device has made, if there are any; they are taken as they are.

    curves   (k, CURVE_NUMBERS) in the order of `triangles`, as `Scene` gives them for a device; None: made here
    """
    workers = thread_count(threads)
    check_surfaces(surfaces)
    mesh_of, poses, bodies, offsets, triangles = _checked_list(surfaces, mesh_of, poses, bodies, offsets, triangles)
    made = np.ascontiguousarray(NO_CURVES if curves is None else curves)
    if len(made) not in (0, len(triangles)):
        raise InputError(f"curves must be {len(triangles)} rows, one for each pair of triangles; found {len(made)}")
    count = len(bodies)
    points, keys = np.empty((count, MOST_POINTS, col.ROW)), np.empty((count, MOST_POINTS), np.int64)
    written = np.zeros(count, np.int64)
    cuts = _cuts(offsets)
    sizes = np.diff(offsets)

    def run(piece: int) -> None:
        first, last = cuts[piece], cuts[piece + 1]
        work = _take_workspace(int(sizes[first:last].max()), surfaces)
        given = surfaces, poses, mesh_of, bodies, offsets, triangles, made
        write_points(*given, (first, last), work, points, keys, written)
        _spare.append(work)

    run_pieces(run, len(cuts) - 1, workers)
    del _spare[KEPT:]
    used = np.arange(MOST_POINTS) < written[:, None]
    rows = points[used]
    ends = np.zeros(count + 1, np.int64)
    np.cumsum(written, out=ends[1:])
    pairs = np.repeat(np.arange(count), written)
    where, normals = rows[:, col.POINT : col.POINT + 3].copy(), rows[:, col.NORMAL : col.NORMAL + 3].copy()
    return Manifolds(ends, pairs, where, normals, rows[:, col.DEPTH].copy(), keys[used])


def _take_workspace(pairs: int, surfaces: Surfaces) -> Workspace:
    """Return memory that is large enough: a spare one if possible."""
    vertices, faces = len(surfaces.vertices), len(surfaces.faces)
    try:
        work = _spare.pop()
    except IndexError:
        return make_workspace(max(pairs, SMALLEST), vertices, faces)
    sizes = len(work.curve.lines), work.nodes.of_vertex.shape[1], work.faces.state.shape[1]
    if sizes[0] >= pairs and sizes[1] >= vertices and sizes[2] >= faces:
        return work
    return make_workspace(max(pairs, sizes[0]), max(vertices, sizes[1]), max(faces, sizes[2]))


def _cuts(offsets: NDArray[np.int64]) -> list[int]:
    """Return where the list of body pairs is cut: after about PIECE triangle pairs each."""
    cuts, last = [0], len(offsets) - 1
    while cuts[-1] < last:
        reach = int(np.searchsorted(offsets, offsets[cuts[-1]] + PIECE, side="right")) - 1
        cuts.append(min(last, max(reach, cuts[-1] + 1)))
    return cuts


def _checked_list(
    surfaces: Surfaces, mesh_of: Any, poses: Any, bodies: Any, offsets: Any, triangles: Any
) -> tuple[Indices, NDArray[np.float64], Indices, Indices, Indices]:
    """Return copies of the arguments, checked before kernels use them as indices: kernels check no bounds."""
    mesh_of, bodies = _indices("mesh_of", mesh_of, 1), _indices("bodies", bodies, 2)
    offsets, triangles = _indices("offsets", offsets, 1), _indices("triangles", triangles, 2)
    poses = as_poses(poses, "poses")
    if len(poses) != len(mesh_of):
        raise InputError(f"poses must have shape ({len(mesh_of)}, 4, 4), one for each body; found {poses.shape}")
    checked_deviations(poses)
    _require_below("mesh_of", mesh_of, len(surfaces.first_faces), "meshes")
    _require_below("bodies", bodies, len(mesh_of), "bodies")
    pairs, last = len(bodies), len(triangles)
    if len(offsets) != pairs + 1:
        raise InputError(f"bodies must be (n, 2) and offsets (n + 1,); found {pairs} pairs and {len(offsets)} offsets")
    if not ascends(offsets, last):
        raise InputError(f"offsets must go from 0 up to the number of triangles, {last}, and never down")
    sizes = np.diff(np.append(surfaces.first_faces, len(surfaces.faces)))
    _require_below("triangles", triangles, np.repeat(sizes[mesh_of[bodies]], np.diff(offsets), axis=0), "triangles")
    return mesh_of, poses, bodies, offsets, triangles


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
