"""What `collide` and `collide_all` call for the bulk-synchronous traversal on a device."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from tumble.core.parallel import thread_count
from tumble.device.bulk import device_leaf_pairs
from tumble.device.bulk_trees import DeviceTrees
from tumble.device.device import CPU, open_device
from tumble.device.timings import current_timings, phase
from tumble.errors import DeviceError
from tumble.hierarchy.implicit.posed import posed_meshes
from tumble.mesh import MeshLike

__all__ = ["DeviceTrees", "device_leaf_pairs", "device_trees"]


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
