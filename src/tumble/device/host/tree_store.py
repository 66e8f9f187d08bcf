"""The oriented-box trees on a device: each is copied once, and all of them share a few buffers, one after the other.

A tree that was freed leaves a gap. When the buffers are full or consist mostly of gaps, the remaining trees are copied
into new buffers, within the device.
"""

import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tumble.device.host import local_units as local
from tumble.device.protocol import Buffer, OpenDevice
from tumble.hierarchy import Tree
from tumble.query.bodies import Bodies

NODES, TRIANGLES = 0, 1
FIRST_CAPACITY = 1 << 12
# What a row of each buffer stands for, and its bytes. The last one, float64 corners in the order of the tree, is for
# contact points; a device without float64 does not have it.
BUFFERS = ((NODES, 4 * local.BOX_WIDTH), (NODES, 4 * local.LINK_WIDTH), (TRIANGLES, 4 * local.CORNERS_WIDTH))
EXACT_CORNERS = (TRIANGLES, 8 * local.CORNERS_WIDTH)


class StoredTree(NamedTuple):
    """Where a tree is."""

    start: tuple[int, int]  # its first node, its first triangle
    size: tuple[int, int]
    units: local.LocalUnits


EMPTY = StoredTree((0, 0), (0, 0), local.LocalUnits(np.zeros(3), 1.0, 0.0))
"""stands for a tree without nodes, which is not stored"""


class TreeStore:
    """The trees on one device; use it while working with the device."""

    def __init__(self, device: OpenDevice) -> None:
        self._device = device
        self._layout = (*BUFFERS, EXACT_CORNERS) if device.info.fp64 else BUFFERS
        self._stored: weakref.WeakKeyDictionary[Tree, StoredTree] = weakref.WeakKeyDictionary()
        self._used = [0, 0]
        self._capacity = [0, 0]
        self.buffers: list[Buffer] = []
        """boxes, links, corners and, with float64, exact corners; a replaced buffer is not written to any more"""

    def __len__(self) -> int:
        return len(self._stored)

    @property
    def capacity(self) -> int:
        """For how many nodes there is room."""
        return self._capacity[NODES]

    def store(self, trees: Sequence[Tree]) -> list[StoredTree]:
        """Return where trees are in the present buffers, after copying those that are missing."""
        filled = [tree for tree in dict.fromkeys(trees) if len(tree)]
        missing = [tree for tree in filled if tree not in self._stored]
        self._make_room([sum(map(len, missing)), sum(len(tree.mesh) for tree in missing)])
        for tree in missing:
            self._copy(tree)
        return [self._stored[tree] if len(tree) else EMPTY for tree in trees]

    def _copy(self, tree: Tree) -> None:
        units = local.local_units(tree.mesh)
        start, size = (self._used[NODES], self._used[TRIANGLES]), (len(tree), len(tree.mesh))
        boxes, links = self._nodes(tree, units)
        arrays: list[NDArray[Any]] = [boxes, links, local.device_corners(tree, units), tree.mesh.triangles[tree.order]]
        for (of, width), buffer, array in zip(self._layout, self.buffers, arrays, strict=False):
            self._device.write(buffer, array, start[of] * width)
        # in this order: a signal in between leaves a gap, but never a tree in another one's place
        self._used = [self._used[of] + size[of] for of in (NODES, TRIANGLES)]
        self._stored[tree] = StoredTree(start, size, units)

    def _nodes(self, tree: Tree, units: local.LocalUnits) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Return the boxes and links of a tree, post-indexed."""
        return local.device_boxes(tree, units), local.device_links(tree)

    def _make_room(self, needed: list[int]) -> None:
        live = list(self._stored.items())
        kept = [sum(stored.size[of] for _, stored in live) for of in (NODES, TRIANGLES)]
        full = any(self._used[of] + needed[of] > self._capacity[of] for of in (NODES, TRIANGLES))
        mostly_gaps = self._used[NODES] > max(4 * (kept[NODES] + needed[NODES]), FIRST_CAPACITY)
        if full or mostly_gaps:
            self._move(live, [max(FIRST_CAPACITY, 2 * (kept[of] + needed[of])) for of in (NODES, TRIANGLES)])

    def _move(self, live: list[tuple[Tree, StoredTree]], capacity: list[int]) -> None:
        """Copy the trees into new buffers, without gaps."""
        device = self._device
        device.require_memory(sum(capacity[of] * width for of, width in self._layout))
        new = [device.empty(capacity[of] * width) for of, width in self._layout]
        used, places = [0, 0], []
        for tree, stored in live:
            for (of, width), source, target in zip(self._layout, self.buffers, new, strict=True):
                device.copy(source, target, stored.size[of] * width, stored.start[of] * width, used[of] * width)
            places.append((tree, stored._replace(start=(used[NODES], used[TRIANGLES]))))
            used = [used[of] + stored.size[of] for of in (NODES, TRIANGLES)]
        device.finish()
        stored_there = weakref.WeakKeyDictionary(dict(places))
        # no call in between, during which a signal could be handled
        self.buffers, self._used, self._capacity, self._stored = new, used, capacity, stored_there


class PreorderTreeStore(TreeStore):
    """The same trees in pre-order, for walks that need that order."""

    def _nodes(self, tree: Tree, units: local.LocalUnits) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        return local.device_boxes(tree, units, preorder=True), local.preorder_links(tree)


def trees_of(bodies: Bodies) -> list[Tree]:
    """Return the shapes of bodies, which are trees here."""
    return cast("list[Tree]", list(bodies.shapes))


def starts(a: list[StoredTree], b: list[StoredTree], pairs: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return (n, 4): where nodes of a and b begin and where their corners do, for pairs of trees."""
    starts_a = np.array([stored.start for stored in a]).reshape(-1, 2)[pairs[:, 0]]
    starts_b = np.array([stored.start for stored in b]).reshape(-1, 2)[pairs[:, 1]]
    columns = (starts_a[:, NODES], starts_b[:, NODES], starts_a[:, TRIANGLES], starts_b[:, TRIANGLES])
    return np.stack(columns, axis=1).astype(np.uint32)
