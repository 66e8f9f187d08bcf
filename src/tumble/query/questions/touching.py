"""Which triangles touch: counted, collected, or the first pair kept and the search ended.

Two triangles are compared by the record `narrow`, one of the tests of `tumble.narrow.choice`. A full buffer never ends
a search: `Collect` goes on counting, and `collect`, which then knows the number of pairs, asks again with a buffer for
all of them. Beyond the limit on pairs (`tumble.core.limits`) traversals end, and `collect` refuses.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel
from tumble.core.limits import check_pairs
from tumble.narrow.touch import ExactTest, touch
from tumble.query.question import Asker, at_leaves, begin, by_overlap, pairs_kept

FIRST_CAPACITY = 1024
"""pairs of the first buffer; a second run is needed for more"""


@by_overlap
class Count(NamedTuple):
    """Only the number of pairs."""

    found: NDArray[np.int64]
    narrow: Any = ExactTest()


@by_overlap
class Collect(NamedTuple):
    """All pairs, as far as the buffer reaches, and their true number."""

    found: NDArray[np.int64]
    pairs: NDArray[np.int64]
    narrow: Any = ExactTest()


@by_overlap
class First(NamedTuple):
    """The first pair, then stop."""

    found: NDArray[np.int64]
    pairs: NDArray[np.int64]
    narrow: Any = ExactTest()


def count(asker: Asker, counters: Any = None) -> int:
    """Return the number of touching pairs."""
    question = Count(np.zeros(1, np.int64), asker.narrow)
    asker.ask(question, counters)
    return int(question.found[0])


def first(asker: Asker, counters: Any = None) -> NDArray[np.int64]:
    """Return the first touching pair that the traversal meets, as (1, 2), or (0, 2) when there is none."""
    question = First(np.zeros(1, np.int64), np.empty((1, 2), np.int64), asker.narrow)
    asker.ask(question, counters)
    return question.pairs[: question.found[0]]


def collect(asker: Asker, counters: Any = None) -> NDArray[np.int64]:
    """Return all touching pairs, in the order of the traversal."""
    return collected(asker, lambda found, pairs: Collect(found, pairs, asker.narrow), counters)


def collected(asker: Asker, make: Any, counters: Any) -> NDArray[np.int64]:
    """Ask the question that `make` gives for an array of the number found and a buffer, until all pairs fit."""
    capacity = FIRST_CAPACITY
    while True:
        question = make(np.zeros(1, np.int64), np.empty((capacity, 2), np.int64))
        asker.ask(question, counters)
        found = int(question.found[0])
        check_pairs(found)
        if found <= capacity:
            pairs: NDArray[np.int64] = question.pairs[:found]
            return pairs
        capacity = found


@inlined_kernel
def append_pair(found, pairs, p, q):
    """Count a pair, and keep it as long as the buffer reaches."""
    k = found[0]
    if k < pairs.shape[0]:
        pairs[k, 0] = p
        pairs[k, 1] = q
    found[0] = k + 1


def begin_at_none(question):
    """Implement `begin` for questions that count pairs."""
    question.found[0] = 0


def all_found(question):
    """Implement `pairs_kept` for questions that keep all pairs."""
    return question.found[0]


@pairs_kept.register(Count)
@pairs_kept.register(First)
def _none_kept(question):
    return np.int64(0)


for _record in (Count, Collect, First):
    begin.register(_record)(begin_at_none)
pairs_kept.register(Collect)(all_found)


@at_leaves.register(Count)
def _count(question, a, p, b, q, poses):
    if touch(question.narrow, a, p, b, q, poses):
        question.found[0] += 1
    return False


@at_leaves.register(Collect)
def _collect(question, a, p, b, q, poses):
    if touch(question.narrow, a, p, b, q, poses):
        append_pair(question.found, question.pairs, p, q)
    return False


@at_leaves.register(First)
def _first(question, a, p, b, q, poses):
    if not touch(question.narrow, a, p, b, q, poses):
        return False
    question.pairs[0, 0] = p
    question.pairs[0, 1] = q
    question.found[0] = 1
    return True
