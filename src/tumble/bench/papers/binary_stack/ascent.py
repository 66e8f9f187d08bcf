"""Section 2, Figure 4: the binary stack that goes up by parents, node by node, beside the one that goes by numbering.

    if the bit on top is a's:    i is a last child: pop; i ← parent(i), and again        else: i ← next sibling of i
    else the same with b and j

Figure 9, which `tumble.traversal.binary_stack` implements, finds the same next pair without a look at what is between.
Both visit the same pairs of nodes in the same order. This one notes how many nodes it read on its ways up, and how many
bits it had on its stack at once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.layout import ESCAPE, FIRST, PARENT, RIGHT
from tumble.traversal.binary_stack import ONE, BinaryStack, pop, push
from tumble.traversal.protocol import leaf_pair, link, must_end, traverse, visit
from tumble.traversal.query import Query
from tumble.traversal.rules import DOWN_A, descend

READ, MOST_BITS = 0, 1


class ByParents(NamedTuple):
    """The words below the top one, the descent rule, and what is noted: nodes read on ways up, most bits at once."""

    words: NDArray[np.uint64]
    rule: int
    noted: NDArray[np.int64]


@traverse.register(ByParents)
def _traverse(method, a, b, poses, question, counters):  # type: ignore[no-untyped-def]
    words, noted = method.words, method.noted
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    i, j = np.int64(0), np.int64(0)
    word, bits = np.uint64(0), np.int64(0)
    steps = 0
    noted[READ] = noted[MOST_BITS] = 0
    while True:
        steps += 1
        if must_end(steps, question):
            return
        if visit(question, a.volumes, i, b.volumes, j, poses.relative, counters):
            if link(nodes_a, i, FIRST) >= 0 or link(nodes_b, j, FIRST) >= 0:
                if descend(method.rule, a, i, b, j) == DOWN_A:
                    i = link(nodes_a, i, FIRST)
                    word, bits = push(words, word, bits, ONE)
                else:
                    j = link(nodes_b, j, FIRST)
                    word, bits = push(words, word, bits, np.uint64(0))
                noted[MOST_BITS] = max(noted[MOST_BITS], bits)
                continue
            if leaf_pair(a, i, b, j, poses, question, counters):
                return
        while bits > 0:
            if word & ONE:
                if not link(nodes_a, i, RIGHT):
                    i = link(nodes_a, i, ESCAPE)  # of a child that is not the last: its next sibling
                    break
                i = link(nodes_a, i, PARENT)
            else:
                if not link(nodes_b, j, RIGHT):
                    j = link(nodes_b, j, ESCAPE)
                    break
                j = link(nodes_b, j, PARENT)
            noted[READ] += 1
            word, bits = pop(words, word, bits)
        if bits == 0:
            return


def by_parents(query: Query) -> Query:
    """The same query of the binary stack with the ascent of Figure 4."""
    method, a, b, poses = query._arguments
    assert isinstance(method, BinaryStack)
    memory = ByParents(np.zeros_like(method.words), method.rule, np.zeros(2, np.int64))
    return Query(memory, a, b, poses, query.narrow, query.extent)


def noted(query: Query) -> tuple[int, int]:
    """Nodes read on ways up, and the most bits at once, in the last run of such a query."""
    read, most = query._arguments[0].noted.tolist()
    return read, most
