"""Claims and goals of the paper `boxtree`, put to a table made by hand: each can fail."""

import pytest
from boxtree_table import SIZES, TIMES, add_build, add_bytes, good_table, results

from tumble.bench.framework.claims import FAILS, HOLDS, PARTLY, UNKNOWN
from tumble.bench.framework.goals import MET, MISSED, check_goals
from tumble.bench.framework.goals import UNKNOWN as NOT_REACHED
from tumble.bench.framework.table import Table
from tumble.bench.papers.boxtree.builds import BUILT
from tumble.bench.papers.boxtree.claims import CLAIMS, GOALS, best_build
from tumble.bench.papers.boxtree.contestants import (
    AABB,
    DEFAULT_BUILD,
    FCL,
    LEAST_VOLUME,
    OBB,
)
from tumble.bench.papers.boxtree.nodes import (
    EMPTINESS,
    NODES,
)
from tumble.bench.papers.boxtree.published import TABLE_1, add_published
from tumble.bench.papers.boxtree.races import (
    AHEAD,
    ALL,
    FIRST,
    TESTS,
    TREES,
    both_of,
    race_of,
)

CERTAIN = {"nine-bytes", "same-answers", "false-positives"}
CASES = [f"knot {size} at 0.8" for size in SIZES]


def words(table):
    return {name: result.verdict.word for name, result in results(table).items()}


def goals(table):
    return {goal.name: goal for goal in check_goals(GOALS, table)}


def spoiled(study, case, contestant, quantity, value):
    table = good_table()
    table.study(study).add(case, contestant, quantity, value)
    return table


def retimed(kind, **times):
    """The good table with some times of one race changed, names by keyword with blanks as underscores."""
    changed = {**TIMES[kind], **{name.replace("_", " "): value for name, value in times.items()}}
    return good_table({**TIMES, kind: changed})


def slower(builder, factor):
    """The largest object takes one builder so much longer."""
    table = good_table()
    case = "knot 500000"
    table.study(BUILT).add(case, builder, "time", factor * table.study(BUILT).value(case, builder, "time"))
    return table


def test_all_hold_on_a_good_table():
    assert set(words(good_table()).values()) == {HOLDS}
    assert {goal.verdict for goal in goals(good_table()).values()} == {MET}


def test_nothing_measured_is_no_verdict():
    table = Table()
    add_published(table)
    assert set(words(table).values()) == {UNKNOWN}
    assert {goal.verdict for goal in goals(table).values()} == {NOT_REACHED}


def test_certain_claims_are_those_that_theory_fixes():
    assert {claim.name for claim in CLAIMS if claim.certain} == CERTAIN
    assert len({claim.name for claim in CLAIMS}) == len(CLAIMS) == 17


TESTS_ALL = f"{TESTS}, {ALL}"


@pytest.mark.parametrize(
    "claim, table, word",
    [
        ("empty-space", spoiled(EMPTINESS, "knot", "all nodes", "close", 0.3), FAILS),
        ("touching-sides", spoiled(EMPTINESS, "knot", "all nodes", "touching", 0.5), FAILS),
        ("obb-bytes", spoiled(NODES, TABLE_1, OBB, "bytes per node", 60.0), FAILS),
        ("nine-bytes", spoiled(NODES, TABLE_1, "boxtree, axis", "bytes per node", 12.0), PARTLY),
        ("operations", spoiled(NODES, TABLE_1, "boxtree, axis", "worst", 13.0), PARTLY),
        ("ahead-halves-operations", spoiled(NODES, TABLE_1, "boxtree, axis", "mean ahead", 9.0), PARTLY),
        ("n-log-n", slower(DEFAULT_BUILD, 4), PARTLY),
        ("build-rate", slower(LEAST_VOLUME, 1000), FAILS),
        ("same-answers", spoiled(f"{TREES}, {FIRST}", CASES[0], DEFAULT_BUILD, "differ", 1), PARTLY),
        ("false-positives", spoiled(TESTS_ALL, CASES[0], "sat", "overlapping", 12.0), PARTLY),
        ("false-positives", spoiled(TESTS_ALL, CASES[0], "lookup", "overlapping", 14.0), PARTLY),
        ("sat-lite-best", retimed(TESTS, axis=0.9), PARTLY),
        ("sat-not-worth-it", retimed(TESTS, sat=0.9), FAILS),
        ("lookup-gain", retimed(TESTS, lookup=1.2), FAILS),
        ("lookup-small", retimed(TESTS, lookup=1.3), FAILS),
        ("ahead", retimed(TESTS, axis=1.7), PARTLY),
        ("ahead-elsewhere", retimed(AHEAD, sphere_tree=0.9), PARTLY),
        ("same-league", retimed(TREES, **{"24-DOP_tree": 0.5, "OBB_tree": 0.5}), FAILS),
        ("same-league", retimed(TREES, OBB_tree=0.5), PARTLY),
    ],
)
def test_each_claim_can_fail(claim, table, word):
    result = results(table)[claim]
    assert result.verdict.word == word
    assert result.broken == (claim in CERTAIN)


def test_fcl_may_differ():
    table = spoiled(f"{TREES}, {ALL}", CASES[0], FCL, "differ", 1)
    assert words(table)["same-answers"] == HOLDS


def test_three_sizes_are_too_few_for_a_fit():
    table = Table()
    for size in (4_000, 16_000, 64_000):
        add_build(table, size, size * 1e-6)
    assert words(table)["n-log-n"] == UNKNOWN


def test_lookup_tables_may_win_a_little_on_large_objects():
    table = good_table()
    for study in both_of(table, TESTS):
        study.add(CASES[1], "lookup", "time / axis", 0.95)
    found = words(table)
    assert (found["lookup-gain"], found["lookup-small"]) == (HOLDS, HOLDS)


def with_many_bytes():
    table = good_table()
    add_bytes(table, "gear", 30_000)
    return table


@pytest.mark.parametrize(
    "goal, table, words",
    [
        ("query time, all pairs", retimed(TREES, AABB_tree=0.7), "cases: 2"),
        ("query time, first hit", retimed(TREES, AABB_tree=0.7), "cases: 2"),
        ("against FCL, all pairs", retimed(TREES, FCL=0.9), "slower on 2 of 2"),
        ("against FCL, first hit", retimed(TREES, FCL=0.9), "slower on 2 of 2"),
        ("build", slower(DEFAULT_BUILD, 20), "knot 500000"),
        ("bytes of nodes", with_many_bytes(), "gear"),
    ],
)
def test_each_goal_can_be_missed(goal, table, words):
    found = goals(table)[goal]
    assert found.verdict == MISSED
    assert found.reached < 1
    assert words in found.measured


def test_one_variant_is_the_best_for_all_cases():
    table = retimed(TREES, chained_boxtree=0.5)
    assert best_build(table) == "chained boxtree"
    # faster on all cases but one, and much slower there
    race_of(table, TREES, ALL).add(CASES[0], "chained boxtree", f"time / {AABB}", 1e4)
    assert best_build(table) != "chained boxtree"


def test_without_fcl_its_goals_are_not_measured():
    times = {name: time for name, time in TIMES[TREES].items() if name != FCL}
    found = goals(good_table({**TIMES, TREES: times}))
    assert found["against FCL, all pairs"].verdict == NOT_REACHED
    assert found["query time, all pairs"].verdict == MET
