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
    int64_at,
    prefetch,
    set_int64,
)
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, SIZE
from tumble.narrow.triangles.certain_pairs import PAIR_WORDS
from tumble.narrow.triangles.four_pairs import KEPT_WORDS as POSED_LEAF_WORDS
from tumble.traversal.packed.descend import descend
from tumble.traversal.packed.leaf_pairs import FILLING, WAITING_WORDS, compare_waiting, let_wait
from tumble.traversal.packed.leaves import SLOT_BYTES, SLOT_WORDS, SLOTS, keep_once, pair_of
from tumble.traversal.packed.nodes import BLOCK_MASK, RELATION_BYTES, STACK_WORDS, link, waiting_pair
from tumble.traversal.packed.search import LAST_WAITS, SEARCH_WORDS, begin_search, search_at
from tumble.volume.eight_boxes import RATIO, boxes_meeting
from tumble.volume.tight_leaf import TIGHT_WORDS, tight_lanes

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
def visit(search, waiting, slot, stack, top, queue, queued):
    """Compare one single with one block; return the new top, how many are queued, pairs of leaves and overlaps.

    `slot` is where the single will be kept, if it is a leaf that waits for others.
    """
    side, single, lane, block = pair_of(search, waiting)
    relation = search.relations + side * RELATION_BYTES
    mask = boxes_meeting(single, lane, block, relation)
    child = link(single, CHILD, lane)
    # long thin triangles fill little of their boxes: compare the triangles themselves before going on
    if search.tight != 0 and child < 0 and mask != 0:
        slot = keep_once(search, waiting)
        if search.elongated >> side & 1 != 0:
            mask &= tight_lanes(block, search.tight)
    # the single's size in the block's unit, to compare with sizes there. A leaf has the number of a triangle in its
    # place, which is a denormal number: to multiply it takes as long as all else here
    size = float32_at(relation, RATIO) * bits_float(link(single, SIZE, lane) & ~(child >> 63))
    # Into the larger box. Into the smaller one, or only into boxes twice as large, was slower, and sorting
    # lanes by how deep they overlap gained nothing (docs/fast-path.md).
    up = waiting_pair((waiting >> 1 & BLOCK_MASK) * LANES, child, 1 - side)
    down = waiting & ~np.int64(BLOCK_MASK << 1)
    before = top
    top, leaves = descend(block, mask, size, child >> 63, down, up, stack, top)
    let_wait(queue, queued, search, waiting, leaves, slot)
    if search.tight != 0:
        set_int64(search.place, LAST_WAITS, int64_at(search.place, LAST_WAITS) | leaves)
    count = bit_count(leaves)
    return top, queued + np.int64(leaves != 0), count, top - before + count


@inlined_kernel
def fetch(search, waiting):
    """Let the processor fetch the block of a pair that waits."""
    block = (search.blocks_b if waiting & 1 == 0 else search.blocks_a) + (waiting >> 1 & BLOCK_MASK) * BLOCK_BYTES
    for k in range(0, BLOCK_BYTES, 64):
        prefetch(block + k)


@external(int64(*9 * (int64,)))
def walk(tree_a, pose_a, tree_b, pose_b, relations, first, keys, capacity, counts):
    """Write the touching triangles as keys, a's number in the upper half, and return how many there are.

    Neither tree may be empty. `relations` is the address of a's frame in b's and b's in a's, with both frames behind;
    `keys` has memory for `capacity`; `first` ends the search at the first pair; `counts`, if not 0, is where to write
    what was done. A negative number is not an answer: see `tumble.core.poll`.
    """
    place, slots = scratch(SEARCH_WORDS), scratch(SLOTS_WORDS)
    posed, tight = scratch(POSED_LEAF_WORDS), scratch(TIGHT_WORDS)
    begin_search(
        place, tree_a, pose_a, tree_b, pose_b, relations, slots, slots + SLOTS * SLOT_BYTES, posed, tight
    )  # fmt: skip
    search = search_at(place)
    stack, queue, pairs = scratch(WIDE_STACK_WORDS), scratch(QUEUE_WORDS), scratch(PAIRS_WORDS)
    taken, coming, width = scratch(WIDE), scratch(WIDE), np.int64(0)
    set_int64(stack, 0, waiting_pair(np.int64(0), np.int64(0), np.int64(0)))
    top, queued, total, found = np.int64(1), np.int64(0), np.int64(0), np.int64(0)
    # a first hit should come soon: nothing waits then for more to come
    wide, most = (WIDE, SLOTS - WIDE) if first == 0 else (1 if search.elongated != 0 else WIDE_FOR_FIRST, 0)
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
                fetch(search, int64_at(coming, k))
            for k in range(width - 1, -1, -1):
                slot = slots + queued * SLOT_BYTES
                top, queued, leaves, more = visit(search, int64_at(taken, k), slot, stack, top, queue, queued)
                overlaps += more
                total += leaves
            taken, coming = coming, taken
            visited += width
            width = ahead
            if queued <= most and total <= MANY_PAIRS and (top > 0 or width > 0):
                continue
            if total > 0:
                found, tests = compare_waiting(queue, queued, total, pairs, first, keys, capacity, found)
                leaf_pairs += total
                triangle_tests += tests
            if first != 0 and found != 0:
                note(counts, visited, overlaps, leaf_pairs, triangle_tests, 0)
                return found
            queued, total = 0, 0
    note(counts, visited, overlaps, leaf_pairs, triangle_tests, 0)
    return found
