"""The traversal of two packed trees: one node, the single, against a block of eight, again and again.

    push (root of a, root block of b)
    while the stack is not empty:
        pop (single, block)
        for each lane of the block whose box overlaps the single's:
            two leaves: test triangles
            else go down in the larger: push (single, lane's children), or (lane as the single, single's children)

The single may come from either tree, and the block from the other. A pair that waits is one word: node, block, side.
"""

import numpy as np
from numba import int64

from tumble.hierarchy.packed.header import BLOCKS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, HALF, LANES, MAX_DEPTH, MIDDLE, SECOND, SIZE
from tumble.jit import external, inlined_kernel
from tumble.simd.memory import float32_at, int32_at, int64_at, lowest_bit, scratch, set_int64
from tumble.traversal.wide.leaves import TRIANGLE, keep_triangle, kept_triangle, posed_touch, posed_triangle
from tumble.volume.eight_boxes import FLOATS, MAGNITUDES, MARGIN, MATRIX, RATIO, SHIFT, boxes_meeting

RELATION_BYTES = 4 * FLOATS
# Each block that is opened leaves seven lanes waiting, and at most both trees' depths of blocks are open at a time.
STACK_WORDS = 2 * MAX_DEPTH * (LANES - 1) + LANES
LEAF_WORDS = 2 * TRIANGLE
BLOCK_BITS = 30
BLOCK_MASK = (1 << BLOCK_BITS) - 1
NODE_SHIFT = BLOCK_BITS + 1


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
    return np.int64(int32_at(block, LANES * row + lane))


@inlined_kernel
def meeting_lanes(single, lane, block, relation):
    """Move a node's box into the block's frame and return the lanes that it may overlap."""
    x, y, z = field(single, MIDDLE, lane), field(single, MIDDLE + 1, lane), field(single, MIDDLE + 2, lane)
    r = relation
    px = float32_at(r, MATRIX) * x + float32_at(r, MATRIX + 1) * y + float32_at(r, MATRIX + 2) * z
    py = float32_at(r, MATRIX + 3) * x + float32_at(r, MATRIX + 4) * y + float32_at(r, MATRIX + 5) * z
    pz = float32_at(r, MATRIX + 6) * x + float32_at(r, MATRIX + 7) * y + float32_at(r, MATRIX + 8) * z
    px, py, pz = px + float32_at(r, SHIFT), py + float32_at(r, SHIFT + 1), pz + float32_at(r, SHIFT + 2)
    ratio, margin = float32_at(r, RATIO), float32_at(r, MARGIN)
    hx, hy, hz = (
        ratio * field(single, HALF, lane),
        ratio * field(single, HALF + 1, lane),
        ratio * field(single, HALF + 2, lane),
    )
    m = MAGNITUDES
    rx = float32_at(r, m) * hx + float32_at(r, m + 3) * hy + float32_at(r, m + 6) * hz + margin
    ry = float32_at(r, m + 1) * hx + float32_at(r, m + 4) * hy + float32_at(r, m + 7) * hz + margin
    rz = float32_at(r, m + 2) * hx + float32_at(r, m + 5) * hy + float32_at(r, m + 8) * hz + margin
    return boxes_meeting(block, relation, px, py, pz, rx, ry, rz, hx + margin, hy + margin, hz + margin)


@inlined_kernel
def keep_leaf(tree, pose, block, lane, place):
    """Write the posed triangles of a leaf to memory; return their number."""
    keep_triangle(place, posed_triangle(tree, pose, -1 - link(block, CHILD, lane)))
    second = link(block, SECOND, lane)
    if second < 0:
        return 1
    keep_triangle(place + 8 * TRIANGLE, posed_triangle(tree, pose, second))
    return 2


@inlined_kernel
def leaf_triangle(block, lane, k):
    """Return the number of triangle k of a leaf."""
    return -1 - link(block, CHILD, lane) if k == 0 else link(block, SECOND, lane)


@external(int64(*9 * (int64,)))
def walk(tree_a, pose_a, tree_b, pose_b, relations, first, keys, capacity, counts):
    """Write the touching triangles as keys, a's number in the upper half, and return how many there are.

    `relations` is the address of a's frame in b's and b's in a's, one after the other; `keys` has room for `capacity`;
    `first` ends the search at the first pair; `counts`, if not 0, is where to write what was done.
    """
    stack, posed = scratch(STACK_WORDS), scratch(LEAF_WORDS)
    blocks_a, blocks_b = int64_at(tree_a, BLOCKS), int64_at(tree_b, BLOCKS)
    set_int64(stack, 0, waiting_pair(np.int64(0), np.int64(0), np.int64(0)))
    top, found = (0 if link(blocks_a, CHILD, 0) == 0 else 1), 0  # a mesh without triangles touches nothing
    visited, overlaps, leaf_pairs, triangle_tests = 0, 0, 0, 0
    while top > 0:
        top -= 1
        waiting = int64_at(stack, top)
        side, number, node = waiting & 1, waiting >> 1 & BLOCK_MASK, waiting >> NODE_SHIFT
        ours, theirs = (blocks_a, blocks_b) if side == 0 else (blocks_b, blocks_a)
        single, lane, block = ours + (node >> 3) * BLOCK_BYTES, node & 7, theirs + number * BLOCK_BYTES
        relation = relations + side * RELATION_BYTES
        mask = meeting_lanes(single, lane, block, relation)
        visited += 1
        child = link(single, CHILD, lane)
        size = float32_at(relation, RATIO) * field(single, SIZE, lane)
        kept = 0
        while mask != 0:
            other = lowest_bit(mask)
            mask &= mask - 1
            grandchild = link(block, CHILD, other)
            if grandchild == 0:  # an empty lane, where float32 could not tell
                continue
            overlaps += 1
            if grandchild > 0 and (child < 0 or field(block, SIZE, other) >= size):
                set_int64(stack, top, waiting_pair(node, grandchild, side))
                top += 1
                continue
            if child > 0:
                set_int64(stack, top, waiting_pair(LANES * number + other, child, 1 - side))
                top += 1
                continue
            leaf_pairs += 1
            if kept == 0:
                kept = keep_leaf(tree_a if side == 0 else tree_b, pose_a if side == 0 else pose_b, single, lane, posed)
            for k in range(1 if link(block, SECOND, other) < 0 else 2):
                their = leaf_triangle(block, other, k)
                triangle = posed_triangle(tree_b if side == 0 else tree_a, pose_b if side == 0 else pose_a, their)
                for m in range(kept):
                    triangle_tests += 1
                    if posed_touch(kept_triangle(posed + 8 * TRIANGLE * m), triangle):
                        our = leaf_triangle(single, lane, m)
                        if found < capacity:
                            set_int64(keys, found, our << 32 | their if side == 0 else their << 32 | our)
                        found += 1
                        if first:
                            return found
    if counts != 0:
        set_int64(counts, 0, visited)
        set_int64(counts, 1, overlaps)
        set_int64(counts, 2, leaf_pairs)
        set_int64(counts, 3, triangle_tests)
    return found
