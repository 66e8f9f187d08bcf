"""Timing as the papers do it: many repetitions inside one timer, the whole of it many times over.

Everything that competes is run in turn within each round, so that a machine that slows down for a while (a
busy neighbour, a hot processor) slows all of them and not only the one that happened to run then.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from time import perf_counter

# What competes, by name: each is called with the number of repetitions to run.
Contestants = Mapping[str, Callable[[int], object]]


@dataclass(frozen=True)
class Plan:
    """How long to measure: each contestant's repetitions inside one timer, and how often that is timed."""

    repetitions: Mapping[str, int]
    rounds: int


@dataclass(frozen=True)
class Timing:
    """Seconds for one timer's worth of repetitions, over all rounds."""

    min: float
    max: float
    mean: float
    deviation: float
    median: float

    @classmethod
    def of(cls, seconds: list[float]) -> Timing:
        """The summary of some rounds (the deviation is the population's: no further round is estimated)."""
        return cls(
            min=min(seconds),
            max=max(seconds),
            mean=statistics.fmean(seconds),
            deviation=statistics.pstdev(seconds),
            median=statistics.median(seconds),
        )

    def as_dict(self) -> dict[str, float]:
        """The fields by name."""
        return asdict(self)


def time_in_turn(
    contestants: Contestants, plan: Plan, after_round: Callable[[int], object] = lambda done: None
) -> dict[str, Timing]:
    """Time every contestant `plan.rounds` times, in turn; `after_round` is told how many rounds are done."""
    return {name: Timing.of(values) for name, values in seconds_in_turn(contestants, plan, after_round).items()}


def seconds_in_turn(
    contestants: Contestants, plan: Plan, after_round: Callable[[int], object] = lambda done: None
) -> dict[str, list[float]]:
    """The same, round by round: ratios within a round are what a busy machine disturbs least."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for done in range(1, plan.rounds + 1):
        for name, repeat in contestants.items():
            start = perf_counter()
            repeat(plan.repetitions[name])
            seconds[name].append(perf_counter() - start)
        after_round(done)
    return seconds


def seconds_per_repetition(contestants: Contestants) -> dict[str, float]:
    """A first guess at what one repetition of each contestant costs; also warms them up."""
    return {name: _first_guess(repeat) for name, repeat in contestants.items()}


def _first_guess(repeat: Callable[[int], object]) -> float:
    repeat(1)
    repetitions, elapsed = 1, 0.0
    while elapsed < 5e-3 and repetitions < 1 << 20:
        repetitions *= 2
        start = perf_counter()
        repeat(repetitions)
        elapsed = perf_counter() - start
    return elapsed / repetitions


def plan_within(
    budget: float, costs: Mapping[str, float], repetitions: int, *, least: int = 10, most: int = 100
) -> Plan:
    """A plan of about `budget` seconds for contestants whose single repetition costs so many seconds.

    Where the wanted repetitions of a contestant take more than its share, they are cut by tens until at least
    `least` rounds fit, for a spread needs rounds; a slow contestant does not cut those of a fast one.
    Never more than `most` rounds are run, nor fewer than three.
    """
    share = budget / len(costs) / least
    chosen = {name: _cut(repetitions, cost, share) for name, cost in costs.items()}
    round_cost = sum(chosen[name] * cost for name, cost in costs.items())
    return Plan(chosen, min(most, max(3, int(budget / max(round_cost, 1e-12)))))


def _cut(repetitions: int, cost: float, share: float) -> int:
    while repetitions > 1 and repetitions * cost > share:
        repetitions = max(1, repetitions // 10)
    return repetitions
