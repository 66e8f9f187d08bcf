"""Whether answers are the same: the order in which triangle pairs are reported does not matter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Pairs = NDArray[np.int64]


def pair_keys(pairs: Pairs) -> NDArray[np.int64]:
    """The (k, 2) triangle pairs of an answer as sorted numbers, one for each pair."""
    return np.sort(pairs[:, 0] << 32 | pairs[:, 1])


def wrong_answers(answers: Sequence[Pairs], truth: Sequence[Pairs]) -> int:
    """How many answers have other triangle pairs than the truth; a pair that comes twice is another."""
    both = zip(answers, truth, strict=True)
    return sum(not np.array_equal(pair_keys(found), pair_keys(right)) for found, right in both)
