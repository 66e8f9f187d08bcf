"""Post-indexed order: the root, then the subtrees of its children from right to left (a post-order read backwards).

The right-most child of i is i + 1, so x steps up a chain of right children lead to i - x; the left-most child needs a
link. A node's place follows from its pre-order links: a post-order counts what stands to the left and what stands
below, which is (i - level) + (size - 1), and reading backwards from the last of n gives n + level - escape.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.layout.columns import ESCAPE, FIRST, LEVEL, PARENT


class Postorder(NamedTuple):
    """Nodes in post-indexed order, one row each."""

    nodes: NDArray[np.int32]


def postorder(nodes: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the post-indexed rows of pre-order nodes, and for each new row the old one."""
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
