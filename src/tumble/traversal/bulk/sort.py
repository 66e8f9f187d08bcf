"""Keys in order, on all cores: halved about their median until each has a part to sort."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from tumble.core.parallel import run_pieces

FEWEST = 1 << 15  # keys that are worth another thread


def sort_keys(keys: NDArray[np.int64], threads: int) -> None:
    """Sort in place."""
    parts = _parts(keys, threads)
    run_pieces(lambda number: parts[number].sort(), len(parts), threads)


def sorted_pairs(keys: NDArray[np.int64], less: np.int64, threads: int) -> NDArray[np.int64]:
    """Return frozen (k, 2) sorted pairs of keys, from each of which `less` is taken; the keys are used up."""
    parts = _parts(keys, threads)
    ends = np.cumsum([len(part) for part in parts])
    pairs = np.empty((len(keys), 2), np.int64)

    def write(number: int) -> None:
        part, end = parts[number], ends[number]
        part.sort()
        part -= less
        np.right_shift(part, 32, out=pairs[end - len(part) : end, 0])
        np.bitwise_and(part, 0xFFFFFFFF, out=pairs[end - len(part) : end, 1])

    run_pieces(write, len(parts), threads)
    pairs.flags.writeable = False
    return pairs


def _parts(keys: NDArray[np.int64], threads: int) -> list[NDArray[np.int64]]:
    """Return parts of the array, of which none has a key that belongs before the one in front of it."""
    # partition by the median, then sort the parts apart: two halves on two cores, and no merge at the end
    parts = [keys]
    while len(parts) < threads and len(parts[-1]) >= 2 * FEWEST:
        halves = run_pieces(partial(_halved, parts), len(parts), threads)
        parts = [half for both in halves for half in both]
    return parts


def _halved(parts: list[NDArray[np.int64]], number: int) -> list[NDArray[np.int64]]:
    part, middle = parts[number], len(parts[number]) // 2
    part.partition(middle)
    return [part[:middle], part[middle:]]
