"""The trees that are on a device: each is copied once, all lie in the same few buffers, one behind the other.

A tree that is gone leaves a gap. Gaps are closed when the buffers are full, or mostly gaps: then what is left of them
moves into new buffers, within the device.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.device.device import OpenDevice, opencl, require_memory
from tumble.device.nodes import (
    BOX_WIDTH,
    CORNERS_WIDTH,
    LINK_WIDTH,
    Local,
    device_boxes,
    device_corners,
    device_links,
    local_units,
)
from tumble.hierarchy import Tree

NODES, TRIANGLES = 0, 1
FIRST_CAPACITY = 1 << 12
# What a row of each buffer is of, and its bytes. The last one, float64 corners in the order of the mesh, is for contact
# points; a device without float64 has none.
BUFFERS = ((NODES, 4 * BOX_WIDTH), (NODES, 4 * LINK_WIDTH), (TRIANGLES, 4 * CORNERS_WIDTH))
EXACT_CORNERS = (TRIANGLES, 8 * CORNERS_WIDTH)


class Planted(NamedTuple):
    """Where a tree is."""

    start: tuple[int, int]
    """its first node, its first triangle"""
    size: tuple[int, int]
    local: Local


EMPTY = Planted((0, 0), (0, 0), Local(np.zeros(3), 1.0, 0.0))
"""stands for a tree without nodes, which is nowhere"""


class Forest:
    """The trees on one device; use it with the device's lock held."""

    def __init__(self, device: OpenDevice) -> None:
        self._device = device
        self._layout = (*BUFFERS, EXACT_CORNERS) if device.info.fp64 else BUFFERS
        self._planted: weakref.WeakKeyDictionary[Tree, Planted] = weakref.WeakKeyDictionary()
        self._used = [0, 0]
        self._capacity = [0, 0]
        self.buffers: list[Any] = []
        """boxes, links, corners and, with float64, exact corners; replaced, never written over"""

    def plant(self, trees: Sequence[Tree]) -> list[Planted]:
        """Return where trees are, all of them in the buffers of this moment; none may be empty."""
        missing = [tree for tree in dict.fromkeys(trees) if tree not in self._planted]
        needed = [sum(len(tree) for tree in missing), sum(len(tree.mesh) for tree in missing)]
        self._make_room(needed)
        for tree in missing:
            self._copy(tree)
        return [self._planted[tree] for tree in trees]

    def _copy(self, tree: Tree) -> None:
        cl = opencl()
        local = local_units(tree.mesh)
        start, size = (self._used[NODES], self._used[TRIANGLES]), (len(tree), len(tree.mesh))
        arrays = (device_boxes(tree, local), device_links(tree), device_corners(tree, local), tree.mesh.triangles)
        for (of, width), buffer, array in zip(self._layout, self.buffers, arrays, strict=False):
            cl.enqueue_copy(self._device.queue, buffer, array, dst_offset=start[of] * width)
        # in this order: a signal in between leaves a gap, and no tree in another's place
        self._used = [self._used[of] + size[of] for of in (NODES, TRIANGLES)]
        self._planted[tree] = Planted(start, size, local)

    def _make_room(self, needed: list[int]) -> None:
        live = list(self._planted.items())
        kept = [sum(planted.size[of] for _, planted in live) for of in (NODES, TRIANGLES)]
        full = any(self._used[of] + needed[of] > self._capacity[of] for of in (NODES, TRIANGLES))
        mostly_gaps = self._used[NODES] > max(4 * (kept[NODES] + needed[NODES]), FIRST_CAPACITY)
        if full or mostly_gaps:
            self._move(live, [max(FIRST_CAPACITY, 2 * (kept[of] + needed[of])) for of in (NODES, TRIANGLES)])

    def _move(self, live: list[tuple[Tree, Planted]], capacity: list[int]) -> None:
        """Move the trees into new buffers, without gaps."""
        cl, device = opencl(), self._device
        old = self.buffers
        require_memory(device, sum(capacity[of] * width for of, width in self._layout))
        new = [cl.Buffer(device.context, cl.mem_flags.READ_ONLY, capacity[of] * width) for of, width in self._layout]
        used, places = [0, 0], []
        for tree, planted in live:
            for (of, width), source, target in zip(self._layout, old, new, strict=True):
                source_start, target_start, size = (n * width for n in (planted.start[of], used[of], planted.size[of]))
                cl.enqueue_copy(
                    device.queue, target, source,
                    byte_count=size, src_offset=source_start, dst_offset=target_start,
                )  # fmt: skip
            places.append((tree, planted._replace(start=(used[NODES], used[TRIANGLES]))))
            used = [used[of] + planted.size[of] for of in (NODES, TRIANGLES)]
        device.queue.finish()
        planted_there = weakref.WeakKeyDictionary(dict(places))
        # no call in between, after which a signal could be handled
        self.buffers, self._used, self._capacity, self._planted = new, used, capacity, planted_there


def forest_of(device: OpenDevice) -> Forest:
    """Return the trees that are on a device."""
    return device.kept.setdefault("forest", Forest(device))


def starts(a: list[Planted], b: list[Planted], pairs: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return (n, 4): where nodes of a and b begin and where their corners do, for pairs of bodies' trees."""
    starts_a = np.array([planted.start for planted in a]).reshape(-1, 2)[pairs[:, 0]]
    starts_b = np.array([planted.start for planted in b]).reshape(-1, 2)[pairs[:, 1]]
    columns = (starts_a[:, NODES], starts_b[:, NODES], starts_a[:, TRIANGLES], starts_b[:, TRIANGLES])
    return np.stack(columns, axis=1).astype(np.uint32)
