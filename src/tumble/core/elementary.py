"""Elementary functions from additions, multiplications, divisions and roots: the same bits on every machine.

The C library and NumPy have several versions of these functions and choose one by the processor (with or without fused
multiply-add, with wider vectors); their last bits differ. Here each operation is rounded once, in the order written.

    x = n π/2 + r,  |r| ≤ π/4     π/2 as the sum of three numbers, the first two short enough that n times them is exact
    sin r, cos r                  Taylor polynomials: the first term left out is below 1e-19 of the sum
    n mod 4                       tells which of ±sin r, ±cos r is meant

The error stays below two units in the last place for |x| ≤ ACCURATE; larger angles lose accuracy, but still repeat.
The other functions are for shapes and rates, where 13 digits are enough. For kernels: `elementary_kernels.py`.
"""

from math import factorial, sqrt
from typing import Any

import numpy as np

HALF_TURNS = 0.6366197723675814  # 2/π
HIGH, MIDDLE, LOW = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21  # sum to π/2

# of r³, r⁵ … in the sine and of r⁴, r⁶ … in the cosine
S3, S5, S7, S9, S11, S13, S15, S17 = ((-1.0) ** k / factorial(2 * k + 1) for k in range(1, 9))
C4, C6, C8, C10, C12, C14, C16, C18 = ((-1.0) ** k / factorial(2 * k) for k in range(2, 10))

ACCURATE = 1e5
"""the largest angle for which the error is below two units in the last place"""
HALVINGS = 10
"""the exponential of x is that of x/2¹⁰, squared ten times"""
EXPONENTIAL_TERMS = 12
PI = 3.141592653589793
LN_2 = 0.6931471805599453
LOGARITHM_TERMS = 16  # (1/3)³³ is below 1e-15
ANGLE_HALVINGS = 5
ARCTANGENT_TERMS = 6  # the argument is below 0.05


def reduced(x: Any, turns: Any) -> Any:
    """Return x less a number of quarter turns."""
    return ((x - turns * HIGH) - turns * MIDDLE) - turns * LOW


def sine_near_zero(r: Any) -> Any:
    """Return the sine for |r| ≤ π/4."""
    q = r * r
    tail = S3 + q * (S5 + q * (S7 + q * (S9 + q * (S11 + q * (S13 + q * (S15 + q * S17))))))
    return r + r * q * tail


def cosine_near_zero(r: Any) -> Any:
    """Return the cosine for |r| ≤ π/4."""
    q = r * r
    tail = C4 + q * (C6 + q * (C8 + q * (C10 + q * (C12 + q * (C14 + q * (C16 + q * C18))))))
    half = 0.5 * q
    near = 1.0 - half
    return near + (((1.0 - near) - half) + q * q * tail)  # what the first difference lost is added again


def sines_cosines(x: Any) -> tuple[Any, Any]:
    """Return sine and cosine of a number or an array of numbers: the same bits as in kernels."""
    x = np.asarray(x, np.float64)
    turns = np.floor(x * HALF_TURNS + 0.5)
    r = reduced(x, turns)
    s, c = sine_near_zero(r), cosine_near_zero(r)
    quarter = turns - 4.0 * np.floor(0.25 * turns)
    odd, late = (quarter == 1.0) | (quarter == 3.0), quarter >= 2.0
    sine = np.where(odd, c, s) * np.where(late, -1.0, 1.0)
    cosine = np.where(odd, s, c) * np.where(late ^ odd, -1.0, 1.0)
    return sine[()], cosine[()]


def sines(x: Any) -> Any:
    """Return the sine of a number or an array."""
    return sines_cosines(x)[0]


def cosines(x: Any) -> Any:
    """Return the cosine of a number or an array."""
    return sines_cosines(x)[1]


def exponential(x: Any) -> Any:
    """Return e to the power x, a number or an array, for |x| of some hundred at most, to 13 digits."""
    part = x / 2.0**HALVINGS
    total = 1.0
    for k in range(EXPONENTIAL_TERMS, 0, -1):
        total = 1.0 + part * total / k
    for _ in range(HALVINGS):
        total = total * total
    return total


def logarithm(x: Any) -> Any:
    """Return the natural logarithm of positive numbers to 13 digits: 2 artanh((m − 1)/(m + 1)) for the mantissa m."""
    mantissa, exponent = np.frexp(x)  # exact
    ratio = (mantissa - 1.0) / (mantissa + 1.0)  # mantissas are in [½, 1): ratios in [−⅓, 0)
    square, total = ratio * ratio, 0.0
    for k in range(LOGARITHM_TERMS, 0, -1):
        total = 1.0 / (2 * k + 1) + square * total
    return exponent * LN_2 + 2.0 * ratio * (1.0 + square * total)


def arctangent(x: float) -> float:
    """Return the angle of a tangent to 13 digits: halved by atan x = 2 atan(x / (1 + √(1 + x²))), then a series."""
    for _ in range(ANGLE_HALVINGS):
        x = x / (1.0 + sqrt(1.0 + x * x))
    square, total = x * x, 0.0
    for k in range(ARCTANGENT_TERMS, 0, -1):
        total = -square * (total + 1.0 / (2 * k + 1))
    return 2.0**ANGLE_HALVINGS * (x + x * total)
