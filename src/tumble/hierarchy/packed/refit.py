"""The same tree over moved vertices: every box again, from the leaves up; links stay as they are.

Boxes are computed as the builder computes them, so a refitted tree is as conservative as a built one. Blocks are
numbered after those that lead to them: going backwards, children come first. A tree with clipped
triangles cannot be refitted.
"""

import numpy as np
from numba import int64, void
from numpy.typing import NDArray

from tumble.core.jit import fixed_kernel
from tumble.core.simd.eight import all_lanes, least, load, store
from tumble.core.simd.memory import int32_at, set_float32
from tumble.hierarchy.packed.boxes import FAR, SCALE, enclose_triangle
from tumble.hierarchy.packed.build import BuiltBlocks, localised
from tumble.hierarchy.packed.layout import CHILD, LANES, ROWS, SECOND, SIZE, empty_blocks
from tumble.hierarchy.packed.pair import write_box


@fixed_kernel(void(*5 * (int64,)))
def refit_blocks(faces, local, blocks, count, unions):
    """Write the boxes of `count` blocks again; all arrays are given by addresses.

    `local` are vertices as `localise` writes them; `unions` has memory for a box (see `boxes`) per block and two more.
    """
    # children have higher numbers than their parents, so their unions are ready
    for block in range(count - 1, -1, -1):
        whole = all_lanes(FAR)
        for place in range(LANES):
            child = int32_at(blocks, (block * ROWS + CHILD) * LANES + place)
            if child == 0:
                continue
            if child < 0:
                enclose_triangle(faces, local, -1 - child, unions, count)
                box = load(unions, count)
                second = int32_at(blocks, (block * ROWS + SECOND) * LANES + place)
                if second >= 0:
                    enclose_triangle(faces, local, second, unions, count + 1)
                    box = least(box, load(unions, count + 1))
                write_box(blocks, block, place, box)
            else:
                box = load(unions, child)
                size = write_box(blocks, block, place, box)
                set_float32(blocks, (block * ROWS + SIZE) * LANES + place, size)
            whole = least(whole, box)
        store(unions, block, whole)


def refit(blocks: NDArray[np.float32], vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> BuiltBlocks:
    """Return the tree with these blocks over other vertices of the same faces; the blocks are left alone."""
    own = empty_blocks(len(blocks))
    own[:] = blocks
    frame, local = localised(vertices, faces)
    if len(faces):
        unions = np.empty((len(own) + 2, LANES), np.float32)
        refit_blocks(faces.ctypes.data, local.ctypes.data, own.ctypes.data, len(own), unions.ctypes.data)
    return BuiltBlocks(own, frame[:SCALE], float(frame[SCALE]), repeats=False)
