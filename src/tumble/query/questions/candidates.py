"""Which triangles are in leaves whose volumes overlap: all that a traversal would hand to the triangle test."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.query.question import Asker, at_leaves, begin, by_overlap, pairs_kept
from tumble.query.questions.touching import append_pair, begin_at_none, collected


@by_overlap
class CandidatePairs(NamedTuple):
    """All pairs, as far as the buffer reaches, and their true number."""

    found: NDArray[np.int64]
    pairs: NDArray[np.int64]


def candidates(asker: Asker, counters: Any = None) -> NDArray[np.int64]:
    """Return the (k, 2) triangles whose leaves overlap, in the order of the traversal."""
    return collected(asker, _question, counters)


def _question(capacity: int) -> CandidatePairs:
    return CandidatePairs(np.zeros(1, np.int64), np.empty((capacity, 2), np.int64))


begin.register(CandidatePairs)(begin_at_none)


@pairs_kept.register(CandidatePairs)
def _all_kept(question):
    return question.found[0]


@at_leaves.register(CandidatePairs)
def _append(question, a, p, b, q, poses):
    append_pair(question.found, question.pairs, p, q)
    return False
