"""`collides`, `collide` and `collide_many`.

With default options and prepared meshes `collides` and `collide` go into one kernel from one Python frame. Other
arguments and options take the road of every call: `tumble.api.ask`.
"""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.ask import ask
from tumble.api.buried import are_buried, closed_bodies, with_buried
from tumble.api.come_near import come_near, direct_hit
from tumble.core.interrupts import COUNTED, REFUSED, check, count_of, forget
from tumble.core.limits import check_pairs, refuse
from tumble.core.options import refuse_arrays
from tumble.errors import PoseError
from tumble.hierarchy import BoxTree, Tree
from tumble.hierarchy.packed import packed
from tumble.mesh import MeshLike, as_mesh
from tumble.mesh.rigid import as_poses, as_rigid
from tumble.query.answer import NOTHING, Collision, Collisions
from tumble.query.bodies import IDENTITY, Bodies, one_body, placed
from tumble.query.clearance import checked_clearance, checked_clearances
from tumble.query.engine import CLEARANCE, TOUCHING
from tumble.query.plan import Options
from tumble.query.run import pairs_in_buffer
from tumble.query.settings import AnySettings
from tumble.traversal.packed.engine import stats_of_counts

FIRST_CAPACITY = 1 << 16
LARGEST_KEPT = 1 << 22
MANY = 64
"""NumPy sorts more pairs faster than the kernel does"""

ONE_PAIR = np.zeros((1, 2), np.int64)  # the first body of each side
# Buffers for pairs. A query takes one out and puts it back when its answer is made: until then no other thread has it,
# nor has a signal handler that runs a query meanwhile.
_spare: list[NDArray[np.int64]] = []


def collides(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    # not after a star: Python looks up defaults of keyword-only parameters in a dictionary, 20 ns each of 300
    solid: bool = False,
    clearance: float | None = None,
) -> bool:
    """Return whether two meshes touch; stops at the first touching pair of triangles.

    Meshes are `tumble.Mesh`, `trimesh.Trimesh`, `(vertices, faces)` or a prepared `Tree` or `BoxTree`; poses are rigid
    4×4 arrays for column vectors, or None. Only surfaces count: a part that floats inside another one does not touch
    it. With `solid`, volumes count, and a part buried in another collides, too; then both meshes must be closed
    (`tumble.relation` says which volumes those are). With a `clearance`, meshes that are nearer to each other than that
    collide as well, decided exactly; at just this distance they do not (`tumble.clearance`).
    """
    # Straight into the kernel, which refuses whatever is not the header of a tree, a float64 4×4 array or None; refused
    # arguments are checked below.
    try:
        try:
            found = _first_hit(a._packed_header, b._packed_header, pose_a, pose_b, IDENTITY, None)  # type: ignore[union-attr]
        except AttributeError:
            found = REFUSED
        if solid is not False or clearance is not None:
            return _collides_otherwise(found, a, b, pose_a, pose_b, solid, clearance)
        return found > 0 if found >= 0 else _collides_carefully(a, b, pose_a, pose_b)
    except BaseException:
        forget()  # of two signals, one amid the kernel and one after it, the second is enough
        raise


def _not_loaded(*arguments: Any) -> int:
    """Stand in for the kernels until the first query has loaded them."""
    return REFUSED


_first_hit = _first_pair = _all_pairs = _write_pairs = _not_loaded


def _collides_carefully(a: Any, b: Any, pose_a: Any, pose_b: Any) -> bool:
    check()
    if isinstance(a, Tree | BoxTree) or isinstance(b, Tree | BoxTree):
        return bool(collide(a, b, pose_a, pose_b, first=True))
    tree_a, tree_b, *poses = _prepared(a, b, pose_a, pose_b)
    found = _first_hit(tree_a.header, tree_b.header, *poses, IDENTITY, None)
    if found < REFUSED:
        refuse(found)
    return count_of(found) > 0


