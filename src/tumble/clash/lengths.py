"""Lengths with units: "0.1mm" as the unit of the parts counts it."""

import math
import re

import numpy as np

from tumble.errors import OptionError
from tumble.mesh.units import UNITS, converted

_LENGTH = re.compile(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([A-Za-zµμ]*)\s*")


def length_in(text: str | float, unit: str | None, what: str) -> float:
    """Return a length such as "0.1mm" or 0.1 as a number in a unit; what has none is taken as it is.

    unit   that of the parts; None if it is not known, and then only plain numbers are
    what   what messages call it
    """
    found = _LENGTH.fullmatch(str(text))
    if found is None:
        raise OptionError(f"{what} must be a length such as 0.1mm or 0.1, not {text!r}")
    own = found[2].replace("µ", "u").replace("μ", "u")
    try:
        number = float(found[1])
    except ValueError:
        raise OptionError(f"{what} must be a length such as 0.1mm or 0.1, not {text!r}") from None
    if own and own not in UNITS:
        raise OptionError(f"{what} is {text!r}, and {own!r} is not a unit; use one of: {', '.join(UNITS)}")
    if own and unit is None:
        raise OptionError(
            f"{what} is {text!r}, but the files state no unit of length; say it with --unit, or give a plain number"
        )
    if own and unit is not None:
        number = float(converted(np.array(number), own, unit))
    if not 0.0 <= number < math.inf:
        raise OptionError(f"{what} must be a finite length from 0, not {text!r}")
    return number
