"""Paper `boxtree`, Section 3.2.5, on any tree: the stack traversal, with b's volumes moved ahead of their tests.

    push (root, root, b's root as seen from a)
    while the stack is not empty:
        pop (i, j, moved j)
        if i and moved j overlap:
            both leaves: test triangles
            the rule says a: push (child of i, j, moved j) for each child: nothing is moved again
            the rule says b: push (i, child of j, moved child) for each child

For: the way of `stack`, with half of its turning and shifting. Against: nine numbers more for each pair that waits.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel
from tumble.hierarchy.layout.columns import ESCAPE, FIRST
from tumble.traversal.counters import ITERATIONS, MOVES, OVERLAPS, TESTS, tally
from tumble.traversal.moved import move, overlap_moved
from tumble.traversal.protocol import leaf_pair, link, told_to_end, traverse
from tumble.traversal.rules import DOWN_A, descend
from tumble.traversal.tandem import push_children


class StackAhead(NamedTuple):
    """Node pairs that wait, for each the volume of b's node as a sees it, and the descent rule."""

    stack: NDArray[np.int32]
    moved: NDArray[np.float64]
    rule: int


def stack_ahead(size: int, width: int, rule: int) -> StackAhead:
    """Make room for so many waiting pairs, with so many numbers for a moved volume."""
    return StackAhead(np.empty((size, 2), np.int32), np.empty((size, width)), rule)


@inlined_kernel
def copy_rows(moved, top, stop):
    """Copy the row of a popped pair to all pairs that were pushed in its place."""
    for k in range(top + 1, stop):
        for column in range(moved.shape[1]):
            moved[k, column] = moved[top, column]


@inlined_kernel
def move_children(volumes, nodes, parent, relative, moved, stop, counters):
    """Move the children of a node of b into the rows of their pairs, the left-most on top."""
    child = link(nodes, parent, FIRST)
    end = link(nodes, parent, ESCAPE)
    k = stop
    while child != end:
        k -= 1
        move(volumes, child, relative, moved, k)
        tally(counters, MOVES)
        child = link(nodes, child, ESCAPE)


@traverse.register(StackAhead)
def _traverse(method, a, b, poses, sink, counters):
    stack, moved = method.stack, method.moved
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    stack[0, 0] = 0
    stack[0, 1] = 0
    move(b.volumes, 0, poses.relative, moved, 0)
    tally(counters, MOVES)
    top, steps = 1, 0
    while top > 0:
        steps += 1
        if told_to_end(steps, sink):
            return
        top -= 1
        i, j = np.int64(stack[top, 0]), np.int64(stack[top, 1])
        tally(counters, ITERATIONS)
        tally(counters, TESTS)
        if not overlap_moved(a.volumes, i, moved, top, poses.relative):
            continue
        tally(counters, OVERLAPS)
        if link(nodes_a, i, FIRST) < 0 and link(nodes_b, j, FIRST) < 0:
            if leaf_pair(a, i, b, j, poses, sink, counters):
                return
            continue
        popped = top
        if descend(method.rule, a, i, b, j) == DOWN_A:
            top = push_children(stack, top, nodes_a, i, 0, j)
            copy_rows(moved, popped, top)
        else:
            top = push_children(stack, top, nodes_b, j, 1, i)
            move_children(b.volumes, nodes_b, j, poses.relative, moved, top, counters)
