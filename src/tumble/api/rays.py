"""`cast_rays`: where rays meet a mesh; input checked, rays cut into pieces, one kernel call each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.parallel import run_pieces, thread_count
from tumble.errors import OptionError, RayError
from tumble.hierarchy import BoxTree, Tree, build
from tumble.hierarchy.packed import PackedTree, packed
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.arrays import MAX_COORDINATE, real_array
from tumble.mesh.rigid import as_pose

TREES = ("auto", "boxtree")
PIECES = 64
SMALLEST_PIECE = 256


@dataclass(frozen=True, eq=False)
class RayHits:
    """Where rays meet a mesh, in the order in which they were given; true when any does."""

    triangles: NDArray[np.int64]
    """(n,): the triangle that each ray hits, -1 for none"""
    distances: NDArray[np.float64]
    """(n,): how far, in lengths of the given direction; infinite for none"""
    points: NDArray[np.float64]
    """(n, 3): origin + distance * direction; not a number for none"""

    @property
    def hit(self) -> NDArray[np.bool_]:
        """(n,): whether each ray hits"""
        return self.triangles >= 0

    def __len__(self) -> int:
        return len(self.triangles)

    def __bool__(self) -> bool:
        return bool(self.hit.any())

    def __repr__(self) -> str:
        return f"<RayHits of {len(self)} rays, {int(self.hit.sum())} hit>"


def cast_rays(
    mesh: MeshLike | BoxTree,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    pose: ArrayLike | None = None,
    any_hit: bool = False,
    longest: ArrayLike = np.inf,
    tree: str = "auto",
    threads: int | None = None,
) -> RayHits:
    """Find the triangle that each ray hits first: `.hit` (n,), `.triangles` (n,), `.distances` (n,), `.points` (n, 3).

    mesh        a `tumble.Mesh`, a `trimesh.Trimesh`, `(vertices, faces)`, or a BoxTree from `tumble.build`
    origins     (n, 3), or one point (3,) for all rays
    directions  (n, 3) of any length but zero, or one direction (3,) for all rays
    pose        where the mesh is, a rigid 4×4 array; rays are not posed
    any_hit     stop at any hit, not at the nearest: all that a shadow needs, and faster
    longest     hits count up to this distance, in lengths of the direction; one number, or (n,)
    tree        "auto" (the packed tree of the fast path) or "boxtree": the same answer
    threads     at most so many at a time; None: all cores. The result does not depend on it.

    Whether a ray hits is decided exactly: no ray slips through between neighbours of a closed mesh. Triangles are
    closed, and so is the ray's origin; one that lies in a triangle's plane does not hit it. docs/rays.md tells more.
    """
    kept, mesh = chosen_tree(mesh, tree)
    workers, rows = thread_count(threads), as_pose(pose)
    starts, ways = _checked_rays(origins, directions)
    limits = _checked_longest(longest, len(starts))
    count = len(starts)
    hits = RayHits(np.empty(count, np.int64), np.empty(count), np.empty((count, 3)))
    if count == 0:
        return hits
    limits = limits if len(limits) == count else limits[:1]
    from tumble.traversal.rays.cast import cast

    frame = _frame(kept, mesh.extent, rows)
    targets = hits.triangles, hits.distances, hits.points
    places = [0 if array is None else array.ctypes.data for array in (frame, rows, starts, ways, limits, *targets)]
    steps = int(len(limits) == count), int(bool(any_hit))
    tree_words = kept.address, int(isinstance(kept, BoxTree))
    job = np.array([*tree_words, *places[:5], *steps, *places[5:]], np.int64)  # as `cast` names them
    size = max(SMALLEST_PIECE, -(-count // PIECES))

    def run(piece: int) -> int:
        return cast(job, piece * size, min((piece + 1) * size, count))

    for refused in run_pieces(run, -(-count // size), workers):
        if refused >= 0:
            limit = float(limits[refused if len(limits) == count else 0])
            raise _refusal(refused, starts[refused], ways[refused], limit)
    for array in targets:
        array.flags.writeable = False
    return hits


def chosen_tree(mesh: MeshLike | BoxTree, tree: str) -> tuple[BoxTree | PackedTree, Mesh]:
    """Return the tree over a mesh that an option names, and the mesh; the tree must outlive its address."""
    if not isinstance(tree, str) or tree not in TREES:
        raise OptionError(f"unknown tree {tree!r} for rays and frusta; choose one of: {', '.join(TREES)}")
    if isinstance(mesh, BoxTree):
        return mesh, mesh.mesh
    if isinstance(mesh, Tree):
        raise OptionError(f"rays and frusta cannot use a tree of volume {mesh.volume!r}; pass its mesh or a BoxTree")
    mesh = as_mesh(mesh)
    return (build(mesh, volume="boxtree") if tree == "boxtree" else packed(mesh)), mesh


def _frame(tree: BoxTree | PackedTree, extent: float, rows: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return how rays come into the frame of a tree: see `traversal.rays.prepare`."""
    from tumble.traversal.rays import prepare

    matrix = np.eye(4)[:3] if rows is None else rows
    frame = np.empty(prepare.FRAME_NUMBERS)
    with np.errstate(over="ignore"):
        frame[prepare.TURN : prepare.SHIFT] = (np.linalg.inv(matrix[:, :3]) * tree.scale).ravel()
        frame[prepare.SHIFT : prepare.MIDDLE] = matrix[:, 3]
        frame[prepare.MIDDLE : prepare.SIZE] = tree.origin * tree.scale
    frame[prepare.SIZE] = extent + np.abs(matrix[:, 3]).max()
    frame[prepare.SCALE] = tree.scale
    return frame


