"""What a traversal did, in the columns of papers `stackless` and `chip`; compiled away when nobody asks."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import generic

ITERATIONS = 0
"""turns of the traversal's loop"""
TESTS = 1
"""overlap tests of two volumes"""
OVERLAPS = 2
"""of those, how many overlapped (the paper's "standard overlaps")"""
LEAF_OVERLAPS = 3
"""of those, how many were two leaves"""
MOVES = 4
"""volumes of b moved into a's frame (the paper `chip`'s tumbled nodes, when each is moved once)"""
TRIANGLE_TESTS = 5
"""pairs of triangles tested (its polygon checks)"""
COLUMNS = 6


class Counters(NamedTuple):
    """One number for each column."""

    values: NDArray[np.int64]


@generic
def tally(counters, column):
    """Add one to a column; nothing at all when counters is None."""


@tally.register(Counters)
def _tally(counters, column):
    counters.values[column] += 1


@tally.register(type(None))
def _ignore(counters, column):
    pass
