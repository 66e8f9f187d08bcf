"""Where touching triangle pairs go: counted, collected, or the first one kept and the search ended.

`emit` takes a pair and returns True when the traversal should stop. A full buffer is never an end: `Collect` goes on
counting, and the caller, who then knows how many there are, makes room and asks again. Beyond `tumble.limits` the
traversals end, and the caller refuses.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import generic


class Count(NamedTuple):
    """Only the number of pairs."""

    found: NDArray[np.int64]


class Collect(NamedTuple):
    """All pairs, as far as the buffer reaches, and their true number."""

    found: NDArray[np.int64]
    pairs: NDArray[np.int64]


class First(NamedTuple):
    """The first pair, then stop."""

    found: NDArray[np.int64]
    pairs: NDArray[np.int64]


@generic
def emit(sink, i, j):
    """Take the touching triangles i and j; return whether to stop."""


@generic
def pairs_kept(sink):
    """Return how many pairs a sink is to keep so far: those that a limit counts."""


@pairs_kept.register(Count)
@pairs_kept.register(First)
def _none_kept(sink):
    return np.int64(0)


@pairs_kept.register(Collect)
def _all_kept(sink):
    return sink.found[0]


@emit.register(Count)
def _count(sink, i, j):
    sink.found[0] += 1
    return False


@emit.register(Collect)
def _collect(sink, i, j):
    k = sink.found[0]
    if k < sink.pairs.shape[0]:
        sink.pairs[k, 0] = i
        sink.pairs[k, 1] = j
    sink.found[0] = k + 1
    return False


@emit.register(First)
def _first(sink, i, j):
    sink.pairs[0, 0] = i
    sink.pairs[0, 1] = j
    sink.found[0] = 1
    return True
