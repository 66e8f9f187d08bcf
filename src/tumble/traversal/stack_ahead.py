"""Paper `boxtree`, Section 3.2.5, on any tree: the stack traversal, with b's volumes brought into a's frame once.

    push (root, root, b's root in a's frame)
    while the stack is not empty:
        pop (i, j, row of j)
        if the question keeps i and the row of j:
            both leaves: compare triangles
            the rule says a: push (child of i, j, row of j) for each child: nothing is computed again
            the rule says b: push (i, child of j, row of the child) for each child

For: the way of `stack`, with half of its turning and shifting. Against: nine numbers more for each pair that waits.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel
from tumble.hierarchy.layout.columns import ESCAPE, FIRST
from tumble.traversal.counters import ITERATIONS, MOVES, tally
from tumble.traversal.methods import Method
from tumble.traversal.protocol import leaf_pair, link, told_to_end, traverse, visit_in_frame_of_a
from tumble.traversal.rules import DOWN_A, descend
from tumble.traversal.tandem import push_children
from tumble.volume.protocol import into_frame_of_a


class StackAhead(NamedTuple):
    """Node pairs that wait, for each the volume of b's node in a's frame, and the descent rule."""

    stack: NDArray[np.int32]
    rows: NDArray[np.float64]
    rule: int


def stack_ahead(size: int, width: int, rule: int) -> StackAhead:
    """Make room for `size` waiting pairs, with `width` numbers for a volume in a's frame."""
    return StackAhead(np.empty((size, 2), np.int32), np.empty((size, width)), rule)


@inlined_kernel
def copy_rows(rows, top, stop):
    """Copy the row of a popped pair to all pairs that were pushed in its place."""
    for k in range(top + 1, stop):
        for column in range(rows.shape[1]):
            rows[k, column] = rows[top, column]


@inlined_kernel
def write_children(volumes, nodes, parent, relative, rows, stop, counters):
    """Write the children of a node of b into the rows of their pairs, the left-most on top."""
    child = link(nodes, parent, FIRST)
    end = link(nodes, parent, ESCAPE)
    k = stop
    while child != end:
        k -= 1
        into_frame_of_a(volumes, child, relative, rows, k)
        tally(counters, MOVES)
        child = link(nodes, child, ESCAPE)


@traverse.register(StackAhead)
def _traverse(method, a, b, poses, question, counters):
    stack, rows = method.stack, method.rows
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    stack[0, 0] = 0
    stack[0, 1] = 0
    into_frame_of_a(b.volumes, 0, poses.relative, rows, 0)
    tally(counters, MOVES)
    top, steps = 1, 0
    while top > 0:
        steps += 1
        if told_to_end(steps, question):
            return
        top -= 1
        i, j = np.int64(stack[top, 0]), np.int64(stack[top, 1])
        tally(counters, ITERATIONS)
        if not visit_in_frame_of_a(question, a.volumes, i, rows, top, poses.relative, counters):
            continue
        if link(nodes_a, i, FIRST) < 0 and link(nodes_b, j, FIRST) < 0:
            if leaf_pair(a, i, b, j, poses, question, counters):
                return
            continue
        popped = top
        if descend(method.rule, a, i, b, j) == DOWN_A:
            top = push_children(stack, top, nodes_a, i, 0, j)
            copy_rows(rows, popped, top)
        else:
            top = push_children(stack, top, nodes_b, j, 1, i)
            write_children(b.volumes, nodes_b, j, poses.relative, rows, top, counters)


METHOD = Method(
    "stack-ahead",
    "preorder",
    lambda sizes, rule: stack_ahead(sizes.waiting, sizes.row_width, rule),
    takes_rule=True,
)
