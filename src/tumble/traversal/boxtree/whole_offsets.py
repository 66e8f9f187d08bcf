"""A boxtree with whole numbers for offsets, as Section 3.2.2 of paper `boxtree` prints it: h = h0 + L[s][x][c].

The four bytes of a node's offset then hold the number of a table entry, so that a cut reads it and needs no arithmetic
to find the products: `lookup` otherwise multiplies the offset and keeps the number within the table. The entries are
those that `lookup` finds, so that both visit the same nodes. For experiments: only tree b of a query can be one.
"""

import numpy as np

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import unaligned_int32
from tumble.hierarchy.boxtree import BoxTree, header
from tumble.hierarchy.boxtree.layout import AXIS_BITS, NODE, NODE_BYTES

ENTRIES = 1000
"""of a table: Section 3.2.2"""
TAG = 0x40000000
"""added to an entry, it makes the bits of a normal float32: other tests read offsets before they know their kind, and
denormal numbers are slow"""


class WholeOffsets:
    """A copy of a boxtree in which the offsets are entries of lookup tables; the tree itself stays as it is."""

    def __init__(self, tree: BoxTree) -> None:
        self.tree = tree
        self.nodes = tree.nodes.copy()
        records = self.nodes.view(NODE)[:, 0]
        sizes = tree.box[3:] - tree.box[:3]
        # as the kernel computes it; an axis without size has no offsets but zero
        steps = np.divide(ENTRIES - 1, sizes, out=np.zeros(3), where=sizes > 0)
        numbers = records["offset"].astype(np.float64) * steps[records["kind"] & AXIS_BITS]
        entries = np.clip(numbers, 0, ENTRIES - 1).astype(np.int32)
        records["offset"] = (entries + TAG).astype(np.int32).view(np.float32)
        self._header = tree._header.copy()
        self._header.view(np.int64)[header.NODES] = self.nodes.ctypes.data
        self.address = self._header.ctypes.data
        """where kernels find the header; good for as long as this object lives"""


@inlined_kernel
def entry_of(nodes, node):
    """Return the table entry of a node's offset."""
    return unaligned_int32(nodes + NODE_BYTES * node) - TAG
