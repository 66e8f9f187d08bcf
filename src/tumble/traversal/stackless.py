"""Paper `stackless`, Algorithm 4 with Section 8: two trees in tandem without a stack.

The pairs and their order are those of `alternating`; instead of popping, the next pair is computed from the links of
the current one. Invariant: level(i) is level(j) or level(j) - 1. After a pair that does not overlap, or is finished:

    same level:   i left                      i ← escape(i)                                          (cases 1, 2)
                  i right, j left             i ← parent(i);  j ← escape(j)                          (case 5)
                  both right                  climb both until one is a left child, then as above     (case 7)
    i one less:   j left                      j ← escape(j)                                          (cases 3, 4)
                  i left, j right             i ← escape(i);  j ← parent(j)                          (case 6)
                  both right                  as case 7, from i and the parent of j                   (case 8)

The climb needs no loop over tests: the right-child levels say how far each side goes up, and `level_up` goes there.

For: two indices are all the state there is. Against: the alternating rule makes more tests than the volume rule.
"""

from typing import NamedTuple

import numpy as np

from tumble.core.jit import generic, inlined_kernel, kernel
from tumble.hierarchy.layout import ESCAPE, FIRST, LEVEL, PARENT, RIGHT, RIGHTS, Preorder
from tumble.traversal.leaf import uneven_pair
from tumble.traversal.protocol import Method, leaf_pair, link, must_end, traverse, visit


class Stackless(NamedTuple):
    """No memory at all."""


@generic
def level_up(layout, i, steps):
    """Return the node `steps` levels above i along right children."""


@level_up.register(Preorder)
def _follow_parents(layout, i, steps):
    for _ in range(steps):
        i = link(layout.nodes, i, PARENT)
    return i


@kernel
def climb(layout_a, i, layout_b, j, up):
    """Return the pair after two right children, i at the level of the node `up` levels above j (cases 7 and 8)."""
    rights_a, rights_b = link(layout_a.nodes, i, RIGHTS), link(layout_b.nodes, j, RIGHTS)
    # the side with fewer right children above it comes to a left child first; there the next pair begins
    if rights_a <= rights_b - up:
        return link(layout_a.nodes, i, ESCAPE), level_up(layout_b, j, rights_a + up)
    return level_up(layout_a, i, rights_b - up + 1), link(layout_b.nodes, j, ESCAPE)


@inlined_kernel
def next_pair(layout_a, i, layout_b, j):
    """Return the pair that a stack would hold below (i, j)."""
    nodes_a, nodes_b = layout_a.nodes, layout_b.nodes
    lower = link(nodes_b, j, LEVEL) - link(nodes_a, i, LEVEL)
    if lower == 0 and not link(nodes_a, i, RIGHT):
        return link(nodes_a, i, ESCAPE), j
    if lower == 1 and not link(nodes_b, j, RIGHT):
        return i, link(nodes_b, j, ESCAPE)
    if not link(nodes_b, j, RIGHT):
        return link(nodes_a, i, PARENT), link(nodes_b, j, ESCAPE)
    if not link(nodes_a, i, RIGHT):
        return link(nodes_a, i, ESCAPE), link(nodes_b, j, PARENT)
    return climb(layout_a, i, layout_b, j, lower)


@inlined_kernel
def walk(a, b, poses, question, counters):
    """Go from pair to pair until one of the trees ends."""
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    i, j = np.int64(0), np.int64(0)
    steps = 0
    while i < nodes_a.shape[0] and j < nodes_b.shape[0]:
        steps += 1
        if must_end(steps, question):
            return
        if visit(question, a.volumes, i, b.volumes, j, poses.relative, counters):
            leaf_a, leaf_b = link(nodes_a, i, FIRST) < 0, link(nodes_b, j, FIRST) < 0
            if leaf_a and leaf_b:
                if leaf_pair(a, i, b, j, poses, question, counters):
                    return
            elif leaf_a or leaf_b:
                if uneven_pair(a, i, b, j, poses, question, counters):
                    return
            else:
                if link(nodes_a, i, LEVEL) < link(nodes_b, j, LEVEL):
                    i = link(nodes_a, i, FIRST)
                else:
                    j = link(nodes_b, j, FIRST)
                continue
        i, j = next_pair(a.layout, i, b.layout, j)


@traverse.register(Stackless)
def _traverse(method, a, b, poses, question, counters):
    walk(a, b, poses, question, counters)


METHOD = Method("stackless", "preorder", lambda sizes, rule: Stackless())
