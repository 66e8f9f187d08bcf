"""The traversal of two packed trees: one node, the single, against a block of eight, again and again.

    push (root of a, root block of b)
    while the stack is not empty:
        pop (single, block)
        for each lane of the block whose box overlaps the single's:
            two leaves: test triangles
            else descend in the larger: push (single, lane's children), or (lane as the single, single's children)

The single may come from either tree, and the block from the other. A pair on the stack is one word: node, block, side.
Descending in the larger node keeps both boxes of a pair about equally large, which is when an overlap test tells most.
"""

from typing import NamedTuple

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import float32_at, float64_at, int32_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, ELONGATED
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, HALF, LANES, MAX_DEPTH, MIDDLE, SECOND, SIZE
from tumble.narrow.triangles.filter import open_pair_touch
from tumble.narrow.triangles.four_pairs import KEPT_WORDS, POSED_WORDS, keep_leaf, meeting_pairs, present_pairs
from tumble.volume.eight_boxes import FLOATS, MAGNITUDES, MARGIN, MATRIX, RATIO, SHIFT, boxes_meeting
from tumble.volume.tight_leaf import LARGEST_MARGIN, TIGHT_WORDS, tight_lanes, tighten

RELATION_BYTES = 4 * FLOATS
# Behind the two relations lie the two frames, each in as many bytes as a relation.
FRAMES = 2 * RELATION_BYTES
NO_LEAF = -1
# Each block that is opened leaves at most seven lanes on the stack below the one that is descended into, and at most
# both trees' depths of blocks are open at a time.
STACK_WORDS = 2 * MAX_DEPTH * (LANES - 1) + LANES
BLOCK_BITS = 30
BLOCK_MASK = (1 << BLOCK_BITS) - 1
NODE_SHIFT = BLOCK_BITS + 1


class Walk(NamedTuple):
    """What stays the same throughout a walk: addresses, and numbers of the query."""

    tree_a: int
    pose_a: int
    tree_b: int
    pose_b: int
    first: int  # not 0: end the search at the first pair
    keys: int
    capacity: int
    kept: int  # memory for the single's leaf, posed
    posed: int  # memory for the other leaf, posed


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


@inlined_kernel
def meeting_lanes(single, lane, block, relation):
    """Move a node's box into the block's frame and return the lanes that it may overlap."""
    # the single is moved, not the block: one box is turned instead of eight, and the eight are read as they are stored
    x, y, z = field(single, MIDDLE, lane), field(single, MIDDLE + 1, lane), field(single, MIDDLE + 2, lane)
    r = relation
    px = float32_at(r, MATRIX) * x + float32_at(r, MATRIX + 1) * y + float32_at(r, MATRIX + 2) * z
    py = float32_at(r, MATRIX + 3) * x + float32_at(r, MATRIX + 4) * y + float32_at(r, MATRIX + 5) * z
    pz = float32_at(r, MATRIX + 6) * x + float32_at(r, MATRIX + 7) * y + float32_at(r, MATRIX + 8) * z
    px, py, pz = px + float32_at(r, SHIFT), py + float32_at(r, SHIFT + 1), pz + float32_at(r, SHIFT + 2)
    ratio, margin = float32_at(r, RATIO), float32_at(r, MARGIN)
    # the margin is added to the reach along the block's axes and to the half sizes along the single's own, so that each
    # of the six comparisons of `boxes_meeting` has it once
    hx, hy, hz = field(single, HALF, lane), field(single, HALF + 1, lane), field(single, HALF + 2, lane)
    hx, hy, hz = ratio * hx, ratio * hy, ratio * hz
    m = MAGNITUDES
    rx = float32_at(r, m) * hx + float32_at(r, m + 3) * hy + float32_at(r, m + 6) * hz + margin
    ry = float32_at(r, m + 1) * hx + float32_at(r, m + 4) * hy + float32_at(r, m + 7) * hz + margin
    rz = float32_at(r, m + 2) * hx + float32_at(r, m + 5) * hy + float32_at(r, m + 8) * hz + margin
    return boxes_meeting(block, relation, px, py, pz, rx, ry, rz, hx + margin, hy + margin, hz + margin)


@inlined_kernel
def note(counts, visited, overlaps, leaf_pairs, triangle_tests, box_tests):
    """Write what was done, as `core.interrupts.COUNTED` says, if there is a place for it."""
    if counts != 0:
        set_int64(counts, 0, visited)
        set_int64(counts, 1, overlaps)
        set_int64(counts, 2, leaf_pairs)
        set_int64(counts, 3, triangle_tests)
        set_int64(counts, 4, box_tests)


@inlined_kernel
def roots_meet(tree_a, tree_b, relation):
    """Tell whether the boxes around two meshes may overlap; an empty mesh has none."""
    root = int64_at(tree_a, BLOCKS)
    return link(root, CHILD, 0) != 0 and meeting_lanes(root, 0, int64_at(tree_b, BLOCKS), relation) & 1 != 0


@inlined_kernel
def keep_single(walk, side, one, two):
    """Pose the triangles of the single's leaf; they stay while the leaf is the same, which is often so."""
    keep_leaf(walk.tree_a if side == 0 else walk.tree_b, walk.pose_a if side == 0 else walk.pose_b, one, two, walk.kept)


