"""A pair of bodies as one number, so that pairs sort fast: the smaller slot in the upper half."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import check_pairs

Keys = NDArray[np.int64]

LOWER_HALF = 0xFFFFFFFF
FIRST_CAPACITY = 4096


class KeyBuffer:
    """Room for the keys that a kernel finds, kept from call to call and grown when it was too small."""

    def __init__(self) -> None:
        self.keys = np.empty(FIRST_CAPACITY, np.int64)

    def filled(self, fill: Callable[[Keys], int]) -> Keys:
        """Call `fill` with room for its keys, again if it returns a larger number than fitted; return a view."""
        count = fill(self.keys)
        check_pairs(count, "these are pairs of bodies whose boxes meet: filter groups of them, or ask for fewer")
        if count > len(self.keys):
            self.keys = np.empty(count + count // 4, np.int64)
            count = fill(self.keys)
        return self.keys[:count]


def pairs_of_keys(keys: Keys) -> NDArray[np.int64]:
    """Return (k, 2): the two slots of each key."""
    return np.stack((keys >> 32, keys & LOWER_HALF), axis=1)


def keys_of_pairs(first: NDArray[np.int64], second: NDArray[np.int64]) -> Keys:
    """Return the key of each two slots, given in either order."""
    return np.minimum(first, second) << 32 | np.maximum(first, second)