def _collides_otherwise(found: int, a: Any, b: Any, pose_a: Any, pose_b: Any, solid: Any, clearance: Any) -> bool:
    """Tell whether meshes touch, come nearer than the clearance, or one solid is buried in the other.

    found   what the search for a touching pair returned: a number of pairs, or REFUSED
    """
    if solid is False and type(clearance) is float and 0.0 < clearance < inf and found >= 0:
        # what is asked for most: prepared meshes, in as few steps as possible
        near = 1 if found > 0 else direct_hit(a, b, pose_a, pose_b, np.array((clearance,)))
        if near >= 0:
            return near > 0
    refuse_arrays(solid=solid)
    number = 0.0 if clearance is None else checked_clearance(clearance)
    bodies = closed_bodies(a, b, pose_a, pose_b) if solid else None
    if found > 0 or (found < 0 and _collides_carefully(a, b, pose_a, pose_b)):
        return True
    if number > 0.0 and come_near(a, b, pose_a, pose_b, np.array([number])):
        return True
    return bodies is not None and are_buried(*bodies)


def _load_kernels() -> None:
    from tumble.traversal.packed.query import all_pairs, first_hit, first_pair, write_pairs

    global _first_hit, _first_pair, _all_pairs, _write_pairs
    _first_hit, _first_pair, _all_pairs, _write_pairs = first_hit, first_pair, all_pairs, write_pairs


def collide(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    method: str = "auto",
    tree: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    first: bool = False,
    contacts: bool = False,
    stats: bool = False,
    settings: AnySettings | None = None,
) -> Collision:
    """Return the touching triangles of two meshes, exactly.

    method    the traversal: auto (which is packed), brute, leaf, stack, stack-ahead, alternating, stackless,
              stackless-post, stackless-merge, lists, lists-pairs, binary-stack, bulk, front; all give the same pairs
    tree      the trees that it walks: auto, packed, aabb, sphere, obb, obb-covariance, kdop6, kdop14, kdop18, kdop24,
              kdop26, boxtree, implicit; trees are built on first use and cached on the mesh
    device    cpu, or an OpenCL device, which traverses obb trees by a binary stack (or leaf, alternating, stackless,
              stackless-post), or implicit trees in bulk or from a front: opencl, opencl:0, … (`tumble.devices`)
    threads   how many threads share the work, at most; None: all cores. The result does not depend on it.
    first     stop at the first pair (which one that is depends on the method)
    contacts  also where each pair meets (a segment), in which direction the triangle of a separates from that of b, and
              how far it has to move; docs/contacts.md
    stats     also count iterations, tests, overlaps and moved volumes
    settings  the parameters of the method: `tumble.WalkSettings`, `BoxtreeSettings`, `BulkSettings`,
              `FrontSettings`, `DeviceSettings`

    Options that cannot be combined are refused with an `OptionError` that names what can; see docs/methods.md.
    """
    try:
        direct = method == "auto" and tree == "auto" and device == "cpu" and settings is None and not contacts
        find = _first_pair if first else _all_pairs
    except (ValueError, TypeError):  # an array, which compares element by element
        refuse_arrays(method=method, tree=tree, device=device, first=first, contacts=contacts)
        raise
    if direct and threads is None:
        try:
            # as in `collides`: what fails here is checked below
            try:
                buffer = _spare.pop()
            except IndexError:
                buffer = np.empty(FIRST_CAPACITY, np.int64)
            try:
                found = find(a._packed_header, b._packed_header, pose_a, pose_b, IDENTITY, None, buffer)  # type: ignore[union-attr]
            except AttributeError:
                found = REFUSED
            if found == 0 and not stats:
                _spare.append(buffer)
                return NOTHING
            if 0 <= found <= len(buffer) - COUNTED:
                collision = _collision(buffer, found, stats)
                _spare.append(buffer)
                return collision
            if not isinstance(a, Tree | BoxTree) and not isinstance(b, Tree | BoxTree):
                return _collide_carefully(a, b, pose_a, pose_b, bool(first), stats)
        except BaseException:
            forget()
            raise
    options = Options(method, tree, device, threads, first, contacts, stats, settings)
    table = ask(TOUCHING, one_body(a, pose_a), one_body(b, pose_b), ONE_PAIR, options)
    return Collision(table.triangles, table.stats, table.contacts)


def _collide_carefully(a: Any, b: Any, pose_a: Any, pose_b: Any, first: bool, stats: bool) -> Collision:
    check()
    tree_a, tree_b, *poses = _prepared(a, b, pose_a, pose_b)
    find = _first_pair if first else _all_pairs
    sides = tree_a.header, tree_b.header, *poses, IDENTITY, None
    buffer, found = pairs_in_buffer(lambda buffer: find(*sides, buffer), FIRST_CAPACITY)
    collision = _collision(buffer, found, stats)
    if len(buffer) <= LARGEST_KEPT:
        _spare.append(buffer)
    return collision


