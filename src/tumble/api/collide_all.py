"""`collide_all`: all pairs of many meshes, and meshes with themselves, in one question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.options import is_cpu
from tumble.core.parallel import thread_count
from tumble.errors import OptionError
from tumble.mesh import MeshLike
from tumble.query.bulk_settings import BulkSettings
from tumble.query.mesh_collisions import MeshCollisions, by_meshes

if TYPE_CHECKING:
    from tumble.device.bulk_trees import DeviceTrees
    from tumble.hierarchy.implicit import ImplicitTrees


def collide_all(
    meshes: Sequence[MeshLike] | ImplicitTrees | DeviceTrees,
    poses: Sequence[ArrayLike | None] | None = None,
    *,
    between: bool | ArrayLike = True,
    within: bool | Sequence[int] = False,
    candidates: bool = False,
    neighbours: bool = False,
    stats: bool = False,
    threads: int | None = None,
    device: str = "cpu",
    bulk: BulkSettings | None = None,
) -> MeshCollisions:
    """Return the touching triangles of many meshes, exactly: `.meshes` (n, 2), `.counts` (n,), `.pairs(i, j)`.

    meshes      or trees, which are kept from frame to frame and moved: `tumble.hierarchy.implicit.implicit_trees`, or
                on a device `tumble.device.bulk_doors.device_trees`
    poses       where the meshes are, one rigid 4×4 pose or None for each; None: as they are
    between     pairs of different meshes: True for all, False for none, or (n, 2) numbers of meshes
    within      meshes with themselves, as `self_collide` does it: True for all, False for none, or numbers of meshes
    candidates  leave out the triangle test: all pairs of triangles whose boxes share a point
    neighbours  with candidates, also pairs that share a vertex of their mesh
    stats       also count rounds, tests and overlaps
    threads     at most so many at a time; None: all cores. The result does not depend on it.
    device      cpu, or an OpenCL device: opencl, opencl:0, … (`tumble.devices`); the result does not depend on it
    bulk        the parameters of the traversal, `tumble.BulkSettings`; the result does not depend on them
    """
    from tumble.traversal.bulk.confirm import touching
    from tumble.traversal.bulk.query import stats_of, wanted_pairs
    from tumble.traversal.bulk.sort import sort_keys

    workers = thread_count(threads)
    if neighbours and not candidates:
        raise OptionError("neighbours=True is for candidates=True; triangles that share a vertex are always tested")
    trees, find = _trees_and_search(meshes, poses, device, workers, bulk, bool(stats))
    pairs = wanted_pairs(trees.posed, between, within)
    keys, work = find(pairs, bool(neighbours) or not candidates)
    count = 0 if candidates else len(keys)
    if candidates:
        sort_keys(keys, workers)
    else:
        keys = touching(trees.posed, keys, workers)
    return by_meshes(keys, trees.posed.bodies.first_face, stats_of(work, len(keys), count) if stats else None)


def _trees_and_search(
    meshes: Any, poses: Any, device: str, workers: int, bulk: BulkSettings | None, counting: bool
) -> tuple[Any, Callable[[NDArray[np.int64], bool], tuple[NDArray[np.int64], Any]]]:
    """Return trees here or on a device, and what finds the leaf pairs of pairs of them."""
    from tumble.hierarchy.implicit import ImplicitTrees, implicit_trees
    from tumble.query.bulk_settings import DEFAULT, ON_DEVICES
    from tumble.traversal.bulk.query import checked_settings
    from tumble.traversal.bulk.rounds import leaf_pairs

    here = is_cpu(device)
    made = not isinstance(meshes, Sequence) and hasattr(meshes, "posed")
    if made and (poses is not None or not here):
        raise OptionError("trees have poses and a device of their own; move them with trees.move(poses=...)")
    if isinstance(meshes, ImplicitTrees) or (here and not made):
        settings = checked_settings(bulk, DEFAULT)
        trees = meshes if made else implicit_trees(meshes, poses, padded=settings.padded, threads=workers)
        return trees, lambda pairs, adjacent: leaf_pairs(trees, pairs, settings, adjacent=adjacent, threads=workers)
    from tumble.device.bulk_doors import device_leaf_pairs, device_trees

    chosen = checked_settings(bulk, ON_DEVICES)
    there = meshes if made else device_trees(meshes, poses, device=device, padded=chosen.padded, threads=workers)
    return there, lambda pairs, adjacent: device_leaf_pairs(there, pairs, chosen, adjacent=adjacent, counting=counting)
