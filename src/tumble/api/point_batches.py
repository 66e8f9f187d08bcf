"""What the calls about points share: a mesh and points that were checked, points in batches, batches in pieces.

A batch is converted, put in order and answered before the next one. So a call needs memory for its answer and for one
batch, however many points there are, of whatever dtype, in memory or in a mapped file.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.parallel import run_pieces, thread_count
from tumble.errors import MeshError, OptionError, PointError
from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.arrays import IF_FINE, INEXACT, MAX_COORDINATE, first_inexact_row, real_array
from tumble.mesh.rigid import as_pose

PIECES = 64
SMALLEST_PIECE = 256
NONE = -1

Pose = NDArray[np.float64] | None


class Posed(NamedTuple):
    """A mesh with at least one triangle, in its place, and how many threads may ask about it."""

    mesh: Mesh
    rows: Pose
    """(3, 4), or None where it was drawn"""
    workers: int


class Batch(NamedTuple):
    """Some points after each other, C-ordered float64; the kernels check the numbers."""

    place: slice
    """where they are among all points"""
    points: NDArray[np.float64]

    def run(self, kernel: Callable[[Any, int, int], int], job: NDArray[np.int64], workers: int) -> None:
        """Call kernel(job, start, stop) for all points, in pieces; it returns the number of a refused one, or NONE."""
        count = len(self.points)
        size = max(SMALLEST_PIECE, -(-count // PIECES))

        def piece(number: int) -> int:
            return kernel(job, number * size, min((number + 1) * size, count))

        for refused in run_pieces(piece, -(-count // size), workers):
            if refused != NONE:
                raise _refusal(self.place.start + refused, self.points[refused])


def posed_mesh(mesh: MeshLike, pose: ArrayLike | None, threads: int | None, call: str) -> Posed:
    """Return what points are asked about, checked."""
    if isinstance(mesh, Tree | BoxTree):
        raise OptionError(f"{call} has a tree of its own; pass the mesh of the {type(mesh).__name__}, its .mesh")
    checked = as_mesh(mesh)
    if len(checked) == 0:
        raise MeshError(f"{call} needs a mesh with triangles: this one has none")
    return Posed(checked, as_pose(pose), thread_count(threads))


def checked_points(points: ArrayLike) -> NDArray[Any]:
    """Return an (n, 3) array of real numbers, for `batches`."""
    raw = real_array(points, "points", PointError, "an (n, 3) array")
    if raw.shape == (0,):
        raw = raw.reshape(0, 3)
    if raw.ndim != 2 or raw.shape[1] != 3:
        hint = "; for one point write points[None]" if raw.shape == (3,) else ""
        raise PointError(f"points must have shape (n, 3), one x, y, z row each; found shape {raw.shape}{hint}")
    return raw


def batches(raw: NDArray[Any]) -> Iterator[Batch]:
    """Return checked points, as many at a time as are put in order together.

    Not a generator: a signal that arrives while Python closes one that holds a context is printed and dropped.
    """
    from tumble.traversal.points import order

    return map(partial(_batch, raw, order.MOST_POINTS), range(0, len(raw), order.MOST_POINTS))


def _batch(raw: NDArray[Any], most: int, start: int) -> Batch:
    place = slice(start, min(start + most, len(raw)))
    row = first_inexact_row(raw[place])
    if row is not None:
        named = f"points[{start + row}] is {raw[start + row].tolist()}"
        raise PointError(f"{named}: {INEXACT}; convert the points to float64 {IF_FINE}")
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf, and is refused later
        return Batch(place, np.require(raw[place], np.float64, ["C", "ALIGNED"]))


def job_of(*parts: NDArray[Any] | int | None) -> NDArray[np.int64]:
    """Return what a kernel takes as its job: the addresses of arrays, 0 for None, and numbers."""
    return np.array([_word(part) for part in parts], np.int64)


def _word(part: NDArray[Any] | int | None) -> int:
    if part is None:
        return 0
    return part if isinstance(part, int) else part.ctypes.data


def _refusal(number: int, point: NDArray[np.float64]) -> PointError:
    """Say what is wrong with a point that the kernel refused."""
    if not np.isfinite(point).all():
        return PointError(f"points[{number}] is {point.tolist()}; every number must be finite")
    return PointError(f"points[{number}] is {point.tolist()}: beyond the supported ±{MAX_COORDINATE:g}")
