"""Implicit trees that stay on a device between calls.

`collide` by bulk or front takes meshes, not trees, so the trees are kept here for the next call about the same meshes.
If only poses differ, the boxes are refitted to the new place in the order that leaves have; if nothing differs, nothing
is done. Trees are freed with the first of their meshes, or when there are too many and they were not used for longest.
"""

import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.protocol import OpenDevice
from tumble.hierarchy.implicit.joined import bodies_of, world_of
from tumble.hierarchy.implicit.posed import IDENTITY, Posed
from tumble.mesh import Mesh

MOST_LISTS = 16
MOST_BYTES = 1 << 28  # on the device, but no more than a sixteenth of its memory

Key = tuple[tuple[int, ...], bool]


class _Kept(NamedTuple):
    meshes: list[weakref.ref[Mesh]]
    trees: DeviceTrees


class ImplicitTreeStore:
    """The kept trees of one device, by their meshes; hold the device's lock as long as trees of it are used."""

    def __init__(self, device: OpenDevice) -> None:
        self._device = device
        self._most_bytes = min(MOST_BYTES, device.info.memory // 16)
        self._kept: dict[Key, _Kept] = {}  # from the one that was not used for the longest time to the last used

    def __len__(self) -> int:
        return len(self._kept)

    def trees(
        self, meshes: Sequence[Mesh], poses: Sequence[NDArray[np.float64]], padded: bool, threads: int
    ) -> DeviceTrees:
        """Return trees over meshes at rigid 4×4 poses, kept, moved or built."""
        rows = np.array([pose[:3] for pose in poses]).reshape(-1, 3, 4)
        placed = None if (rows == IDENTITY).all() else rows
        key = tuple(map(id, meshes)), padded
        # taken out as long as they are moved: what fails or is interrupted in between costs no more than a new build
        kept = self._kept.pop(key, None)
        if kept is None or any(known() is not mesh for known, mesh in zip(kept.meshes, meshes, strict=True)):
            bodies = bodies_of(meshes)
            posed = Posed(bodies, placed, world_of(bodies, placed, threads))
            kept = _Kept(self._references(key, meshes), DeviceTrees(self._device, posed, padded, threads))
        elif not _equal(placed, kept.trees.posed.poses):
            bodies = kept.trees.posed.bodies
            kept.trees.place(Posed(bodies, placed, world_of(bodies, placed, threads)))
        self._kept[key] = kept
        self._drop_oldest()
        return kept.trees

    def release_idle(self) -> bool:
        """Forget all trees; return whether there were any."""
        found = len(self._kept) > 0
        self._kept.clear()
        return found

    def _references(self, key: Key, meshes: Sequence[Mesh]) -> list[weakref.ref[Mesh]]:
        def forget(_: Any) -> None:  # one call, for which no lock is needed: this may run amid anything
            self._kept.pop(key, None)

        return [weakref.ref(mesh, forget) for mesh in meshes]

    def _drop_oldest(self) -> None:
        kept = list(self._kept.items())
        count, size = len(kept), sum(each.trees.nbytes for _, each in kept)
        for key, oldest in kept:
            if count <= MOST_LISTS and size <= self._most_bytes:
                break
            self._kept.pop(key, None)
            count, size = count - 1, size - oldest.trees.nbytes


def _equal(one: NDArray[np.float64] | None, other: NDArray[np.float64] | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)
