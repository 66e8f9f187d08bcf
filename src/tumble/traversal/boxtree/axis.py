"""Section 3.2.1, axis alignment: b's boxes are enclosed by boxes along a's axes; three axes, six ends."""

from tumble.jit import inlined_kernel
from tumble.simd.memory import float64_at
from tumble.traversal.boxtree.intervals import add_axis, clear
from tumble.traversal.boxtree.relation import MARGIN, RATIO, SHIFT, TURN

VECTORS = 2
PLACES = 8
UPPER = 4
"""ends of the lower places begin a vector, and those of the upper places one"""


@inlined_kernel
def add_axes_of_a(room, tree_a, tree_b, relation, first, upper):
    """Add a's three axes at the places first, first + 1, first + 2 and the same after `upper`."""
    ratio, margin = float64_at(relation, RATIO), float64_at(relation, MARGIN)
    for i in range(3):
        turn = TURN + 3 * i
        along_a = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        along_b = (
            ratio * float64_at(relation, turn),
            ratio * float64_at(relation, turn + 1),
            ratio * float64_at(relation, turn + 2),
        )
        shift = float64_at(relation, SHIFT + i)
        add_axis(room, tree_a, tree_b, first + i, upper + i, along_a, along_b, True, False, shift, margin)


@inlined_kernel
def describe_axis(room, tree_a, tree_b, relation):
    """Write rows and roots of the axis alignment test."""
    clear(room, PLACES)
    add_axes_of_a(room, tree_a, tree_b, relation, 0, UPPER)
