"""Exact orientation of points: the sign of a determinant of float64 coordinates, never wrong.

Four stages, each only where the one before could not decide:
1. float64 with a bound on its own rounding error (nearly always enough);
2. pairs of float64, twice as many digits, with a bound as well: faces that are flush but for the rounding of their
   poses, as CAD is full of them;
3. expansion arithmetic, exact while the products stay within float64's exponents;
4. integers in limbs, exact for denormals and for any mix of scales.

Points are tuples of float64. Signs follow the determinant of the rows a - d, b - d, c - d (a - c, b - c in the plane).
Coordinates may have any absolute value up to 1e100, three times as much after posing: then no product overflows.
"""

import numpy as np
from numba import float64, int32

from tumble.core.jit import external, kernel
from tumble.narrow.predicates.double_double import likely_determinant2_sign, likely_determinant3_sign
from tumble.narrow.predicates.expansion import determinant2_sign, determinant3_sign, two_difference
from tumble.narrow.predicates.integers import integer_orient2d, integer_orient3d

# Rounding-error bounds of the float64 determinants, in units of their permanents: (3 + 16u)u and (7 + 56u)u with
# u = 2**-53, after Shewchuk, rounded up.
BOUND2 = 3.4e-16
BOUND3 = 7.8e-16
# Below this permanent a product may have lost bits to underflow, and the bounds above do not hold.
SAFE_PERMANENT = 1e-200
# Expansions of differences not smaller than this (nor equal to zero) multiply without underflow: 2**-300.
SAFE_COMPONENT = 2.0**-300


@kernel
def too_small(component):
    """Tell whether a component could underflow in a triple product."""
    return component != 0.0 and abs(component) < SAFE_COMPONENT


@kernel
def exact_differences(points, dimension, pairs):
    """Write points[k] - points[last] as (low, high) pairs; return False when one is too small for expansions."""
    count = points.size - dimension
    for k in range(count):
        high, low = two_difference(points[k], points[count + k % dimension])
        if too_small(high) or too_small(low):
            return False
        pairs[2 * k] = low
        pairs[2 * k + 1] = high
    return True


@external(int32(*6 * (float64,)))
def exact_orient2d(ax, ay, bx, by, cx, cy):
    """Decide orient2d without rounding."""
    a, b, c = (ax, ay), (bx, by), (cx, cy)
    if a in (b, c) or b == c:  # as vertices that triangles share
        return 0
    likely = likely_determinant2_sign(a, b, c)
    if likely != 0:
        return likely
    points = np.array((ax, ay, bx, by, cx, cy))
    pairs = np.empty(8)
    if exact_differences(points, 2, pairs):
        return determinant2_sign(pairs)
    return integer_orient2d(points)


@external(int32(*12 * (float64,)))
def exact_orient3d(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz):
    """Decide orient3d without rounding."""
    a, b, c, d = (ax, ay, az), (bx, by, bz), (cx, cy, cz), (dx, dy, dz)
    # copies and neighbours share vertices: a row of zeros, or two equal ones
    if a in (b, c, d) or b in (c, d) or c == d:
        return 0
    likely = likely_determinant3_sign(a, b, c, d)
    if likely != 0:
        return likely
    points = np.array((ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz))
    pairs = np.empty(18)
    if exact_differences(points, 3, pairs):
        return determinant3_sign(pairs)
    return integer_orient3d(points)


@kernel
def orient2d(a, b, c):
    """Return 1 when a, b, c turn counter-clockwise, -1 when clockwise, 0 when they are collinear."""
    # stage 1: the permanent bounds the rounding error, and both cost a few operations
    left = (a[0] - c[0]) * (b[1] - c[1])
    right = (a[1] - c[1]) * (b[0] - c[0])
    determinant = left - right
    permanent = abs(left) + abs(right)
    if permanent > SAFE_PERMANENT:
        bound = BOUND2 * permanent
        if determinant > bound:
            return 1
        if determinant < -bound:
            return -1
    return exact_orient2d(a[0], a[1], b[0], b[1], c[0], c[1])


@kernel
def orient3d(a, b, c, d):
    """Return the sign of det(a - d, b - d, c - d): 0 when the four points are coplanar."""
    ax, ay, az = a[0] - d[0], a[1] - d[1], a[2] - d[2]
    bx, by, bz = b[0] - d[0], b[1] - d[1], b[2] - d[2]
    cx, cy, cz = c[0] - d[0], c[1] - d[1], c[2] - d[2]
    bxcy, cxby = bx * cy, cx * by
    cxay, axcy = cx * ay, ax * cy
    axby, bxay = ax * by, bx * ay
    determinant = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay)
    permanent = (
        abs(az) * (abs(bxcy) + abs(cxby)) + abs(bz) * (abs(cxay) + abs(axcy)) + abs(cz) * (abs(axby) + abs(bxay))
    )
    if permanent > SAFE_PERMANENT:
        bound = BOUND3 * permanent
        if determinant > bound:
            return 1
        if determinant < -bound:
            return -1
    # Axis-aligned planes are common in CAD, and equal coordinates need no arithmetic.
    if (az == 0.0 and bz == 0.0 and cz == 0.0) or (ay == 0.0 and by == 0.0 and cy == 0.0):
        return 0
    if ax == 0.0 and bx == 0.0 and cx == 0.0:
        return 0
    return exact_orient3d(a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2], d[0], d[1], d[2])
