"""The traversal of two boxtrees: pairs of nodes, their states rebuilt on the way down (paper `boxtree`, Section 3.2).

    the roots overlap: a frame with just this pair
    while there are frames:
        no pair waits in the last one: drop it
        otherwise take a pair:
            two leaves: test triangles
            else open it: compare its nodes' children, all four pairs; the overlapping ones wait in a new frame

The triangles of two leaves are compared two by two; those of a's leaf stay posed while the leaf is the same.

A frame keeps the states of its nodes until all below it is done, so that no state is computed twice.
"""

from typing import NamedTuple

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import int32_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.core.simd.vectors import VECTOR_BYTES
from tumble.hierarchy.boxtree.header import NODES, ORDER
from tumble.hierarchy.boxtree.layout import MAX_DEPTH, MOST_IN_LEAF
from tumble.narrow.triangles.filter import open_pair_touch
from tumble.narrow.triangles.four_pairs import KEPT_WORDS, POSED_WORDS, keep_leaf, meeting_pairs, present_pairs
from tumble.traversal.boxtree.frame import HEAD_BYTES, STATES, WAITING, OpenNode, OverlapTest, first_frame
from tumble.traversal.boxtree.frame import NODES as WORDS
from tumble.traversal.boxtree.opening import open_pair
from tumble.traversal.boxtree.overlaps import VECTORS
from tumble.traversal.packed.walk import note

KEPT_BYTES = 8 * KEPT_WORDS
ALL_KEPT_WORDS = (MOST_IN_LEAF + 1) // 2 * KEPT_WORDS
NO_TRIANGLE = -1
NO_LEAF = -1
FRAMES = MAX_DEPTH + 1  # each frame is a level further down in both trees, as long as there are children


class Leaf(NamedTuple):
    """A leaf: the address of its tree, and its triangles in the tree's order."""

    tree: int
    start: int
    triangles: int


@inlined_kernel
def triangle_at(order, start, k, count):
    """Return triangle k of a leaf, or NO_TRIANGLE behind its last."""
    return int32_at(order, start + k) if k < count else np.int64(NO_TRIANGLE)


@inlined_kernel
def keep_triangles(tree, pose, start, count, kept):
    """Pose the triangles of a leaf of tree a."""
    order = int64_at(tree, ORDER)
    for k in range(0, count, 2):
        one, two = triangle_at(order, start, k, count), triangle_at(order, start, k + 1, count)
        keep_leaf(tree, pose, one, two, kept + (k >> 1) * KEPT_BYTES)


@inlined_kernel
def compare_leaves(a, b, pose_b, kept, posed, first, keys, capacity, found):
    """Test the triangles of two leaves, a's posed and kept; return how many pairs are found by now, and the tests."""
    order_a, order_b = int64_at(a.tree, ORDER), int64_at(b.tree, ORDER)
    tests = 0
    # two by two: four pairs at once, as many as float64 lanes
    for m in range(0, b.triangles, 2):
        three, four = triangle_at(order_b, b.start, m, b.triangles), triangle_at(order_b, b.start, m + 1, b.triangles)
        for k in range(0, a.triangles, 2):
            one, two = triangle_at(order_a, a.start, k, a.triangles), triangle_at(order_a, a.start, k + 1, a.triangles)
            ours = kept + (k >> 1) * KEPT_BYTES
            word = meeting_pairs(b.tree, pose_b, three, four, ours, posed)
            pairs = word & present_pairs(two, four)
            while pairs != 0:
                pair = lowest_bit(pairs)
                pairs &= pairs - 1
                tests += 1
                if open_pair_touch(word, pair, ours, posed):
                    if found < capacity:
                        set_int64(keys, found, (two if pair & 1 else one) << 32 | (four if pair & 2 else three))
                    found += 1
                    if first != 0:
                        return found, tests
    return found, tests


@inlined_kernel
def stack_words(number):
    """Return the words of all frames, for the states of an overlap test."""
    return FRAMES * (HEAD_BYTES + 4 * VECTORS[number] * VECTOR_BYTES) // 8


@external(int64(*14 * (int64,)))
def walk_boxtrees(
    number, flags, pre_transformed, frames, setup, table,
    tree_a, pose_a, tree_b, pose_b, first, keys, capacity, counts,
):  # fmt: skip
    """Write the touching triangles as keys, a's number in the upper half, and return how many there are.

    Neither tree may be empty. The first arguments are those of `OverlapTest`; `frames` is the stack; `keys` has memory
    for `capacity`; `first` ends the search at the first pair; `counts`, if not 0, is where to write what was done. A
    negative number is not an answer: see `tumble.core.poll`.
    """
    test = OverlapTest(number, flags, pre_transformed, VECTORS[number] * VECTOR_BYTES, setup, table)
    kept, posed = scratch(ALL_KEPT_WORDS), scratch(POSED_WORDS)
    nodes_a, nodes_b = int64_at(tree_a, NODES), int64_at(tree_b, NODES)
    frame_bytes = HEAD_BYTES + 4 * test.size
    found, kept_leaf = 0, NO_LEAF
    opened, overlaps, leaf_pairs, triangle_tests, tests = 0, 0, 0, 0, 1
    top = 0 if first_frame(test, frames, nodes_a, nodes_b) else -1
    while top >= 0:
        frame = frames + top * frame_bytes
        waiting = int64_at(frame, WAITING)
        # its states may be overwritten now: pairs below have used them
        if waiting == 0:
            top -= 1
            continue
        pair = lowest_bit(waiting)
        # the pair is taken off before it is followed: the frame is looked at again when all below is done
        set_int64(frame, WAITING, waiting & (waiting - 1))
        overlaps += 1
        i, j = pair & 1, pair >> 1
        word_a, word_b = int64_at(frame, WORDS[0] + i), int64_at(frame, WORDS[1] + j)
        leaf_a, leaf_b = word_a >> 32, word_b >> 32
        if leaf_a == 0 or leaf_b == 0:
            opened += 1
            if opened & OFTEN == 0:
                answer = poll(found)
                if answer != 0:
                    return answer
            # both are opened where both have children: four pairs at once cost little more than two
            a = OpenNode(nodes_a, leaf_a == 0, word_a & LOWER_HALF, int64_at(frame, STATES[0] + i))
            b = OpenNode(nodes_b, leaf_b == 0, word_b & LOWER_HALF, int64_at(frame, STATES[1] + j))
            tests += open_pair(test, a, word_a, b, word_b, frame + frame_bytes)
            top += 1
            continue
        leaf_pairs += 1
        start_a, start_b = word_a & LOWER_HALF, word_b & LOWER_HALF
        # a's leaf is often the same for several of b's in turn
        if kept_leaf != start_a:
            keep_triangles(tree_a, pose_a, start_a, leaf_a, kept)
            kept_leaf = start_a
        found, compared = compare_leaves(
            Leaf(tree_a, start_a, leaf_a), Leaf(tree_b, start_b, leaf_b), pose_b, kept, posed,
            first, keys, capacity, found,
        )  # fmt: skip
        triangle_tests += compared
        if first != 0 and found != 0:
            break
    note(counts, opened, overlaps, leaf_pairs, triangle_tests, tests)
    return found
