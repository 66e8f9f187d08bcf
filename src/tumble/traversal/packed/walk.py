"""The traversal of two packed trees: one node, the single, against a block of eight, again and again.

    push (root of a, root block of b)
    while the stack is not empty:
        pop a few (single, block)
        for each of them, and each lane of the block whose box overlaps the single's:
            two leaves: they wait for each other's triangles
            else descend in the larger: push (single, lane's children), or (lane as the single, single's children)
        if enough leaves wait, or the stack is empty: test triangles

The single may come from either tree, and the block from the other. Descending in the larger node keeps both boxes of a
pair about equally large, which is when an overlap test tells most.

Which boxes overlap and which triangles touch cannot be predicted, and a processor that guesses wrong starts anew. So
the loops here do the same whatever overlaps (see `descend`), and the pairs that are popped together do not need each
other: the processor overlaps the work on several of them.
"""

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import (
    bit_count,
    bits_float,
    copy_eight,
    float32_at,
    float64_at,
    int64_at,
    prefetch,
    set_int64,
)
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, ELONGATED
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, SIZE
from tumble.narrow.triangles.certain_pairs import PAIR_WORDS
from tumble.narrow.triangles.four_pairs import KEPT_WORDS as POSED_LEAF_WORDS
from tumble.traversal.packed.descend import descend
from tumble.traversal.packed.leaf_pairs import FILLING, WAITING_LEAVES, WAITING_SLOT, WAITING_WORDS, compare_waiting
from tumble.traversal.packed.leaves import (
    FRAMES,
    KEPT,
    MEMORY_WORDS,
    POSED,
    SLOT,
    SLOT_BYTES,
    SLOT_WORDS,
    SLOTS,
    TIGHT,
    WAITS,
    Walk,
    keep_once,
    pair_of,
)
from tumble.traversal.packed.nodes import (
    BLOCK_MASK,
    NO_LEAF,
    RELATION_BYTES,
    STACK_WORDS,
    link,
    waiting_pair,
)
from tumble.volume.eight_boxes import MARGIN, RATIO, boxes_meeting
from tumble.volume.tight_leaf import LARGEST_MARGIN, TIGHT_WORDS, tight_lanes

# Pairs are taken several at a time, and the next ones meanwhile fetched, where no more than `FEW` wait; otherwise one.
WIDE, WIDE_FOR_FIRST, FEW = 8, 3, 128
WIDE_STACK_WORDS = STACK_WORDS + FEW + 2 * WIDE * LANES
# Leaves are compared when no slot may be left after the next visits, or this many pairs of them wait.
MANY_PAIRS = 64
QUEUE_WORDS = WAITING_WORDS * (SLOTS + 1)
SLOTS_WORDS = SLOTS * SLOT_WORDS
PAIRS_WORDS = PAIR_WORDS * (MANY_PAIRS + WIDE * LANES + FILLING)


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
    return link(root, CHILD, 0) != 0 and boxes_meeting(root, 0, int64_at(tree_b, BLOCKS), relation) & 1 != 0


@inlined_kernel
def visit(walk, waiting, stack, top, queue, queued):
    """Compare one single with one block; return the new top, how many are queued, pairs of leaves and overlaps."""
    side, single, lane, block = pair_of(walk, waiting)
    relation = walk.relations + side * RELATION_BYTES
    mask = boxes_meeting(single, lane, block, relation)
    child = link(single, CHILD, lane)
    # long thin triangles fill little of their boxes: compare the triangles themselves before going on
    slot = walk.kept + queued * SLOT_BYTES
    if walk.tight != 0 and child < 0 and mask != 0:
        keep_once(walk, waiting)
        slot = int64_at(walk.memory, SLOT)
        if walk.elongated >> side & 1 != 0:
            mask &= tight_lanes(block, walk.tight)
    # the single's size in the block's unit, to compare with sizes there. A leaf has the number of a triangle in its
    # place, which is a denormal number: to multiply it takes as long as all else here
    size = float32_at(relation, RATIO) * bits_float(link(single, SIZE, lane) & ~(child >> 63))
    # Into the larger box. Into the smaller one, or only into boxes twice as large, was slower, and sorting
    # lanes by how deep they overlap gained nothing (docs/fast-path.md).
    up = waiting_pair((waiting >> 1 & BLOCK_MASK) * LANES, child, 1 - side)
    down = waiting & ~np.int64(BLOCK_MASK << 1)
    before = top
    top, leaves = descend(block, mask, size, child >> 63, down, up, stack, top)
    set_int64(queue, WAITING_WORDS * queued, waiting)
    set_int64(queue, WAITING_WORDS * queued + WAITING_LEAVES, leaves)
    set_int64(queue, WAITING_WORDS * queued + WAITING_SLOT, slot)
    if walk.tight != 0:
        set_int64(walk.memory, WAITS, int64_at(walk.memory, WAITS) | leaves)
    count = bit_count(leaves)
    return top, queued + np.int64(leaves != 0), count, top - before + count


