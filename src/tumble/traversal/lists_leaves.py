"""Leaves of b, each brought into a's frame once, against the nodes of a list and their subtrees.

These are the mixed cases of paper `chip`, which does not say what happens to a leaf of b that overlaps an inner node of
a. Here that node's subtree is walked by its escape indices, as in `subtree`, with the volume that is already in a's
frame.

Two leaves share one walk, in which each node is read once. A leaf that misses a node rests until the walk has left
that node's subtree; nodes stand in pre-order, so that is when their numbers have reached its escape index.
"""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.hierarchy.layout import ESCAPE, FIRST
from tumble.traversal.protocol import ITERATIONS, leaf_pair, link, tally, told_to_end, visit_in_frame_of_a


@inlined_kernel
def subtree_against_row(a, node, end, b, j, rows, k, poses, question, counters):
    """Compare a subtree of a with leaf j of b, whose volume is in row k; return whether to stop."""
    nodes = a.layout.nodes
    steps = 0
    while node != end:
        steps += 1
        if told_to_end(steps, question):
            return True
        tally(counters, ITERATIONS)
        if visit_in_frame_of_a(question, a.volumes, node, rows, k, poses.relative, counters):
            if link(nodes, node, FIRST) >= 0:
                node = link(nodes, node, FIRST)
                continue
            if leaf_pair(a, node, b, j, poses, question, counters):
                return True
        node = link(nodes, node, ESCAPE)
    return False


@kernel
def list_against_leaf(a, lists, low, high, b, j, rows, poses, question, counters):
    """Compare the nodes lists[low:high] of a with leaf j of b, whose volume is in row 0; return whether to stop."""
    for entry in range(low, high):
        i = np.int64(lists[entry])
        if subtree_against_row(a, i, link(a.layout.nodes, i, ESCAPE), b, j, rows, 0, poses, question, counters):
            return True
    return False


@kernel
def list_against_leaves(a, lists, low, high, b, pair, rows, poses, question, counters):
    """Compare the nodes lists[low:high] of a with two leaves of b, in rows 0 and 1; return whether to stop.

    The second may be missing, -1.
    """
    nodes = a.layout.nodes
    steps = 0
    for entry in range(low, high):
        node = np.int64(lists[entry])
        end = link(nodes, node, ESCAPE)
        rest_0, rest_1 = node, node if pair[1] >= 0 else end
        while node != end:
            steps += 1
            if told_to_end(steps, question):
                return True
            tally(counters, ITERATIONS)
            inner, after = link(nodes, node, FIRST) >= 0, link(nodes, node, ESCAPE)
            met_0 = node >= rest_0 and visit_in_frame_of_a(question, a.volumes, node, rows, 0, poses.relative, counters)
            met_1 = node >= rest_1 and visit_in_frame_of_a(question, a.volumes, node, rows, 1, poses.relative, counters)
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
