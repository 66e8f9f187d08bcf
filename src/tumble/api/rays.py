"""`cast_rays`: where rays meet a mesh; `inside_frustum`: which of its triangles are not outside a frustum.

Input is checked, rays are cut into pieces, and each piece is one kernel call.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.parallel import run_pieces, thread_count
from tumble.core.records import FrozenArrays
from tumble.errors import OptionError, RayError
from tumble.hierarchy import BoxTree, Tree, build
from tumble.hierarchy.packed import PackedTree, packed
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.arrays import MAX_COORDINATE, real_array
from tumble.mesh.rigid import as_pose

TREES = ("auto", "boxtree")
PIECES = 64
SMALLEST_PIECE = 256
IDENTITY = np.eye(4)[:3]


@dataclass(frozen=True, eq=False)
class RayHits(FrozenArrays):
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
    threads     how many threads share the work, at most; None: all cores. The result does not depend on it.

    Whether a ray hits is decided exactly: no ray slips through between neighbours of a closed mesh. Triangles are
    closed, and so is the ray's origin; one that lies in a triangle's plane does not hit it. See docs/rays.md.
    """
    from tumble.traversal.rays.cast import cast
    from tumble.traversal.rays.prepare import frame_of

    kept, mesh = _chosen_tree(mesh, tree)
    workers, rows = thread_count(threads), as_pose(pose)
    starts, ways = _checked_rays(origins, directions)
    limits = _checked_longest(longest, len(starts))
    count = len(starts)
    hits = RayHits(np.empty(count, np.int64), np.empty(count), np.empty((count, 3)))
    if count == 0:
        return hits
    frame = frame_of(kept.origin, kept.scale, mesh.extent, rows)
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


def inside_frustum(
    mesh: MeshLike | BoxTree,
    frustum: ArrayLike,
    *,
    pose: ArrayLike | None = None,
    contained: bool = False,
    tree: str = "auto",
) -> NDArray[np.int64]:
    """Return the triangles that no plane of the frustum excludes, sorted: (k,) int64.

    mesh       a `tumble.Mesh`, a `trimesh.Trimesh`, `(vertices, faces)`, or a BoxTree from `tumble.build`
    frustum    (k, 4) planes a, b, c, d with a x + b y + c z + d >= 0 inside; or a 4×4 matrix that takes points, as
               columns, to OpenGL's clip space, where -w <= x, y, z <= w is inside (projection @ view). Shape (4, 4) is
               a matrix always: of four planes, give one twice.
    pose       where the mesh is, a rigid 4×4 array; the frustum is not posed
    contained  only triangles that lie entirely inside: no plane has a vertex of them outside
    tree       "auto" (the packed tree of the fast path) or "boxtree": the same answer

    A triangle is excluded when all its vertices lie strictly outside of one and the same plane, decided exactly. So
    nothing that can be seen is left out; near the frustum's edges, some triangles that cannot be seen are kept as well.
    """
    from tumble.traversal.frustum.walk import frustum_in_boxtree, frustum_in_packed, local_planes

    kept, mesh = _chosen_tree(mesh, tree)
    if not isinstance(kept, BoxTree) and kept.repeats:  # boxes of clipped parts say nothing about the triangle
        kept = build(mesh, volume="boxtree")
    planes, rows = frustum_planes(frustum), as_pose(pose)
    kernel = frustum_in_boxtree if isinstance(kept, BoxTree) else frustum_in_packed
    local = local_planes(planes, IDENTITY if rows is None else rows, kept.origin, kept.scale, mesh.extent)
    found = np.empty(len(mesh), np.int64)
    places = [0 if array is None else array.ctypes.data for array in (rows, planes, local)]
    end = kernel(kept.address, *places, len(planes), int(bool(contained)), found.ctypes.data)
    return np.sort(found[:end])


def _chosen_tree(mesh: MeshLike | BoxTree, tree: str) -> tuple[BoxTree | PackedTree, Mesh]:
    """Return the tree over a mesh that an option names, and the mesh; the tree must outlive its address."""
    if not isinstance(tree, str) or tree not in TREES:
        raise OptionError(f"unknown tree {tree!r} for rays and frusta; choose one of: {', '.join(TREES)}")
    if isinstance(mesh, BoxTree):
        return mesh, mesh.mesh
    if isinstance(mesh, Tree):
        raise OptionError(f"rays and frusta cannot use a tree of volume {mesh.volume!r}; pass its mesh or a BoxTree")
    mesh = as_mesh(mesh)
    return (build(mesh, volume="boxtree") if tree == "boxtree" else packed(mesh)), mesh


def _checked_rays(origins: ArrayLike, directions: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return two contiguous (n, 3) float64 arrays; the numbers in them are for the kernel to check."""
    starts, ways = (_real_numbers(*given) for given in ((origins, "origins"), (directions, "directions")))
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
    limits = _real_numbers(longest, "longest")
    if limits.ndim > 1 or (limits.ndim == 1 and len(limits) != count):
        raise RayError(f"longest must be one number or have shape ({count},); found shape {limits.shape}")
    return np.ascontiguousarray(limits.reshape(-1))


def _real_numbers(values: ArrayLike, what: str) -> NDArray[np.float64]:
    """Return any array of real numbers as float64."""
    raw = real_array(values, what, RayError)
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf, and is refused later
        return raw.astype(np.float64, copy=False)


def frustum_planes(frustum: ArrayLike) -> NDArray[np.float64]:
    """Return checked (k, 4) planes; of a matrix, the sums and differences of its last row and the others."""
    given = _real_numbers(frustum, "frustum").copy()  # what is checked must not change before it is used
    if given.ndim != 2 or given.shape[1] != 4 or len(given) == 0:
        raise RayError(f"frustum must be (k, 4) planes or a 4×4 matrix; found shape {given.shape}")
    wrong = ~(np.abs(given) <= MAX_COORDINATE)
    if wrong.any():
        i, j = (int(k) for k in np.argwhere(wrong)[0])
        limit = f"every number must be finite and within ±{MAX_COORDINATE:g}"
        raise RayError(f"frustum[{i}][{j}] is {given[i, j]}; {limit}")
    if given.shape == (4, 4):
        x, y, z, w = given
        return np.array([w + x, w - x, w + y, w - y, w + z, w - z])
    return np.ascontiguousarray(given)


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
