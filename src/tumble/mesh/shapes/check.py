"""Checks of shape parameters, which name the parameter and its value."""

from math import isfinite
from numbers import Real

import numpy as np

from tumble.errors import OptionError


def whole(name: str, value: int, least: int) -> int:
    """Return `value` as an int if it is a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise OptionError(f"{name} must be a whole number, {least} or more, not {value!r}")
    return int(value)


def positive(name: str, value: float) -> float:
    """Return `value` as a float if it is a finite positive number."""
    number = finite(name, value)
    if number <= 0:
        raise OptionError(f"{name} must be positive, not {value!r}")
    return number


def finite(name: str, value: float) -> float:
    """Return `value` as a float if it is a finite number."""
    if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
        raise OptionError(f"{name} must be a finite number, not {value!r}")
    return float(value)
