"""Ratios, means and verdicts, from numbers made by hand."""

import math

import pytest

from tumble.bench.framework.statistics import Quantiles, geometric_mean, per_round
from tumble.bench.goals import MET, MISSED, UNKNOWN
from tumble.bench.peers.goals import GOALS, judge_goals, speedups
from tumble.bench.peers.records import Case, Fact, Findings, Timed

JUDGED = ["fcl", "coal-obb"]


def timed(query, name="a", items=1, **rounds):
    return Timed(Case(query, name, name, 10, items), {key.replace("_", "-"): value for key, value in rounds.items()})


def verdicts(findings):
    return {judged.name: judged for judged in judge_goals(findings, JUDGED)}


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


def test_who_drops_out_is_compared_on_the_rounds_it_ran():
    assert per_round([4.0], [2.0, 100.0, 100.0]) == Quantiles(2.0, 2.0, 2.0)


def test_seconds_are_for_one_item():
    assert timed("q", items=4, tumble=[8.0, 8.0]).seconds("tumble").median == 2.0


def test_the_rival_is_the_fastest_judged_one_in_its_median_round():
    one = timed("q", tumble=[1.0] * 3, fcl=[9.0, 2.0, 9.0], coal_obb=[5.0] * 3, vtk=[0.1] * 3)
    assert one.fastest(JUDGED) == "coal-obb"
    assert one.fastest(["vtk"]) == "vtk"
    assert one.fastest(["nobody"]) is None
    assert Timed(one.case, {"tumble": [1.0], "fcl on 2 threads": [3.0], "fcl": [4.0]}).fastest(JUDGED) == (
        "fcl on 2 threads"
    )


def test_speedups_name_the_ends_and_whatever_is_slower():
    cases = [
        timed("q", "half", tumble=[2.0], fcl=[1.0], coal_obb=[50.0]),
        timed("q", "eight", tumble=[1.0], fcl=[9.0], coal_obb=[8.0]),
        timed("q", "two", tumble=[1.0], fcl=[2.0]),
        timed("q", "alone", tumble=[1.0], vtk=[0.001]),
    ]
    found = speedups(cases, JUDGED)
    assert found.mean == pytest.approx(2.0)
    assert (found.worst, found.best, found.cases) == (("half", 0.5), ("eight", 8.0), 3)
    assert found.slower == [("half", 0.5)]
    assert speedups([cases[-1]], JUDGED) is None


def test_nothing_measured_is_no_verdict():
    assert {judged.verdict for judged in judge_goals(Findings(), JUDGED)} == {UNKNOWN}
    assert len(judge_goals(Findings(), JUDGED)) == len(GOALS)


@pytest.mark.parametrize(
    "goal, query, enough, too_little",
    [
        ("all pairs, one thread", "all-pairs", 10.1, 9.9),
        ("first hit, one thread", "first-hit", 3.1, 2.9),
        ("first hit, every case", "first-hit", 1.01, 0.99),
        ("far apart, one call", "far-apart", 1.01, 0.99),
        ("10 000 poses in one call, with threads", "batch-threads", 30.1, 29.9),
        ("build", "build", 5.1, 4.9),
    ],
)
def test_a_ratio_goal_is_met_or_missed(goal, query, enough, too_little):
    for lead, verdict in ((enough, MET), (too_little, MISSED)):
        judged = verdicts(Findings(timed=[timed(query, tumble=[1.0], fcl=[lead])]))[goal]
        assert judged.verdict == verdict
    assert judged.verdict_text.startswith("missed: at 9")
    assert judged.verdict_text.endswith("% of the goal")


def test_one_slow_case_misses_the_goal_that_none_is_slower():
    cases = [timed("first-hit", name, tumble=[1.0], fcl=[lead]) for name, lead in (("x", 100.0), ("y", 0.5))]
    found = verdicts(Findings(timed=cases))
    assert found["first hit, one thread"].verdict == MET
    assert found["first hit, every case"].verdict == MISSED
    assert found["first hit, every case"].measured == "slower on 1 of 2; least lead 0.50× (y)"


def test_goals_that_name_fcl_look_at_fcl_alone():
    cases = [timed("build", tumble=[1.0], fcl=[6.0], coal_obb=[2.0])]
    cases += [timed("batch-threads", **{"tumble": [1.0], "fcl": [40.0], "coal-obb": [3.0], "fcl on 2 threads": [9.0]})]
    found = verdicts(Findings(timed=cases))
    assert found["build"].verdict == MET
    assert found["10 000 poses in one call, with threads"].measured == "40.0× (40.0× to 40.0×, cases: 1)"


def test_goals_on_memory_and_start():
    def fact(query, name, value, contestant="tumble"):
        return Fact(query, name, contestant, value, "", "")

    good = [fact("memory", "with triangles", 64.0), fact("memory", "with triangles", 560.0, "fcl")]
    good += [fact("start", "cold", 29.0), fact("start", "warm", 2.9)]
    bad = [fact("memory", "with triangles", 129.0), fact("start", "cold", 60.0), fact("start", "warm", 3.1)]
    names = ("memory", "first use, cold", "first use, warm")
    assert [verdicts(Findings(facts=good))[name].verdict for name in names] == [MET] * 3
    assert [verdicts(Findings(facts=bad))[name].verdict for name in names] == [MISSED] * 3
    assert verdicts(Findings(facts=good))["memory"].measured == "64.0 bytes; FCL here: 560"
    assert verdicts(Findings(facts=bad))["first use, cold"].verdict_text == "missed: at 50% of the goal"
