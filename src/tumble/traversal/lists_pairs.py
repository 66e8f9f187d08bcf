"""Paper `chip`, Section 3.2, Figure 2: sibling pairs of b, both siblings' lists made at once, each entry read once.

    compare the pair (A, B) with its list: bring both into a's frame; for each entry, append its children to A's new
        list if it overlaps A, and to B's new list if it overlaps B
    go down with A's new list to the first pair of A's children, and when that is done with B's new list to B's
    then to the next pair of siblings, which have the same list, or up

A pair is a frame on a stack, one for each level, whose step says what comes next: the paper's return bit. The lists lie
in one buffer: A's grow from its bottom and B's from its top, and both ends are stacks. The root and only children come
alone, and so does the last of an odd number of siblings. When just one of a pair is a leaf, it comes second.

For: half of the reads of `lists`, and a volume of a in registers for two tests. Against: more state, and a list is
made for B before A's subtree is done.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.hierarchy.layout import ESCAPE, FIRST, RIGHT
from tumble.traversal.leaf import list_against_leaves
from tumble.traversal.lists import LIST_STEPS, against_leaf, append_children, first_room, next_list, with_more_room
from tumble.traversal.protocol import ITERATIONS, MOVES, Method, Sizes, link, must_end, tally, traverse, visit_row
from tumble.volume.protocol import into_frame_of_a

# A frame: the pair and the sibling after it (-1 where there is none), what to do next, the pair's list, the free part
# of the buffer, and what is free of it behind the lists that the pair has made.
NODE_A, NODE_B, NEXT, STEP, LOW, HIGH, BOTTOM, TOP, NEW_BOTTOM, NEW_TOP = range(10)
FRAME = 10
COMPARE, GO_DOWN_B, GO_ON = range(3)
NO_NODE = -1


class ListsPairs(NamedTuple):
    """The lists that wait, a frame for each level, two volumes in a's frame, and the room that was wanted."""

    lists: NDArray[np.int32]
    frames: NDArray[np.int64]
    rows: NDArray[np.float64]
    wanted: NDArray[np.int64]

    def grown(self) -> ListsPairs | None:
        """Return a record with more room, if the last run wanted more."""
        return with_more_room(self)


def lists_pairs(sizes: Sizes, rule: int) -> ListsPairs:
    """Make room for the lists of two trees."""
    frames = np.empty((sizes.depth_b + 1, FRAME), np.int64)
    return ListsPairs(first_room(sizes, 2), frames, np.empty((2, sizes.row_width)), np.zeros(1, np.int64))


@inlined_kernel
def open_frame(frames, level, nodes, node, low, high, bottom, top):
    """Begin with a node of b and the sibling after it, if there is one, at the frame of their level."""
    other, following = np.int64(NO_NODE), np.int64(NO_NODE)
    if level > 0 and not link(nodes, node, RIGHT):
        other = link(nodes, node, ESCAPE)
        if not link(nodes, other, RIGHT):
            following = link(nodes, other, ESCAPE)
        # the inner node first: `compare` then has one mixed case instead of two
        if link(nodes, node, FIRST) < 0 and link(nodes, other, FIRST) >= 0:
            node, other = other, node
    frames[level, NODE_A], frames[level, NODE_B], frames[level, NEXT] = node, other, following
    frames[level, STEP] = COMPARE
    frames[level, LOW], frames[level, HIGH] = low, high
    frames[level, BOTTOM], frames[level, TOP] = bottom, top


@kernel
def next_two_lists(question, volumes, nodes, lists, low, high, bottom, top, rows, relative, counters):
    """Compare lists[low:high] with two inner nodes and append to the lists of both; return the new bottom and top."""
    for entry in range(low, high):
        i = np.int64(lists[entry])
        tally(counters, ITERATIONS)
        met_a = visit_row(question, volumes, i, rows, 0, relative, counters)
        met_b = visit_row(question, volumes, i, rows, 1, relative, counters)
        if not (met_a or met_b):
            continue
        child, end = link(nodes, i, FIRST), link(nodes, i, ESCAPE)
        if child < 0:
            child = i
        while child != end:
            # the ends may pass each other: what does not fit is counted, and the query starts again with that much more
            if met_a:
                if bottom < top:
                    lists[bottom] = child
                bottom += 1
            if met_b:
                if bottom < top:
                    lists[top - 1] = child
                top -= 1
            child = link(nodes, child, ESCAPE)
    return bottom, top


