"""`collides`, `collide` and `collide_many`: input checked, trees found, kernels run, pairs sorted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.interrupts import check
from tumble.core.limits import check_pairs, refuse
from tumble.core.options import is_cpu, refuse_arrays
from tumble.errors import OptionError, PoseError
from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import MeshLike, as_mesh
from tumble.mesh.rigid import as_poses, as_rigid
from tumble.query.answer import (
    COUNTED,
    NOTHING,
    REFUSED,
    Collision,
    Collisions,
    PairContacts,
    Stats,
    count_of,
    pairs_of_keys,
    stats_of_counts,
)

if TYPE_CHECKING:
    from tumble.query.bulk_settings import BulkSettings
    from tumble.query.front_settings import FrontSettings

FIRST_CAPACITY = 1 << 16
LARGEST_KEPT = 1 << 22
MANY = 64
"""NumPy sorts more pairs faster than the kernel does"""

IDENTITY = np.eye(4)
IDENTITY.flags.writeable = False
# Buffers for pairs. A query takes one out and puts it back when its answer is made: until then nobody else has it,
# neither another thread nor a signal handler that asks a query in the midst of this.
_spare: list[NDArray[np.int64]] = []


def collides(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
) -> bool:
    """Tell whether two meshes touch; stops at the first touching pair of triangles.

    Meshes are `tumble.Mesh`, `trimesh.Trimesh`, `(vertices, faces)` or a prepared `Tree` or `BoxTree`; poses are rigid
    4×4 arrays for column vectors, or None. Only surfaces count: a part that floats inside a hollow one does not touch
    it.
    """
    # Straight into the kernel, which refuses whatever is not the header of a tree, a float64 4×4 array or None; that is
    # looked at closely below.
    try:
        found = _first_hit(a._packed_header, b._packed_header, pose_a, pose_b, IDENTITY, None)  # type: ignore[union-attr]
    except AttributeError:
        found = REFUSED
    return found > 0 if found >= 0 else _collides_carefully(a, b, pose_a, pose_b)


def _not_loaded(*arguments: Any) -> int:
    """Stand in for the kernels until the first query has loaded them."""
    return REFUSED


_first_hit = _first_pair = _all_pairs = _write_pairs = _not_loaded


def _collides_carefully(a: Any, b: Any, pose_a: Any, pose_b: Any) -> bool:
    check()
    if isinstance(a, BoxTree) or isinstance(b, BoxTree):
        return bool(collide(a, b, pose_a, pose_b, first=True))
    if isinstance(a, Tree) or isinstance(b, Tree):
        from tumble.traversal import prepare

        query = prepare(a, b, pose_a, pose_b)
        return query is not None and len(query.first()) > 0
    tree_a, tree_b, *poses = _prepared(a, b, pose_a, pose_b)
    found = _first_hit(tree_a.header, tree_b.header, *poses, IDENTITY, None)
    if found < REFUSED:
        refuse(found)
    return count_of(found) > 0


def _load_kernels() -> None:
    global _first_hit, _first_pair, _all_pairs, _write_pairs
    from tumble.traversal.packed.query import all_pairs, first_hit, first_pair, write_pairs

    _first_hit, _first_pair, _all_pairs, _write_pairs = first_hit, first_pair, all_pairs, write_pairs


def collide(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    method: str = "auto",
    tree: str = "auto",
    first: bool = False,
    contacts: bool = False,
    stats: bool = False,
    overlap: str | None = None,
    ahead: bool | None = None,
    narrow: str = "exact",
    rule: str | None = None,
    device: str = "cpu",
    bulk: BulkSettings | None = None,
    front: FrontSettings | None = None,
) -> Collision:
    """Return the touching triangles of two meshes, exactly.

    method   the traversal: auto (which is wide), brute, leaf, stack, stack-ahead, alternating, stackless,
             stackless-post, lists, lists-pairs, binary-stack, bulk, front; all give the same pairs
    tree     the bounding volume: auto, aabb, sphere, obb, obb-covariance, kdop6, kdop14, kdop18, kdop24, kdop26,
             boxtree; trees are built on first use and cached on the mesh
    first    stop at the first pair (which one that is depends on the method)
    contacts also say of each pair where it meets (a segment), which way the triangle of a gets free of that of b, and
             how far it has to go; docs/contacts.md
    stats    also count iterations, tests, overlaps and moved volumes
    overlap  of boxtrees, the test of two nodes: axis, lookup, sat, sat-lite (the default)
    ahead    of boxtrees, whether a node's part of the tests is computed once for all its pairs (the default)
    narrow   the test of two triangles: exact, or unit-triangle, that of paper `chip`, with the exact one where it is
             not certain; it needs a method that is not wide (auto then is stack) and trees that are not boxtrees
    rule     of stack, stack-ahead and binary-stack, in which tree to go down: volume (the default), longest-side,
             triangles, alternate, a-first, b-first
    device   cpu, or an OpenCL device, which walks obb trees by a binary stack, or implicit trees in bulk or from a
             front: opencl, opencl:0, … (`tumble.devices`)
    bulk     of bulk, its parameters: `tumble.BulkSettings`
    front    of front, its parameters: `tumble.FrontSettings`; it starts at the roots, `tumble.Tracker` keeps the front
    """
    try:
        fast = tree == "auto" and (method == "auto" or method == "wide") and overlap is None and ahead is None
        plain = rule is None and bulk is None and front is None and narrow == "exact" and device == "cpu"
        direct = fast and plain and not contacts
        ask = _first_pair if first else _all_pairs
    except (ValueError, TypeError):  # an array, which compares element by element
        refuse_arrays(method=method, tree=tree, narrow=narrow, device=device, first=first, contacts=contacts)
        raise
    if direct:
        # as in `collides`: what fails here is looked at closely below
        try:
            buffer = _spare.pop()
        except IndexError:
            buffer = np.empty(FIRST_CAPACITY, np.int64)
        try:
            found = ask(a._packed_header, b._packed_header, pose_a, pose_b, IDENTITY, None, buffer)  # type: ignore[union-attr]
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
    refuse_arrays(method=method, tree=tree, narrow=narrow, device=device)  # those that were not compared yet
    if contacts:  # read once: the geometry of the pairs must be that of the query
        a, b, pose_a, pose_b = _owned(a), _owned(b), as_rigid(pose_a), as_rigid(pose_b)
    options: dict[str, Any] = {"method": method, "tree": tree, "rule": rule, "first": first, "stats": stats}
    _check_settings(method, bulk, front)
    if method in ("bulk", "front"):
        others = {"overlap": overlap, "ahead": ahead, "rule": rule, "narrow": None if narrow == "exact" else narrow}
        settings = bulk if method == "bulk" else front
        given = {"tree": tree, "first": first, "stats": stats, "settings": settings, "others": others}
        pairs_only = _collide_implicit(method, device, (a, b), (pose_a, pose_b), given)
        return _with_contacts(pairs_only, a, b, pose_a, pose_b) if contacts else pairs_only
    if not is_cpu(device):
        from tumble.device.doors import collide_two

        if overlap is not None or ahead is not None:
            raise OptionError("overlap= and ahead= are options of boxtrees, which devices do not walk")
        if narrow != "exact":
            raise OptionError(f"devices have a triangle test of their own; narrow={narrow!r} works with device='cpu'")
        return collide_two(device, (a, b), (pose_a, pose_b), contacts=contacts, **options)
    if contacts:
        without = collide(a, b, pose_a, pose_b, overlap=overlap, ahead=ahead, narrow=narrow, **options)
        return _with_contacts(without, a, b, pose_a, pose_b)
    boxtrees = tree == "boxtree" or isinstance(a, BoxTree) or isinstance(b, BoxTree)
    if narrow != "exact":
        _check_narrow(narrow, method, boxtrees)
    if boxtrees:
        from tumble.traversal.boxtree.prepare import collide_boxtrees

        if rule is not None:
            raise OptionError(f"boxtrees are walked down both at once, so rule={rule!r} is for another tree")
        return collide_boxtrees(
            a, b, pose_a, pose_b, method=method, tree=tree, first=first, stats=stats, overlap=overlap, ahead=ahead
        )
    if overlap is not None or ahead is not None:
        raise OptionError("overlap= and ahead= are options of boxtrees; pass tree='boxtree' with them")
    if method == "wide":
        raise OptionError("method 'wide' has a packed tree of its own; pass meshes and leave tree='auto'")
    from tumble.traversal import prepare
    from tumble.traversal.query import new_counters, stats_of

    query = prepare(a, b, pose_a, pose_b, method=method, tree=tree, narrow=narrow, rule=rule)
    if query is None:
        return Collision(np.empty((0, 2), np.int64), Stats(0, 0, 0, 0, 0) if stats else None)
    counters = new_counters() if stats else None
    pairs = query.first(counters) if first else query.collect(counters)
    keys = np.sort(pairs[:, 0] << 32 | pairs[:, 1])
    return Collision(pairs_of_keys(keys), stats_of(counters, len(pairs)) if counters else None)


def _collide_implicit(
    method: str, device: str, sides: tuple[Any, Any], poses: tuple[Any, Any], options: dict[str, Any]
) -> Collision:
    """Ask one of the methods with implicit trees."""
    if not is_cpu(device):
        from tumble.device.bulk_doors import collide_two_in_bulk
        from tumble.device.front_doors import collide_two_by_front

        ask = collide_two_in_bulk if method == "bulk" else collide_two_by_front
        return ask(device, sides, poses, **options)
    if method == "bulk":
        from tumble.traversal.bulk.query import collide_bulk

        return collide_bulk(*sides, *poses, **options)
    from tumble.traversal.front.query import collide_front

    return collide_front(*sides, *poses, **options)


def _check_settings(method: str, bulk: Any, front: Any) -> None:
    """Refuse the parameters of another method."""
    for owner, settings in (("bulk", bulk), ("front", front)):
        if settings is not None and method != owner:
            raise OptionError(f"{owner}= has the parameters of method={owner!r}, not of {method!r}")


def _check_narrow(narrow: str, method: str, boxtrees: bool) -> None:
    """Refuse an unknown test of triangles, and any for a walk that has a test of its own."""
    from tumble.narrow.choice import checked_narrow
    from tumble.traversal import METHODS
    from tumble.volume import KINDS

    checked_narrow(narrow)
    if boxtrees:
        able = ", ".join(("auto", *KINDS))
        raise OptionError(f"boxtrees have a triangle test of their own; narrow={narrow!r} works with trees: {able}")
    if method == "wide":
        able = ", ".join(("auto (which then is stack)", *METHODS))
        raise OptionError(f"'wide' has a triangle test of its own; narrow={narrow!r} works with methods: {able}")


def _owned(side: Any) -> Any:
    """Return a tree as it is, and anything else as a mesh."""
    return side if isinstance(side, Tree | BoxTree) else as_mesh(side)


def _with_contacts(collision: Collision, a: Any, b: Any, pose_a: Any, pose_b: Any) -> Collision:
    """Return a collision with the contact geometry of its pairs; sides and poses are Tumble's own."""
    from tumble.narrow.contact import write_contacts
    from tumble.narrow.contact_segment import POLYGON_ROOM

    count = len(collision)
    segments, normals, depths = np.empty((count, 2, 3)), np.empty((count, 3)), np.empty(count)
    if count:
        sides = []
        for side, pose in ((a, pose_a), (b, pose_b)):
            mesh = side.mesh if isinstance(side, Tree | BoxTree) else side
            sides += [mesh.vertices, mesh.faces, IDENTITY if pose is None else pose]
        write_contacts(*sides, collision.pairs, segments, normals, depths, np.empty(POLYGON_ROOM))
    points = 0.5 * segments[:, 0] + 0.5 * segments[:, 1]
    for array in (segments, points, normals, depths):
        array.flags.writeable = False
    return replace(collision, contacts=PairContacts(segments, points, normals, depths))


