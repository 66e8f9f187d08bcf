"""Down from the nodes of a front: the streams model of Tang et al. 2011, as paper `bsp` has it in Section 6.1.

A node of the test tree is a pair of nodes of two trees; its children are the pairs of their children. The front are the
pairs where the last traversal ended: those that were apart, and all leaf pairs it came to. Threads draw groups of them:

    for each pair of the group:
        if its boxes are apart, or both are leaves: register it in the new front
        else put it on the stack of this thread
        while there are pairs on the stack, and steps left:
            take one; test its children
                apart       register it in the new front
                leaves      register it in the new front, and as a leaf pair if they overlap
                else        put it on the stack; if that is full, hand it over to the next round
        hand over what is left on the stack

For: starts where the answer changes, with as many pairs at once as the front has. Against: the front takes memory, all
of it is read and written in every frame, and walks differ in length.

When a stream is full, the kernel keeps counting; the host makes memory and repeats the round.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import address_of, atomic_add, int64_at
from tumble.hierarchy.implicit.layout import row_between, row_of
from tumble.traversal.bulk.boxes import boxes_crossing, boxes_meeting, exact_boxes_meet, ordered_key, share_a_vertex
from tumble.traversal.bulk.entry import overlap
from tumble.traversal.bulk.expand import descendants, flush, push

# Places in the counters.
NEXT, FRONT, LEAVES, REST, TESTS, OVERLAPS, LEAF_OVERLAPS = range(7)
COUNTERS = 8
# Instead of the key of a leaf pair.
APART, UNWANTED = -1, -2


class FrontStreams(NamedTuple):
    """Where a walk registers what it finds."""

    front: NDArray[np.int64]
    leaves: NDArray[np.int64]
    rest: NDArray[np.int64]  # overlapping pairs that are left to the next round


@inlined_kernel
def children(walked, top, end, node, down):
    """Return row, first place and number of a node's children, or of itself: for a leaf, and where `down` is 0."""
    row = row_between(walked.starts, top, end, node)
    return descendants(walked, row, node, min(down, walked.left[row]))


@inlined_kernel
def leaf_key(walked, i, j, sure, within, adjacent):
    """Return the key of two leaves whose float32 boxes meet, APART if their float64 boxes do not, or UNWANTED.

    i and j are the leaves' places among all leaves; `sure` tells whether their boxes share more than surfaces.
    """
    shared_vertex = within and share_a_vertex(walked.corners, i, j)
    # see `bulk.expand`: only boxes that just touch leave a question to float64
    if not sure and not shared_vertex:
        if not exact_boxes_meet(walked.vertices, walked.corners, i, j):
            return np.int64(APART)
    if shared_vertex and not adjacent:
        return np.int64(UNWANTED)
    return ordered_key(walked.order[i], walked.order[j], within)


