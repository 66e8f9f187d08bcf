"""A boxtree whose nodes hold the planes of both children, as Section 3.2.5 of paper `boxtree` suggests.

    bytes 0–3   offset of the first child's plane, float32; the number of triangles, int32, of a leaf
    bytes 4–7   offset of the second child's plane, float32
    bytes 8–11  link, int32: the first child, the second is the next node; a leaf's first place in the order
    byte 12     bits 0–2: axis and side of the first plane; bits 3–5: of the second; bit 6: a leaf

Thirteen bytes for each node; what a leaf does not need of them could hold its triangle. Children are known by the plane
that makes them: twice their parent's number, plus 0 or 1; a node's word in a frame (see `frame`) is that number of its
first child. Trees with chains have no such form. For experiments: the plain kernels alone can walk it.
"""

import numpy as np

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import byte_at, unaligned_float32, unaligned_int32
from tumble.errors import TreeError
from tumble.hierarchy.boxtree import BoxTree, header
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT, NODE

RECORD = np.dtype(
    {"names": ["offsets", "link", "kinds"], "formats": [("<f4", 2), "<i4", "u1"], "offsets": [0, 8, 12], "itemsize": 13}
)
RECORD_BYTES = RECORD.itemsize
LINK_BYTE, KINDS_BYTE, KIND_BITS, KIND_SHIFT, LEAF_BIT = 8, 12, 7, 3, 64


class TwoPlanes:
    """A copy of a boxtree with the planes of both children in their parent; the tree itself stays as it is."""

    def __init__(self, tree: BoxTree) -> None:
        nodes = tree.nodes.view(NODE)[:, 0]
        links, counts = nodes["link"].astype(np.int64), (nodes["kind"] >> COUNT_SHIFT).astype(np.int64)
        if (links < 0).any():
            raise TreeError("a tree with chains has more planes than two in some nodes; build it with planes='free'")
        self.tree = tree
        self.nodes = np.zeros(len(tree), RECORD)
        inner = np.flatnonzero(counts == 0)
        children = links[inner, None] + np.arange(2)
        kinds = nodes["kind"][children] & KIND_BITS
        self.nodes["offsets"][inner] = nodes["offset"][children]
        self.nodes["kinds"][inner] = kinds[:, 0] | kinds[:, 1] << KIND_SHIFT
        self.nodes["link"] = links
        leaves = np.flatnonzero(counts)
        self.nodes["offsets"][leaves, 0] = counts[leaves].astype(np.int32).view(np.float32)
        self.nodes["kinds"][leaves] = LEAF_BIT
        self._header = tree._header.copy()
        self._header.view(np.int64)[header.NODES] = self.nodes.ctypes.data
        self.address = self._header.ctypes.data
        """where kernels find the header; good for as long as this object lives"""


@inlined_kernel
def plane_offset(nodes, plane):
    """Return how much a plane cuts off."""
    return np.float64(unaligned_float32(nodes + RECORD_BYTES * (plane >> 1) + 4 * (plane & 1)))


@inlined_kernel
def plane_kind(nodes, plane):
    """Return axis and side of a plane."""
    return byte_at(nodes + RECORD_BYTES * (plane >> 1) + KINDS_BYTE) >> (KIND_SHIFT * (plane & 1)) & KIND_BITS


@inlined_kernel
def record_word(nodes, node):
    """Return the word of a node: triangles in the upper half and its first place below, or its first plane."""
    place = nodes + RECORD_BYTES * node
    if byte_at(place + KINDS_BYTE) & LEAF_BIT:
        return unaligned_int32(place) << 32 | unaligned_int32(place + LINK_BYTE)
    return 2 * node


@inlined_kernel
def child_word(nodes, plane):
    """Return the word of the child that a plane makes."""
    return record_word(nodes, unaligned_int32(nodes + RECORD_BYTES * (plane >> 1) + LINK_BYTE) + (plane & 1))
