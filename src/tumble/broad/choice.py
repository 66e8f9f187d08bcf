"""Which bodies can touch at all: the broad phases by name, and what `auto` chooses."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.broad.body_tree import Tree
from tumble.broad.boxes import NOWHERE, SIZE, Boxes, extent_of, place
from tumble.broad.gaps import enlarged
from tumble.broad.sweep import Sweep
from tumble.core.keys import Keys, pairs_of_keys
from tumble.errors import OptionError
from tumble.mesh import Mesh


class Auto:
    """The sweep where it compares few pairs, as along a conveyor or among few bodies; else the tree.

    What the sweep compares is known after every sweep. While the tree is used, it is counted every now and then, as it
    is when there are many more bodies than there were. See docs/scene.md for what was measured.
    """

    # comparisons per body from which a tree is faster
    MOST_COMPARED = 24
    # calls after which the sweep is considered again
    PATIENCE = 256

    def __init__(self) -> None:
        self._sweep, self._tree = Sweep(), Tree()
        self.reset()

    def reset(self) -> None:
        """Forget everything: slots have other owners now."""
        self._sweep.reset()
        self._tree.reset()
        self._sweeping = True
        self._calls = 0
        self._counted_at = 0

    def keys(self, boxes: Boxes, filters: NDArray[np.int64]) -> Keys:
        """Return the sorted keys of the pairs of boxes that meet and that the filters let through."""
        if self._calls % self.PATIENCE == 0 or len(boxes) > 2 * self._counted_at:
            self._counted_at = len(boxes)
            self._sweeping = self._sweep.choose_axis(boxes) <= self.MOST_COMPARED * len(boxes)
        self._calls += 1
        if not self._sweeping:
            return self._tree.keys(boxes, filters)
        keys = self._sweep.keys(boxes, filters)
        self._sweeping = self._sweep.compared <= self.MOST_COMPARED * len(boxes)
        return keys


BroadPhase = Auto | Sweep | Tree
"""what remembers an order or a tree of boxes, and answers alike whatever it remembers"""
BROAD_PHASES: dict[str, type[BroadPhase]] = {"auto": Auto, "sweep": Sweep, "tree": Tree}


def make_broad_phase(name: str) -> BroadPhase:
    """Return a new broad phase by its name."""
    if not isinstance(name, str) or name not in BROAD_PHASES:
        raise OptionError(f"unknown broad_phase {name!r}; use one of {', '.join(map(repr, BROAD_PHASES))}")
    return BROAD_PHASES[name]()


def boxes_of(meshes: Sequence[Mesh], poses: NDArray[np.float64]) -> Boxes:
    """Return the (n, 6) boxes around posed meshes."""
    boxes = np.tile(NOWHERE, (len(meshes), 1))
    extents = np.array([extent_of(mesh) for mesh in meshes]).reshape(-1, SIZE)
    place(np.arange(len(meshes)), poses, extents, np.empty_like(poses), boxes)
    return boxes


def overlapping_pairs(meshes: Sequence[Mesh], poses: NDArray[np.float64], clearance: float = 0.0) -> NDArray[np.int64]:
    """Return the pairs (i, j), i < j, of posed meshes whose boxes are at most a clearance apart, as sorted (k, 2).

    Some others may be among them, unless it is 0. For calls that ask once; `Scene` keeps a broad phase for the next.
    """
    boxes = boxes_of(meshes, poses)
    if clearance > 0.0:
        boxes = enlarged(boxes, 0.5 * clearance)
    return pairs_of_keys(Auto().keys(boxes, np.ones((len(meshes), 2), np.int64)))
