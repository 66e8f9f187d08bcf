"""The sign of a component of (q - p) × (s - r): which way two edges turn in a projection, never wrong.

As in `orientation`: float64 with a bound on its rounding, then integers. Both factors of a product are off by one
rounding each, the products and their difference by one more: 4 * 2**-53 of their sizes bounds it, here doubled.
"""

import numpy as np
from numba import float64, int32

from tumble.core.jit import external, kernel
from tumble.narrow.predicates.integers import add_product, scale_and_width, sign_of_row, store

ERROR = 8 * 2.0**-53
SAFE_SIZE = 1e-280  # below, a product may have lost bits to underflow


@external(int32(*8 * (float64,)))
def exact_cross_sign(pu, pv, qu, qv, ru, rv, su, sv):
    """Decide the sign of (qu - pu)(sv - rv) - (qv - pv)(su - ru) without rounding."""
    factors = np.array((qu, sv, -qu, rv, -pu, sv, pu, rv, -qv, su, qv, ru, pv, su, -pv, ru))
    lowest, width = scale_and_width(factors, 2)
    rows = np.zeros((4, width + 1), np.uint64)
    total, product = rows[2], rows[3]
    for k in range(8):
        store(factors[2 * k], lowest, rows[0])
        store(factors[2 * k + 1], lowest, rows[1])
        add_product(total, rows[0], rows[1], product)
    return sign_of_row(total)


@kernel
def cross_sign(p, q, r, s, axis):
    """Return the sign of component `axis` of (q - p) × (s - r)."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    one_u, one_v, two_u, two_v = q[u] - p[u], q[v] - p[v], s[u] - r[u], s[v] - r[v]
    left, right = one_u * two_v, one_v * two_u
    size = abs(left) + abs(right)
    if size > SAFE_SIZE:
        if left - right > ERROR * size:
            return 1
        if left - right < -ERROR * size:
            return -1
    # equal coordinates are common in CAD, and a difference is zero exactly where they are equal
    if (one_u == 0.0 or two_v == 0.0) and (one_v == 0.0 or two_u == 0.0):
        return 0
    return exact_cross_sign(p[u], p[v], q[u], q[v], r[u], r[v], s[u], s[v])
