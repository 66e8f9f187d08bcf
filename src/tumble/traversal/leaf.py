"""Paper `stackless`, Algorithm 1: every leaf of a against the tree of b, by escape indices alone.

    for leaf in a:
        node ← root of b
        while node != end:
            if leaf and node overlap:
                if node is a leaf: test triangles      (and go on: the paper's Algorithm 1 forgets to)
                else: node ← first child; next
            node ← escape(node)

The inner loop, from any node to the end of its subtree, is also the way out of unbalanced pairs of other methods.

For: no stack, hardly any state; good when b is much the larger tree, or when nearly everything overlaps. Against: at
least one test for each leaf of a, even when the meshes are far apart.
"""

from typing import NamedTuple

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.hierarchy.layout import ESCAPE, FIRST
from tumble.traversal.protocol import ITERATIONS, Method, leaf_pair, link, must_end, tally, traverse, visit, visit_row

OF_A, OF_B = 0, 1
LEAF_STEPS = 5  # a leaf counts as 32 steps, as each descends a tree


class Leaf(NamedTuple):
    """Leaves of a against the tree of b."""


@inlined_kernel
def leaf_against_subtree(side, leaf, a, b, node, end, rows, k, poses, question, counters):
    """Compare a leaf of a (side OF_A) with a subtree of b, or one of b with a subtree of a; return whether to stop.

    The subtree is given by the node to start with and the node at which it ends (the escape index of its root). A leaf
    of b may be in row k of `rows` already, in a's frame; else these are None.
    """
    nodes = b.layout.nodes if side == OF_A else a.layout.nodes
    steps = 0
    while node != end:
        steps += 1
        if must_end(steps, question):
            return True
        i, j = (leaf, node) if side == OF_A else (node, leaf)
        # chosen while compiling: None has its own type
        if rows is None:
            met = visit(question, a.volumes, i, b.volumes, j, poses.relative, counters)
        else:
            tally(counters, ITERATIONS)
            met = visit_row(question, a.volumes, i, rows, k, poses.relative, counters)
        if met:
            if link(nodes, node, FIRST) >= 0:
                node = link(nodes, node, FIRST)
                continue
            if leaf_pair(a, i, b, j, poses, question, counters):
                return True
        node = link(nodes, node, ESCAPE)
    return False


@kernel
def list_against_leaves(a, lists, low, high, b, pair, rows, poses, question, counters):
    """Compare the nodes lists[low:high] of a with two leaves of b, in rows 0 and 1; return whether to stop.

    The second may be missing, -1. Both share one walk, in which each node is read once.
    """
    # A leaf that misses a node rests until the walk has left that node's subtree. Nodes stand in pre-order, so that is
    # when their numbers have reached its escape index.
    nodes = a.layout.nodes
    steps = 0
    for entry in range(low, high):
        node = np.int64(lists[entry])
        end = link(nodes, node, ESCAPE)
        rest_0, rest_1 = node, node if pair[1] >= 0 else end
        while node != end:
            steps += 1
            if must_end(steps, question):
                return True
            tally(counters, ITERATIONS)
            inner, after = link(nodes, node, FIRST) >= 0, link(nodes, node, ESCAPE)
            met_0 = node >= rest_0 and visit_row(question, a.volumes, node, rows, 0, poses.relative, counters)
            met_1 = node >= rest_1 and visit_row(question, a.volumes, node, rows, 1, poses.relative, counters)
            if inner and (met_0 or met_1):
                if not met_0:
                    rest_0 = max(rest_0, after)
                if not met_1:
                    rest_1 = max(rest_1, after)
                node = link(nodes, node, FIRST)
                continue
            # one call for both, as its code is large
            for k in range(0 if met_0 else 1, 2 if met_1 else 1):
                if leaf_pair(a, node, b, pair[k], poses, question, counters):
                    return True
            node = after
    return False


@kernel
def uneven_pair(a, i, b, j, poses, question, counters):
    """Finish an overlapping pair of which just one node is a leaf; return whether to stop.

    The pair itself has been tested, so the loop starts with the other node's first child.
    """
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    if link(nodes_a, i, FIRST) < 0:
        first, end = link(nodes_b, j, FIRST), link(nodes_b, j, ESCAPE)
        return leaf_against_subtree(OF_A, i, a, b, first, end, None, None, poses, question, counters)
    first, end = link(nodes_a, i, FIRST), link(nodes_a, i, ESCAPE)
    return leaf_against_subtree(OF_B, j, a, b, first, end, None, None, poses, question, counters)


@traverse.register(Leaf)
def _traverse(method, a, b, poses, question, counters):
    nodes, end = a.layout.nodes, b.layout.nodes.shape[0]
    for i in range(nodes.shape[0]):
        if must_end(i << LEAF_STEPS, question):
            return
        if link(nodes, i, FIRST) < 0:
            if leaf_against_subtree(OF_A, i, a, b, 0, end, None, None, poses, question, counters):
                return


METHOD = Method("leaf", "preorder", lambda sizes, rule: Leaf())
