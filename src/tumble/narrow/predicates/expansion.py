"""Expansion arithmetic: a real number as an exact sum of float64 components that do not overlap.

J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997. An expansion
of length n stands in the first n places of an array, smallest component first, zeros left out; its sign is the sign of
the last component. Every function here is exact as long as no product falls below the smallest denormal or above the
largest float64: `orientation` sees to that before it comes here.
"""

import numpy as np

from tumble.core.jit import allocating_kernel, kernel

SPLITTER = 134217729.0  # 2**27 + 1: splits 53 bits into two halves
WORK = 592 + 304  # numbers that `determinant3` works in
TOTAL = 400  # where in them its answer is


@kernel
def two_sum(a, b):
    """Return a + b and its rounding error."""
    total = a + b
    # Knuth: no branch on which of the two is larger, six operations
    b_part = total - a
    a_part = total - b_part
    return total, (a - a_part) + (b - b_part)


@kernel
def two_difference(a, b):
    """Return a - b and its rounding error."""
    return two_sum(a, -b)


@kernel
def two_product(a, b):
    """Return a * b and its rounding error."""
    product = a * b
    # Dekker and Veltkamp: no fused multiply-add, which not every machine has, so the bits are the same everywhere
    c = SPLITTER * a
    a_high = c - (c - a)
    a_low = a - a_high
    c = SPLITTER * b
    b_high = c - (c - b)
    b_low = b - b_high
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


@kernel
def append(target, used, component):
    """Write a component behind the used ones unless it is zero; return how many are used then."""
    if component == 0.0:
        return used
    target[used] = component
    return used + 1


@kernel
def scale(source, length, factor, target):
    """Write the expansion source * factor into target and return its length."""
    if length == 0 or factor == 0.0:
        return 0
    carry, low = two_product(source[0], factor)
    used = append(target, 0, low)
    for k in range(1, length):
        high, part = two_product(source[k], factor)
        total, low = two_sum(carry, part)
        used = append(target, used, low)
        carry, low = two_sum(high, total)
        used = append(target, used, low)
    return append(target, used, carry)


@kernel
def add(first, n, second, m, sign, target):
    """Write the expansion first + sign * second into target and return its length (sign is 1.0 or -1.0)."""
    used, i, j = 0, 0, 0
    carry = 0.0
    for _ in range(n + m):
        # both expansions merged by size: then one pass of two_sum gives components that do not overlap
        if j == m or (i < n and abs(first[i]) < abs(second[j])):
            component = first[i]
            i += 1
        else:
            component = sign * second[j]
            j += 1
        carry, low = two_sum(carry, component)
        used = append(target, used, low)
    return append(target, used, carry)


@kernel
def multiply_pair(source, length, high, low, scratch, target):
    """Write source * (high + low) into target, with 2 * length numbers twice in scratch; return its length."""
    n = scale(source, length, low, scratch)
    m = scale(source, length, high, scratch[2 * length :])
    return add(scratch, n, scratch[2 * length :], m, 1.0, target)


@kernel
def minor(first, a, b, second, c, d, scratch, target):
    """Write first[a] * second[d] - first[b] * second[c] over pairs (high, low) into target; return its length.

    `first` and `second` are flat arrays of pairs: component k stands at 2k (low) and 2k + 1 (high).
    """
    n = multiply_pair(first[2 * a : 2 * a + 2], 2, second[2 * d + 1], second[2 * d], scratch[16:], scratch[:8])
    m = multiply_pair(first[2 * b : 2 * b + 2], 2, second[2 * c + 1], second[2 * c], scratch[16:], scratch[8:16])
    return add(scratch[:8], n, scratch[8:16], m, -1.0, target)


@kernel
def sign_of(expansion, length):
    """Return the sign of an expansion: -1, 0 or 1."""
    if length == 0:
        return 0
    return 1 if expansion[length - 1] > 0.0 else -1


@allocating_kernel
def determinant2_sign(pairs):
    """Return the sign of the 2×2 determinant of pairs (rows of two, low before high)."""
    scratch = np.empty(48)
    target = np.empty(16)
    return sign_of(target, minor(pairs[0:4], 0, 1, pairs[4:8], 0, 1, scratch, target))


@kernel
def determinant3(a, b, c, work):
    """Write the determinant of three rows of (low, high) pairs to work[TOTAL:], as an expansion; return its length."""
    small, terms, first, second, scratch = work[:16], work[16:208], work[208:TOTAL], work[TOTAL:592], work[592:]
    n = 0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        length = minor(b, i, j, c, i, j, scratch, small)
        used = multiply_pair(small, length, a[2 * k + 1], a[2 * k], scratch, terms)
        # the sum goes back and forth between two arrays, and ends in the second, as three is odd
        n = add(first, n, terms, used, 1.0, second)
        first, second = second, first
    return n


@allocating_kernel
def determinant3_sign(pairs):
    """Return the sign of the 3×3 determinant of pairs (rows of three, low before high)."""
    work = np.empty(WORK)
    return sign_of(work[TOTAL:], determinant3(pairs[0:6], pairs[6:12], pairs[12:18], work))
