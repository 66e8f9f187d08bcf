"""Section 3.2.3, the separating axis test: the six axes of SAT lite and the nine products of an edge of a and one of b.

Without margins it would part all boxes that are apart, and no others. A product of nearly parallel edges is nearly zero,
and so are all intervals along it: as the margin does not shrink with it, rounding cannot part anything.
"""

from tumble.jit import inlined_kernel
from tumble.simd.memory import float64_at
from tumble.traversal.boxtree.axis import add_axes_of_a
from tumble.traversal.boxtree.intervals import add_axis, clear
from tumble.traversal.boxtree.relation import MARGIN, RATIO, SHIFT, TURN
from tumble.traversal.boxtree.sat_lite import add_axes_of_b

VECTORS = 8
PLACES = 32
UPPER = 15
EDGE_MARGINS = 3.0


@inlined_kernel
def _edge_product(relation, i, j):
    """Return the vector product of a's axis i and b's axis j in a's frame."""
    x, y, z = (
        float64_at(relation, TURN + j),
        float64_at(relation, TURN + 3 + j),
        float64_at(relation, TURN + 6 + j),
    )
    if i == 0:
        return 0.0, -z, y
    if i == 1:
        return z, 0.0, -x
    return -y, x, 0.0


@inlined_kernel
def _along(axis, x, y, z):
    return axis[0] * x + axis[1] * y + axis[2] * z


@inlined_kernel
def _component(relation, axis, j):
    """Return the component of b's axis j along an axis."""
    return _along(
        axis,
        float64_at(relation, TURN + j),
        float64_at(relation, TURN + 3 + j),
        float64_at(relation, TURN + 6 + j),
    )


@inlined_kernel
def describe_sat(room, tree_a, tree_b, relation):
    """Write rows and roots of the separating axis test."""
    clear(room, PLACES)
    add_axes_of_a(room, tree_a, tree_b, relation, 0, UPPER)
    add_axes_of_b(room, tree_a, tree_b, relation, 3, UPPER + 3)
    ratio, margin = float64_at(relation, RATIO), EDGE_MARGINS * float64_at(relation, MARGIN)
    for i in range(3):
        for j in range(3):
            axis = _edge_product(relation, i, j)
            # b's axis j is at right angles to the product: exactly zero, whatever is rounded
            along_b = (
                0.0 if j == 0 else ratio * _component(relation, axis, 0),
                0.0 if j == 1 else ratio * _component(relation, axis, 1),
                0.0 if j == 2 else ratio * _component(relation, axis, 2),
            )
            shift = _along(
                axis, float64_at(relation, SHIFT), float64_at(relation, SHIFT + 1), float64_at(relation, SHIFT + 2)
            )
            place = 6 + 3 * i + j
            add_axis(room, tree_a, tree_b, place, UPPER + place, axis, along_b, False, False, shift, margin)
