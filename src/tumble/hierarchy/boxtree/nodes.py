"""The nodes of a boxtree, read and written by kernels, and what follows from them: depth and boxes. See `layout`."""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import (
    byte_at,
    float64_at,
    set_byte,
    set_float64,
    set_unaligned_float32,
    set_unaligned_int32,
    unaligned_float32,
    unaligned_int32,
)
from tumble.hierarchy.boxtree.layout import (
    AXIS_BITS,
    COUNT_SHIFT,
    HIGH,
    KIND_BYTE,
    LINK_BYTE,
    LOW,
    MAX_DEPTH,
    NODE_BYTES,
    SIDE_BIT,
)

BROKEN = -1
NUMBERS = 6
"""of a box"""


@inlined_kernel
def offset_of(nodes, node):
    """Return how far the plane of a node is from the side of its parent's box that it cuts off, as float64."""
    return np.float64(unaligned_float32(nodes + NODE_BYTES * node))


@inlined_kernel
def link_of(nodes, node):
    """Return an inner node's first child, or a leaf's first place in the order."""
    return unaligned_int32(nodes + NODE_BYTES * node + LINK_BYTE)


@inlined_kernel
def children_of(nodes, node):
    """Return the first and the last child of an inner node, which are one where its box is cut further."""
    link = link_of(nodes, node)
    return (link, link + 1) if link >= 0 else (~link, ~link)


@inlined_kernel
def kind_of(nodes, node):
    """Return axis, side and number of triangles in one."""
    return byte_at(nodes + NODE_BYTES * node + KIND_BYTE)


@inlined_kernel
def write_plane(nodes, node, offset, axis_and_side):
    """Write the plane of a node, as float32 and in the bits of a kind."""
    set_unaligned_float32(nodes + NODE_BYTES * node, offset)
    set_byte(nodes + NODE_BYTES * node + KIND_BYTE, axis_and_side)


@inlined_kernel
def write_link(nodes, node, link, triangles):
    """Make a node with a plane an inner node (no triangles) or a leaf."""
    set_unaligned_int32(nodes + NODE_BYTES * node + LINK_BYTE, link)
    # the kind has the plane's axis and side already
    place = nodes + NODE_BYTES * node + KIND_BYTE
    set_byte(place, byte_at(place) | (triangles << COUNT_SHIFT))


@inlined_kernel
def rebuild(box, offset, kind):
    """Make a node's box, six float64 at an address, of its parent's, which lies there."""
    axis = kind & AXIS_BITS
    if kind & SIDE_BIT:
        set_float64(box, LOW + axis, float64_at(box, LOW + axis) + offset)
    else:
        set_float64(box, HIGH + axis, float64_at(box, HIGH + axis) - offset)


@inlined_kernel
def is_chained(nodes, node):
    """Tell whether a node's only child cuts its box further."""
    return kind_of(nodes, node) >> COUNT_SHIFT == 0 and link_of(nodes, node) < 0


@inlined_kernel
def rebuild_chain(box, nodes, node):
    """Make the box of a node, and of all that its chain leads to, of its parent's; return the last of the chain."""
    rebuild(box, offset_of(nodes, node), kind_of(nodes, node))
    while is_chained(nodes, node):
        node = ~link_of(nodes, node)
        rebuild(box, offset_of(nodes, node), kind_of(nodes, node))
    return node


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
            first, last = children_of(nodes, node)
            if not node < first <= last < count:
                return np.int64(BROKEN), np.int64(node)
            for child in range(first, last + 1):
                # chains count once: an only child is on the level of its parent
                set_byte(levels + child, level + last - first)
    return deepest, where


@kernel
def rebuild_all(nodes, count, boxes):
    """Write the boxes of all nodes; that of the root is there. Children come after their parent: one pass will do."""
    for node in range(count):
        if kind_of(nodes, node) >> COUNT_SHIFT == 0:
            first, last = children_of(nodes, node)
            for child in range(first, last + 1):
                place = boxes + 8 * NUMBERS * child
                for k in range(NUMBERS):
                    set_float64(place, k, float64_at(boxes, NUMBERS * node + k))
                rebuild(place, offset_of(nodes, child), kind_of(nodes, child))
