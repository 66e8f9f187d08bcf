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

from tumble.traversal.protocol import ITERATIONS, MOVES, Method, Sizes, stack_of_pairs, tally, visit_row
from tumble.traversal.rules import DOWN_A
from tumble.traversal.stack import Stack
from tumble.traversal.tandem import arrange, visit_popped
from tumble.volume.protocol import into_frame_of_a


class WaitingRows(NamedTuple):
    """For each pair that waits, the volume of b's node in a's frame."""

    rows: NDArray[np.float64]


def stack_ahead(sizes: Sizes, rule: int) -> Stack:
    """Return a stack with memory for these volumes."""
    return Stack(stack_of_pairs(sizes), rule, WaitingRows(np.empty((sizes.waiting, sizes.row_width))))


@visit_popped.register(WaitingRows)
def _compare_row(beside, question, k, volumes, i, others, j, relative, counters):
    tally(counters, ITERATIONS)
    return visit_row(question, volumes, i, beside.rows, k, relative, counters)


@arrange.register(WaitingRows)
def _write_rows(beside, stack, start, stop, way, volumes, others, relative, counters):
    rows = beside.rows
    if way == DOWN_A:
        for k in range(start + 1, stop):
            for column in range(rows.shape[1]):
                rows[k, column] = rows[start, column]
        return
    for k in range(start, stop):
        into_frame_of_a(others, np.int64(stack[k, 1]), relative, rows, k)
        tally(counters, MOVES)


METHOD = Method("stack-ahead", "preorder", stack_ahead, takes_rule=True)
