"""Section 3.2.3, the separating axis test: the six axes of SAT lite and the nine products of an edge of a and one of b.

Without margins it would part all boxes that are apart, and no others. A product of nearly parallel edges is nearly
zero, and so are all intervals along it: as the margin does not shrink with it, rounding cannot part anything.
"""

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import float64_at, set_float64
from tumble.core.simd.stack_memory import scratch
from tumble.traversal.boxtree.axis import add_axes_of_a
from tumble.traversal.boxtree.intervals import (
    ALONG_A,
    ALONG_B,
    AXIS_MARGIN,
    AXIS_SHIFT,
    AXIS_WORDS,
    OF_NONE,
    add_axis,
    clear_setup,
)
from tumble.traversal.boxtree.relation import MARGIN, RATIO, SHIFT, TURN
from tumble.traversal.boxtree.sat_lite import add_axes_of_b

PLACES = 32
UPPER = 15
EDGES = 6
"""the first place of the products"""
EDGE_MARGINS = 3.0


@kernel
def write_edge_axis(relation, i, j, axis):
    """Write the product of a's axis i and b's axis j, in a's frame and unit."""
    # a's next two axes; along its own the product is zero
    k, m = (i + 1) % 3, (i + 2) % 3
    along_k, along_m = -float64_at(relation, TURN + 3 * m + j), float64_at(relation, TURN + 3 * k + j)
    set_float64(axis, ALONG_A + i, 0.0)
    set_float64(axis, ALONG_A + k, along_k)
    set_float64(axis, ALONG_A + m, along_m)
    for other in range(3):
        along = along_k * float64_at(relation, TURN + 3 * k + other) + along_m * float64_at(
            relation, TURN + 3 * m + other
        )
        # b's axis j is at right angles to the product, however things are rounded
        set_float64(axis, ALONG_B + other, 0.0 if other == j else float64_at(relation, RATIO) * along)
    shift = along_k * float64_at(relation, SHIFT + k) + along_m * float64_at(relation, SHIFT + m)
    set_float64(axis, AXIS_SHIFT, shift)
    set_float64(axis, AXIS_MARGIN, EDGE_MARGINS * float64_at(relation, MARGIN))


@inlined_kernel
def describe_sat(setup, tree_a, tree_b, relation):
    """Write rows and roots of the separating axis test."""
    clear_setup(setup, PLACES)
    add_axes_of_a(setup, tree_a, tree_b, relation, UPPER)
    add_axes_of_b(setup, tree_a, tree_b, relation, UPPER)
    axis = scratch(AXIS_WORDS)
    for i in range(3):
        for j in range(3):
            place = EDGES + 3 * i + j
            write_edge_axis(relation, i, j, axis)
            add_axis(setup, tree_a, tree_b, place, UPPER + place, axis, OF_NONE)
