"""Paper `stackless`, Algorithm 1: every leaf of a against the tree of b, by escape indices.

    for leaf in a: compare leaf with the whole of b (see `subtree`)

For: no stack, hardly any state; good when b is much the larger tree, or when nearly everything overlaps. Against: at
least one test for each leaf of a, even when the meshes are far apart.
"""

from typing import NamedTuple

from tumble.hierarchy.layout import FIRST
from tumble.traversal.methods import Method
from tumble.traversal.protocol import link, told_to_end, traverse
from tumble.traversal.subtree import OF_A, leaf_against_subtree

LEAF_STEPS = 5
"""a leaf counts as 32 steps, as each descends a tree"""


class Leaf(NamedTuple):
    """Leaves of a against the tree of b."""


@traverse.register(Leaf)
def _traverse(method, a, b, poses, question, counters):
    nodes = a.layout.nodes
    for i in range(nodes.shape[0]):
        if told_to_end(i << LEAF_STEPS, question):
            return
        if link(nodes, i, FIRST) < 0:
            if leaf_against_subtree(OF_A, i, a, b, 0, b.layout.nodes.shape[0], poses, question, counters):
                return


METHOD = Method("leaf", "preorder", lambda sizes, rule: Leaf())
