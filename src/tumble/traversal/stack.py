"""Paper `stackless`, Algorithm 2: the stack traversal, the usual one.

Descend in the tree that the descent rule names (see `rules`), by default in the one whose node has the larger volume;
in a when they are equal.

For: the fewest tests of the five, above all when the meshes differ in size; can visit near pairs first. Against: needs
a stack, and the next pair cannot be predicted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.query.question import WaitingBounds
from tumble.traversal.protocol import Method, stack_of_pairs, traverse
from tumble.traversal.rules import descend
from tumble.traversal.tandem import tandem, way_on


class Stack(NamedTuple):
    """Node pairs that wait, the descent rule, and what is kept beside each pair: see `tandem`."""

    stack: NDArray[np.int32]
    rule: int
    beside: Any = None

    def nearest_first(self) -> Stack:
        """Return a record that visits near pairs before far ones, unless it keeps something else beside them."""
        return self if self.beside is not None else self._replace(beside=WaitingBounds(np.empty(len(self.stack))))


@way_on.register(Stack)
def _way_on(method, a, i, b, j):
    return descend(method.rule, a, i, b, j)


@traverse.register(Stack)
def _traverse(method, a, b, poses, question, counters):
    tandem(method, a, b, poses, question, counters)


METHOD = Method("stack", "preorder", lambda sizes, rule: Stack(stack_of_pairs(sizes), rule), takes_rule=True)
