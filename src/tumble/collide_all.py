"""`collide_all`: all pairs of many meshes, and meshes with themselves, in one question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tumble.bulk_settings import BulkSettings
from tumble.errors import OptionError
from tumble.mesh import MeshLike
from tumble.mesh_collisions import MeshCollisions, by_meshes
from tumble.parallel import thread_count

if TYPE_CHECKING:
    from tumble.hierarchy.implicit import ImplicitTrees


def collide_all(
    meshes: Sequence[MeshLike] | ImplicitTrees,
    poses: Sequence[ArrayLike | None] | None = None,
    *,
    between: bool | ArrayLike = True,
    within: bool | Sequence[int] = False,
    candidates: bool = False,
    neighbours: bool = False,
    threads: int | None = None,
    bulk: BulkSettings | None = None,
) -> MeshCollisions:
    """Return the touching triangles of many meshes, exactly: `.meshes` (n, 2), `.counts` (n,), `.pairs(i, j)`.

    meshes      or the trees of `tumble.hierarchy.implicit`, which are kept from frame to frame and moved
    poses       where the meshes are, one rigid 4×4 pose or None for each; None: as they are
    between     pairs of different meshes: True for all, False for none, or (n, 2) numbers of meshes
    within      meshes with themselves, as `self_collide` does it: True for all, False for none, or numbers of meshes
    candidates  leave out the triangle test: all pairs of triangles whose boxes share a point
    neighbours  with candidates, also pairs that share a vertex of their mesh
    threads     at most so many at a time; None: all cores. The result does not depend on it.
    bulk        the parameters of the traversal, `tumble.BulkSettings`; the result does not depend on them
    """
    from tumble.hierarchy.implicit import ImplicitTrees, implicit_trees
    from tumble.traversal.bulk.query import checked_settings, stats_of, touching_leaves, wanted_pairs
    from tumble.traversal.bulk.rounds import leaf_pairs

    settings, workers = checked_settings(bulk), thread_count(threads)
    if neighbours and not candidates:
        raise OptionError("neighbours=True is for candidates=True; triangles that share a vertex are always tested")
    if isinstance(meshes, ImplicitTrees):
        if poses is not None:
            raise OptionError("trees have poses of their own; move them with trees.move(poses=...)")
        trees = meshes
    else:
        trees = implicit_trees(meshes, poses, padded=settings.padded, threads=workers)
    pairs = wanted_pairs(trees, between, within)
    if candidates:
        found, work = leaf_pairs(trees, pairs, settings, adjacent=bool(neighbours), threads=workers)
        return by_meshes(np.sort(found), trees.posed.bodies.first_face, stats_of(work, len(found), 0))
    keys, stats = touching_leaves(trees, pairs, settings, workers)
    return by_meshes(keys, trees.posed.bodies.first_face, stats)
