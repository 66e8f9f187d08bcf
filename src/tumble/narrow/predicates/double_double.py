"""Determinants of differences in pairs of float64, high and low: twice as many digits, and a bound on the rest.

With u = 2**-53: a difference of two coordinates is x = h + l, exactly, with |l| <= u |h|. All bounds are up to factors
1 + O(u), for which twice the sum of them leaves room.

A product of two differences, of size q = |h h'|:
    h h' = p + e              exactly, |p| <= q, |e| <= u q
    h l' + l h'  rounded: x   |x| <= 2u q; off by u² for each product and 2u² for their sum; l l' <= u² is left out
    in all off by             5u² q
A minor, the difference of two products, of size M, the sum of both sizes:
    p - p' = s + t            exactly, |s| <= M, |t| <= u M
    low = t + ((e - e') + (x - x'))    off by u², 2u², 3u² and 4u², |low| <= 4u M
    in all off by             15u² M
A term of a determinant, a minor times a difference, of size T = |h| M:
    h s = w + v               exactly, |v| <= u T
    y = v + (h low + l s)     off by 4u², u², 5u² and 6u², |y| <= 6u T; l low <= 4u² is left out
    in all off by             35u² T
The sum of three terms, of size P, the sum of theirs:
    w + w' + w'' = H + t + t' exactly, |t|, |t'| <= u P
    L = sum of all y, t, t'   four additions off by 8u² each
    in all off by             67u² P

Where products underflow, each of some fifty operations may be off by 2**-1074 more, times a difference of at most
2**334: nothing beside u² times the least size for which an answer is given.
"""

from tumble.core.jit import inlined_kernel, kernel
from tumble.narrow.predicates.expansion import two_difference, two_product, two_sum

ERROR2 = 32 * 2.0**-106
ERROR3 = 128 * 2.0**-106
LEAST_SIZE = 1e-150


@inlined_kernel
def product(a, b):
    """Return a product of two pairs: its high part, and what is below it."""
    high, error = two_product(a[0], b[0])
    return high, error, a[0] * b[1] + a[1] * b[0]


@inlined_kernel
def minor(a, b, c, d):
    """Return a d - b c as a pair, and the sum of the sizes of both products."""
    first, first_error, first_cross = product(a, d)
    second, second_error, second_cross = product(b, c)
    high, rest = two_difference(first, second)
    low = rest + ((first_error - second_error) + (first_cross - second_cross))
    return high, low, abs(first) + abs(second)


@inlined_kernel
def term(a, high, low):
    """Return the product of a pair and a minor, as a pair."""
    first, error = two_product(a[0], high)
    return first, error + (a[0] * low + a[1] * high)


@inlined_kernel
def likely_sign(value, size, error):
    """Return the sign of a value that is off by less than `error` times its size; 0 if that is not certain."""
    if size > LEAST_SIZE:
        if value > error * size:
            return 1
        if value < -error * size:
            return -1
    return 0


@kernel
def likely_determinant2_sign(a, b, c):
    """Return the sign of det(a - c, b - c) of points in a plane, or 0 where it is not certain."""
    ax, ay = two_difference(a[0], c[0]), two_difference(a[1], c[1])
    bx, by = two_difference(b[0], c[0]), two_difference(b[1], c[1])
    high, low, size = minor(ax, ay, bx, by)
    return likely_sign(high + low, size, ERROR2)


@kernel
def likely_determinant3_sign(a, b, c, d):
    """Return the sign of det(a - d, b - d, c - d), or 0 where it is not certain."""
    ax, ay, az = two_difference(a[0], d[0]), two_difference(a[1], d[1]), two_difference(a[2], d[2])
    bx, by, bz = two_difference(b[0], d[0]), two_difference(b[1], d[1]), two_difference(b[2], d[2])
    cx, cy, cz = two_difference(c[0], d[0]), two_difference(c[1], d[1]), two_difference(c[2], d[2])
    high_x, low_x, size_x = minor(by, bz, cy, cz)
    high_y, low_y, size_y = minor(bz, bx, cz, cx)
    high_z, low_z, size_z = minor(bx, by, cx, cy)
    first, first_low = term(ax, high_x, low_x)
    second, second_low = term(ay, high_y, low_y)
    third, third_low = term(az, high_z, low_z)
    total, rest = two_sum(first, second)
    total, last = two_sum(total, third)
    value = total + (((first_low + second_low) + third_low) + (rest + last))
    size = abs(ax[0]) * size_x + abs(ay[0]) * size_y + abs(az[0]) * size_z
    return likely_sign(value, size, ERROR3)
