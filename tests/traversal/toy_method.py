"""A toy method, added as CONTRIBUTING says: every leaf of a against every leaf of b, in the order of the trees.

    for leaf in a, for leaf in b: compare the leaves

For: eight lines. Against: all leaves are compared, whatever their parents would have said.
"""

from typing import NamedTuple

from tumble.hierarchy.layout import FIRST
from tumble.traversal.protocol import Method, leaf_pair, link, must_end, traverse, visit


class ToyLeaves(NamedTuple):
    """No memory at all."""


@traverse.register(ToyLeaves)
def _traverse(method, a, b, poses, question, counters):
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    steps = 0
    for i in range(nodes_a.shape[0]):
        for j in range(nodes_b.shape[0]):
            steps += 1
            if must_end(steps, question):
                return
            if link(nodes_a, i, FIRST) < 0 and link(nodes_b, j, FIRST) < 0:
                if visit(question, a.volumes, i, b.volumes, j, poses.relative, counters):
                    if leaf_pair(a, i, b, j, poses, question, counters):
                        return


METHOD = Method("toy", "preorder", lambda sizes, rule: ToyLeaves())
