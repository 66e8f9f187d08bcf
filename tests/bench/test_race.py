"""The race itself, ratios and the comparison of answers; no assertion depends on a clock."""

import gc
import math

import numpy as np
import pytest

from tumble.bench.framework import timing
from tumble.bench.framework.answers import add_difference, compare_hits, compare_pairs, differences
from tumble.bench.framework.statistics import Interval, Quantiles, geometric_mean, mean_interval, per_round
from tumble.bench.framework.table import Study
from tumble.bench.framework.timing import CONTEXT_ROUNDS, Effort, race


@pytest.fixture
def costs(monkeypatch):
    """Fixed costs instead of measured ones."""
    table = {}
    monkeypatch.setattr(timing, "_cost", lambda run: table[run])
    return table


def test_all_run_in_turn_and_context_drops_out(costs):
    calls = []
    contestants = {name: lambda name=name: calls.append((name, gc.isenabled())) for name in ("us", "them", "vtk")}
    costs.update(dict.fromkeys(contestants.values(), 1.0))
    rounds = race(contestants, Effort(seconds=12.0, least_rounds=2), context=["vtk"])
    together = [("us", False), ("them", False), ("vtk", False)]
    assert calls == together * CONTEXT_ROUNDS + together[:2] * 3
    assert {name: len(values) for name, values in rounds.items()} == {"us": 6, "them": 6, "vtk": CONTEXT_ROUNDS}
    assert gc.isenabled()


def test_rounds_stay_within_bounds_and_short_runs_are_repeated(costs):
    calls = []
    contestants = {"quick": lambda: calls.append("quick"), "slow": lambda: calls.append("slow")}
    costs.update({contestants["quick"]: 100e-6, contestants["slow"]: 1e9})
    rounds = race(contestants, Effort(seconds=1.0, least_rounds=4))
    assert len(rounds["slow"]) == 4
    assert (calls.count("quick"), calls.count("slow")) == (12, 4)
    costs[contestants["slow"]] = 1e-3
    assert len(race(contestants, Effort(seconds=1e9, most_rounds=7))["slow"]) == 7


def test_the_collector_is_back_after_an_error(costs):
    contestants = {"broken": lambda: 1 / 0}
    costs.update(dict.fromkeys(contestants.values(), 1.0))
    with pytest.raises(ZeroDivisionError):
        race(contestants, Effort(1.0))
    assert gc.isenabled()


def test_geometric_mean():
    assert geometric_mean([2.0, 0.5]) == pytest.approx(1.0)
    assert geometric_mean([1.0, 10.0, 100.0]) == pytest.approx(10.0)
    assert math.isnan(geometric_mean([]))


def test_quantiles():
    values = [float(value) for value in range(101)]
    assert Quantiles.of(values[::-1]) == Quantiles(median=50.0, low=10.0, high=90.0)


def test_ratios_are_taken_within_rounds():
    # The machine was ten times slower in the second round: both were, and the ratio does not show it.
    assert per_round([3.0, 30.0, 3.0], [1.0, 10.0, 1.0]) == Quantiles(3.0, 3.0, 3.0)


def test_what_drops_out_is_compared_on_the_rounds_it_ran():
    assert per_round([4.0], [2.0, 100.0, 100.0]) == Quantiles(2.0, 2.0, 2.0)


def test_hits_that_differ():
    found = compare_hits([True, True, False, False, True], np.array([True, False, True, False, False]))
    assert found == (5, 3, 2, 1)


def test_pairs_that_differ_whatever_their_order():
    ours = [np.array([[0, 1], [2, 3]]), np.array([[5, 5]]), np.empty((0, 2), np.int64)]
    same = [np.array([[2, 3], [0, 1], [2, 3]]), np.array([[5, 5]]), np.empty((0, 2), np.int64)]
    other = [np.array([[3, 2], [0, 1]]), np.array([[5, 5]]), np.array([[7, 7]])]
    assert compare_pairs(ours, same) == (3, 0, 0, 0)
    assert compare_pairs(ours, other) == (3, 2, 1, 2)


def test_differences_are_read_as_they_were_written():
    study = Study("answers")
    add_difference(study, "cow", "fcl", compare_hits([True, True], [True, False]))
    add_difference(study, "cow", "coal", compare_hits([True, True], [True, True]))
    study.add("cow", "vtk", "time", 1.0)
    assert differences(study) == {("cow", "fcl"): (2, 1, 1, 0), ("cow", "coal"): (2, 0, 0, 0)}
    assert not study.has("cow", "coal", "missing")


@pytest.mark.parametrize("rounds, skipped", [(6, 0), (7, 0), (8, 0), (9, 1), (12, 2), (20, 5), (60, 21)])
def test_the_interval_leaves_out_as_many_rounds_as_95_percent_allow(rounds, skipped):
    values = np.random.default_rng(rounds).permutation(np.arange(1.0, rounds + 1))
    assert Interval.of(values) == (np.median(values), 1.0 + skipped, rounds - skipped)
    outside = sum(math.comb(rounds, k) for k in range(skipped + 1)) / 2 ** (rounds - 1)
    assert outside <= 0.05 or skipped == 0
    assert outside + math.comb(rounds, skipped + 1) / 2 ** (rounds - 1) > 0.05


@pytest.mark.parametrize("rounds", range(1, 6))
def test_too_few_rounds_decide_nothing(rounds):
    few = Interval.of([2.0] * rounds)
    assert few == (2.0, 0.0, math.inf)
    assert few.above(1) is few.below(9) is few.within(1.1) is few.inverse().below(9) is None
    assert mean_interval([few, Interval(2.0, 1.9, 2.1)]) == (2.0, 0.0, math.inf)
    assert few.over(few) == (1.0, 0.0, math.inf)


def test_intervals_decide_only_what_noise_allows():
    clear, open_ = Interval(0.8, 0.7, 0.9), Interval(0.98, 0.9, 1.1)
    assert (clear.below(1), clear.below(0.7), clear.above(1), clear.above(0.65)) == (True, False, False, True)
    assert open_.below(1) is open_.above(1) is open_.within(1.05) is None
    assert (open_.within(1.2), clear.within(1.1)) == (True, False)
    assert clear.inverse() == pytest.approx((1.25, 1 / 0.9, 1 / 0.7))


def test_the_mean_of_many_cases_is_known_better_than_each():
    one = Interval(2.0, 1.0, 4.0)
    assert mean_interval([one]) == pytest.approx(one)
    assert mean_interval([one] * 4) == pytest.approx((2.0, 2.0 / 2**0.5, 2.0 * 2**0.5))
    assert math.isnan(mean_interval([]).value)


def test_a_study_keeps_intervals_and_takes_deciles_where_there_are_none():
    study = Study("race")
    study.add_race("knot", {"a": [1.0, 2.0, 2.0, 2.0, 2.0, 3.0], "b": [1.0] * 6}, [("a", "b")])
    assert study.interval("knot", "a", "b") == (2.0, 1.0, 3.0)
    assert study.mean_of_intervals("a", "b") == pytest.approx((2.0, 1.0, 3.0))
    assert study.interval("knot", "b", "b") == (1.0, 1.0, 1.0)
    kept = Study("race")
    kept.add_values("knot", "a", {"time / b": 2.0, "time / b, low": 1.2, "time / b, high": 2.8})
    assert kept.interval("knot", "a", "b") == (2.0, 1.2, 2.8)
