"""Nodes of packed trees as traversals see them: their fields, and pairs of them that wait on a stack."""

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float32_at, int32_at
from tumble.hierarchy.packed.layout import LANES, MAX_DEPTH
from tumble.volume.eight_boxes import FLOATS

RELATION_BYTES = 4 * FLOATS
NO_LEAF = -1
# A pair on the stack is one word: node, block, side.
BLOCK_BITS = 30
BLOCK_MASK = (1 << BLOCK_BITS) - 1
NODE_SHIFT = BLOCK_BITS + 1
# Each block that is opened leaves at most seven lanes on the stack below the one that is descended into, and at most
# both trees' depths of blocks are open at a time.
STACK_WORDS = 2 * MAX_DEPTH * (LANES - 1) + LANES


@inlined_kernel
def waiting_pair(node, block, side):
    """Return a pair as one word; side 0: the single is of tree a."""
    return node << NODE_SHIFT | block << 1 | side


@inlined_kernel
def field(block, row, lane):
    """Read a float32 field of one node."""
    return float32_at(block, LANES * row + lane)


@inlined_kernel
def link(block, row, lane):
    """Read an int32 field of one node."""
    return int32_at(block, LANES * row + lane)
