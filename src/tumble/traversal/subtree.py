"""One leaf against a subtree, by escape indices alone: the inner loop of `leaf`, and the way out of unbalanced pairs.

The subtree is given by the node to start with and the node at which it ends (the escape index of its root).

    while node != end:
        if leaf and node overlap:
            if node is a leaf: test triangles      (and go on: the paper's Algorithm 1 forgets to)
            else: node ← first child; next
        node ← escape(node)
"""

from tumble.core.jit import inlined_kernel, kernel
from tumble.hierarchy.layout.columns import ESCAPE, FIRST
from tumble.traversal.protocol import leaf_pair, link, told_to_end, visit


@inlined_kernel
def leaf_against_subtree(a, i, b, node, end, poses, question, counters):
    """Compare leaf i of a with a subtree of b; return whether to stop."""
    nodes = b.layout.nodes
    steps = 0
    while node != end:
        steps += 1
        if told_to_end(steps, question):
            return True
        if visit(question, a.volumes, i, b.volumes, node, poses.relative, counters):
            if link(nodes, node, FIRST) >= 0:
                node = link(nodes, node, FIRST)
                continue
            if leaf_pair(a, i, b, node, poses, question, counters):
                return True
        node = link(nodes, node, ESCAPE)
    return False


@kernel
def subtree_against_leaf(a, node, end, b, j, poses, question, counters):
    """Compare a subtree of a with leaf j of b; return whether to stop."""
    nodes = a.layout.nodes
    steps = 0
    while node != end:
        steps += 1
        if told_to_end(steps, question):
            return True
        if visit(question, a.volumes, node, b.volumes, j, poses.relative, counters):
            if link(nodes, node, FIRST) >= 0:
                node = link(nodes, node, FIRST)
                continue
            if leaf_pair(a, node, b, j, poses, question, counters):
                return True
        node = link(nodes, node, ESCAPE)
    return False


@kernel
def uneven_pair(a, i, b, j, poses, question, counters):
    """Finish an overlapping pair of which just one node is a leaf; return whether to stop.

    The pair itself has been tested, so the loop starts with the other node's first child.
    """
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    if link(nodes_a, i, FIRST) < 0:
        return leaf_against_subtree(
            a, i, b, link(nodes_b, j, FIRST), link(nodes_b, j, ESCAPE), poses, question, counters
        )
    return subtree_against_leaf(a, link(nodes_a, i, FIRST), link(nodes_a, i, ESCAPE), b, j, poses, question, counters)
