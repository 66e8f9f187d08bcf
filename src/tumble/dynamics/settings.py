"""The settings of a simulation: one frozen record, checked when it is made; and single numbers, checked likewise."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import InputError, OptionError
from tumble.mesh.arrays import three_numbers

COUNTS = ("substeps", "iterations", "push_iterations")
LENGTHS = ("slop", "match_distance", "push_speed", "bounce_speed", "sleep_speed", "tolerance", "fastest")


@dataclass(frozen=True)
class Settings:
    """How accurately a `World` computes; lengths suit bodies of about a metre, see `for_size`."""

    substeps: int = 8
    """parts of a step; more make stacks stiffer and impacts more punctual, and cost as many solves"""
    iterations: int = 8
    """Gauss–Seidel sweeps over the velocities in a substep, at most"""
    tolerance: float = 1e-6
    """m/s; sweeps end early when none of the velocities changed by more"""
    push_iterations: int = 8
    """sweeps of the push that takes bodies out of each other, in a substep"""
    slop: float = 0.001
    """m; depth at which two meshes rest in each other, so that the contact is found again at the next step; where it is
    larger, patches of contact grow together, and their normals and depths jump"""
    push_rate: float = 80.0
    """1/s; share of the depth beyond the slop that is removed per second, at most all of it in a substep"""
    push_speed: float = 2.0
    """m/s; but never faster than this, or bodies that start inside each other would be shot apart"""
    bounce_speed: float = 0.2
    """m/s; slower impacts do not bounce, or nothing would come to rest"""
    calm_rate: float = 4.0
    """1/s; share of its spin that a body loses per second while it touches something, slower than `bounce_speed`"""
    match_distance: float = 0.02
    """m; a contact whose key is new takes over the impulse of the nearest one of the last step within this"""
    sleep_speed: float = 0.05
    """m/s; a body is quiet while no point of it gets farther than this speed takes it in `sleep_time`"""
    sleep_time: float = 0.5
    """s; bodies that touch each other sleep when all have been quiet for this time; inf: never"""
    fastest: float = 1e4
    """m/s; a body that is faster has exploded, which is an error"""
    continuous: bool = False
    """whether bodies that are too fast for one look per step are stopped at their times of impact, so that they do not
    pass through thin walls, nor through each other; see `World.add_body` for single bodies"""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "continuous":
                if not isinstance(value, bool):
                    raise OptionError(f"continuous must be True or False, not {value!r}")
            elif field.name in COUNTS:
                if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                    raise OptionError(f"{field.name} must be a whole number from 1, not {value!r}")
            elif not isinstance(value, int | float) or not (value >= 0):
                raise OptionError(f"{field.name} must be a number that is not negative, not {value!r}")
            elif not isfinite(value) and field.name != "sleep_time":
                raise OptionError(f"{field.name} must be finite, not {value!r}")

    @classmethod
    def for_size(cls, size: float, **others: float) -> Settings:
        """Return settings whose lengths suit bodies of a size other than one metre; other fields by name."""
        if not (isfinite(size) and size > 0):
            raise OptionError(f"the size of a body must be positive and finite, not {size!r}")
        plain = cls()
        return replace(plain, **{**{name: size * getattr(plain, name) for name in LENGTHS}, **others})


def vector(values: ArrayLike, what: str) -> NDArray[np.float64]:
    """Return three finite numbers as an array, or say which of them is at fault."""
    return three_numbers(values, what, InputError)


def number(value: Any, what: str, low: float, high: float = inf, *, above: bool = False) -> float:
    """Return one finite number from low (or, if `above`, above it) to high."""
    try:
        found = float(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{what} must be a number, not {value!r}") from error
    if not isfinite(found) or found < low or found > high or (above and found == low):
        least = f"above {low:g}" if above else f"at least {low:g}"
        most = "" if high == inf else f" and at most {high:g}"
        raise InputError(f"{what} must be finite, {least}{most}; found {value!r}")
    return found
