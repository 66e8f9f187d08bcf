"""Pre-order: a node, then the subtrees of its children from left to right.

The first child of i is i + 1, and the escape index of i is i plus the size of its subtree, for left and right
children alike. Going up a chain of right children means following parents one by one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.hierarchy.layout.columns import ESCAPE, FIRST, PARENT, RIGHT, RIGHTS


class Preorder(NamedTuple):
    """Nodes in pre-order, one row each."""

    nodes: NDArray[np.int32]


@kernel
def complete_links(nodes):
    """Fill in first child, escape index and right-child level from parent and right of nodes in pre-order."""
    count = nodes.shape[0]
    # subtree sizes gather in the escape column: children come after their parents
    nodes[:, ESCAPE] = 1
    for i in range(count - 1, 0, -1):
        nodes[nodes[i, PARENT], ESCAPE] += nodes[i, ESCAPE]
    for i in range(count):
        nodes[i, FIRST] = i + 1 if nodes[i, ESCAPE] > 1 else -1
        nodes[i, ESCAPE] += i
        nodes[i, RIGHTS] = nodes[nodes[i, PARENT], RIGHTS] + 1 if nodes[i, RIGHT] else 0
