"""Vectors of whole numbers, three rows of limbs each: see `integers`, and what it says about their width.

All rows of a computation lie in one array. A vector is named by its first row.
"""

import numpy as np

from tumble.core.jit import kernel
from tumble.narrow.predicates.integers import (
    LIMB_MASK,
    LIMB_SHIFT,
    add_product,
    minor_row,
    multiply,
    sign_of_row,
    subtract,
)


@kernel
def write_difference(row, other, target):
    """Write row - other to a third row."""
    carry = np.uint64(1)
    for k in range(row.size):
        limb = row[k] + (other[k] ^ LIMB_MASK) + carry
        target[k] = limb & LIMB_MASK
        carry = limb >> LIMB_SHIFT


@kernel
def subtract_vectors(rows, a, b, target):
    """Write vector a - vector b to a third one."""
    for k in range(3):
        write_difference(rows[a + k], rows[b + k], rows[target + k])


@kernel
def cross_vectors(rows, a, b, target, scratch):
    """Write the vector product of a and b to a third vector; `scratch` is a row."""
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        minor_row(rows, a + i, a + j, b + i, b + j, rows[scratch], rows[target + k])


@kernel
def dot_vectors(rows, a, b, target, scratch):
    """Write the scalar product of a and b to a row; `scratch` is another."""
    rows[target][:] = np.uint64(0)
    for k in range(3):
        add_product(rows[target], rows[a + k], rows[b + k], rows[scratch])


@kernel
def square_is_less(rows, number, square, factor, scratch):
    """Tell whether number² < square · factor, of rows; `scratch` is two rows."""
    multiply(rows[number], rows[number], rows[scratch])
    multiply(rows[factor], rows[square], rows[scratch + 1])
    subtract(rows[scratch], rows[scratch + 1])
    return sign_of_row(rows[scratch]) < 0


@kernel
def is_less(rows, number, other, scratch):
    """Tell whether one row is less than another; `scratch` is a row."""
    write_difference(rows[number], rows[other], rows[scratch])
    return sign_of_row(rows[scratch]) < 0
