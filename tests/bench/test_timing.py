"""The bookkeeping of timing, with contestants that only count: nothing here depends on a clock."""

import pytest

from tumble.bench.framework.timing import Plan, plan_within, seconds_in_turn, seconds_per_repetition
from tumble.bench.papers.stackless.published import SPREAD


def test_contestants_take_turns_in_every_round():
    calls, rounds = [], []
    contestants = {name: lambda n, name=name: calls.append((name, n)) for name in "abc"}
    timings = seconds_in_turn(contestants, Plan(repetitions={"a": 7, "b": 8, "c": 9}, rounds=3), rounds.append)
    assert calls == [("a", 7), ("b", 8), ("c", 9)] * 3
    assert rounds == [1, 2, 3]
    assert list(timings) == ["a", "b", "c"]


def test_summary_of_rounds():
    spread = [summary([1.0, 2.0, 3.0, 10.0]) for summary in SPREAD.values()]
    assert spread == [1.0, 10.0, 4.0, pytest.approx(12.5**0.5)]


def test_first_guess_warms_up_every_contestant():
    runs = {"a": [], "b": []}
    costs = seconds_per_repetition({name: log.append for name, log in runs.items()})
    assert all(costs[name] > 0 for name in runs)
    assert all(log[0] == 1 and log[1] == 2 for log in runs.values())


@pytest.mark.parametrize(
    "budget, cost, wanted, repetitions, rounds",
    [
        (60.0, 1e-3, 1000, 1000, 60),
        (60.0, 1e-4, 1000, 1000, 100),
        (60.0, 40e-3, 1000, 100, 15),
        (2.0, 40e-3, 1000, 1, 50),
        (2.0, 10.0, 1000, 1, 3),
        (2.0, 0.0, 1000, 1000, 100),
    ],
)
def test_plan_keeps_the_papers_numbers_as_far_as_the_budget_goes(budget, cost, wanted, repetitions, rounds):
    assert plan_within(budget, {"a": cost}, wanted) == Plan({"a": repetitions}, rounds)


def test_a_slow_contestant_does_not_cut_the_repetitions_of_a_fast_one():
    plan = plan_within(2.0, {"fast": 1e-7, "slow": 1e-4}, 100_000)
    assert plan.repetitions == {"fast": 100_000, "slow": 1000}
    assert plan.rounds == 18