def _collide_carefully(a: Any, b: Any, pose_a: Any, pose_b: Any, first: bool, stats: bool) -> Collision:
    check()
    tree_a, tree_b, *poses = _prepared(a, b, pose_a, pose_b)
    ask = _first_pair if first else _all_pairs
    buffer = np.empty(FIRST_CAPACITY, np.int64)
    while True:
        found = ask(tree_a.header, tree_b.header, *poses, IDENTITY, None, buffer)
        if found < REFUSED:
            refuse(found)
        check_pairs(count_of(found))
        if found <= len(buffer) - COUNTED:
            collision = _collision(buffer, found, stats)
            if len(buffer) <= LARGEST_KEPT:
                _spare.append(buffer)
            return collision
        buffer = np.empty(found + COUNTED, np.int64)  # it went on counting, so the second time there is room for all


def _collision(buffer: NDArray[np.int64], found: int, stats: bool) -> Collision:
    if found > MANY:
        check_pairs(found)  # a spare buffer may have room for more than the limit of today
        buffer[COUNTED : COUNTED + found].sort()
    pairs = np.empty((found, 2), np.int64)
    kept = _write_pairs(buffer, pairs)
    if kept < found:  # where triangles were cut, their pairs may be found several times
        pairs = pairs[:kept].copy()
    pairs.flags.writeable = False
    return Collision(pairs, stats_of_counts(buffer, kept) if stats else None)


