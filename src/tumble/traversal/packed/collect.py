"""Pairs from a walk over the blocks of a tree, on all cores: pieces of blocks, and buffers that grow.

A piece is a range of blocks that depends on the tree alone, never on the number of threads, and so does the result.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tumble.core.growing import Growing
from tumble.core.limits import PairCount
from tumble.core.parallel import run_pieces

PIECES = 96
"""the first blocks of a tree have the most to do, so pieces must be small"""
SMALLEST_PIECE = 32
FIRST_CAPACITY = 1 << 13

Walk = Callable[[int, int, int, int, int, int], int]
"""(start, stop, address of the keys, their capacity, limit, address of the count) -> block: see `walk_blocks`"""

NO_KEYS = np.empty(0, np.int64)


def all_keys(walk: Walk, blocks: int, threads: int) -> NDArray[np.int64]:
    """Return the keys of all pairs, in no order, and some perhaps more than once."""
    return _of_all_pieces(partial(_keys_of_piece, walk, PairCount()), blocks, threads)


def _of_all_pieces(run: Callable[[int, int], NDArray[np.int64]], blocks: int, threads: int) -> NDArray[np.int64]:
    """Return the keys that `run(start, stop)` finds for each range of blocks, one after the other."""
    size = max(SMALLEST_PIECE, -(-blocks // PIECES))
    pieces = -(-blocks // size)
    found = run_pieces(lambda piece: run(piece * size, min((piece + 1) * size, blocks)), pieces, threads)
    return np.concatenate([NO_KEYS, *found])


def _keys_of_piece(walk: Walk, budget: PairCount, start: int, stop: int) -> NDArray[np.int64]:
    keys, count = Growing(FIRST_CAPACITY), np.zeros(1, np.int64)
    counted = 0
    while True:
        free = keys.free
        start = walk(start, stop, free.ctypes.data, len(free), len(free), count.ctypes.data)
        capacity = keys.used + len(free)
        keys.advance(int(count[0]))
        if start == stop:
            budget.add(keys.used - counted)
            return keys.filled
        budget.add(capacity - counted)  # there are more than these: the walk stopped when the next one did not fit
        counted = capacity
        keys.grow(capacity)


def first_key(walk: Walk, blocks: int, threads: int) -> NDArray[np.int64]:
    """Return the key of the first pair of the first piece that has one, or no key."""
    best = [blocks]  # no piece after the one that starts here is needed

    def run(start: int, stop: int) -> NDArray[np.int64]:
        if start > best[0]:
            return NO_KEYS
        key, count = np.empty(1, np.int64), np.zeros(1, np.int64)
        if walk(start, stop, key.ctypes.data, 1, 0, count.ctypes.data) == stop:
            return NO_KEYS
        best[0] = min(best[0], start)
        return key

    return _of_all_pieces(run, blocks, threads)[:1]
