"""Random designs of the chip, which must find the pairs of `collide`."""

from __future__ import annotations

import numpy as np
from random_designs import check_random_design

Random = np.random.Generator


def case(rng: Random) -> None:
    """Judge one design."""
    check_random_design(rng)
