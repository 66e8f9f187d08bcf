"""The bodies of a scene as they stood at one moment, and the exact question about pairs of them.

A moment is a copy: what other threads do to the scene meanwhile does not reach it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.broad.boxes import NOWHERE, Boxes, Poses, meeting, place
from tumble.broad.extents import SIZE, extent_of
from tumble.broad.keys import pairs_of_keys
from tumble.broad.sweep import Sweep
from tumble.core.options import is_cpu
from tumble.mesh import Mesh
from tumble.query.answer import Collisions
from tumble.query.run import Bodies, collide_bodies
from tumble.traversal.engines import engine_of

NOT_BUILT = 0  # no tree has this address


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

    def with_trees(self, slots: NDArray[np.int64], tree: str) -> Bodies:
        """Return the bodies for a query about these slots, with trees of a kind built where they are missing.

        Bodies of one mesh share one tree, which the mesh keeps.
        """
        engine = engine_of(tree)
        trees = self.trees if tree == self.tree else np.full(len(self.trees), NOT_BUILT)
        for slot in slots[trees[slots] == NOT_BUILT].tolist():
            mesh = self.meshes[slot]
            assert mesh is not None
            trees[slot] = engine.tree_of(mesh).address
        return Bodies(trees, self.poses)


def meeting_pairs(a: Moment, b: Moment) -> NDArray[np.int64]:
    """Return (k, 2), sorted: a slot of a and one of b whose boxes meet and whose filters let each see the other."""
    if len(a.boxes) == 1:
        found = np.empty(len(b.boxes), np.int64)
        others = found[: meeting(a.boxes, a.filters, b.boxes, b.filters, found)]
        return np.stack((np.zeros_like(others), others), axis=1)
    boxes, filters = np.concatenate((a.boxes, b.boxes)), np.concatenate((a.filters, b.filters))
    pairs = pairs_of_keys(Sweep().keys(boxes, filters, split=len(a.boxes)))
    pairs[:, 1] -= len(a.boxes)
    return pairs


def ask(
    a: Moment,
    b: Moment,
    pairs: NDArray[np.int64],
    *,
    first: bool = False,
    threads: int | None = None,
    device: str = "cpu",
) -> Collisions:
    """Return which triangles touch, for pairs of slots of a and b, by trees of a's kind, or on a device by its own.

    A device that cannot walk the trees which the scene was made for refuses.
    """
    if not is_cpu(device):
        from tumble.device.doors import collide_slots

        sides = (a.meshes, b.meshes), (a.poses, b.poses)
        return collide_slots(device, *sides, pairs, tree=a.tree, first=first, threads=threads)
    bodies_a, bodies_b = a.with_trees(pairs[:, 0], a.tree), b.with_trees(pairs[:, 1], a.tree)
    return collide_bodies(bodies_a, bodies_b, pairs, engine_of(a.tree), first=first, threads=threads)
