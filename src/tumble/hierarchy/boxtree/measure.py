"""What follows from the nodes of a boxtree: its depth and the boxes, rebuilt from the root down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.core.simd.memory import byte_at, float64_at, set_byte, set_float64
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT, MAX_DEPTH
from tumble.hierarchy.boxtree.nodes import kind_of, link_of, offset_of, rebuild

if TYPE_CHECKING:
    from tumble.hierarchy.boxtree.tree import BoxTree

BROKEN = -1
NUMBERS = 6
"""of a box"""


@kernel
def deepest_level(nodes, count, levels):
    """Return the largest level and a node on it; BROKEN and a node whose link does not lead to two later nodes.

    `levels` is a byte for each node, zero. Children come after their parent, so that one pass will do.
    """
    deepest, where = np.int64(0), np.int64(0)
    for node in range(count):
        level = byte_at(levels + node)
        if level > deepest:
            deepest, where = level, node
        if level > MAX_DEPTH:
            break
        if kind_of(nodes, node) >> COUNT_SHIFT == 0:
            link = link_of(nodes, node)
            first, last = (link, link + 1) if link >= 0 else (~link, ~link)
            if not node < first <= last < count:
                return np.int64(BROKEN), np.int64(node)
            for child in range(first, last + 1):
                set_byte(levels + child, level + np.int64(link >= 0))
    return deepest, where


@kernel
def rebuild_all(nodes, count, boxes):
    """Write the boxes of all nodes; that of the root is there."""
    for node in range(count):
        if kind_of(nodes, node) >> COUNT_SHIFT == 0:
            link = link_of(nodes, node)
            first, last = (link, link + 1) if link >= 0 else (~link, ~link)
            for child in range(first, last + 1):
                place = boxes + 8 * NUMBERS * child
                for k in range(NUMBERS):
                    set_float64(place, k, float64_at(boxes, NUMBERS * node + k))
                rebuild(place, offset_of(nodes, child), kind_of(nodes, child))


def rebuilt_boxes(tree: BoxTree) -> NDArray[np.float64]:
    """Return the local box of every node, (n, 6)."""
    boxes = np.zeros((len(tree), NUMBERS))
    boxes[:1] = tree.box
    rebuild_all(tree.nodes.ctypes.data, len(tree), boxes.ctypes.data)
    return boxes
