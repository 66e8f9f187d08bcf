"""Paper `stackless`, Algorithm 2: the stack traversal, which everybody uses.

Go down in the tree that the descent rule says (see `rules`), by default in the one whose node has the larger volume; in
a when they are equal.

For: the fewest tests of the five, above all when the meshes differ in size. Against: needs a stack, and where it goes
next cannot be foretold.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.traversal.protocol import traverse
from tumble.traversal.rules import descend
from tumble.traversal.tandem import tandem, way_on


class Stack(NamedTuple):
    """Node pairs that wait, and the descent rule."""

    stack: NDArray[np.int32]
    rule: int


@way_on.register(Stack)
def _way_on(method, a, i, b, j):
    return descend(method.rule, a, i, b, j)


@traverse.register(Stack)
def _traverse(method, a, b, poses, sink, counters):
    tandem(method, a, b, poses, sink, counters)
