"""Ratios and how they are summed up: within rounds, over rounds, over cases, and how well they are known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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


# How sure an interval is: one in twenty does not contain the median that more and more rounds would lead to.
CONFIDENCE = 0.95
# All of n rounds lie on one side of the median once in 2ⁿ⁻¹ times: for 95 % it takes six.
DECIDING_ROUNDS = 6


class Interval(NamedTuple):
    """A ratio that was measured in several rounds, and between what it lies once noise is allowed for."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Interval:
        """The median of some rounds, and its confidence interval.

        The interval is the shortest symmetric pair of order statistics that contains the median with `CONFIDENCE`,
        whatever the distribution: each round falls below the true median with probability 1/2, so the k-th smallest
        exceeds it as often as a coin thrown n times shows fewer than k heads. Fewer than `DECIDING_ROUNDS` do not
        suffice, whatever they say: then the ratio may be anything.
        """
        ordered = sorted(map(float, values))
        if len(ordered) < DECIDING_ROUNDS:
            return cls(float(np.median(ordered)), 0.0, math.inf)
        outside, skipped = 0.0, 0
        for k in range((len(ordered) - 1) // 2):
            outside += 2 * math.comb(len(ordered), k) / 2 ** len(ordered)
            if outside > 1 - CONFIDENCE:
                break
            skipped = k
        return cls(float(np.median(ordered)), ordered[skipped], ordered[-1 - skipped])

    def below(self, limit: float) -> bool | None:
        """Whether the ratio is below a limit; None where noise is larger than the difference."""
        return True if self.high < limit else False if self.low >= limit else None

    def above(self, limit: float) -> bool | None:
        """Whether the ratio is above a limit; None where noise is larger than the difference."""
        return True if self.low > limit else False if self.high <= limit else None

    def within(self, factor: float) -> bool | None:
        """Whether two things take equal time but for a factor, either way; None where that cannot be said."""
        if self.low > factor or self.high < 1 / factor:
            return False
        return True if 1 / factor <= self.low and self.high <= factor else None

    def widened(self, factor: float) -> Interval:
        """The ratio where all rounds of a run may be off by one factor, either way; what is printed stays a point."""
        return self if self.low == self.high else Interval(self.value, self.low / factor, self.high * factor)

    def inverse(self) -> Interval:
        """The ratio the other way round."""
        return Interval(1.0, 1.0, 1.0).over(self)

    def over(self, other: Interval) -> Interval:
        """The quotient of two ratios that were measured apart: the farthest ends count."""
        high = self.high / other.low if other.low > 0 else math.inf
        return Interval(self.value / other.value, self.low / other.high, high)


def mean_interval(ratios: Sequence[Interval]) -> Interval:
    """The geometric mean of ratios, and how well it is known; NaN of nothing.

    Errors of different cases are independent, so their logarithms add up like the sides of a right angle.
    """
    if not ratios:
        return Interval(math.nan, math.nan, math.nan)
    mean = geometric_mean([each.value for each in ratios])
    down = math.hypot(*(math.log(each.value / each.low) if each.low > 0 else math.inf for each in ratios)) / len(ratios)
    up = math.hypot(*(math.log(each.high / each.value) for each in ratios)) / len(ratios)
    return Interval(mean, mean * math.exp(-down), mean * math.exp(up))
