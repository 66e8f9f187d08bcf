"""Paper `chip`, Section 3.2: the tree of b alone is traversed, each of its nodes with a list of nodes of a.

    node ← root of b;  list of level 0 ← (root of a)
    while node != end:
        move node into a's frame: the only time in the whole query
        node is a leaf: compare it with its list and with what is below (see `lists_leaves`);  node ← escape(node)
        else: for each entry of its list that overlaps it:
            append the entry's children, or a leaf itself, to the list of the next level
        node ← first child, or escape(node) when that list is empty

All siblings share the list that their parent made. Lists lie behind each other in one buffer, one for each level on the
way from the root, so the level says where a node's list is: there is nothing to push or pop.

For: every node of b is moved once and compared with its list in one go, which pays the more the dearer moving is.
Against: both trees go down in step, whatever their sizes; a first hit must wait for whole lists; memory for lists.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.hierarchy.layout.columns import ESCAPE, FIRST, LEVEL
from tumble.traversal.counters import ITERATIONS, MOVES, tally
from tumble.traversal.lists_leaves import list_against_leaf, meets
from tumble.traversal.lists_memory import first_room, with_more_room
from tumble.traversal.moved import move
from tumble.traversal.protocol import link, told_to_end, traverse

LIST_STEPS = 32
"""what comparing a node with its list is taken for"""


class Lists(NamedTuple):
    """The lists that wait and where each level's begins, one moved volume, and the room that was wanted."""

    lists: NDArray[np.int32]
    starts: NDArray[np.int64]
    moved: NDArray[np.float64]
    wanted: NDArray[np.int64]

    def grown(self) -> Lists | None:
        """Return a record with more room, if the last run wanted more."""
        return with_more_room(self)


def lists(leaves_a: int, depth_b: int, width: int) -> Lists:
    """Make room for the lists of two trees, with so many numbers for a moved volume."""
    starts = np.empty(depth_b + 3, np.int64)
    return Lists(first_room(leaves_a, depth_b, 1), starts, np.empty((1, width)), np.zeros(1, np.int64))


@inlined_kernel
def append_children(lists, top, limit, nodes, i):
    """Append the children of node i, or i itself when it is a leaf, below the limit; return the new top.

    Beyond the limit nothing is written, but counted.
    """
    child, end = link(nodes, i, FIRST), link(nodes, i, ESCAPE)
    if child < 0:
        child = i
    while child != end:
        if top < limit:
            lists[top] = child
        top += 1
        child = link(nodes, child, ESCAPE)
    return top


@kernel
def next_list(volumes, nodes, lists, low, high, top, limit, moved, relative, counters):
    """Compare lists[low:high] with an inner node, in row 0, and append what its children meet; return the new top."""
    for entry in range(low, high):
        i = np.int64(lists[entry])
        tally(counters, ITERATIONS)
        if meets(volumes, i, moved, 0, relative, counters):
            top = append_children(lists, top, limit, nodes, i)
    return top


@traverse.register(Lists)
def _traverse(method, a, b, poses, sink, counters):
    lists, starts, moved = method.lists, method.starts, method.moved
    nodes_a, nodes_b, relative = a.layout.nodes, b.layout.nodes, poses.relative
    lists[0] = 0
    starts[0] = 0
    starts[1] = 1
    j = np.int64(0)
    steps = 0
    while j < nodes_b.shape[0]:
        steps += LIST_STEPS
        if told_to_end(steps, sink):
            return
        level = link(nodes_b, j, LEVEL)
        start, stop = starts[level], starts[level + 1]
        move(b.volumes, j, relative, moved, 0)
        tally(counters, MOVES)
        if link(nodes_b, j, FIRST) < 0:
            if list_against_leaf(a, lists, start, stop, b, j, moved, poses, sink, counters):
                return
            j = link(nodes_b, j, ESCAPE)
            continue
        room = lists.shape[0]
        top = next_list(a.volumes, nodes_a, lists, start, stop, stop, room, moved, relative, counters)
        if top > room:
            method.wanted[0] = top
            return
        starts[level + 2] = top
        j = link(nodes_b, j, FIRST) if top > stop else link(nodes_b, j, ESCAPE)
