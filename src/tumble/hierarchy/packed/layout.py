"""The packed tree: nodes of 32 bytes, eight siblings side by side in a block of 256 bytes, field by field.

    row 0–2   middle x, y, z        float32, eight lanes
    row 3–5   half size x, y, z     float32
    row 6     child                 int32: > 0 the block of the children; < 0 a leaf, and -1 - child its first triangle;
                                    0 an empty lane (nothing points to block 0)
    row 7     second or size        a leaf: its second triangle, int32, or -1;
                                    an inner node: the sum of its half sizes, float32 (the rule of descent compares it)

One vector instruction reads one field of all eight siblings. Block 0 contains the root alone, in lane 0; a mesh without
triangles has just this block, with all lanes empty. A node is named by `8 * block + lane`.

Coordinates are local: (vertex - origin) * scale, with the origin in the middle of the mesh and a power of two as the
scale, chosen so that half sizes lie between 0.5 and 1. So float32 has the same relative precision for a watch and for
a city, wherever they are. Boxes are rounded outward: in exact arithmetic, middle ± half size contains every triangle
below the node, or those parts of it for which the triangle is named there. A triangle is named once, or, when it was
clipped, by several leaves; the header says whether that is so.
"""

import numpy as np

LANES = 8
ROWS = 8
FLOATS = LANES * ROWS
BLOCK_BYTES = 4 * FLOATS
ALIGNMENT = 64

MIDDLE = 0
HALF = 3
CHILD = 6
SECOND = 7
SIZE = 7

LEAF_SIZE = 2
"""triangles in a leaf, at most: measured, see docs/fast-path.md"""
MAX_DEPTH = 64
"""levels of blocks, at most; builders halve ranges rather than go deeper, so that stacks can have a fixed size"""


def empty_blocks(count: int) -> np.ndarray:
    """Return `count` blocks of empty lanes, (count, 64) float32, starting at a multiple of a cache line."""
    raw = np.zeros(count * BLOCK_BYTES + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + count * BLOCK_BYTES].view(np.float32).reshape(count, FLOATS)
