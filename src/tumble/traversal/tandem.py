"""Two trees in tandem with a stack of node pairs: one loop, and the method says where to descend.

    push (root, root)
    while the stack is not empty:
        pop (i, j)
        if the question keeps i and j:
            both leaves: compare triangles
            else the method says: push (children of i, j), or (i, children of j), or finish the pair by `uneven_pair`

The left-most child is on top, so pairs are met in the order in which the stackless traversals meet them. A method may
keep something beside each pair that waits (`visit_popped`, `arrange`). For a question that wants near pairs first, that
is a lower bound of their distance: children are pushed with their bounds, the nearest on top, and a popped pair is kept
or not by its bound, which is computed once. `stack_ahead` keeps the volume of b in a's frame.
"""

import numpy as np

from tumble.core.jit import generic, inlined_generic, inlined_kernel, kernel
from tumble.hierarchy.layout import ESCAPE, FIRST, RIGHT
from tumble.query.question import WaitingBounds, keep_bound
from tumble.traversal.leaf import uneven_pair
from tumble.traversal.protocol import ITERATIONS, MOVES, counted, leaf_pair, link, must_end, tally, visit
from tumble.traversal.rules import DOWN_A, DOWN_B
from tumble.volume.protocol import bound

UNEVEN = 2


@generic
def way_on(method, a, i, b, j):
    """Say where to go from a pair that is kept and is not two leaves: DOWN_A, DOWN_B or UNEVEN."""


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
    # from the top downwards: the left-most child is popped first
    for k in range(top + count - 1, top - 1, -1):
        stack[k, side] = child
        stack[k, 1 - side] = other
        child = link(nodes, child, ESCAPE)
    return top + count


@inlined_generic
def visit_popped(beside, question, k, volumes, i, others, j, relative, counters):
    """Compare the two nodes that were popped from place k of the stack."""


@visit_popped.register(type(None))
def _compare(beside, question, k, volumes, i, others, j, relative, counters):
    return visit(question, volumes, i, others, j, relative, counters)


@visit_popped.register(WaitingBounds)
def _compare_by_bound(bounds, question, k, volumes, i, others, j, relative, counters):
    tally(counters, ITERATIONS)
    tally(counters, MOVES)
    return counted(keep_bound(question, bounds.values[k]), counters)


@inlined_generic
def arrange(beside, stack, start, stop, way, volumes, others, relative, counters):
    """Complete the pairs that were pushed to stack[start:stop], from one that was popped from its start.

    `way` is where that led: DOWN_A or DOWN_B.
    """


@arrange.register(type(None))
def _leave_as_pushed(beside, stack, start, stop, way, volumes, others, relative, counters):
    pass


@arrange.register(WaitingBounds)
def _nearest_on_top(bounds, stack, start, stop, way, volumes, others, relative, counters):
    # by insertion: there are as many pairs as a node has children; of equally near ones the left-most stays on top
    values = bounds.values
    for k in range(start, stop):
        i, j = stack[k, 0], stack[k, 1]
        distance = bound(volumes, np.int64(i), others, np.int64(j), relative)
        place = k
        while place > start and values[place - 1] < distance:
            values[place] = values[place - 1]
            stack[place, 0], stack[place, 1] = stack[place - 1, 0], stack[place - 1, 1]
            place -= 1
        values[place] = distance
        stack[place, 0], stack[place, 1] = i, j


@inlined_kernel
def tandem(method, a, b, poses, question, counters):
    """Walk both trees with the method's stack and way on."""
    stack = method.stack
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    stack[0, 0] = 0
    stack[0, 1] = 0
    arrange(method.beside, stack, 0, 1, DOWN_B, a.volumes, b.volumes, poses.relative, counters)
    top, steps = 1, 0
    while top > 0:
        steps += 1
        if must_end(steps, question):
            return
        top -= 1
        i, j = np.int64(stack[top, 0]), np.int64(stack[top, 1])
        if not visit_popped(method.beside, question, top, a.volumes, i, b.volumes, j, poses.relative, counters):
            continue
        if link(nodes_a, i, FIRST) < 0 and link(nodes_b, j, FIRST) < 0:
            if leaf_pair(a, i, b, j, poses, question, counters):
                return
            continue
        popped = top
        way = way_on(method, a, i, b, j)
        if way == DOWN_A:
            top = push_children(stack, top, nodes_a, i, 0, j)
        elif way == DOWN_B:
            top = push_children(stack, top, nodes_b, j, 1, i)
        elif uneven_pair(a, i, b, j, poses, question, counters):
            return
        arrange(method.beside, stack, popped, top, way, a.volumes, b.volumes, poses.relative, counters)
