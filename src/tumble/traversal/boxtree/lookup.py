"""Section 3.2.2, lookup tables: the axis alignment test, with its products of offset and factor found in tables.

    set up:     for each of b's axes and each of 1000 offsets, the three products with the components along a's axes
    a cut:      the offset becomes a whole number, rounded down, and the products of that one move the ends

An offset that is rounded down cuts off less: intervals only become longer. What rounding could add to the number of an
offset is taken from the products. The rows of tree b hold masks instead of factors: which products count.
"""

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import float64_at, set_float64, set_int64
from tumble.hierarchy.boxtree.header import BOX
from tumble.traversal.boxtree.intervals import KINDS, ROWS, STATE_BYTES
from tumble.traversal.boxtree.overlaps import LOOKUP, VECTORS
from tumble.traversal.boxtree.relation import RATIO, TURN

ENTRIES = 1000
ENTRY_BYTES = 32
"""three products and nothing"""
STEPS = 3 * ENTRIES * ENTRY_BYTES
"""behind the tables: how many steps there are in one, for each of b's axes"""
TABLE_WORDS = STEPS // 8 + 4
ROUND_DOWN = 1.0 - 2.0**-45
ALL_BITS = -1


@inlined_kernel
def products_of(table, axis, offset):
    """Return the address of the products of an offset along one of b's axes."""
    number = offset * float64_at(table + STEPS, axis)
    # offsets of a tree stay within its box, but a bad number must not lead outside of the table
    entry = np.int64(min(max(number, 0.0), ENTRIES - 1.0))
    return table + (axis * ENTRIES + entry) * ENTRY_BYTES


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
    for kind in range(KINDS):
        row = setup + ROWS[1] + kind * STATE_BYTES
        for place in range(4 * VECTORS[LOOKUP]):
            set_int64(row, place, ALL_BITS if float64_at(row, place) != 0.0 else 0)
