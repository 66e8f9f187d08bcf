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

The builder does the very same operations and rounds c down, so that a rebuilt box contains the float32 boxes, rounded
outward, of all triangles below the node. Coordinates are local, as in `tumble.hierarchy.packed.layout`.
"""

import numpy as np

NODE_BYTES = 9
LINK_BYTE = 4
KIND_BYTE = 8
AXIS_BITS = 3
SIDE_BIT = 4
COUNT_SHIFT = 3
MOST_IN_LEAF = 31
MOST_IN_CHAIN = 5
"""further planes of a node, at most: one for each other side"""
MAX_DEPTH = 128
"""levels below the root, at most; builders halve ranges rather than go deeper, so that stacks can have a fixed size"""
LOW, HIGH = 0, 3
"""places in a box of six numbers"""
NODE = np.dtype({"names": ["offset", "link", "kind"], "formats": ["<f4", "<i4", "u1"], "offsets": [0, 4, 8]})
"""a node as a record of NumPy: `nodes.view(NODE)[:, 0]`"""
