"""Put blocks that were grown apart into one array, behind the block of the root."""

import numpy as np

from tumble.core.jit import kernel
from tumble.core.simd.eight import load, store
from tumble.core.simd.memory import int32_at, set_float32, set_int32
from tumble.hierarchy.packed.grow import BRANCH_BOUNDS
from tumble.hierarchy.packed.layout import CHILD, LANES, LEAF_SIZE, ROWS, SECOND, SIZE
from tumble.hierarchy.packed.pair import write_box

ROOT = np.int64(0)
"""its block and its lane"""


@kernel
def write_root(blocks, whole, triangles):
    """Write the root's block, which is empty so far: a leaf, or a link to the block behind it."""
    size = write_box(blocks, ROOT, ROOT, load(whole, BRANCH_BOUNDS // 8))
    if triangles <= LEAF_SIZE:
        set_int32(blocks, CHILD * LANES, -1)
        set_int32(blocks, SECOND * LANES, 1 if triangles == 2 else -1)
    else:
        set_int32(blocks, CHILD * LANES, 1)
        set_float32(blocks, SIZE * LANES, size)


@kernel
def copy_blocks(source, count, target, first):
    """Copy blocks to where `first` says; links among them follow."""
    for block in range(count):
        for row in range(ROWS):
            store(target, (first + block) * ROWS + row, load(source, block * ROWS + row))
        links = ((first + block) * ROWS + CHILD) * LANES
        for lane in range(LANES):
            child = int32_at(target, links + lane)
            set_int32(target, links + lane, child + first if child > 0 else child)
