"""The bodies of a scene as they stood at one moment, and which pairs of them may touch.

A moment is a copy: what other threads do to the scene meanwhile does not reach it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tumble.broad.boxes import NOWHERE, Boxes, Poses, meeting, place
from tumble.broad.extents import SIZE, extent_of
from tumble.broad.sweep import Sweep
from tumble.core.keys import pairs_of_keys
from tumble.mesh import Mesh
from tumble.query.bodies import NOT_BUILT, Bodies


@dataclass(frozen=True, eq=False)
class Moment:
    """A row of every array for each slot."""

    names: list[str]
    meshes: list[Mesh | None]
    """None in slots of bodies that were removed; trees live as long as their meshes"""
    trees: NDArray[np.int64]
    """the address of each body's tree, or NOT_BUILT"""
    poses: Poses
    boxes: Boxes
    filters: NDArray[np.int64]
    """group and mask"""
    tree: str
    """the name of the trees' kind"""

    @classmethod
    def of_one(cls, mesh: Mesh, pose: Poses, its_filter: tuple[int, int], tree: str) -> Moment:
        """Return the moment of a single mesh with a checked (1, 4, 4) pose."""
        poses, boxes = np.empty((1, 4, 4)), NOWHERE.reshape(1, 6).copy()
        place(np.zeros(1, np.int64), pose, extent_of(mesh).reshape(1, SIZE), poses, boxes)
        return cls([""], [mesh], np.full(1, NOT_BUILT), poses, boxes, np.array([its_filter]), tree)

    @cached_property
    def bodies(self) -> Bodies:
        """The bodies as questions take them; trees that a question builds are there for the next."""
        return Bodies(self.meshes, np.arange(len(self.meshes)), self.poses, addresses={_kind(self.tree): self.trees})


def _kind(tree: str) -> str:
    return "packed" if tree == "auto" else tree


def meeting_pairs(a: Moment, b: Moment) -> NDArray[np.int64]:
    """Return (k, 2), sorted: a slot of a and one of b whose boxes meet and whose filters let each see the other."""
    if len(a.boxes) == 1:
        found = np.empty(len(b.boxes), np.int64)
        others = found[: meeting(a.boxes, a.filters, b.boxes, b.filters, found)]
        return np.stack((np.zeros_like(others), others), axis=1)
    boxes, filters = np.concatenate((a.boxes, b.boxes)), np.concatenate((a.filters, b.filters))
    pairs = pairs_of_keys(Sweep().keys(boxes, filters, split=len(a.boxes)))
    return pairs - np.array([0, len(a.boxes)])
