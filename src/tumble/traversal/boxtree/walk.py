"""The traversal of two boxtrees: pairs of nodes, their states rebuilt on the way down (paper `boxtree`, Section 3.2).

    the roots overlap: a frame with just this pair
    while there are frames:
        no pair waits in the last one: drop it
        otherwise take a pair:
            two leaves: test triangles
            else open it: compare its nodes' children, all four pairs; the overlapping ones wait in a new frame

A frame keeps the states of its nodes until all below it is done, so that nobody computes a state twice.
"""

from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import uncleared
from tumble.core.simd.vectors import VECTOR_BYTES
from tumble.hierarchy.boxtree.header import NODES
from tumble.hierarchy.boxtree.layout import MAX_DEPTH
from tumble.narrow.triangles.four_pairs import POSED_WORDS
from tumble.traversal.boxtree.frame import HEAD_BYTES, LOW_HALF, STATES, WAITING, finish, last_word, open_pair
from tumble.traversal.boxtree.frame import NODES as WORDS
from tumble.traversal.boxtree.intervals import ROOTS
from tumble.traversal.boxtree.leaves import ALL_KEPT_WORDS, judge_leaves, keep_triangles
from tumble.traversal.boxtree.states import overlapping

NO_LEAF = -1
FRAMES = MAX_DEPTH + 1
"""each frame is a level further down in both trees, as long as there are children"""


def stack_words(vectors: int) -> int:
    """Return the words of all frames, for states of so many vectors."""
    return FRAMES * (HEAD_BYTES + 4 * vectors * VECTOR_BYTES) // 8


@inlined_kernel
def note(counts, opened, overlaps, leaf_pairs, triangle_tests, tests):
    """Write what was done, if there is a place for it."""
    if counts != 0:
        set_int64(counts, 0, opened)
        set_int64(counts, 1, overlaps)
        set_int64(counts, 2, leaf_pairs)
        set_int64(counts, 3, triangle_tests)
        set_int64(counts, 4, tests)


@inlined_kernel
def first_frame(test, frames, room, table, nodes_a, nodes_b):
    """Write the frame of the two roots; return whether they overlap."""
    finish(test, room, table, 0, nodes_a, 0, room + ROOTS[0])
    finish(test, room, table, 1, nodes_b, 0, room + ROOTS[1])
    set_int64(frames, WAITING, 1)
    set_int64(frames, STATES[0], room + ROOTS[0])
    set_int64(frames, STATES[1], room + ROOTS[1])
    set_int64(frames, WORDS[0], last_word(nodes_a, 0))
    set_int64(frames, WORDS[1], last_word(nodes_b, 0))
    return overlapping(test, room + ROOTS[0], room + ROOTS[1])


@external(int64(*15 * (int64,)))
def walk_boxtrees(
    test, plain, ahead, vectors, frames, room, table,
    tree_a, pose_a, tree_b, pose_b, first, keys, capacity, counts,
):  # fmt: skip
    """Write the touching triangles as keys, a's number in the upper half, and return how many there are.

    Neither tree may be empty. `room` describes the test, whose states have so many `vectors`; `frames` is the stack;
    `keys` has room for `capacity`; `first` ends the search at the first pair; `counts`, if not 0, is where to write
    what was done. A negative number is no answer: see `tumble.core.poll`.
    """
    kept, posed = uncleared(ALL_KEPT_WORDS), uncleared(POSED_WORDS)
    nodes_a, nodes_b = int64_at(tree_a, NODES), int64_at(tree_b, NODES)
    size = vectors * VECTOR_BYTES
    frame_bytes = HEAD_BYTES + 4 * size
    found, kept_leaf = 0, NO_LEAF
    opened, overlaps, leaf_pairs, triangle_tests, tests = 0, 0, 0, 0, 1
    top = 0 if first_frame(test, frames, room, table, nodes_a, nodes_b) else -1
    while top >= 0:
        frame = frames + top * frame_bytes
        waiting = int64_at(frame, WAITING)
        if waiting == 0:
            top -= 1
            continue
        pair = lowest_bit(waiting)
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
            tests += open_pair(
                test, plain, ahead, size, room, table,
                nodes_a, leaf_a == 0, word_a, int64_at(frame, STATES[0] + i),
                nodes_b, leaf_b == 0, word_b, int64_at(frame, STATES[1] + j), frame + frame_bytes,
            )  # fmt: skip
            top += 1
            continue
        leaf_pairs += 1
        start_a, start_b = word_a & LOW_HALF, word_b & LOW_HALF
        if kept_leaf != start_a:
            keep_triangles(tree_a, pose_a, start_a, leaf_a, kept)
            kept_leaf = start_a
        found, looked_at = judge_leaves(
            tree_a, start_a, leaf_a, tree_b, pose_b, start_b, leaf_b, kept, posed, first, keys, capacity, found
        )
        triangle_tests += looked_at
        if first != 0 and found != 0:
            break
    note(counts, opened, overlaps, leaf_pairs, triangle_tests, tests)
    return found
