"""Ratios and how they are summed up: within rounds, over rounds, over cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LOW, HIGH = 10, 90


@dataclass(frozen=True)
class Quantiles:
    """The median of some rounds, and the values that a tenth of them lie below and above."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Quantiles:
        """The summary of one value a round."""
        low, median, high = np.percentile(values, [LOW, 50, HIGH])
        return cls(float(median), float(low), float(high))


def per_round(theirs: Sequence[float], ours: Sequence[float]) -> Quantiles:
    """How many times as long they take, round by round: what slows one round slows both.

    Who runs for context drops out after a few rounds: only those that both ran count.
    """
    return Quantiles.of([their / our for their, our in zip(theirs, ours, strict=False)])


def geometric_mean(ratios: Sequence[float]) -> float:
    """The mean of ratios: twice as fast here and half as fast there is 1; NaN of nothing."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
