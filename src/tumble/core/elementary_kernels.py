"""Elementary functions in kernels: the formulas of `tumble.core.elementary`, and the same bits."""

from math import sqrt

import numpy as np

from tumble.core.elementary import HALF_TURNS, PI, arctangent, cosine_near_zero, reduced, sine_near_zero
from tumble.core.jit import inlined_kernel

_reduced, _sine, _cosine = (inlined_kernel(each) for each in (reduced, sine_near_zero, cosine_near_zero))
_arctangent = inlined_kernel(arctangent)


@inlined_kernel
def sine_cosine(x):
    """Return the sine and the cosine of an angle; NaN for what is not finite."""
    turns = np.floor(x * HALF_TURNS + 0.5)
    r = _reduced(x, turns)
    s, c = _sine(r), _cosine(r)
    quarter = turns - 4.0 * np.floor(0.25 * turns)
    if quarter == 1.0:
        return c, -s
    if quarter == 2.0:
        return -s, -c
    if quarter == 3.0:
        return -c, s
    return s, c


@inlined_kernel
def angle_of(x, y):
    """Return the angle of the direction (x, y) from (1, 0), from −π to π; 0 for the zero vector."""
    size = sqrt(x * x + y * y)
    if size == 0.0:
        return 0.0
    half = 2.0 * _arctangent(y / (size + abs(x)))
    if x >= 0.0:
        return half
    return PI - half if y >= 0.0 else -PI - half
