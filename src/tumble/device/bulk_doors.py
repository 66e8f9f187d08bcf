"""What `collide` and `collide_all` call for the bulk-synchronous traversal on a device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tumble.core.parallel import thread_count
from tumble.device.bulk import device_leaf_pairs
from tumble.device.bulk_trees import DeviceTrees
from tumble.device.device import CPU, open_device
from tumble.device.timings import current_timings, phase
from tumble.errors import DeviceError
from tumble.hierarchy.implicit.posed import posed_meshes
from tumble.mesh import MeshLike
from tumble.query.answer import Collision
from tumble.query.bulk_settings import ON_DEVICES, BulkSettings
from tumble.traversal.bulk.query import ONE_PAIR, checked_settings, judged, refuse_others

__all__ = ["DeviceTrees", "collide_two_in_bulk", "device_leaf_pairs", "device_trees"]


def device_trees(
    meshes: Sequence[MeshLike],
    poses: Sequence[ArrayLike | None] | None = None,
    *,
    device: str = "opencl",
    padded: bool = True,
    threads: int | None = None,
) -> DeviceTrees:
    """Build one implicit tree for each mesh on a device, as `tumble.hierarchy.implicit.implicit_trees` does here."""
    if isinstance(device, str) and device == CPU:
        raise DeviceError("device='cpu' has trees of its own: tumble.hierarchy.implicit.implicit_trees(meshes, poses)")
    opened, workers = open_device(device), thread_count(threads)
    with phase(current_timings(), "trees"):
        return DeviceTrees(opened, posed_meshes(meshes, poses, workers), padded, workers)


def collide_two_in_bulk(
    device: str,
    sides: tuple[Any, Any],
    poses: tuple[Any, Any],
    *,
    tree: str = "auto",
    first: bool = False,
    stats: bool = False,
    settings: BulkSettings | None = None,
    others: dict[str, Any] | None = None,
) -> Collision:
    """Return the touching triangles of two meshes; `others` are options that only other methods have."""
    chosen = checked_settings(settings, ON_DEVICES)
    refuse_others(*sides, tree, others or {})
    trees = device_trees(sides, poses, device=device, padded=chosen.padded)
    found, work = device_leaf_pairs(trees, np.array(ONE_PAIR), chosen, adjacent=True, counting=bool(stats))
    with phase(current_timings(), "confirm"):
        return judged(trees.posed, found, work, first=first, stats=stats, threads=thread_count(None))