@kernel
def list_against_node_and_leaf(a, lists, low, high, bottom, top, b, leaf, rows, poses, question, counters):
    """Compare lists[low:high] with an inner node (row 0) and a leaf (row 1); return the new bottom, -1 to stop."""
    nodes = a.layout.nodes
    for entry in range(low, high):
        i = np.int64(lists[entry])
        if visit_row(question, a.volumes, i, rows, 0, poses.relative, counters):
            bottom = append_children(lists, bottom, top, nodes, i)
        if against_leaf(a, i, b, leaf, rows, 1, poses, question, counters):  # which counts the entry
            return np.int64(-1)
    return bottom


@inlined_kernel
def compare(method, level, a, b, poses, question, counters):
    """Compare the pair of a frame with its list and note the lists that it made; return whether to stop."""
    frames, lists, rows = method.frames, method.lists, method.rows
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    first, second = frames[level, NODE_A], frames[level, NODE_B]
    low, high, bottom, top = frames[level, LOW], frames[level, HIGH], frames[level, BOTTOM], frames[level, TOP]
    into_frame_of_a(b.volumes, first, poses.relative, rows, 0)
    tally(counters, MOVES)
    if second != NO_NODE:
        into_frame_of_a(b.volumes, second, poses.relative, rows, 1)
        tally(counters, MOVES)
    if link(nodes_b, first, FIRST) < 0:
        if list_against_leaves(a, lists, low, high, b, (first, second), rows, poses, question, counters):
            return True
    elif second == NO_NODE:
        bottom = next_list(question, a.volumes, nodes_a, lists, low, high, bottom, top, rows, poses.relative, counters)
    elif link(nodes_b, second, FIRST) < 0:
        bottom = list_against_node_and_leaf(
            a, lists, low, high, bottom, top, b, second, rows, poses, question, counters
        )
        if bottom < 0:
            return True
    else:
        bottom, top = next_two_lists(
            question, a.volumes, nodes_a, lists, low, high, bottom, top, rows, poses.relative, counters
        )
    frames[level, NEW_BOTTOM], frames[level, NEW_TOP] = bottom, top
    if bottom > top:
        # what both ends need together, had they not met
        method.wanted[0] = bottom + lists.shape[0] - top
        return True
    return False


@traverse.register(ListsPairs)
def _traverse(method, a, b, poses, question, counters):
    frames, nodes = method.frames, b.layout.nodes
    method.lists[0] = 0
    level = 0
    open_frame(frames, level, nodes, np.int64(0), 0, 1, 1, method.lists.shape[0])
    steps = 0
    while level >= 0:
        steps += LIST_STEPS
        if must_end(steps, question):
            return
        step = frames[level, STEP]
        bottom, top = frames[level, BOTTOM], frames[level, TOP]
        if step == COMPARE:
            frames[level, STEP] = GO_DOWN_B
            if compare(method, level, a, b, poses, question, counters):
                return
            new_bottom, new_top = frames[level, NEW_BOTTOM], frames[level, NEW_TOP]
            if new_bottom > bottom:
                child = link(nodes, frames[level, NODE_A], FIRST)
                level += 1
                open_frame(frames, level, nodes, child, bottom, new_bottom, new_bottom, new_top)
        # B's list lies at the other end, where nothing below A has written: it waits while A's subtree is done
        elif step == GO_DOWN_B:
            frames[level, STEP] = GO_ON
            new_top = frames[level, NEW_TOP]
            if new_top < top:
                child = link(nodes, frames[level, NODE_B], FIRST)
                level += 1
                open_frame(frames, level, nodes, child, new_top, top, bottom, new_top)
        elif frames[level, NEXT] != NO_NODE:
            low, high = frames[level, LOW], frames[level, HIGH]
            open_frame(frames, level, nodes, frames[level, NEXT], low, high, bottom, top)
        else:
            level -= 1


METHOD = Method("lists-pairs", "preorder", lists_pairs)
