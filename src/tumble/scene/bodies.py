"""The bodies of a scene as arrays: a slot for each, in the order in which they were added.

A removed body leaves its slot empty (its box is NOWHERE) until the table is full; then the others move up, if that
frees enough slots. So the order of the slots is the order of the bodies, and slots may change when a body is added.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.broad.boxes import NOWHERE, SIZE, Boxes, Poses, extent_of, meeting, place
from tumble.broad.sweep import Sweep
from tumble.core.keys import pairs_of_keys
from tumble.errors import InputError
from tumble.mesh import Mesh
from tumble.query.bodies import NOT_BUILT, Bodies, placed

FIRST_CAPACITY = 16


class Moment(NamedTuple):
    """The bodies of a scene as they stood at one moment: a copy, so that other threads may change the scene."""

    names: Sequence[Any]
    """strings; None for a mesh that is not a body of the scene"""
    bodies: Bodies
    """as questions take them; meshes are None in slots of bodies that were removed"""
    boxes: Boxes
    filters: NDArray[np.int64]
    """group and mask"""

    def slots(self) -> dict[str, int]:
        """Return the slot of each body, by its name."""
        return {name: slot for slot, name in enumerate(self.names) if self.bodies.shapes[slot] is not None}

    def pairs_with(self, other: Moment) -> NDArray[np.int64]:
        """Return (k, 2), sorted: a slot of each whose boxes meet and whose filters let each see the other."""
        if len(self.boxes) == 1:
            found = np.empty(len(other.boxes), np.int64)
            others = found[: meeting(self.boxes, self.filters, other.boxes, other.filters, found)]
            return np.stack((np.zeros_like(others), others), axis=1)
        boxes, filters = np.concatenate((self.boxes, other.boxes)), np.concatenate((self.filters, other.filters))
        pairs = pairs_of_keys(Sweep().keys(boxes, filters, split=len(self.boxes)))
        return pairs - np.array([0, len(self.boxes)])


class BodyTable:
    """Names, meshes, and a row for each slot in every array."""

    def __init__(self, tree: str) -> None:
        self.tree = tree  # the kind of tree that queries walk
        self.slots: dict[str, int] = {}
        self.generation = 0  # changes when bodies get other slots
        self.names: list[str] = []
        self._added = 0  # bodies whose rows are complete
        self.meshes: list[Mesh | None] = []
        self._trees = np.zeros(FIRST_CAPACITY, np.int64)
        self._extents = np.empty((FIRST_CAPACITY, SIZE))
        self._poses = np.empty((FIRST_CAPACITY, 4, 4))
        self._boxes = np.empty((FIRST_CAPACITY, 6))
        self._filters = np.zeros((FIRST_CAPACITY, 2), np.int64)

    @property
    def poses(self) -> Poses:
        """The pose of each body, (n, 4, 4)."""
        return self._poses[: self._added]

    @property
    def boxes(self) -> NDArray[np.float64]:
        """The world box of each body, (n, 6)."""
        return self._boxes[: self._added]

    @property
    def filters(self) -> NDArray[np.int64]:
        """Group and mask of each body, (n, 2)."""
        return self._filters[: self._added]

    def slot(self, name: str) -> int:
        """Return the slot of a body."""
        return int(self.slots_of([name])[0])

    def slots_of(self, names: Collection[str]) -> NDArray[np.int64]:
        """Return the slots of bodies, or name the first that is not there."""
        try:
            return np.fromiter(map(self.slots.__getitem__, names), np.int64, len(names))
        except (KeyError, TypeError):
            unknown = next(name for name in names if not isinstance(name, str) or name not in self.slots)
        raise InputError(f"there is no body {unknown!r} among the {len(self.slots)} of this scene; add it first")

    def add(self, names: list[str], meshes: list[Mesh], poses: Poses, filters: NDArray[np.int64]) -> None:
        """Add bodies with checked poses."""
        self._drop_unfinished()
        extents = np.array([extent_of(mesh) for mesh in meshes]).reshape(-1, SIZE)
        if len(self.names) + len(names) > len(self._trees):
            self._make_slots(len(names))
        added = np.arange(len(self.names), len(self.names) + len(names), dtype=np.int64)
        self._trees[added] = NOT_BUILT
        self._extents[added] = extents
        self._boxes[added] = NOWHERE
        self._filters[added] = filters
        self.place(added, poses)
        self.names.extend(names)
        self.meshes.extend(meshes)
        slots, count = dict(zip(names, added.tolist(), strict=True)), len(self.names)
        # no call in between, after which a signal could be handled
        self._added = count
        self.slots |= slots

    def remove(self, name: str) -> None:
        """Empty the slot of a body."""
        # no call in between, after which a signal could be handled
        slot = self.slots[name]
        self._boxes[slot] = NOWHERE
        self.meshes[slot] = None
        del self.slots[name]

    def _drop_unfinished(self) -> None:
        """Drop the names of bodies whose adding was interrupted; nothing else knows of them."""
        if len(self.names) != self._added or len(self.meshes) != self._added:
            del self.meshes[self._added :]
            del self.names[self._added :]

    def place(self, slots: NDArray[np.int64], poses: Poses) -> None:
        """Move bodies to checked (m, 4, 4) poses; of two poses for one body the last counts."""
        place(slots, poses, self._extents, self._poses, self._boxes)

    def moment(self) -> Moment:
        """Return a copy of everything that a query needs.

        Only the trees are shared, so that what a query builds is there for the next: an entry is written once in the
        array's life, for a slot keeps its body until the array is replaced.
        """
        trees = {"packed" if self.tree == "auto" else self.tree: self._trees[: self._added]}
        bodies = Bodies(self.meshes[: self._added], np.arange(self._added), self.poses.copy(), addresses=trees)
        return Moment(self.names[: self._added], bodies, self.boxes.copy(), self.filters.copy())

    @staticmethod
    def moment_of_one(name: str | None, mesh: Mesh, pose: Poses, its_filter: tuple[int, int]) -> Moment:
        """Return the moment of a single mesh with a checked (1, 4, 4) pose."""
        boxes = NOWHERE.reshape(1, 6).copy()
        place(np.zeros(1, np.int64), pose, extent_of(mesh).reshape(1, SIZE), np.empty((1, 4, 4)), boxes)
        return Moment([name], placed(mesh, pose, checked=True), boxes, np.array([its_filter]))

    def _make_slots(self, count: int) -> None:
        """Let bodies move up if half of the slots are empty, and make slots for `count` more, and as many again."""
        live = np.fromiter(self.slots.values(), np.int64, len(self.slots))
        names, meshes, slots, generation = self.names, self.meshes, self.slots, self.generation
        if 2 * len(live) <= len(names):
            meshes = [meshes[slot] for slot in live.tolist()]
            names = list(slots)
            slots = {name: slot for slot, name in enumerate(names)}
            generation += 1
        else:
            live = np.arange(len(names))
        capacity = max(FIRST_CAPACITY, 2 * (len(live) + count))
        count = len(names)
        trees, extents, poses, boxes, filters = (
            _grown(array, live, capacity)
            for array in (self._trees, self._extents, self._poses, self._boxes, self._filters)
        )
        # no call in between, after which a signal could be handled
        self.names, self.meshes, self.slots, self.generation, self._added = names, meshes, slots, generation, count
        self._trees, self._extents, self._poses, self._boxes, self._filters = trees, extents, poses, boxes, filters


def _grown(array: NDArray, live: NDArray[np.int64], capacity: int) -> NDArray:
    """Return some rows of an array, with the capacity for more."""
    grown = np.empty((capacity, *array.shape[1:]), array.dtype)
    grown[: len(live)] = array[live]
    return grown
