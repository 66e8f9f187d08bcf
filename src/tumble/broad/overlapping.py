"""Pairs of meshes whose boxes overlap, for calls that ask once; `Scene` keeps a broad phase from call to call."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.broad.boxes import NOWHERE, Boxes, place
from tumble.broad.choice import Auto
from tumble.broad.extents import SIZE, extent_of
from tumble.core.keys import pairs_of_keys
from tumble.mesh import Mesh


def boxes_of(meshes: Sequence[Mesh], poses: NDArray[np.float64]) -> Boxes:
    """Return the (n, 6) boxes of posed meshes, which contain every posed vertex; exact where nothing is turned."""
    boxes = np.tile(NOWHERE, (len(meshes), 1))
    extents = np.array([extent_of(mesh) for mesh in meshes]).reshape(-1, SIZE)
    place(np.arange(len(meshes)), poses, extents, np.empty_like(poses), boxes)
    return boxes


def overlapping_pairs(meshes: Sequence[Mesh], poses: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the pairs (i, j), i < j, of posed meshes whose boxes share a point, as sorted (k, 2)."""
    filters = np.ones((len(meshes), 2), np.int64)
    return pairs_of_keys(Auto().keys(boxes_of(meshes, poses), filters))