def _checked_rays(origins: ArrayLike, directions: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return two contiguous (n, 3) float64 arrays; the numbers in them are for the kernel to check."""
    starts, ways = (real_numbers(*given) for given in ((origins, "origins"), (directions, "directions")))
    starts, ways = (array.reshape(0, 3) if array.shape == (0,) else array for array in (starts, ways))
    for array, what, other in ((starts, "origins", ways), (ways, "directions", starts)):
        if array.shape != (3,) and (array.ndim != 2 or array.shape[1] != 3):
            raise RayError(f"{what} must have shape (n, 3), or (3,) for all rays; found shape {array.shape}")
        if array.shape == (3,) == other.shape:
            raise RayError("origins and directions both have shape (3,); for one ray write origins[None]")
    count = max(len(array) for array in (starts, ways) if array.ndim == 2)
    starts, ways = (np.broadcast_to(a, (count, 3)) if a.ndim == 1 else a for a in (starts, ways))
    if len(starts) != len(ways):
        raise RayError(f"there are {len(starts)} origins and {len(ways)} directions; give as many")
    return np.ascontiguousarray(starts), np.ascontiguousarray(ways)


def _checked_longest(longest: ArrayLike, count: int) -> NDArray[np.float64]:
    limits = real_numbers(longest, "longest")
    if limits.ndim > 1 or (limits.ndim == 1 and len(limits) != count):
        raise RayError(f"longest must be one number or have shape ({count},); found shape {limits.shape}")
    return np.ascontiguousarray(limits.reshape(-1))


def real_numbers(values: ArrayLike, what: str) -> NDArray[np.float64]:
    """Return any array of real numbers as float64."""
    raw = real_array(values, what, RayError)
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf, and is refused later
        return raw.astype(np.float64, copy=False)


def _refusal(number: int, origin: NDArray[np.float64], way: NDArray[np.float64], limit: float) -> RayError:
    """Say what is wrong with a ray that the kernel refused."""
    if not limit >= 0.0:
        return RayError(f"longest is {limit} for ray {number}; it must be a number from 0 to infinity")
    for what, values in (("origins", origin), ("directions", way)):
        if not np.isfinite(values).all():
            return RayError(f"{what}[{number}] is {values.tolist()}; every number must be finite")
        if np.abs(values).max() > MAX_COORDINATE:
            return RayError(f"{what}[{number}] is {values.tolist()}: beyond the supported ±{MAX_COORDINATE:g}")
    if not way.any():
        return RayError(f"directions[{number}] is zero; a ray needs a direction")
    return RayError(f"directions[{number}] is {way.tolist()}: shorter than {1 / MAX_COORDINATE:g}; make it longer")
