"""Paper `chip`, Section 3.2: the tree of b alone is traversed, each of its nodes with a list of nodes of a.

    node ← root of b;  list of level 0 ← (root of a)
    while node != end:
        bring node into a's frame: the only time in the whole query
        node is a leaf: compare it with its list and with what is below;  node ← escape(node)
        else: for each entry of its list that overlaps it:
            append the entry's children, or a leaf itself, to the list of the next level
        node ← first child, or escape(node) when that list is empty

All siblings share the list that their parent made. Lists lie behind each other in one buffer, one for each level on the
way from the root, so the level says where a node's list is: there is nothing to push or pop. The paper does not say
what happens to a leaf of b that overlaps an inner node of a: here that node's subtree is walked by its escape indices,
as in `leaf`, with the volume that is already in a's frame.

Memory begins modestly, and a query that runs out of it starts again with more. A list holds nodes of a none of which is
below another, so it is at most as long as a has leaves; and lists wait on at most as many levels as b has. That is far
more than a query of large trees ever uses. So a traversal that has no room left notes how much it would have needed
where it is, and stops; `with_more_room` then makes that room.

For: every node of b is brought into a's frame once and compared with its list in one go, which pays off most where
that is expensive. Against: both trees are descended in lockstep, whatever their sizes; a first hit must wait for whole
lists; memory for lists.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.hierarchy.layout import ESCAPE, FIRST, LEVEL
from tumble.traversal.leaf import OF_B, leaf_against_subtree
from tumble.traversal.protocol import ITERATIONS, MOVES, Method, Sizes, link, must_end, tally, traverse, visit_row
from tumble.volume.protocol import into_frame_of_a

LIST_STEPS = 32  # steps for which comparing a node with its list counts
FIRST_ROOM = 1 << 17
"""entries of the first buffer, where trees are large: half a megabyte, of which only what is used costs anything"""


def first_room(sizes: Sizes, ends: int) -> NDArray[np.int32]:
    """Return a buffer for the lists that wait, growing from so many ends; for small trees it is never too small."""
    most = 1 + ends * sizes.leaves_a * sizes.depth_b
    return np.empty(min(most, FIRST_ROOM), np.int32)


def with_more_room(memory: Any) -> Any | None:
    """Return a method's record with more room when its last run noted that it wanted more, else None."""
    size, wanted = len(memory.lists), int(memory.wanted[0])
    if wanted <= size:
        return None
    return memory._replace(lists=np.empty(max(2 * size, wanted), np.int32), wanted=np.zeros(1, np.int64))


class Lists(NamedTuple):
    """The lists that wait and where each level's begins, one volume in a's frame, and the room that was wanted."""

    lists: NDArray[np.int32]
    starts: NDArray[np.int64]
    rows: NDArray[np.float64]
    wanted: NDArray[np.int64]

    def grown(self) -> Lists | None:
        """Return a record with more room, if the last run wanted more."""
        return with_more_room(self)


def lists(sizes: Sizes, rule: int) -> Lists:
    """Make room for the lists of two trees."""
    starts = np.empty(sizes.depth_b + 3, np.int64)
    return Lists(first_room(sizes, 1), starts, np.empty((1, sizes.row_width)), np.zeros(1, np.int64))


@inlined_kernel
def append_children(lists, top, limit, nodes, i):
    """Append the children of node i, or i itself when it is a leaf, below the limit; return the new top.

    Beyond the limit nothing is written, but counted.
    """
    child, end = link(nodes, i, FIRST), link(nodes, i, ESCAPE)
    # a leaf of a stays on the list: it may still meet children of b's node
    if child < 0:
        child = i
    while child != end:
        if top < limit:
            lists[top] = child
        top += 1
        child = link(nodes, child, ESCAPE)
    return top


@kernel
def next_list(question, volumes, nodes, lists, low, high, top, limit, rows, relative, counters):
    """Compare lists[low:high] with an inner node, in row 0, and append what its children meet; return the new top."""
    for entry in range(low, high):
        i = np.int64(lists[entry])
        tally(counters, ITERATIONS)
        if visit_row(question, volumes, i, rows, 0, relative, counters):
            top = append_children(lists, top, limit, nodes, i)
    return top


@inlined_kernel
def against_leaf(a, i, b, j, rows, k, poses, question, counters):
    """Compare the subtree of a list's entry i with leaf j of b, whose volume is in row k; return whether to stop."""
    end = link(a.layout.nodes, i, ESCAPE)
    return leaf_against_subtree(OF_B, j, a, b, i, end, rows, k, poses, question, counters)


@kernel
def list_against_leaf(a, lists, low, high, b, j, rows, poses, question, counters):
    """Compare the nodes lists[low:high] of a with leaf j of b, whose volume is in row 0; return whether to stop."""
    for entry in range(low, high):
        if against_leaf(a, np.int64(lists[entry]), b, j, rows, 0, poses, question, counters):
            return True
    return False


@traverse.register(Lists)
def _traverse(method, a, b, poses, question, counters):
    lists, starts, rows = method.lists, method.starts, method.rows
    nodes_a, nodes_b, relative = a.layout.nodes, b.layout.nodes, poses.relative
    lists[0] = 0
    starts[0] = 0
    starts[1] = 1
    j = np.int64(0)
    steps = 0
    while j < nodes_b.shape[0]:
        steps += LIST_STEPS
        if must_end(steps, question):
            return
        level = link(nodes_b, j, LEVEL)
        start, stop = starts[level], starts[level + 1]
        into_frame_of_a(b.volumes, j, relative, rows, 0)
        tally(counters, MOVES)
        if link(nodes_b, j, FIRST) < 0:
            if list_against_leaf(a, lists, start, stop, b, j, rows, poses, question, counters):
                return
            j = link(nodes_b, j, ESCAPE)
            continue
        room = lists.shape[0]
        top = next_list(question, a.volumes, nodes_a, lists, start, stop, stop, room, rows, relative, counters)
        if top > room:
            method.wanted[0] = top
            return
        starts[level + 2] = top
        j = link(nodes_b, j, FIRST) if top > stop else link(nodes_b, j, ESCAPE)


METHOD = Method("lists", "preorder", lists)
