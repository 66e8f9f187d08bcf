"""A question that keeps every pair of triangles whose leaves overlap: all that reaches the triangle test."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.query.question import at_leaves, begin, by_overlap, pairs_kept


@by_overlap
class CandidatePairs(NamedTuple):
    """All pairs, as far as the buffer reaches, and their true number."""

    found: NDArray[np.int64]
    pairs: NDArray[np.int64]


def candidates(query, capacity):
    """The triangles whose leaves overlap, in the order of the traversal; there must be room for all."""
    question = CandidatePairs(np.zeros(1, np.int64), np.empty((capacity, 2), np.int64))
    query.ask(question)
    return question.pairs[: question.found[0]]


@begin.register(CandidatePairs)
def _begin(question):
    question.found[0] = 0


@pairs_kept.register(CandidatePairs)
def _all_kept(question):
    return question.found[0]


@at_leaves.register(CandidatePairs)
def _append(question, a, p, b, q, poses):
    question.pairs[question.found[0], 0], question.pairs[question.found[0], 1] = p, q
    question.found[0] += 1
    return False
