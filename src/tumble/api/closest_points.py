"""`closest_points`: the nearest point of a mesh for each of many points.

Input is checked, points are cut into pieces, and each piece is one kernel call.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.parallel import run_pieces, thread_count
from tumble.errors import MeshError, OptionError, PointError
from tumble.hierarchy import BoxTree, Tree
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.arrays import MAX_COORDINATE, real_array
from tumble.mesh.rigid import as_pose

PIECES = 64
SMALLEST_PIECE = 256
NONE = -1


@dataclass(frozen=True, eq=False)
class ClosestPoints:
    """The nearest point of a mesh for each point, in the order in which the points were given; arrays are read-only."""

    points: NDArray[np.float64]
    """(n, 3): the nearest points, in the world"""
    distances: NDArray[np.float64]
    """(n,): how far they are"""
    triangles: NDArray[np.int64]
    """(n,): the triangles on which they are"""

    def __len__(self) -> int:
        return len(self.distances)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} points>"


def closest_points(
    mesh: MeshLike, points: ArrayLike, pose: ArrayLike | None = None, *, threads: int | None = None
) -> ClosestPoints:
    """Find the nearest point of a mesh for each point: `.points` (n, 3), `.distances` (n,), `.triangles` (n,).

    mesh     a `tumble.Mesh`, a `trimesh.Trimesh` or `(vertices, faces)`, with at least one triangle
    points   (n, 3), finite, within ±1e100
    pose     where the mesh is, a rigid 4×4 array; points are not posed
    threads  how many threads share the work, at most; None: all cores. The result does not depend on it.

    With S the largest difference of a coordinate between a point and a vertex of the mesh, a distance differs from the
    exact one by at most 2**-48 S (and 5e-324), and from the way to the point that is returned by the rounding of that
    point. Of triangles whose float64 distance is equal, the one with the lowest number is returned. See docs/points.md.
    """
    mesh, rows = checked_mesh(mesh, "closest_points"), as_pose(pose)
    return nearest_of(mesh, checked_points(points), rows, thread_count(threads))


def nearest_of(
    mesh: Mesh, points: NDArray[np.float64], rows: NDArray[np.float64] | None, workers: int
) -> ClosestPoints:
    """Find the nearest points, for arguments of the right kinds; the numbers of points are checked on the way."""
    from tumble.traversal.points.nearest import find_nearest
    from tumble.traversal.points.order import MOST_POINTS, write_keys
    from tumble.traversal.points.prepare import point_frame

    count = len(points)
    found = ClosestPoints(np.empty((count, 3)), np.empty(count), np.empty(count, np.int64))
    tree = packed(mesh)
    frame = point_frame(tree.origin, tree.scale, mesh.extent, rows)
    targets = found.points, found.distances, found.triangles
    for base in range(0, count, MOST_POINTS):
        some = slice(base, min(base + MOST_POINTS, count))
        keys = np.empty(some.stop - base, np.int64)
        run_over(points, some, partial(write_keys, job_of(frame, points, keys, base)), workers)
        keys.sort()
        job = job_of(tree.address, frame, rows, points, keys, *targets, base)
        run_over(points, slice(0, len(keys)), partial(find_nearest, job), workers)
    for array in targets:
        array.flags.writeable = False
    return found


def job_of(*parts: NDArray[Any] | int | None) -> NDArray[np.int64]:
    """Return what a kernel takes as its job: the addresses of arrays, 0 for None, and numbers."""
    return np.array([_word(part) for part in parts], np.int64)


def _word(part: NDArray[Any] | int | None) -> int:
    if part is None:
        return 0
    return part if isinstance(part, int) else part.ctypes.data


def run_over(points: NDArray[np.float64], work: slice, run: Callable[[int, int], int], workers: int) -> None:
    """Call run(start, stop) for all of some work, in pieces; it returns the number of a refused point, or NONE."""
    count = work.stop - work.start
    size = max(SMALLEST_PIECE, -(-count // PIECES))

    def piece(number: int) -> int:
        start = work.start + number * size
        return run(start, min(start + size, work.stop))

    for refused in run_pieces(piece, -(-count // size), workers):
        if refused != NONE:
            raise _refusal(refused, points[refused])


def checked_mesh(mesh: MeshLike, call: str) -> Mesh:
    """Return a mesh with at least one triangle."""
    if isinstance(mesh, Tree | BoxTree):
        raise OptionError(f"{call} has a tree of its own; pass the mesh of the {type(mesh).__name__}, its .mesh")
    checked = as_mesh(mesh)
    if len(checked) == 0:
        raise MeshError(f"{call} needs a mesh with triangles: this one has none")
    return checked


def checked_points(points: ArrayLike) -> NDArray[np.float64]:
    """Return a contiguous (n, 3) float64 array; the numbers in it are for the kernel to check."""
    raw = real_array(points, "points", PointError, "an (n, 3) array")
    if raw.shape == (0,):
        raw = raw.reshape(0, 3)
    if raw.ndim != 2 or raw.shape[1] != 3:
        hint = "; for one point write points[None]" if raw.shape == (3,) else ""
        raise PointError(f"points must have shape (n, 3), one x, y, z row each; found shape {raw.shape}{hint}")
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf, and is refused later
        return np.ascontiguousarray(raw, np.float64)


def _refusal(number: int, point: NDArray[np.float64]) -> PointError:
    """Say what is wrong with a point that the kernel refused."""
    if not np.isfinite(point).all():
        return PointError(f"points[{number}] is {point.tolist()}; every number must be finite")
    return PointError(f"points[{number}] is {point.tolist()}: beyond the supported ±{MAX_COORDINATE:g}")