def _prepared(a: Any, b: Any, pose_a: Any, pose_b: Any) -> tuple[Any, Any, Any, Any]:
    """Return two trees, which must outlive the query, and two checked poses; see to it that the kernels are there."""
    from tumble.hierarchy.packed import packed

    poses = _checked_pose(pose_a), _checked_pose(pose_b)
    trees = packed(as_mesh(a)), packed(as_mesh(b))
    if _first_hit is _not_loaded:
        _load_kernels()
    return *trees, *poses


def _checked_pose(pose: Any) -> NDArray[np.float64]:
    matrix = as_rigid(pose)
    return IDENTITY if matrix is None else matrix


def collide_many(
    a: MeshLike,
    b: MeshLike,
    poses_b: ArrayLike,
    poses_a: ArrayLike | None = None,
    *,
    first: bool = True,
    threads: int | None = None,
    tree: str = "auto",
    device: str = "cpu",
) -> Collisions:
    """Ask for many poses in one call, on all cores: `.hit` (n,), `.counts` (n,), `.pairs(i)`.

    poses_b  (n, 4, 4): where b is, one rigid pose for each query
    poses_a  None, one 4×4 pose for all queries, or (n, 4, 4)
    first    only whether they touch, with one touching pair as the witness; False: all pairs
    threads  at most so many at a time; None: all cores. The result does not depend on it.
    tree     auto (packed trees, the fastest) or boxtree (the smallest); the result does not depend on it
    device   cpu, or an OpenCL device: opencl, opencl:0, … (`tumble.devices`); the witness may be another one there
    """
    moving = as_poses(poses_b, "poses_b")
    fixed = np.eye(4) if poses_a is None else as_poses(poses_a, "poses_a", single=True)
    meshes = as_mesh(a), as_mesh(b)
    pairs = np.zeros((len(moving), 2), np.int64)
    pairs[:, 1] = np.arange(len(moving))
    if fixed.ndim == 2:
        fixed = fixed[None]
    else:
        _check_lengths(len(fixed), len(moving))
        pairs[:, 0] = pairs[:, 1]
    called = ("poses_a", "poses_b")
    if not is_cpu(device):
        from tumble.device.doors import collide_poses

        return collide_poses(
            device, meshes, (fixed, moving), pairs, tree=tree, first=first, threads=threads, called=called
        )
    from tumble.query.run import Bodies, collide_bodies
    from tumble.traversal.engines import engine_of

    engine = engine_of(tree)
    bodies = [
        Bodies(np.full(len(poses), engine.tree_of(mesh).address, np.int64), poses)
        for mesh, poses in zip(meshes, (fixed, moving), strict=True)
    ]
    return collide_bodies(bodies[0], bodies[1], pairs, engine, first=first, threads=threads, called=called)


def _check_lengths(fixed: int, moving: int) -> None:
    if fixed != moving:
        raise PoseError(f"poses_a holds {fixed} poses and poses_b {moving}; give as many, or one 4×4 pose for a")
