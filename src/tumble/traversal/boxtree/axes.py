"""What the overlap tests compare boxes along: axes of a, axes of b, and products of the two (Sections 3.2.1 to 3.2.4).

    axis      b's boxes are enclosed by boxes along a's axes: the three axes of a
    lookup    the same axes, with products of offset and factor from tables
    sat-lite  the three axes of a and the three of b, each tree's boxes as intervals along both
    sat       these six and the nine products of an edge of a and one of b

Without margins, sat would part all boxes that are apart, and no others. A product of nearly parallel edges is nearly
zero, and so are all intervals along it: as the margin does not shrink with it, rounding cannot part anything.

Lookup tables (Section 3.2.2) have, for each of b's axes and each of 1000 offsets, the three products with components
along a's axes. At a cut the offset becomes a whole number, rounded down, and the products of that one move the ends: it
cuts off less, so intervals only become longer. What rounding could add to the number of an offset is taken from the
products. The rows of tree b then hold masks instead of factors: which products count.
"""

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel, kernel
from tumble.core.simd.memory import float64_at, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.boxtree.header import BOX
from tumble.traversal.boxtree import intervals
from tumble.traversal.boxtree.intervals import ALONG, AXIS_MARGIN, AXIS_SHIFT, AXIS_WORDS, add_axis
from tumble.traversal.boxtree.overlaps import AXIS, LOOKUP, SAT, VECTORS
from tumble.traversal.boxtree.relation import MARGIN, RATIO, SHIFT, TURN
from tumble.traversal.boxtree.whole_offsets import ENTRIES

UPPER = (4, 4, 15, 6)
"""by test, how far behind an axis' lower place its upper one is: of three axes, each begins a vector"""
EDGES = 6  # the first place of the products
EDGE_MARGINS = 3.0

ENTRY_BYTES = 32  # three products and nothing
STEPS = 3 * ENTRIES * ENTRY_BYTES  # behind the tables: how many steps there are in one, for each of b's axes
TABLE_WORDS = STEPS // 8 + 4
ROUND_DOWN = 1.0 - 2.0**-45
ALL_BITS = -1


@inlined_kernel
def add_axes_of(side, setup, tree_a, tree_b, relation, upper):
    """Add the three axes of a (side 0) at the places 0, 1, 2, or those of b (side 1) at 3, 4, 5; and `upper` later."""
    axis = scratch(AXIS_WORDS)
    set_float64(axis, AXIS_MARGIN, float64_at(relation, MARGIN + side))
    for i in range(3):
        for k in range(3):
            turned = TURN + (3 * i + k if side == 0 else 3 * k + i)
            set_float64(axis, ALONG[side] + k, 1.0 if k == i else 0.0)
            set_float64(axis, ALONG[1 - side] + k, float64_at(relation, RATIO + side) * float64_at(relation, turned))
        # in b's frame it is a that is shifted: as well may b be shifted the other way
        shift = float64_at(relation, SHIFT + 3 * side + i)
        set_float64(axis, AXIS_SHIFT, shift if side == 0 else -shift)
        add_axis(setup, tree_a, tree_b, 3 * side + i, upper + 3 * side + i, axis, intervals.OF_A + side)


@kernel
def write_edge_axis(relation, i, j, axis):
    """Write the product of a's axis i and b's axis j, in a's frame and unit."""
    # a's next two axes; along its own the product is zero
    k, m = (i + 1) % 3, (i + 2) % 3
    along_k, along_m = -float64_at(relation, TURN + 3 * m + j), float64_at(relation, TURN + 3 * k + j)
    set_float64(axis, ALONG[0] + i, 0.0)
    set_float64(axis, ALONG[0] + k, along_k)
    set_float64(axis, ALONG[0] + m, along_m)
    for other in range(3):
        along = along_k * float64_at(relation, TURN + 3 * k + other) + along_m * float64_at(
            relation, TURN + 3 * m + other
        )
        # b's axis j is at right angles to the product, however things are rounded
        set_float64(axis, ALONG[1] + other, 0.0 if other == j else float64_at(relation, RATIO) * along)
    shift = along_k * float64_at(relation, SHIFT + k) + along_m * float64_at(relation, SHIFT + m)
    set_float64(axis, AXIS_SHIFT, shift)
    set_float64(axis, AXIS_MARGIN, EDGE_MARGINS * float64_at(relation, MARGIN))


@inlined_kernel
def products_at(table, axis, entry):
    """Return the address of the products of an entry of one of b's axes."""
    return table + (axis * ENTRIES + entry) * ENTRY_BYTES


@inlined_kernel
def products_of(table, axis, offset):
    """Return the address of the products of an offset along one of b's axes."""
    number = offset * float64_at(table + STEPS, axis)
    # offsets of a tree stay within its box, but a bad number must not lead outside of the table
    return products_at(table, axis, np.int64(min(max(number, 0.0), ENTRIES - 1.0)))


@external(int64(int64, int64, int64))
def write_tables(table, tree_b, relation):
    """Write the products of all offsets along b's axes."""
    ratio = float64_at(relation, RATIO)
    for axis in range(3):
        size = float64_at(tree_b, BOX + 3 + axis) - float64_at(tree_b, BOX + axis)
        set_float64(table + STEPS, axis, (ENTRIES - 1) / size)
        # products a little too small: boxes only become larger
        step = size / (ENTRIES - 1) * ROUND_DOWN
        x = abs(ratio * float64_at(relation, TURN + axis)) * step
        y = abs(ratio * float64_at(relation, TURN + 3 + axis)) * step
        z = abs(ratio * float64_at(relation, TURN + 6 + axis)) * step
        for entry in range(ENTRIES):
            place = table + (axis * ENTRIES + entry) * ENTRY_BYTES
            set_float64(place, 0, x * entry)
            set_float64(place, 1, y * entry)
            set_float64(place, 2, z * entry)
            set_float64(place, 3, 0.0)
    return 0


@inlined_kernel
def rows_to_masks(setup):
    """Turn b's rows of factors into masks."""
    for kind in range(intervals.KINDS):
        row = setup + intervals.ROWS[1] + kind * intervals.STATE_BYTES
        for place in range(4 * VECTORS[LOOKUP]):
            set_int64(row, place, ALL_BITS if float64_at(row, place) != 0.0 else 0)


@inlined_kernel
def describe(number, tree_a, tree_b, relation, setup, table):
    """Write what an overlap test needs to know about a pose: rows and roots to `setup`, products to `table`."""
    upper = UPPER[number]
    intervals.clear_setup(setup, 4 * VECTORS[number])
    add_axes_of(0, setup, tree_a, tree_b, relation, upper)
    if number == AXIS:
        return
    if number == LOOKUP:
        write_tables(table, tree_b, relation)
        rows_to_masks(setup)
        return
    add_axes_of(1, setup, tree_a, tree_b, relation, upper)
    if number == SAT:
        axis = scratch(AXIS_WORDS)
        for i in range(3):
            for j in range(3):
                place = EDGES + 3 * i + j
                write_edge_axis(relation, i, j, axis)
                add_axis(setup, tree_a, tree_b, place, upper + place, axis, intervals.OF_NONE)
