"""Which triangles touch: counted, collected, or the first pair kept and the search ended.

Two triangles are compared by the record `narrow`, one of the tests of `tumble.traversal.query`. One record serves all
three, so that each method and volume is compiled once for them: what differs is read at a touching pair only. A full
buffer never ends a search: it goes on counting, and `collect`, which then knows the number of pairs, asks again with a
buffer for all of them. Beyond the limit on pairs (`tumble.core.limits`) traversals end, and `collect` refuses.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import check_pairs
from tumble.narrow.touch import ExactTest, touch
from tumble.query.question import Asker, at_leaves, begin, by_overlap, pairs_kept

ALL = 2**62
"""more pairs than there can be"""
FIRST_CAPACITY = 1024
"""pairs of the first buffer; a second run is needed for more"""


@by_overlap
class Touching(NamedTuple):
    """Pairs, as far as the buffer reaches, and their true number."""

    found: NDArray[np.int64]
    """(1,): how many there are so far"""
    pairs: NDArray[np.int64]
    """(n, 2): the first n of them"""
    most: int
    """pairs at which the search ends"""
    limited: int
    """1 if pairs are kept, and count against the limit; else 0"""
    narrow: Any = ExactTest()


def counting(narrow: Any) -> Touching:
    """Return the question for the number of pairs alone."""
    return Touching(np.zeros(1, np.int64), np.empty((0, 2), np.int64), ALL, 0, narrow)


def collecting(narrow: Any, capacity: int) -> Touching:
    """Return the question for all pairs, with a buffer of this capacity."""
    return Touching(np.zeros(1, np.int64), np.empty((capacity, 2), np.int64), ALL, 1, narrow)


def count(asker: Asker, counters: Any = None) -> int:
    """Return the number of touching pairs."""
    question = counting(asker.narrow)
    asker.ask(question, counters)
    return int(question.found[0])


def first(asker: Asker, counters: Any = None) -> NDArray[np.int64]:
    """Return the first touching pair that the traversal meets, as (1, 2), or (0, 2) when there is none."""
    question = Touching(np.zeros(1, np.int64), np.empty((1, 2), np.int64), 1, 0, asker.narrow)
    asker.ask(question, counters)
    return question.pairs[: question.found[0]]


def collect(asker: Asker, counters: Any = None) -> NDArray[np.int64]:
    """Return all touching pairs, in the order of the traversal: ask until all of them fit."""
    capacity = FIRST_CAPACITY
    while True:
        question = collecting(asker.narrow, capacity)
        asker.ask(question, counters)
        found = int(question.found[0])
        check_pairs(found)
        if found <= capacity:
            return question.pairs[:found]
        capacity = found


@begin.register(Touching)
def _begin(question):
    question.found[0] = 0


@pairs_kept.register(Touching)
def _kept(question):
    return question.limited * question.found[0]


@at_leaves.register(Touching)
def _add(question, a, p, b, q, poses):
    if not touch(question.narrow, a, p, b, q, poses):
        return False
    k = question.found[0]
    if k < question.pairs.shape[0]:
        question.pairs[k, 0] = p
        question.pairs[k, 1] = q
    question.found[0] = k + 1
    return k + 1 >= question.most
