"""A pair as one number, so that pairs sort fast: the first of the two in the upper half; and rows, each once."""

from typing import Any, NamedTuple

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
    """Return (n, 2) pairs in order, each once."""
    keys = np.unique(keys_of_pairs(pairs))
    return np.stack([keys >> 32, keys & LOWER_HALF], axis=1)


class UniqueRows(NamedTuple):
    """Rows in order, each once."""

    rows: NDArray[Any]
    first: NDArray[np.int64]
    """(k,) where each stands first among those given"""
    which: NDArray[np.int64]
    """(n,) which of them each of those given is"""


def unique_rows(rows: NDArray[Any]) -> UniqueRows:
    """Return the different rows of an (n, m) array, in lexicographic order.

    NumPy's own way, unique(axis=0), makes a TypeError of what a signal handler raises amid it.
    """
    order = np.lexsort(rows.T[::-1])  # stable: of equal ones the first stays first
    ordered = rows[order]
    new = np.ones(len(rows), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    which = np.empty(len(rows), np.int64)
    which[order] = np.cumsum(new) - 1
    return UniqueRows(ordered[new], order[new], which)