@inlined_kernel
def compare_leaves(walk, side, one, two, three, four, found):
    """Test the kept leaf's triangles, one and two, against three and four of the other tree's leaf.

    Write the touching ones; return how many pairs are found by now, and how many triangle pairs got past the planes.
    """
    tests = 0
    tree, pose = (walk.tree_b, walk.pose_b) if side == 0 else (walk.tree_a, walk.pose_a)
    word = meeting_pairs(tree, pose, three, four, walk.kept, walk.posed)
    pairs = word & present_pairs(two, four)
    while pairs != 0:
        pair = lowest_bit(pairs)
        pairs &= pairs - 1
        tests += 1
        if open_pair_touch(word, pair, walk.kept, walk.posed):
            # lane k of `four_pairs` is triangle k & 1 of the kept leaf and triangle k >> 1 of the other
            our, their = (two if pair & 1 else one), (four if pair & 2 else three)
            # a full buffer goes on counting: the caller then knows how large the next one must be
            if found < walk.capacity:
                set_int64(walk.keys, found, our << 32 | their if side == 0 else their << 32 | our)
            found += 1
            if walk.first != 0:
                return found, tests
    return found, tests


@external(int64(*9 * (int64,)))
def walk(tree_a, pose_a, tree_b, pose_b, relations, first, keys, capacity, counts):
    """Write the touching triangles as keys, a's number in the upper half, and return how many there are.

    Neither tree may be empty. `relations` is the address of a's frame in b's and b's in a's, with both frames behind;
    `keys` has memory for `capacity`; `first` ends the search at the first pair; `counts`, if not 0, is where to write
    what was done. A negative number is not an answer: see `tumble.core.poll`.
    """
    stack, tight = scratch(STACK_WORDS), scratch(TIGHT_WORDS)
    query = Walk(tree_a, pose_a, tree_b, pose_b, first, keys, capacity, scratch(KEPT_WORDS), scratch(POSED_WORDS))
    blocks_a, blocks_b = int64_at(tree_a, BLOCKS), int64_at(tree_b, BLOCKS)
    set_int64(stack, 0, waiting_pair(np.int64(0), np.int64(0), np.int64(0)))
    top, found = 1, 0
    # meshes so far apart, or so different in size, that products in `tight_leaf` might leave the range of float32
    margins = float32_at(relations, MARGIN), float32_at(relations + RELATION_BYTES, MARGIN)
    usable = margins[0] < LARGEST_MARGIN and margins[1] < LARGEST_MARGIN
    elongated_a = usable and float64_at(tree_a, ELONGATED) != 0.0
    elongated_b = usable and float64_at(tree_b, ELONGATED) != 0.0
    posed_leaf, one, two = np.int64(NO_LEAF), np.int64(0), np.int64(0)
    visited, overlaps, leaf_pairs, triangle_tests = 0, 0, 0, 0
    # a loop within a loop: calling `poll` in the inner one takes registers from it, and 6 % of its speed
    while top > 0:
        answer = poll(found) if visited > 0 else 0
        if answer != 0:
            return answer
        pause = visited + OFTEN
        while top > 0 and visited < pause:
            # depth first: what waits is bounded by STACK_WORDS, and a first hit needs no whole level
            top -= 1
            waiting = int64_at(stack, top)
            side, number, node = waiting & 1, waiting >> 1 & BLOCK_MASK, waiting >> NODE_SHIFT
            ours, theirs = (blocks_a, blocks_b) if side == 0 else (blocks_b, blocks_a)
            single, lane, block = ours + (node >> 3) * BLOCK_BYTES, node & 7, theirs + number * BLOCK_BYTES
            relation = relations + side * RELATION_BYTES
            mask = meeting_lanes(single, lane, block, relation)
            visited += 1
            child = link(single, CHILD, lane)
            # nodes of both trees have the same numbers, so the side is part of a leaf's name
            leaf = node << 1 | side
            # long thin triangles fill little of their boxes: compare the triangles themselves before going on
            if child < 0 and mask != 0 and (elongated_a if side == 0 else elongated_b):
                if leaf != posed_leaf:
                    posed_leaf, one, two = leaf, -1 - child, link(single, SECOND, lane)
                    keep_single(query, side, one, two)
                    tighten(query.kept, relations + FRAMES + side * RELATION_BYTES, tight)
                mask &= tight_lanes(block, tight)
            # the single's size in the block's unit, to compare with sizes there
            size = float32_at(relation, RATIO) * field(single, SIZE, lane)
            while mask != 0:
                other = lowest_bit(mask)
                mask &= mask - 1
                grandchild = link(block, CHILD, other)
                if grandchild == 0:  # an empty lane, where float32 could not tell
                    continue
                overlaps += 1
                # Into the larger box. Into the smaller one, or only into boxes twice as large, was slower, and sorting
                # lanes by how deep they overlap gained nothing (docs/fast-path.md).
                if grandchild > 0 and (child < 0 or field(block, SIZE, other) >= size):
                    set_int64(stack, top, waiting_pair(node, grandchild, side))
                    top += 1
                    continue
                if child > 0:
                    set_int64(stack, top, waiting_pair(LANES * number + other, child, 1 - side))
                    top += 1
                    continue
                leaf_pairs += 1
                if leaf != posed_leaf:
                    posed_leaf, one, two = leaf, -1 - child, link(single, SECOND, lane)
                    keep_single(query, side, one, two)
                three, four = -1 - grandchild, link(block, SECOND, other)
                found, tests = compare_leaves(query, side, one, two, three, four, found)
                triangle_tests += tests
                if first != 0 and found != 0:
                    note(counts, visited, overlaps, leaf_pairs, triangle_tests, 0)
                    return found
    note(counts, visited, overlaps, leaf_pairs, triangle_tests, 0)
    return found
