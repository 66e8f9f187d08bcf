"""Units of length, and coordinates converted from one to another.

All units are a whole number of micrometres, so a factor is a fraction. Coordinates are multiplied by its numerator and
divided by its denominator; where one of them is 1, as between mm and m, the result is rounded once, and is exact when
float64 holds it. Both steps keep the order of numbers: what was equal stays equal, and planes along the axes stay flat.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.errors import OptionError

MICROMETRES = {"um": 1, "mm": 1_000, "cm": 10_000, "m": 1_000_000, "in": 25_400, "ft": 304_800}
UNITS = tuple(MICROMETRES)


def check_unit(unit: Any, option: str) -> None:
    """Refuse what is not the name of a unit, or None."""
    if unit is not None and unit not in UNITS:
        raise OptionError(f"{option} must be one of {', '.join(UNITS)}, not {unit!r}")


def converted(values: NDArray[np.float64], unit: str, to: str) -> NDArray[np.float64]:
    """Return lengths in another unit."""
    factor = Fraction(MICROMETRES[unit], MICROMETRES[to])
    if factor.numerator != 1:
        values = values * float(factor.numerator)
    return values if factor.denominator == 1 else values / float(factor.denominator)


def unit_of_metres(metres: float) -> str | None:
    """Return the unit that has this length in metres, up to the rounding of a written number."""
    for unit, micrometres in MICROMETRES.items():
        if abs(metres * 1e6 - micrometres) <= 1e-6 * micrometres:
            return unit
    return None
