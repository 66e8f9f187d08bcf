"""Section 3.2.4, SAT lite: the three axes of a and the three of b, each tree's boxes as intervals along both."""

from tumble.jit import inlined_kernel
from tumble.simd.memory import float64_at
from tumble.traversal.boxtree.axis import add_axes_of_a
from tumble.traversal.boxtree.intervals import add_axis, clear
from tumble.traversal.boxtree.relation import MARGIN, RATIO, SHIFT, TURN

VECTORS = 3
PLACES = 12
UPPER = 6


@inlined_kernel
def add_axes_of_b(room, tree_a, tree_b, relation, first, upper):
    """Add b's three axes at the places first, first + 1, first + 2 and the same after `upper`."""
    ratio, margin = float64_at(relation, RATIO + 1), float64_at(relation, MARGIN + 1)
    for j in range(3):
        along_a = (
            ratio * float64_at(relation, TURN + j),
            ratio * float64_at(relation, TURN + 3 + j),
            ratio * float64_at(relation, TURN + 6 + j),
        )
        along_b = (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0)
        # it is a that is shifted in b's frame: as well may b be shifted the other way
        shift = -float64_at(relation, SHIFT + 3 + j)
        add_axis(room, tree_a, tree_b, first + j, upper + j, along_a, along_b, False, True, shift, margin)


@inlined_kernel
def describe_sat_lite(room, tree_a, tree_b, relation):
    """Write rows and roots of the SAT lite test."""
    clear(room, PLACES)
    add_axes_of_a(room, tree_a, tree_b, relation, 0, UPPER)
    add_axes_of_b(room, tree_a, tree_b, relation, 3, UPPER + 3)
