"""The boxtree: nodes of nine bytes, one after the other, with the plane that makes a node's box of its parent's.

    bytes 0–3   offset c     float32, little endian, not aligned; never negative
    bytes 4–7   link         int32: an inner node's first child, the second is the next node; a leaf's first place in
                             the order of triangles; negative where one plane is not enough: ~link is the only child
    byte 8      kind         bits 0–1: axis of the plane, 0 to 2
                             bit 2: side; 0, a lower child: cut c below the upper side of the parent's box;
                                    1, an upper child: cut c above the lower side
                             bits 3–7: the number of triangles in a leaf, 1 to 31; 0 for an inner node

Node 0 is the root, with a plane that cuts off nothing (offset 0, axis 0, side 0); its box stands in the header of the
tree. Children come after their parent. A mesh without triangles has no nodes.

Only children make chains: a node and the nodes that negative links lead to stand for one box, that of the last, which
all their planes cut. The last one is a leaf or has two children. Levels count chains once. Trees have chains only when
they were built with `planes="chained"`.

Boxes are stored nowhere. They are rebuilt on the way down, in float64:

    lower child    high[axis] = high[axis] - c
    upper child    low[axis] = low[axis] + c

The builder does the very same operations and rounds c down, so that a rebuilt box holds the float32 boxes, rounded
outward, of all triangles below the node. Coordinates are local, as in `tumble.hierarchy.packed.layout`.
"""

import numpy as np

from tumble.jit import inlined_kernel
from tumble.simd.memory import (
    byte_at,
    float64_at,
    set_byte,
    set_float64,
    set_unaligned_float32,
    set_unaligned_int32,
    unaligned_float32,
    unaligned_int32,
)

NODE_BYTES = 9
LINK_BYTE = 4
KIND_BYTE = 8
AXIS_BITS = 3
SIDE_BIT = 4
COUNT_SHIFT = 3
MOST_IN_LEAF = 31
MAX_DEPTH = 128
"""levels below the root, at most; builders halve ranges rather than go deeper, so that stacks can have a fixed size"""
LOW, HIGH = 0, 3
"""places in a box of six numbers"""
NODE = np.dtype({"names": ["offset", "link", "kind"], "formats": ["<f4", "<i4", "u1"], "offsets": [0, 4, 8]})
"""a node as a record of NumPy: `nodes.view(NODE)[:, 0]`"""


@inlined_kernel
def offset_of(nodes, node):
    """Return how far the plane of a node is from the side of its parent's box that it cuts off, as float64."""
    return np.float64(unaligned_float32(nodes + NODE_BYTES * node))


@inlined_kernel
def link_of(nodes, node):
    """Return an inner node's first child, or a leaf's first place in the order."""
    return unaligned_int32(nodes + NODE_BYTES * node + LINK_BYTE)


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
