"""Two trees in tandem with a stack of node pairs: one loop, and the method says where to go down.

    push (root, root)
    while the stack is not empty:
        pop (i, j)
        if i and j overlap:
            both leaves: test triangles
            else the method says: push (children of i, j), or (i, children of j), or finish the pair by `uneven_pair`

The left-most child is on top, so pairs are met in the order in which the stackless traversals meet them.
"""

import numpy as np

from tumble.core.jit import generic, inlined_kernel, kernel
from tumble.hierarchy.layout.columns import ESCAPE, FIRST, RIGHT
from tumble.traversal.protocol import leaf_pair, link, told_to_end, visit
from tumble.traversal.rules import DOWN_A, DOWN_B
from tumble.traversal.subtree import uneven_pair

UNEVEN = 2


@generic
def way_on(method, a, i, b, j):
    """Say where to go from an overlapping pair that is not two leaves: DOWN_A, DOWN_B or UNEVEN."""


@kernel
def children_of(nodes, i):
    """Return the number of children of an inner node."""
    child = link(nodes, i, FIRST)
    count = 1
    while not link(nodes, child, RIGHT):
        child = link(nodes, child, ESCAPE)
        count += 1
    return count


@kernel
def push_children(stack, top, nodes, parent, side, other):
    """Push the children of a node, each with the other tree's node, left-most on top; return the new top."""
    count = children_of(nodes, parent)
    child = link(nodes, parent, FIRST)
    for k in range(top + count - 1, top - 1, -1):
        stack[k, side] = child
        stack[k, 1 - side] = other
        child = link(nodes, child, ESCAPE)
    return top + count


@inlined_kernel
def tandem(method, a, b, poses, sink, counters):
    """Walk both trees with the method's stack and way on."""
    stack = method.stack
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    stack[0, 0] = 0
    stack[0, 1] = 0
    top, steps = 1, 0
    while top > 0:
        steps += 1
        if told_to_end(steps, sink):
            return
        top -= 1
        i, j = np.int64(stack[top, 0]), np.int64(stack[top, 1])
        if not visit(a.volumes, i, b.volumes, j, poses.relative, counters):
            continue
        if link(nodes_a, i, FIRST) < 0 and link(nodes_b, j, FIRST) < 0:
            if leaf_pair(a, i, b, j, poses, sink, counters):
                return
            continue
        way = way_on(method, a, i, b, j)
        if way == DOWN_A:
            top = push_children(stack, top, nodes_a, i, 0, j)
        elif way == DOWN_B:
            top = push_children(stack, top, nodes_b, j, 1, i)
        elif uneven_pair(a, i, b, j, poses, sink, counters):
            return
