"""`collides`, `collide` and `collide_many`: input checked, trees found, kernels run, pairs sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import OptionError, PoseError
from tumble.hierarchy.tree import Tree
from tumble.mesh import MeshLike, as_mesh
from tumble.mesh.rigid import as_matrix, as_pose, as_poses
from tumble.result import COUNTED, NOTHING, Collision, Collisions, Stats, pairs_of_keys, stats_of_counts

FAST_METHODS = ("auto", "wide")
FIRST_CAPACITY = 1 << 16
LARGEST_KEPT = 1 << 22

REFUSED = -1
IDENTITY = np.eye(4)
NO_POSE = np.empty((0, 0))
"""what the kernels refuse, for what is no plain array: it may still be a pose, or the error be worded, in Python"""
_Array = np.ndarray
_spare: list[NDArray[np.int64]] = []


def collides(
    a: MeshLike | Tree,
    b: MeshLike | Tree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
) -> bool:
    """Tell whether two meshes touch; stops at the first touching pair of triangles.

    Meshes are `tumble.Mesh`, `trimesh.Trimesh`, `(vertices, faces)` or a prepared `Tree`; poses are rigid 4×4 arrays
    for column vectors, or None. Only surfaces count: a part that floats inside a hollow one does not touch it.
    """
    # Straight into the kernel, which checks what it is given; whatever is not a Mesh with its tree and a float64 array
    # fails here in some way and is looked at closely below.
    try:
        found = _first_hit(
            a._address,  # type: ignore[union-attr]
            b._address,  # type: ignore[union-attr]
            pose_a if type(pose_a) is _Array else IDENTITY if pose_a is None else NO_POSE,
            pose_b if type(pose_b) is _Array else IDENTITY if pose_b is None else NO_POSE,
        )
    except Exception:
        found = REFUSED
    return found > 0 if found >= 0 else _collides_carefully(a, b, pose_a, pose_b)


def _first_hit(*arguments: Any) -> int:
    """Stand in for the kernel until the first query has loaded it."""
    return REFUSED


def _collides_carefully(a: Any, b: Any, pose_a: Any, pose_b: Any) -> bool:
    global _first_hit
    if isinstance(a, Tree) or isinstance(b, Tree):
        from tumble.traversal import prepare

        query = prepare(a, b, pose_a, pose_b)
        return query is not None and len(query.first()) > 0
    addresses, poses, _meshes = _prepared(a, b, pose_a, pose_b)
    from tumble.traversal.wide.query import first_hit

    _first_hit = first_hit
    return first_hit(*addresses, *poses) > 0


def collide(
    a: MeshLike | Tree,
    b: MeshLike | Tree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    method: str = "auto",
    tree: str = "auto",
    first: bool = False,
    stats: bool = False,
) -> Collision:
    """Return the touching triangles of two meshes, exactly.

    method   the traversal: auto (which is wide), brute, leaf, stack, alternating, stackless, stackless-post; all give
             the same pairs
    tree     the bounding volume: auto, aabb, sphere; trees are built on first use and cached on the mesh
    first    stop at the first pair (which one that is depends on the method)
    stats    also count iterations, tests and overlaps
    """
    if method in FAST_METHODS and tree == "auto":
        # as in `collides`: what fails here is looked at closely below
        buffer = _buffer(FIRST_CAPACITY)
        try:
            found = _all_hits(
                a._address,  # type: ignore[union-attr]
                b._address,  # type: ignore[union-attr]
                pose_a if type(pose_a) is _Array else IDENTITY if pose_a is None else NO_POSE,
                pose_b if type(pose_b) is _Array else IDENTITY if pose_b is None else NO_POSE,
                bool(first),
                buffer,
            )
        except Exception:
            found = REFUSED
        if 0 <= found <= len(buffer) - COUNTED:
            collision = _collision(buffer, found, stats) if found or stats else NOTHING
            _spare.append(buffer)
            return collision
        if not isinstance(a, Tree) and not isinstance(b, Tree):
            return _collide_carefully(a, b, pose_a, pose_b, bool(first), stats)
    if method == "wide":
        raise OptionError("method 'wide' has a packed tree of its own; pass meshes and leave tree='auto'")
    from tumble.traversal import prepare
    from tumble.traversal.query import new_counters, stats_of

    query = prepare(a, b, pose_a, pose_b, method=method, tree=tree)
    if query is None:
        return Collision(np.empty((0, 2), np.int64), Stats(0, 0, 0, 0, 0) if stats else None)
    counters = new_counters() if stats else None
    pairs = query.first(counters) if first else query.collect(counters)
    keys = np.sort(pairs[:, 0] << 32 | pairs[:, 1])
    return Collision(pairs_of_keys(keys), stats_of(counters, len(pairs)) if counters else None)


def _all_hits(*arguments: Any) -> int:
    """Stand in for the kernel until the first query has loaded it."""
    return REFUSED


def _collide_carefully(a: Any, b: Any, pose_a: Any, pose_b: Any, first: bool, stats: bool) -> Collision:
    global _all_hits
    addresses, poses, _meshes = _prepared(a, b, pose_a, pose_b)
    from tumble.traversal.wide.query import all_hits

    _all_hits = all_hits
    capacity = FIRST_CAPACITY
    while True:
        buffer = _buffer(capacity)
        found = all_hits(*addresses, *poses, first, buffer)
        if found <= len(buffer) - COUNTED:
            collision = _collision(buffer, found, stats)
            if len(buffer) <= LARGEST_KEPT:
                _spare.append(buffer)
            return collision
        capacity = found + COUNTED  # it went on counting, so the second time there is room for all


def _collision(buffer: NDArray[np.int64], found: int, stats: bool) -> Collision:
    keys = buffer[COUNTED : COUNTED + found]
    keys.sort()
    return Collision(pairs_of_keys(keys), stats_of_counts(buffer, found) if stats else None)


def _buffer(capacity: int) -> NDArray[np.int64]:
    """Take a spare buffer with room for so many numbers, or make one; it is put back when the answer is made.

    Until then nobody else has it, neither another thread nor a signal handler that asks a query in the midst of this.
    """
    try:
        buffer = _spare.pop()
    except IndexError:
        return np.empty(capacity, np.int64)
    return buffer if len(buffer) >= capacity else np.empty(capacity, np.int64)


def _prepared(a: Any, b: Any, pose_a: Any, pose_b: Any) -> tuple[tuple[int, int], tuple[Any, Any], Any]:
    """Return the addresses of two trees, two checked poses, and the meshes, which must outlive the addresses."""
    from tumble.hierarchy.packed import packed

    poses = _checked_pose(pose_a), _checked_pose(pose_b)
    meshes = as_mesh(a), as_mesh(b)
    return (packed(meshes[0]).address, packed(meshes[1]).address), poses, meshes


def _checked_pose(pose: Any) -> NDArray[np.float64]:
    return IDENTITY if as_pose(pose) is None else as_matrix(pose)


def collide_many(
    a: MeshLike,
    b: MeshLike,
    poses_b: ArrayLike,
    poses_a: ArrayLike | None = None,
    *,
    first: bool = True,
    threads: int | None = None,
) -> Collisions:
    """Ask for many poses in one call, on all cores: `.hit` (n,), `.counts` (n,), `.pairs(i)`.

    poses_b  (n, 4, 4): where b is, one rigid pose for each query
    poses_a  None, one 4×4 pose for all queries, or (n, 4, 4)
    first    only whether they touch, with one touching pair as the witness; False: all pairs
    threads  at most so many at a time; None: all cores. The result does not depend on it.
    """
    from tumble.batch import Bodies, collide_bodies
    from tumble.hierarchy.packed import packed

    moving = as_poses(poses_b, "poses_b")
    fixed = IDENTITY[None] if poses_a is None else as_poses(poses_a, "poses_a", single=True)
    meshes = as_mesh(a), as_mesh(b)
    pairs = np.zeros((len(moving), 2), np.int64)
    pairs[:, 1] = np.arange(len(moving))
    if len(fixed) != 1 or (poses_a is not None and np.ndim(poses_a) == 3):
        _check_lengths(len(fixed), len(moving))
        pairs[:, 0] = pairs[:, 1]
    bodies = [
        Bodies(np.full(len(poses), packed(mesh).address, np.int64), poses)
        for mesh, poses in zip(meshes, (fixed, moving), strict=True)
    ]
    called = ("poses_a", "poses_b")
    return collide_bodies(bodies[0], bodies[1], pairs, first=first, threads=threads, called=called)


def _check_lengths(fixed: int, moving: int) -> None:
    if fixed != moving:
        raise PoseError(f"poses_a holds {fixed} poses and poses_b {moving}; give as many, or one 4×4 pose for a")
