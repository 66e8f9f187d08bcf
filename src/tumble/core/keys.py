"""A pair as one number, so that pairs sort fast: the first of the two in the upper half."""

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int64]

LOWER_HALF = 0xFFFFFFFF


def keys_of_pairs(pairs: NDArray[np.int64]) -> Keys:
    """Return the key of each of (k, 2) pairs."""
    return pairs[:, 0] << 32 | pairs[:, 1]


def pairs_of_keys(keys: Keys) -> NDArray[np.int64]:
    """Return the frozen (k, 2) pairs of keys."""
    pairs = np.empty((len(keys), 2), np.int64)
    np.right_shift(keys, 32, out=pairs[:, 0])
    np.bitwise_and(keys, LOWER_HALF, out=pairs[:, 1])
    pairs.flags.writeable = False
    return pairs


def unique_pairs(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (n, 2) pairs in order, each once.

    NumPy's own way with rows, unique(axis=0), makes a TypeError of what a signal handler raises amid it.
    """
    keys = np.unique(keys_of_pairs(pairs))
    return np.stack([keys >> 32, keys & LOWER_HALF], axis=1)