@inlined_kernel
def fetch(walk, waiting):
    """Let the processor fetch the block of a pair that waits."""
    block = (walk.blocks_b if waiting & 1 == 0 else walk.blocks_a) + (waiting >> 1 & BLOCK_MASK) * BLOCK_BYTES
    for k in range(0, BLOCK_BYTES, 64):
        prefetch(block + k)


@external(int64(*9 * (int64,)))
def walk(tree_a, pose_a, tree_b, pose_b, relations, first, keys, capacity, counts):
    """Write the touching triangles as keys, a's number in the upper half, and return how many there are.

    Neither tree may be empty. `relations` is the address of a's frame in b's and b's in a's, with both frames behind;
    `keys` has memory for `capacity`; `first` ends the search at the first pair; `counts`, if not 0, is where to write
    what was done. A negative number is not an answer: see `tumble.core.poll`.
    """
    # meshes so far apart, or so different in size, that products in `tight_leaf` might leave the range of float32
    margins = float32_at(relations, MARGIN), float32_at(relations + RELATION_BYTES, MARGIN)
    elongated = np.int64(0)
    if margins[0] < LARGEST_MARGIN and margins[1] < LARGEST_MARGIN:
        elongated = np.int64(float64_at(tree_a, ELONGATED) != 0.0) | np.int64(float64_at(tree_b, ELONGATED) != 0.0) << 1
        elongated &= int64_at(relations + TIGHT, 0)
    tight = scratch(TIGHT_WORDS)
    query = Walk(
        tree_a, pose_a, tree_b, pose_b, int64_at(tree_a, BLOCKS), int64_at(tree_b, BLOCKS), relations,
        relations + FRAMES, first, keys, capacity, scratch(SLOTS_WORDS), scratch(MEMORY_WORDS),
        scratch(POSED_LEAF_WORDS), tight if elongated else 0, elongated,
    )  # fmt: skip
    stack, queue, pairs = scratch(WIDE_STACK_WORDS), scratch(QUEUE_WORDS), scratch(PAIRS_WORDS)
    taken, coming, width = scratch(WIDE), scratch(WIDE), np.int64(0)
    set_int64(query.memory, KEPT, NO_LEAF)
    set_int64(query.memory, POSED, NO_LEAF)
    set_int64(query.memory, SLOT, query.kept)
    set_int64(query.memory, WAITS, 0)
    set_int64(stack, 0, waiting_pair(np.int64(0), np.int64(0), np.int64(0)))
    top, queued, total, found = np.int64(1), np.int64(0), np.int64(0), np.int64(0)
    # a first hit should come soon: nothing waits then for more to come
    wide, most = (WIDE, SLOTS - WIDE) if first == 0 else (1 if elongated != 0 else WIDE_FOR_FIRST, 0)
    visited, overlaps, leaf_pairs, triangle_tests = 0, 0, 0, 0
    # a loop within a loop: calling `poll` in the inner one takes registers from it, and 6 % of its speed
    while top > 0 or width > 0:
        answer = poll(found) if visited > 0 else 0
        if answer != 0:
            return answer
        pause = visited + OFTEN
        while (top > 0 or width > 0) and visited < pause:
            # depth first: what waits is bounded by STACK_WORDS, and a first hit needs no whole level. Several pairs at
            # a time do not wait for each other
            ahead = min(top, wide) if top <= FEW else np.int64(width == 0)
            top -= ahead
            copy_eight(stack, top, coming)
            for k in range(ahead):
                fetch(query, int64_at(coming, k))
            for k in range(width - 1, -1, -1):
                top, queued, leaves, more = visit(query, int64_at(taken, k), stack, top, queue, queued)
                overlaps += more
                total += leaves
            taken, coming = coming, taken
            visited += width
            width = ahead
            if queued <= most and total <= MANY_PAIRS and (top > 0 or width > 0):
                continue
            found, tests = compare_waiting(query, queue, queued, total, pairs, found)
            leaf_pairs += total
            triangle_tests += tests
            if first != 0 and found != 0:
                note(counts, visited, overlaps, leaf_pairs, triangle_tests, 0)
                return found
            queued, total = 0, 0
    note(counts, visited, overlaps, leaf_pairs, triangle_tests, 0)
    return found
