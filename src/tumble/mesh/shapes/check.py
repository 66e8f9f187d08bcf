"""Checks of shape parameters, which name the parameter and its value."""

from math import isfinite, nan
from numbers import Real

import numpy as np

from tumble.errors import OptionError
from tumble.mesh.arrays import MAX_COORDINATE, MAX_COUNT

MOST_SEED = 2**128 - 1


def whole(name: str, value: int, least: int, most: int = MAX_COUNT) -> int:
    """Return `value` as an int if it is a whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise OptionError(f"{name} must be a whole number, {least} or more, not {value!r}")
    number = int(value)
    if number > most:
        # Python does not print numbers of thousands of digits
        shown = number if number < 10**20 else f"2**{number.bit_length() - 1} or more"
        raise OptionError(f"{name} must be at most {most}, not {shown}")
    return number


def check_triangles(count: float) -> None:
    """Refuse a shape of more triangles than a mesh can have."""
    if count > MAX_COUNT:
        raise OptionError(f"the shape would have {count:.0f} triangles; a mesh has at most {MAX_COUNT}")


def positive(name: str, value: float) -> float:
    """Return `value` as a float if it is a positive number that a coordinate may be."""
    number = finite(name, value)
    if number <= 0:
        raise OptionError(f"{name} must be positive, not {value!r}")
    return number


def squarable(name: str, value: float) -> float:
    """Return `value` as a float if it is positive and its square does not vanish."""
    number = positive(name, value)
    if number < 1 / MAX_COORDINATE:
        raise OptionError(f"{name} must be at least {1 / MAX_COORDINATE:g}, not {value!r}; shrink a larger shape")
    return number


def finite(name: str, value: float) -> float:
    """Return `value` as a float if it is a number that a coordinate may be."""
    try:
        number = nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    except OverflowError:
        raise OptionError(f"{name} must be a finite number; this one is beyond float64") from None
    if not isfinite(number):
        raise OptionError(f"{name} must be a finite number, not {value!r}")
    if abs(number) > MAX_COORDINATE:
        raise OptionError(f"{name} must be within ±{MAX_COORDINATE:g}, not {value!r}")
    return number
