"""Exact determinants for any float64 at all: fixed-width integers in 32-bit limbs.

Expansions cannot represent products of denormals, nor of numbers a thousand binary orders apart. Integers can: every
finite float64 is an integer times a power of two, so all coordinates are brought to the smallest of their exponents and
the determinant is computed modulo 2**(32 * width), wide enough that it cannot wrap round. Slow (a microsecond for
coordinates of like size, up to some hundred for the widest mix) and rarely needed.

A number is a row of `width` limbs, lowest first, in two's complement.
"""

import math

import numpy as np

from tumble.core.jit import allocating_kernel, kernel

LIMB_BITS = 32
LIMB_MASK = np.uint64(0xFFFFFFFF)
LIMB_SHIFT = np.uint64(32)
MANTISSA_BITS = 53


@kernel
def scale_and_width(values, factors):
    """Return the lowest bit that any of the values uses, as a power of two, and the limbs that integers need.

    That is for sums of products of so many differences: one bit for each difference, one for the sign.
    """
    lowest, highest = 0, 0
    found = False
    for value in values:
        if value != 0.0:
            exponent = math.frexp(value)[1]
            if not found or exponent - MANTISSA_BITS < lowest:
                lowest = exponent - MANTISSA_BITS
            if not found or exponent > highest:
                highest = exponent
            found = True
    return lowest, ((highest - lowest + 2) * factors + 4) // LIMB_BITS + 3


@kernel
def store(value, lowest, target):
    """Write value / 2**lowest, an integer, into a row of limbs."""
    target[:] = np.uint64(0)
    if value == 0.0:
        return
    fraction, exponent = math.frexp(abs(value))
    # all 53 bits of the mantissa, exactly
    mantissa = np.uint64(fraction * 9007199254740992.0)  # 2**53
    offset = exponent - MANTISSA_BITS - lowest
    limb, shift = offset // LIMB_BITS, np.uint64(offset % LIMB_BITS)
    low = (mantissa & LIMB_MASK) << shift
    high = (mantissa >> LIMB_SHIFT) << shift
    target[limb] = low & LIMB_MASK
    middle = (low >> LIMB_SHIFT) + (high & LIMB_MASK)
    target[limb + 1] = middle & LIMB_MASK
    target[limb + 2] = (high >> LIMB_SHIFT) + (middle >> LIMB_SHIFT)
    if value < 0.0:
        negate(target)


@kernel
def negate(row):
    """Change the sign of a row of limbs in place."""
    carry = np.uint64(1)
    for k in range(row.size):
        limb = (row[k] ^ LIMB_MASK) + carry
        row[k] = limb & LIMB_MASK
        carry = limb >> LIMB_SHIFT


@kernel
def subtract(row, other):
    """Subtract other from row in place."""
    carry = np.uint64(1)
    for k in range(row.size):
        limb = row[k] + (other[k] ^ LIMB_MASK) + carry
        row[k] = limb & LIMB_MASK
        carry = limb >> LIMB_SHIFT


@kernel
def multiply(first, second, target):
    """Write first * second into target, which must be another row."""
    target[:] = np.uint64(0)
    for i in range(first.size):
        # coordinates of like size fill few of the limbs; the others are zero
        if first[i] == np.uint64(0):
            continue
        carry = np.uint64(0)
        # modulo 2**(32 * width): limbs beyond the last are not computed; in two's complement that is right for negative
        # numbers too
        for j in range(first.size - i):
            limb = first[i] * second[j] + target[i + j] + carry
            target[i + j] = limb & LIMB_MASK
            carry = limb >> LIMB_SHIFT


@kernel
def sign_of_row(row):
    """Return the sign of a row of limbs: -1, 0 or 1."""
    if row[row.size - 1] >> np.uint64(31):
        return -1
    for limb in row:
        if limb != np.uint64(0):
            return 1
    return 0


@allocating_kernel
def difference_rows(points, dimension):
    """Return the rows of points[k] - points[last], coordinate by coordinate, for flat points of one dimension."""
    lowest, width = scale_and_width(points, dimension)
    count = points.size - dimension
    rows = np.empty((count, width), np.uint64)
    last = np.empty(width, np.uint64)
    for k in range(count):
        store(points[k], lowest, rows[k])
        store(points[count + k % dimension], lowest, last)
        subtract(rows[k], last)
    return rows


@kernel
def minor_row(rows, a, b, c, d, scratch, target):
    """Write rows[a] * rows[d] - rows[b] * rows[c] into target."""
    multiply(rows[a], rows[d], target)
    multiply(rows[b], rows[c], scratch)
    subtract(target, scratch)


@allocating_kernel
def integer_orient2d(points):
    """Return the orientation of three points given as six numbers."""
    rows = difference_rows(points, 2)
    total, scratch = np.empty_like(rows[0]), np.empty_like(rows[0])
    minor_row(rows, 0, 1, 2, 3, scratch, total)
    return sign_of_row(total)


@kernel
def add_product(total, first, second, product):
    """Add first * second to a row; `product` is memory for it."""
    multiply(first, second, product)
    # there is subtraction but no addition: total += product is total -= -product
    negate(product)
    subtract(total, product)


@kernel
def determinant_row(rows, a, b, c, scratch):
    """Write the determinant of three vectors of rows to scratch[0]."""
    total, small, product, other = scratch[0], scratch[1], scratch[2], scratch[3]
    total[:] = np.uint64(0)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        minor_row(rows, b + i, b + j, c + i, c + j, other, small)
        add_product(total, rows[a + k], small, product)


@allocating_kernel
def integer_orient3d(points):
    """Return the orientation of four points given as twelve numbers."""
    rows = difference_rows(points, 3)
    scratch = np.empty((4, rows.shape[1]), np.uint64)
    determinant_row(rows, 0, 3, 6, scratch)
    return sign_of_row(scratch[0])
