"""One leaf against a subtree, by escape indices alone: the inner loop of `leaf`, and the way out of unbalanced pairs.

The subtree is given by the node to start with and the node at which it ends (the escape index of its root).

    while node != end:
        if leaf and node overlap:
            if node is a leaf: test triangles      (and go on: the paper's Algorithm 1 forgets to)
            else: node ← first child; next
        node ← escape(node)
"""

from tumble.core.jit import inlined_kernel, kernel
from tumble.hierarchy.layout import ESCAPE, FIRST
from tumble.traversal.protocol import leaf_pair, link, told_to_end, visit

OF_A, OF_B = 0, 1


@inlined_kernel
def leaf_against_subtree(side, leaf, a, b, node, end, poses, question, counters):
    """Compare a leaf of a (side OF_A) with a subtree of b, or one of b with a subtree of a; return whether to stop."""
    nodes = b.layout.nodes if side == OF_A else a.layout.nodes
    steps = 0
    while node != end:
        steps += 1
        if told_to_end(steps, question):
            return True
        i, j = (leaf, node) if side == OF_A else (node, leaf)
        if visit(question, a.volumes, i, b.volumes, j, poses.relative, counters):
            if link(nodes, node, FIRST) >= 0:
                node = link(nodes, node, FIRST)
                continue
            if leaf_pair(a, i, b, j, poses, question, counters):
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
        first, end = link(nodes_b, j, FIRST), link(nodes_b, j, ESCAPE)
        return leaf_against_subtree(OF_A, i, a, b, first, end, poses, question, counters)
    first, end = link(nodes_a, i, FIRST), link(nodes_a, i, ESCAPE)
    return leaf_against_subtree(OF_B, j, a, b, first, end, poses, question, counters)
