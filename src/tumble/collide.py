"""`collides` and `collide`: input checked, trees found, kernels run, pairs sorted."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.hierarchy.tree import Tree
from tumble.mesh import MeshLike
from tumble.result import Collision, Stats


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
    from tumble.traversal import prepare

    query = prepare(a, b, pose_a, pose_b)
    return query is not None and len(query.first()) > 0


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

    method   the traversal: auto, brute, leaf, stack, alternating, stackless, stackless-post; all give the same pairs
    tree     the bounding volume: auto, aabb, sphere; trees are built on first use and cached on the mesh
    first    stop at the first pair (which one that is depends on the method)
    stats    also count iterations, tests and overlaps
    """
    from tumble.traversal import prepare
    from tumble.traversal.query import new_counters, stats_of

    query = prepare(a, b, pose_a, pose_b, method=method, tree=tree)
    if query is None:
        return Collision(np.empty((0, 2), np.int64), Stats(0, 0, 0, 0, 0) if stats else None)
    counters = new_counters() if stats else None
    pairs = query.first(counters) if first else query.collect(counters)
    return Collision(_sorted(pairs), stats_of(counters, len(pairs)) if counters else None)


def _sorted(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the pairs in order, and frozen."""
    # one key for both numbers: they are below 2**31
    keys = np.sort(pairs[:, 0] << 32 | pairs[:, 1])
    result = np.stack((keys >> 32, keys & 0xFFFFFFFF), axis=1)
    result.flags.writeable = False
    return result
