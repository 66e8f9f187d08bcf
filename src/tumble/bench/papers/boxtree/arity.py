"""Section 6.1, other arities: boxtrees whose nodes are opened by two or three levels at once, counted.

A boxtree of four children per node is one of two in which every second level is skipped: a child is then cut by two
planes at once. So the walk is repeated here, in NumPy and by SAT lite, with the children of each node replaced by their
children; the boxes are the tree's. With two children the node pairs are those that the kernels count.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.boxtree import BoxTree
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT, NODE

LEVELS = {2: 1, 4: 2, 8: 3}
"""levels that are opened at once, by number of children"""

Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]


class WideTree(NamedTuple):
    """Boxes by middle and half size, in the mesh's coordinates, and the children of each node; -1 for none."""

    middles: Numbers
    halves: Numbers
    children: Rows


def widened(tree: BoxTree, arity: int) -> WideTree:
    """The tree with up to so many children per node; it must not have chains."""
    nodes = tree.nodes.view(NODE)[:, 0]
    links, leaf = nodes["link"].astype(np.int64), nodes["kind"] >> COUNT_SHIFT > 0
    pairs = np.where(leaf[:, None], -1, links[:, None] + np.arange(2))
    children = pairs
    for _ in range(LEVELS[arity] - 1):
        # a leaf has no children: it stays where it is, beside the children of others
        below = np.where((children >= 0)[:, :, None], pairs[children], -1)
        below[:, :, 0] = np.where((children >= 0) & leaf[children], children, below[:, :, 0])
        children = below.reshape(len(nodes), -1)
    boxes = tree.boxes()
    middles, halves = (boxes[:, 3:] + boxes[:, :3]) / 2, (boxes[:, 3:] - boxes[:, :3]) / 2
    return WideTree(middles / tree.scale + tree.origin, halves / tree.scale, children)


def overlapping(tree: WideTree, a: Rows, b: Rows, pose: Numbers) -> NDArray[np.bool_]:
    """Which pairs overlap by SAT lite: along the axes of a and along those of b, which is moved."""
    turn, lengths = pose[:3, :3], np.abs(pose[:3, :3])
    way = tree.middles[b] @ turn.T + pose[:3, 3] - tree.middles[a]
    along_a = np.abs(way) <= tree.halves[a] + tree.halves[b] @ lengths.T
    along_b = np.abs(way @ turn) <= tree.halves[b] + tree.halves[a] @ lengths
    return np.all(along_a & along_b, axis=1)


def node_pairs(tree: WideTree, pose: Numbers) -> int:
    """Walk the tree against itself, moved; return how many pairs of nodes are compared."""
    a = b = np.zeros(1, np.int64)
    compared = 0
    while len(a):
        compared += len(a)
        met = overlapping(tree, a, b, pose)
        a, b = a[met], b[met]
        inner = (tree.children[a, 0] >= 0) | (tree.children[b, 0] >= 0)
        a, b = a[inner], b[inner]
        # a leaf stands for itself beside the other's children
        ours, theirs = (_or_itself(tree.children[side], side) for side in (a, b))
        width = ours.shape[1] if len(a) else 1
        a, b = np.repeat(ours, width, axis=1).ravel(), np.tile(theirs, width).ravel()
        there = (a >= 0) & (b >= 0)
        a, b = a[there], b[there]
    return compared


def _or_itself(children: Rows, nodes: Rows) -> Rows:
    """The children of nodes; of a leaf, itself alone."""
    found = children.copy()
    found[:, 0] = np.where(children[:, 0] < 0, nodes, children[:, 0])
    return found