def _collision(buffer: NDArray[np.int64], found: int, stats: bool) -> Collision:
    if found > MANY:
        check_pairs(found)  # a spare buffer may be larger than the current limit
        buffer[COUNTED : COUNTED + found].sort()
    pairs = np.empty((found, 2), np.int64)
    kept = _write_pairs(buffer, pairs)
    if kept < found:  # where triangles were cut, their pairs may be found several times
        pairs = pairs[:kept].copy()
    pairs.flags.writeable = False
    return _with_stats(pairs, buffer) if stats else Collision(pairs)


def _with_stats(pairs: NDArray[np.int64], buffer: NDArray[np.int64]) -> Collision:
    return Collision(pairs, stats_of_counts(buffer, len(pairs)))


def _prepared(a: Any, b: Any, pose_a: Any, pose_b: Any) -> tuple[Any, Any, Any, Any]:
    """Return two trees, which must outlive the query, and two checked poses; load the kernels."""
    checked_a, checked_b = (IDENTITY if pose is None else pose for pose in map(as_rigid, (pose_a, pose_b)))
    trees = packed(as_mesh(a)), packed(as_mesh(b))
    if _first_hit is _not_loaded:
        _load_kernels()
    return *trees, checked_a, checked_b


def collide_many(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    poses_b: ArrayLike,
    poses_a: ArrayLike | None = None,
    *,
    method: str = "auto",
    tree: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    first: bool = True,
    contacts: bool = False,
    stats: bool = False,
    settings: AnySettings | None = None,
    solid: bool = False,
    clearance: ArrayLike | None = None,
    client: object = None,
) -> Collisions:
    """Ask for many poses in one call, on all cores: `.hit` (n,), `.counts` (n,), `.pairs(i)`.

    poses_b  (n, 4, 4): where b is, one rigid pose for each query
    poses_a  None, one 4×4 pose for all queries, or (n, 4, 4)
    first    only whether they touch, with one touching pair as the witness; False: all pairs. Which pair it is depends
             on method and device.
    solid    a solid that is buried in the other is a hit as well, without pairs: `.buried`; both meshes must be closed
    clearance  pairs of triangles that are nearer to each other than this are hits as well: one number, or (n,), one for
             each query; with first=False, `.distances` says how far each pair is apart (`tumble.clearance`)
    client   a Dask client, or a `tumble.cluster.Cluster`: its workers answer, with the same bits; docs/cluster.md

    The other options are those of `collide`.
    """
    refuse_arrays(solid=solid)
    body_a, body_b, pairs = posed_twice(a, b, poses_b, poses_a)
    options = Options(method, tree, device, threads, first, contacts, stats, settings, client)
    if clearance is None:
        table = ask(TOUCHING, body_a, body_b, pairs, options)
    else:
        clearances = checked_clearances(clearance, len(pairs))
        table = ask(CLEARANCE, body_a, body_b, pairs, options, clearances=clearances)
    found = Collisions(table.counts, table.triangles, table.stats, table.contacts, table.distances)
    if not solid:
        return found
    touching = found.counts > 0
    if clearance is not None:  # what is near may touch, or not
        near, only_one = np.flatnonzero(touching), options._replace(first=True, stats=False, client=None)
        touching[near] = ask(TOUCHING, body_a, body_b, pairs[near], only_one).hit
    return with_buried(found, touching, body_a, body_b, pairs)


def posed_twice(
    a: MeshLike | Tree | BoxTree, b: MeshLike | Tree | BoxTree, poses_b: ArrayLike, poses_a: ArrayLike | None
) -> tuple[Bodies, Bodies, NDArray[np.int64]]:
    """Return two meshes in many places, and the pairs of these: pose by pose, or all of b with one of a."""
    moving = as_poses(poses_b, "poses_b")
    fixed = np.eye(4) if poses_a is None else as_poses(poses_a, "poses_a", single=True)
    pairs = np.zeros((len(moving), 2), np.int64)
    pairs[:, 1] = np.arange(len(moving))
    if fixed.ndim == 2:
        fixed = fixed[None]
    else:
        if len(fixed) != len(moving):
            counts = f"poses_a holds {len(fixed)} poses and poses_b {len(moving)}"
            raise PoseError(f"{counts}; give as many, or one 4×4 pose for a")
        pairs[:, 0] = pairs[:, 1]
    return placed(a, fixed, "poses_a"), placed(b, moving, "poses_b"), pairs
