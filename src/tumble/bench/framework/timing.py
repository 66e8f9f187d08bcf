"""Timing as the papers do it: many repetitions inside one timer, the whole of it many times over.

Everything that competes is run in turn within each round, so that a machine that slows down for a while (a
busy neighbour, a hot processor) slows all of them and not only the one that happened to run then.

    race({"stack": run_stack, "lists": run_lists}, Effort(2.0))     seconds of one run of each, round by round
"""

import gc
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import ceil
from time import perf_counter, process_time
from typing import Any

import numpy as np

# A timer covers at least this: the clock and the loop around a call are then below a percent.
SHORTEST_TIMER = 300e-6
# Rounds of those that run for comparison only.
CONTEXT_ROUNDS = 3

# What competes, by name: each is called with the number of repetitions to run.
Contestants = Mapping[str, Callable[[int], object]]
Rounds = dict[str, list[float]]


@dataclass(frozen=True)
class Plan:
    """How long to measure: each contestant's repetitions inside one timer, and how often that is timed."""

    repetitions: Mapping[str, int]
    rounds: int


def both_clocks() -> Any:
    """Seconds on the wall, and seconds of processor time of all threads together."""
    return np.array([perf_counter(), process_time()])


def seconds_in_turn(
    contestants: Contestants,
    plan: Plan,
    after_round: Callable[[int], object] = lambda done: None,
    clock: Callable[[], Any] = perf_counter,
) -> Rounds:
    """Time every contestant `plan.rounds` times, in turn; `after_round` is told how many rounds are done.

    Round by round: ratios within a round are what a busy machine disturbs least.
    """
    seconds: Rounds = {name: [] for name in contestants}
    for done in range(1, plan.rounds + 1):
        for name, repeat in contestants.items():
            start = clock()
            repeat(plan.repetitions[name])
            seconds[name].append(clock() - start)
        after_round(done)
    return seconds


def _cost(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def seconds_per_repetition(contestants: Contestants) -> dict[str, float]:
    """A first guess at what one repetition of each contestant costs; also warms them up."""
    return {name: _first_guess(repeat) for name, repeat in contestants.items()}


def _first_guess(repeat: Callable[[int], object]) -> float:
    repeat(1)
    repetitions, elapsed = 1, 0.0
    while elapsed < 5e-3 and repetitions < 1 << 20:
        repetitions *= 2
        elapsed = _cost(partial(repeat, repetitions))
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


@dataclass(frozen=True)
class Effort:
    """How long to race."""

    # About so many seconds a race, those that run for context not counted ...
    seconds: float
    # ... but never fewer rounds than a spread needs, nor more than it gains by.
    least_rounds: int = 6
    most_rounds: int = 60


def race(
    contestants: Mapping[str, Callable[[], object]],
    effort: Effort,
    context: Container[str] = (),
    clock: Callable[[], Any] = perf_counter,
) -> Rounds:
    """Seconds for one run of each contestant, in every round; those that run for context drop out after a few rounds.

    Every contestant must have run once before: what happens at the first call only is no part of any race. A clock that
    returns an array, such as `both_clocks`, gives arrays instead of seconds.
    """
    costs = {name: _cost(run) for name, run in contestants.items()}
    repetitions = {name: max(1, ceil(SHORTEST_TIMER / max(cost, 1e-9))) for name, cost in costs.items()}
    a_round = sum(repetitions[name] * cost for name, cost in costs.items() if name not in context)
    rounds = min(effort.most_rounds, max(effort.least_rounds, int(effort.seconds / a_round)))
    together = min(rounds, CONTEXT_ROUNDS)
    runs = {name: _repeated(run) for name, run in contestants.items()}
    with _collector_off():
        seconds = seconds_in_turn(runs, Plan(repetitions, together), clock=clock)
        stayers = {name: run for name, run in runs.items() if name not in context}
        for name, values in seconds_in_turn(stayers, Plan(repetitions, rounds - together), clock=clock).items():
            seconds[name] += values
    return {name: [value / repetitions[name] for value in values] for name, values in seconds.items()}


@contextmanager
def _collector_off() -> Iterator[None]:
    # As timeit does: otherwise whoever happens to allocate last pays for the garbage of all.
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _repeated(run: Callable[[], object]) -> Callable[[int], None]:
    def repeat(times: int) -> None:
        for _ in range(times):
            run()

    return repeat
