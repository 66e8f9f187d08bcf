"""The boxes of implicit trees: of leaves from their triangles, of all others from their children, level by level.

A block of leaves is a whole subtree, so each core does one for itself, leaves first, while its boxes are in the cache;
what is above all blocks is little, and done at the end.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.hierarchy.implicit.blocks import BLOCK_LEVELS, run_blocks, span_blocks
from tumble.hierarchy.implicit.layout import Layout

LANES = 8
"""boxes are compared eight at a time, so there are as many more behind the last"""


def empty_boxes(layout: Layout) -> NDArray[np.float32]:
    """Return (6, n) lowest x, y, z and highest x, y, z of nodes that are nowhere, and meet nothing."""
    boxes = np.empty((6, layout.nodes + LANES), np.float32)
    filled = layout.nodes if layout.active.sum() == layout.nodes else 0  # those all get a box
    boxes[:3, filled:], boxes[3:, filled:] = np.inf, -np.inf
    return boxes


def fit_boxes(
    layout: Layout,
    order: NDArray[np.int32],
    faces: NDArray[np.int32],
    local: NDArray[np.float32],
    boxes: NDArray[np.float32],
    corners: NDArray[np.int32],
    threads: int,
) -> None:
    """Write the boxes of all active nodes, and the corners of all leaves."""
    blocks = span_blocks(layout.first_leaf)
    leaf_rows = layout.first_row + layout.depth
    places = layout.starts, layout.active, leaf_rows, layout.depth, layout.first_leaf
    run_blocks(fit_blocks, blocks, threads, *places, order, faces, local, boxes, corners)
    for tree in np.flatnonzero(layout.depth > BLOCK_LEVELS).tolist():
        for row in range(leaf_rows[tree] - BLOCK_LEVELS - 1, layout.first_row[tree] - 1, -1):
            merge_level(layout.starts, layout.active, row, 0, layout.active[row], boxes)


@inlined_kernel
def fit_leaf(faces, local, triangle, boxes, node, corners, leaf):
    """Write the box of a triangle, and its corners; the box of rounded vertices is the rounded box of vertices."""
    p, q, r = faces[triangle, 0], faces[triangle, 1], faces[triangle, 2]
    corners[leaf, 0], corners[leaf, 1], corners[leaf, 2] = p, q, r
    upper = local.shape[1] - 3  # vertices are points, or boxes
    for axis in range(3):
        boxes[axis, node] = min(min(local[p, axis], local[q, axis]), local[r, axis])
        boxes[3 + axis, node] = max(max(local[p, upper + axis], local[q, upper + axis]), local[r, upper + axis])


@inlined_kernel
def merge_places(starts, active, row, start, stop, boxes):
    """Write the boxes of some places of a level from the level below, whose last node may be an only child."""
    # an only child stands for both: a union with itself changes nothing, and there is no branch
    below, last = starts[row + 1], active[row + 1] - 1
    for axis in range(3):
        for place in range(start, stop):
            one, other = below + 2 * place, below + min(2 * place + 1, last)
            boxes[axis, starts[row] + place] = min(boxes[axis, one], boxes[axis, other])
            boxes[3 + axis, starts[row] + place] = max(boxes[3 + axis, one], boxes[3 + axis, other])


@kernel
def merge_level(starts, active, row, start, stop, boxes):
    """Write the boxes of some places of a level."""
    merge_places(starts, active, row, start, stop, boxes)


@kernel
def fit_blocks(blocks, start, stop, starts, active, leaf_rows, depths, first_leaf, order, faces, local, boxes, corners):
    """Write boxes and corners of the leaves of some blocks, and boxes above as far as a block reaches."""
    for k in range(start, stop):
        tree = blocks[k, 0]
        row = leaf_rows[tree]
        shift = starts[row] - first_leaf[tree]
        for i in range(blocks[k, 1], blocks[k, 2]):
            fit_leaf(faces, local, order[i], boxes, i + shift, corners, i)
        first = blocks[k, 1] - first_leaf[tree]
        last = blocks[k, 2] - first_leaf[tree] - 1
        for up in range(1, min(BLOCK_LEVELS, depths[tree]) + 1):
            merge_places(starts, active, row - up, first >> up, (last >> up) + 1, boxes)
