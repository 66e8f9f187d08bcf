"""The orders in which a tree's nodes stand in memory, and the links between them.

A node is one row of eight int32 (half a cache line). Both layouts have the same columns, so a traversal that only
follows links works on either; each is a type of its own for what is special to it.

Pre-order is a node, then the subtrees of its children from left to right. The first child of i is i + 1, and the
escape index of i is i plus the size of its subtree, for left and right children alike. Going up a chain of right
children means following parents one by one.

Post-indexed order is the root, then the subtrees of its children from right to left (a post-order read backwards). The
right-most child of i is i + 1, so x steps up a chain of right children lead to i - x; the left-most child needs a link.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FIRST = 0
"""index of the left-most child, -1 at a leaf"""
ESCAPE = 1
"""where to go when the subtree below is done or skipped; one past the last node at the end"""
PARENT = 2
"""index of the parent, -1 at the root"""
LEVEL = 3
"""depth, 0 at the root"""
RIGHT = 4
"""1 at the last child of a parent (an only child too), else 0; the root counts as a left child"""
RIGHTS = 5
"""the paper's right-child level: how many right children follow each other upwards from here, this one included"""
START = 6
"""the first place of the node's triangles in the tree's triangle order"""
COUNT = 7
"""how many triangles the node holds, inner nodes included"""
COLUMNS = 8


class Preorder(NamedTuple):
    """Nodes in pre-order, one row each."""

    nodes: NDArray[np.int32]


class Postorder(NamedTuple):
    """Nodes in post-indexed order, one row each."""

    nodes: NDArray[np.int32]


def postorder(nodes: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the post-indexed rows of pre-order nodes, and for each new row the old one.

    A node's place follows from its pre-order links: a post-order counts what stands to the left and what stands below,
    which is (i - level) + (size - 1), and reading backwards from the last of n gives n + level - escape.
    """
    count = len(nodes)
    place = np.empty(count + 1, np.int64)
    place[:count] = count + nodes[:, LEVEL].astype(np.int64) - nodes[:, ESCAPE]
    place[count] = count  # the end marker stays one past the last node
    source = np.empty(count, np.int64)
    source[place[:count]] = np.arange(count)
    rows = nodes[source]
    rows[:, ESCAPE] = place[rows[:, ESCAPE]]
    for column in (FIRST, PARENT):
        links = rows[:, column]
        rows[:, column] = np.where(links < 0, -1, place[links])
    return rows, source
