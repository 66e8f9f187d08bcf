"""On which side of a plane is a point? The sign of a x + b y + c z + d, never wrong.

As in `orientation`: float64 with a bound on its rounding, then expansions, then integers. The four summands are off by
one rounding each and their sum by three more, so 8 * 2**-53 of their sizes is generous.
"""

import numpy as np
from numba import float64, int32

from tumble.core.jit import allocating_kernel, external, inlined_kernel
from tumble.narrow.predicates.expansion import add, append, sign_of, two_product
from tumble.narrow.predicates.integers import add_product, scale_and_width, sign_of_row, store

ERROR = 8 * 2.0**-53
SAFE_SIZE = 1e-280  # below, summands may have lost bits to underflow
SAFE_PRODUCT = 2.0**-900  # the rounding error of a product that is not smaller is a float64


@allocating_kernel
def sign_by_expansions(factors):
    """Return the sign of the sum of four products of two."""
    # four products of two components each: eight in all
    total, sums, pair = np.empty(8), np.empty(8), np.empty(2)
    n = 0
    for k in range(4):
        high, low = two_product(factors[2 * k], factors[2 * k + 1])
        m = append(pair, append(pair, 0, low), high)
        n = add(total, n, pair, m, 1.0, sums)
        total, sums = sums, total
    return sign_of(total, n)


@allocating_kernel
def sign_by_integers(factors):
    """Return the same for float64 numbers of any size."""
    lowest, width = scale_and_width(factors, 2)
    rows = np.zeros((4, width), np.uint64)
    total, product = rows[2], rows[3]
    for k in range(4):
        store(factors[2 * k], lowest, rows[0])
        store(factors[2 * k + 1], lowest, rows[1])
        add_product(total, rows[0], rows[1], product)
    return sign_of_row(total)


@external(int32(*7 * (float64,)))
def exact_side(a, b, c, d, x, y, z):
    """Decide the side without rounding: -1, 0 or 1."""
    factors = np.array((a, x, b, y, c, z, d, 1.0))
    for k in range(4):
        first, second = factors[2 * k], factors[2 * k + 1]
        # the low part of such a product may underflow, and then expansions are not exact
        if first != 0.0 and second != 0.0 and abs(first * second) < SAFE_PRODUCT:
            return sign_by_integers(factors)
    return sign_by_expansions(factors)


@inlined_kernel
def strictly_below(a, b, c, d, x, y, z):
    """Tell whether a x + b y + c z + d is negative."""
    p, q, r = a * x, b * y, c * z
    value = ((p + q) + r) + d
    size = abs(p) + abs(q) + abs(r) + abs(d)
    if size > SAFE_SIZE:
        if value > ERROR * size:
            return False
        if value < -ERROR * size:
            return True
    return exact_side(a, b, c, d, x, y, z) < 0
