"""Numbers that users give, checked once at the boundary."""

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import InputError
from tumble.mesh.arrays import three_numbers


def vector(values: ArrayLike, what: str) -> NDArray[np.float64]:
    """Return three finite numbers as an array, or say which of them is at fault."""
    return three_numbers(values, what, InputError)


def number(value: Any, what: str, low: float, high: float = np.inf, *, above: bool = False) -> float:
    """Return one finite number from low (or, if `above`, above it) to high."""
    try:
        found = float(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{what} must be a number, not {value!r}") from error
    if not isfinite(found) or found < low or found > high or (above and found == low):
        least = f"above {low:g}" if above else f"at least {low:g}"
        most = "" if high == np.inf else f" and at most {high:g}"
        raise InputError(f"{what} must be finite, {least}{most}; found {value!r}")
    return found
