"""Section 3.2.1, axis alignment: b's boxes are enclosed by boxes along a's axes; three axes, six ends."""

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float64_at, set_float64
from tumble.core.simd.stack_memory import scratch
from tumble.traversal.boxtree.intervals import (
    ALONG_A,
    ALONG_B,
    AXIS_MARGIN,
    AXIS_SHIFT,
    AXIS_WORDS,
    OF_A,
    add_axis,
    clear_setup,
)
from tumble.traversal.boxtree.relation import MARGIN, RATIO, SHIFT, TURN

PLACES = 8
UPPER = 4
"""the lower places begin a vector, and so do the upper ones"""


@inlined_kernel
def add_axes_of_a(setup, tree_a, tree_b, relation, upper):
    """Add a's three axes at the places 0, 1, 2 and the same after `upper`."""
    axis = scratch(AXIS_WORDS)
    set_float64(axis, AXIS_MARGIN, float64_at(relation, MARGIN))
    for i in range(3):
        for k in range(3):
            set_float64(axis, ALONG_A + k, 1.0 if k == i else 0.0)
            set_float64(axis, ALONG_B + k, float64_at(relation, RATIO) * float64_at(relation, TURN + 3 * i + k))
        set_float64(axis, AXIS_SHIFT, float64_at(relation, SHIFT + i))
        add_axis(setup, tree_a, tree_b, i, upper + i, axis, OF_A)


@inlined_kernel
def describe_axis(setup, tree_a, tree_b, relation):
    """Write rows and roots of the axis alignment test."""
    clear_setup(setup, PLACES)
    add_axes_of_a(setup, tree_a, tree_b, relation, UPPER)
