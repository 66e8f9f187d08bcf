"""Paper `stackless`, Algorithm 3: the alternating stack traversal, whose way can be predicted.

Descend in b when both nodes have the same level, else in a: the level of a's node is then always that of b's or one
less. When just one of the nodes is a leaf, its partner's subtree is finished by the leaf loop (Section 8.1).

For: the stack's content follows from the current pair, which `stackless` makes use of. Against: more tests than the
volume rule, many more when the meshes differ in size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.layout import FIRST, LEVEL
from tumble.query.question import WaitingBounds
from tumble.traversal.protocol import Method, link, stack_of_pairs, traverse
from tumble.traversal.rules import DOWN_A, DOWN_B
from tumble.traversal.tandem import UNEVEN, tandem, way_on


class Alternating(NamedTuple):
    """Node pairs that wait, and how far each pair is from each other where that gives the order: see `tandem`."""

    stack: NDArray[np.int32]
    beside: WaitingBounds | None = None

    def nearest_first(self) -> Alternating:
        """Return a record that visits near pairs before far ones."""
        return self._replace(beside=WaitingBounds(np.empty(len(self.stack))))


@way_on.register(Alternating)
def _way_on(method, a, i, b, j):
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    if link(nodes_a, i, FIRST) < 0 or link(nodes_b, j, FIRST) < 0:
        return UNEVEN
    return DOWN_B if link(nodes_a, i, LEVEL) == link(nodes_b, j, LEVEL) else DOWN_A


@traverse.register(Alternating)
def _traverse(method, a, b, poses, question, counters):
    tandem(method, a, b, poses, question, counters)


METHOD = Method("alternating", "preorder", lambda sizes, rule: Alternating(stack_of_pairs(sizes)))