@kernel
def walk(walked, source, tested, group, steps, adjacent, stack, queue, streams, counters):
    """Walk down from the pairs of the source, group by group, until none is left.

    tested     whether all pairs of the source are known to overlap, and not two leaves
    adjacent   whether triangles that share a vertex count as leaf pairs
    stack      of this thread alone
    queue      of this thread alone: a third for each of the streams
    """
    starts, left, boxes = walked.starts, walked.left, walked.boxes
    at_boxes, stride = address_of(boxes), np.int64(boxes.shape[1])
    words, shared, capacity = address_of(queue), address_of(counters), np.int64(queue.shape[0]) // 3
    of_leaves, of_rest = capacity, 2 * capacity
    limit = np.int64(stack.shape[0])
    fronts = leaves = rests = np.int64(0)  # how many numbers are queued for each stream
    tests = overlaps = leaf_overlaps = np.int64(0)
    total, turns = np.int64(source.shape[0]), 0
    while True:
        # groups are drawn, not dealt out: walks differ in length by orders of magnitude
        begin = atomic_add(shared, np.int64(NEXT), group)
        if begin >= total or poll(int64_at(shared, LEAVES)) != 0:
            break
        for item in range(begin, min(begin + group, total)):
            if not tested and not overlap(boxes, source[item] >> 32, source[item] & LOWER_HALF):
                # most pairs of a front are apart, and stay where they are: no search for their rows
                tests += 1
                fronts = push(words, 0, capacity, fronts, source[item], streams.front, shared, FRONT)
                continue
            # all below is in the same two trees: searches for rows stay between these
            top_a, top_b = row_of(starts, source[item] >> 32), row_of(starts, source[item] & LOWER_HALF)
            end_a, end_b = top_a + left[top_a] + 1, top_b + left[top_b] + 1
            within = walked.tree[top_a] == walked.tree[top_b]
            stack[0] = source[item]
            # the first turn looks at the pair itself, as if it were its own only child: step 0
            size, down, done = np.int64(1), np.int64(1) if tested else np.int64(0), np.int64(0)
            while size > 0:
                turns += 1
                if turns & OFTEN == 0 and poll(int64_at(shared, LEAVES)) != 0:
                    return
                if done == steps and steps > 0:
                    # walks differ in length: the rest of a long one is shared out anew among all threads
                    for k in range(size):
                        rests = push(words, of_rest, capacity, rests, stack[k], streams.rest, shared, REST)
                    break
                size -= 1
                done += down
                a, b = stack[size] >> 32, stack[size] & LOWER_HALF
                row_a, place_a, count_a = children(walked, top_a, end_a, a, down)
                row_b, place_b, count_b = children(walked, top_b, end_b, b, down)
                down = np.int64(1)
                at_leaves = left[row_a] == 0 and left[row_b] == 0
                # the children of a node among themselves: each pair once, and no leaf with itself
                skipped = np.int64(1) if at_leaves else np.int64(0)
                other = starts[row_b] + place_b
                for i in range(count_a):
                    node = starts[row_a] + place_a + i
                    lx, ly, lz = boxes[0, node], boxes[1, node], boxes[2, node]
                    hx, hy, hz = boxes[3, node], boxes[4, node], boxes[5, node]
                    first = i + skipped if a == b else np.int64(0)
                    if first >= count_b:
                        continue
                    tests += count_b - first
                    # of the eight boxes, the children are two at most: one test without branches for both
                    meeting = boxes_meeting(at_boxes, stride, other, lx, ly, lz, hx, hy, hz)
                    sure = boxes_crossing(at_boxes, stride, other, lx, ly, lz, hx, hy, hz) if at_leaves else meeting
                    for j in range(first, count_b):
                        pair = node << 32 | (other + j)
                        meet = meeting >> j & 1 != 0
                        if meet and not at_leaves:
                            overlaps += 1
                            # where the stack is full, the pair is left to the next round, for any thread
                            if size < limit:
                                stack[size] = pair
                                size += 1
                            else:
                                rests = push(words, of_rest, capacity, rests, pair, streams.rest, shared, REST)
                            continue
                        # apart, or two leaves: the walk ends here, so the next frame begins here
                        fronts = push(words, 0, capacity, fronts, pair, streams.front, shared, FRONT)
                        if not meet:
                            continue
                        leaf_a = walked.first_leaf[walked.tree[row_a]] + place_a + i
                        leaf_b = walked.first_leaf[walked.tree[row_b]] + place_b + j
                        key = leaf_key(walked, leaf_a, leaf_b, sure >> j & 1 != 0, within, adjacent)
                        if key == APART:
                            continue
                        overlaps += 1
                        leaf_overlaps += 1
                        if key != UNWANTED:
                            leaves = push(words, of_leaves, capacity, leaves, key, streams.leaves, shared, LEAVES)
    # after the loop, so that a walk that is ended early writes nothing more
    flush(words, np.int64(0), fronts, streams.front, shared, FRONT)
    flush(words, of_leaves, leaves, streams.leaves, shared, LEAVES)
    flush(words, of_rest, rests, streams.rest, shared, REST)
    atomic_add(shared, np.int64(TESTS), tests)
    atomic_add(shared, np.int64(OVERLAPS), overlaps)
    atomic_add(shared, np.int64(LEAF_OVERLAPS), leaf_overlaps)


def first_pairs(
    offset: NDArray[np.int64], depth: NDArray[np.int64], tree_pairs: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the roots of pairs of trees, without a tree of one leaf paired with itself."""
    a, b = tree_pairs[:, 0], tree_pairs[:, 1]
    filled = (offset[a] < offset[a + 1]) & (offset[b] < offset[b + 1]) & ((a != b) | (depth[a] > 0))
    return offset[a[filled]] << 32 | offset[b[filled]]
