"""Checks of what `build` is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tumble.errors import OptionError

if TYPE_CHECKING:
    from tumble.volume import VolumeKind


def checked_volume(volume: str, names: Sequence[str] | None = None) -> str:
    """Return the name of a bounding volume, or raise OptionError with the names that there are."""
    return checked_name("volume", volume, tuple(kinds()) if names is None else names)


def kinds() -> dict[str, VolumeKind]:
    """Return the table of bounding volumes; loaded on first use, as it brings the compiler."""
    from tumble.volume import KINDS

    return KINDS


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
