"""Paper `stackless`, Algorithm 2: the stack traversal with the volume rule, which everybody uses.

Go down in the tree whose node has the larger volume (in a when they are equal); when one node is a leaf, in the other.

For: the fewest tests of the five, above all when the meshes differ in size. Against: needs a stack, and where it goes
next cannot be foretold.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.layout.columns import FIRST
from tumble.traversal.protocol import link, traverse
from tumble.traversal.tandem import DOWN_A, DOWN_B, rule, tandem
from tumble.volume.protocol import measure


class Stack(NamedTuple):
    """Node pairs that wait."""

    stack: NDArray[np.int32]


@rule.register(Stack)
def _rule(method, a, i, b, j):
    if link(a.layout.nodes, i, FIRST) < 0:
        return DOWN_B
    if link(b.layout.nodes, j, FIRST) < 0:
        return DOWN_A
    return DOWN_B if measure(a.volumes, i) < measure(b.volumes, j) else DOWN_A


@traverse.register(Stack)
def _traverse(method, a, b, poses, sink, counters):
    tandem(method, a, b, poses, sink, counters)
