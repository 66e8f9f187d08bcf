"""Options as users give them: anything at all, so not even == can be trusted to give a truth value."""

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np

from tumble.errors import OptionError


def whole_number(given: Any) -> int | None:
    """Return a whole number, or None when it is something else; True and False are no numbers."""
    if isinstance(given, bool):
        return None
    try:
        return index(given)
    except TypeError:  # arrays have __index__ too, and refuse it
        return None


def checked_name(what: str, name: str, names: Sequence[str]) -> str:
    """Return a name, or raise OptionError with the names that there are."""
    if not isinstance(name, str) or name not in names:
        raise OptionError(f"unknown {what} {name!r}; choose one of: {', '.join(names)}")
    return name


def checked_integer(name: str, value: int, low: int, high: int) -> int:
    """Return a whole number within limits, or raise OptionError."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise OptionError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return int(value)


def is_cpu(device: Any) -> bool:
    """Tell whether a device is the CPU; arrays, which compare element by element, are not."""
    return isinstance(device, str) and device == "cpu"


def refuse_arrays(**options: Any) -> None:
    """Raise OptionError for the first option that is an array: one that has no truth value, or compares to no word."""
    for name, given in options.items():
        try:
            bool(given == "")
            bool(given)
        except (ValueError, TypeError) as error:
            raise OptionError(f"{name}= must be one word or truth value, not {given!r}") from error
