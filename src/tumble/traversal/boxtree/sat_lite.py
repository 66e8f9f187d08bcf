"""Section 3.2.4, SAT lite: the three axes of a and the three of b, each tree's boxes as intervals along both."""

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float64_at, set_float64
from tumble.core.simd.stack_memory import scratch
from tumble.traversal.boxtree.axis import add_axes_of_a
from tumble.traversal.boxtree.intervals import (
    ALONG_A,
    ALONG_B,
    AXIS_MARGIN,
    AXIS_SHIFT,
    AXIS_WORDS,
    OF_B,
    add_axis,
    clear_setup,
)
from tumble.traversal.boxtree.relation import MARGIN, RATIO, SHIFT, TURN

PLACES = 12
UPPER = 6


@inlined_kernel
def add_axes_of_b(setup, tree_a, tree_b, relation, upper):
    """Add b's three axes at the places 3, 4, 5 and the same after `upper`."""
    axis = scratch(AXIS_WORDS)
    set_float64(axis, AXIS_MARGIN, float64_at(relation, MARGIN + 1))
    for j in range(3):
        for k in range(3):
            set_float64(axis, ALONG_A + k, float64_at(relation, RATIO + 1) * float64_at(relation, TURN + 3 * k + j))
            set_float64(axis, ALONG_B + k, 1.0 if k == j else 0.0)
        # it is a that is shifted in b's frame: as well may b be shifted the other way
        set_float64(axis, AXIS_SHIFT, -float64_at(relation, SHIFT + 3 + j))
        add_axis(setup, tree_a, tree_b, 3 + j, upper + 3 + j, axis, OF_B)


@inlined_kernel
def describe_sat_lite(setup, tree_a, tree_b, relation):
    """Write rows and roots of the SAT lite test."""
    clear_setup(setup, PLACES)
    add_axes_of_a(setup, tree_a, tree_b, relation, UPPER)
    add_axes_of_b(setup, tree_a, tree_b, relation, UPPER)
