"""Random configurations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.core.memory import check_memory
from tumble.core.options import whole_number
from tumble.errors import OptionError
from tumble.robot.kinematics import BLOCK, TURNS, Kinematics

FREE_TURN, FREE_SLIDE = np.pi, 1.0
"""how far a joint without limits goes each way"""
MOST = 100_000_000


def sampled_limits(
    kinematics: Kinematics, limits: NDArray[np.float64], most: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return (joints, 2) finite limits; those beyond what is supported are as good as none."""
    turning = np.zeros(len(limits), bool)
    turning[kinematics.columns[kinematics.kinds == TURNS]] = True
    free = np.minimum(np.where(turning, FREE_TURN, FREE_SLIDE), most)
    low = np.where(limits[:, 0] < -most, _before(limits[:, 1], free, most), limits[:, 0])
    high = np.where(limits[:, 1] > most, -_before(-limits[:, 0], free, most), limits[:, 1])
    return np.stack([low, high], axis=1)


def _before(end: NDArray[np.float64], free: NDArray[np.float64], most: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where joints start that only end: at -free, or before an end that is lower than that."""
    return np.where(end > -free, -free, np.maximum(end - free, -most))


def checked_count(count: int, least: int = 0) -> int:
    """Return a number of configurations, or raise OptionError."""
    number = whole_number(count)
    if number is None or not least <= number <= MOST:
        raise OptionError(
            f"the number of configurations must be a whole number from {least} to {MOST:,}, not {count!r}"
        )
    return number


def generator(seed: int | np.random.Generator) -> np.random.Generator:
    """Return what makes random numbers; from a seed, the same ones each time."""
    if not isinstance(seed, np.random.Generator) and ((start := whole_number(seed)) is None or start < 0):
        raise OptionError(f"seed must be a whole number from 0, or a numpy.random.Generator, not {seed!r}")
    return np.random.default_rng(seed)


def random_rows(limits: NDArray[np.float64], count: int, seed: int | np.random.Generator) -> NDArray[np.float64]:
    """Return (count, joints) rows, uniform within finite limits; so many at once as so many one after the other."""
    number, rng = checked_count(count), generator(seed)
    check_memory(8 * number * len(limits), f"{number:,} configurations")
    rows = np.empty((number, len(limits)))
    for start in range(0, number, BLOCK):  # between two blocks signals are heard
        some = rows[start : start + BLOCK]
        rng.random(out=some)
        some *= limits[:, 1] - limits[:, 0]
        some += limits[:, 0]
        np.minimum(some, limits[:, 1], out=some)
    return rows
