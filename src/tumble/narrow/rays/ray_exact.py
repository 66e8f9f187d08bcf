"""A ray and a triangle, without rounding: for the few pairs that `ray_triangle` is not certain of.

With a, b, c the vertices as seen from the ray's origin and d its direction, the ray's line passes the triangle inside
when det(d, b, c), det(d, c, a) and det(d, a, b) have no two different signs. Their sum is D = det(d, b - a, c - a),
zero when the ray is parallel to the plane, and the distance is det(a, b, c) / D. Expansions give these numbers to
nearly the last bit and their signs exactly; where those may underflow, integers do (see `orientation` and `integers`).
"""

import math

import numpy as np
from numba import float64

from tumble.core.jit import allocating_kernel, external, kernel
from tumble.narrow.predicates import integers
from tumble.narrow.predicates.expansion import TOTAL, WORK, determinant3
from tumble.narrow.predicates.integers import LIMB_BITS, determinant_row, negate, sign_of_row, store, subtract
from tumble.narrow.predicates.orientation import exact_differences, too_small

MISS = -1.0
TOP_LIMBS = 4
SMALLEST = 5e-324


@kernel
def distance(wa, wb, wc, volume):
    """Return the distance, or MISS, from three weights and the volume of the triangle as seen from the origin."""
    # signs decide first: they are exact, while the sum below is rounded
    if (wa > 0.0 or wb > 0.0 or wc > 0.0) and (wa < 0.0 or wb < 0.0 or wc < 0.0):
        return MISS
    total = wa + wb + wc
    if total == 0.0 or (volume > 0.0 and total < 0.0) or (volume < 0.0 and total > 0.0):
        return MISS
    return abs(volume / total)


@kernel
def determinant_value(a, b, c, work):
    """Return the determinant of three rows of (low, high) pairs: its sign exactly, its size to the last bit or two."""
    total = 0.0
    for k in range(determinant3(a, b, c, work)):  # from the smallest component to the largest
        total += work[TOTAL + k]
    return total


@allocating_kernel
def by_expansions(pairs, direction):
    """Return the distance, or MISS; pairs are the vertices as seen from the origin."""
    work = np.empty(WORK)
    d = np.zeros(6)
    d[1], d[3], d[5] = direction
    a, b, c = pairs[0:6], pairs[6:12], pairs[12:18]
    wa, wb = determinant_value(d, b, c, work), determinant_value(d, c, a, work)
    # two weights of different signs are a miss: half of the determinants are saved for rays that pass beside
    if (wa > 0.0 and wb < 0.0) or (wa < 0.0 and wb > 0.0):
        return MISS
    return distance(wa, wb, determinant_value(d, a, b, work), determinant_value(a, b, c, work))


@kernel
def value_of(row):
    """Return the integer in a row of limbs as a float64, to nearly the last bit, times 2**exponent; changes the row."""
    negative = sign_of_row(row) < 0
    if negative:
        negate(row)
    top = row.size - 1
    while top > 0 and row[top] == np.uint64(0):
        top -= 1
    lowest = max(0, top - TOP_LIMBS + 1)
    total = 0.0
    for k in range(lowest, top + 1):
        total += math.ldexp(float(row[k]), LIMB_BITS * (k - lowest))
    return (-total if negative else total), LIMB_BITS * lowest


@kernel
def scaled(value, exponent):
    """Return value * 2**exponent, but never zero for what is not."""
    result = math.ldexp(value, exponent)
    return math.copysign(SMALLEST, value) if result == 0.0 and value != 0.0 else result


@allocating_kernel
def by_integers(points, direction):
    """Return the distance, or MISS, for float64 numbers of any size."""
    lowest, width = integers.scale_and_width(np.concatenate((points, direction)), 3)
    rows, scratch = np.empty((12, width), np.uint64), np.empty((4, width), np.uint64)
    for k in range(9):
        store(points[k], lowest, rows[k])
        store(points[9 + k % 3], lowest, scratch[0])
        subtract(rows[k], scratch[0])
    for k in range(3):
        store(direction[k], lowest, rows[9 + k])
    values, exponents = np.empty(4), np.empty(4, np.int64)
    for k, vectors in enumerate(((9, 3, 6), (9, 6, 0), (9, 0, 3), (0, 3, 6))):
        determinant_row(rows, vectors[0], vectors[1], vectors[2], scratch)
        values[k], exponents[k] = value_of(scratch[0])
    # only ratios matter: a common power of two brings all numbers into the range of float64
    largest = exponents[:3].max()
    for k in range(4):
        values[k] = scaled(values[k], exponents[k] - largest)
    return distance(values[0], values[1], values[2], values[3])


@external(float64(*15 * (float64,)))
def exact_ray_triangle(ax, ay, az, bx, by, bz, cx, cy, cz, ox, oy, oz, dx, dy, dz):
    """Return the distance, in units of the direction, at which a ray meets the closed triangle, or MISS."""
    points = np.array((ax, ay, az, bx, by, bz, cx, cy, cz, ox, oy, oz))
    direction = np.array((dx, dy, dz))
    pairs = np.empty(18)
    if exact_differences(points, 3, pairs) and not (too_small(dx) or too_small(dy) or too_small(dz)):
        return by_expansions(pairs, direction)
    return by_integers(points, direction)
