"""One race: every contestant answers the same questions, in turn, round after round."""

from __future__ import annotations

import gc
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from time import perf_counter

from tumble.bench.timing import Plan, seconds_in_turn

# A timer covers at least this: the clock and the loop around a call are then below a percent.
SHORTEST_TIMER = 300e-6

CONTEXT_ROUNDS = 3

Contestants = Mapping[str, Callable[[], object]]
Rounds = dict[str, list[float]]


@dataclass(frozen=True)
class Effort:
    """How long to race."""

    # About so many seconds a race, those that run for context not counted ...
    seconds: float
    # ... but never fewer rounds than a spread needs, nor more than it gains by.
    least_rounds: int = 5
    most_rounds: int = 60


def race(contestants: Contestants, effort: Effort, context: Container[str] = ()) -> Rounds:
    """Seconds for one run of each contestant, in every round; those that run for context drop out after a few rounds.

    Every contestant must have run once before: what happens at the first call only is no part of any race.
    """
    costs = {name: _cost(run) for name, run in contestants.items()}
    repetitions = {name: max(1, ceil(SHORTEST_TIMER / max(cost, 1e-9))) for name, cost in costs.items()}
    a_round = sum(repetitions[name] * cost for name, cost in costs.items() if name not in context)
    rounds = min(effort.most_rounds, max(effort.least_rounds, int(effort.seconds / a_round)))
    together = min(rounds, CONTEXT_ROUNDS)
    runs = {name: _repeated(run) for name, run in contestants.items()}
    with _collector_off():
        seconds = seconds_in_turn(runs, Plan(repetitions, together))
        stayers = {name: run for name, run in runs.items() if name not in context}
        for name, values in seconds_in_turn(stayers, Plan(repetitions, rounds - together)).items():
            seconds[name] += values
    return {name: [value / repetitions[name] for value in values] for name, values in seconds.items()}


def _cost(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


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
