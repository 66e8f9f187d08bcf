"""Claims and goals of the paper `boxtree`, put to a table made by hand: each can fail."""

import math

import pytest
from boxtree_table import SIZES, TIMES, add_build, add_bytes, add_startup, good_table, result, results

from tumble.bench.framework.claims import FAILS, HOLDS, PARTLY, UNDECIDED, UNKNOWN
from tumble.bench.framework.goals import MET, MISSED, check_goals
from tumble.bench.framework.goals import UNKNOWN as NOT_REACHED
from tumble.bench.framework.table import Table
from tumble.bench.papers.boxtree import splits
from tumble.bench.papers.boxtree.box_overlap import BOX_OVERLAP
from tumble.bench.papers.boxtree.builds import BUILT
from tumble.bench.papers.boxtree.claims import CLAIMS, GOALS, best_build
from tumble.bench.papers.boxtree.contestants import (
    AABB,
    CHAINED,
    DEFAULT_BUILD,
    FCL,
    FREE,
    LEAST_VOLUME,
    OBB,
    PRINTED,
    by_arity,
)
from tumble.bench.papers.boxtree.criterion import CRITERION
from tumble.bench.papers.boxtree.dop_walk import DOP_WALK
from tumble.bench.papers.boxtree.nodes import EMPTINESS, NODES, TWO_PLANES
from tumble.bench.papers.boxtree.outlook import BOXES, DEFORMATION, OCCLUSION, RAYS, REBUILT, REFITTED
from tumble.bench.papers.boxtree.published import TABLE_1, add_published
from tumble.bench.papers.boxtree.races import (
    AHEAD,
    ALL,
    BYTES,
    FIRST,
    MORE_CHILDREN,
    PRINTED_TESTS,
    PRINTED_TREES,
    TESTS,
    TREES,
    both_of,
    race_of,
)
from tumble.bench.papers.boxtree.splits import SPLITS, by_split
from tumble.bench.papers.boxtree.tightness import TIGHTNESS

CERTAIN = {
    "nine-bytes",
    "two-n-minus-one",
    "restricted-answers",
    "robust",
    "same-answers",
    "sat-exact",
    "false-positives",
    "false-positives-printed",
    "equation-5-plane",
}
ABOUT_TIMES = {
    *("not-slowed", "not-slowed-printed", "sat-lite-best", "sat-lite-best-printed", "similar-on-all"),
    *("similar-on-all-printed", "sat-not-worth-it", "sat-not-worth-it-printed", "lookup-gain", "lookup-gain-printed"),
    *("lookup-small", "lookup-small-printed", "ahead", "ahead-printed", "ahead-dramatic", "both-planes"),
    *("ahead-elsewhere", "ahead-significantly", "n-log-n", "build-rate", "build-fast", "load-time", "dop-league"),
    *("dop-league-printed", "obb-league", "obb-league-printed", "refit-pays", "ray-tracing", "arities"),
}
# What `Interval.of` says about fewer than six rounds.
FEW_ROUNDS = {"from": 0.0, "to": math.inf}
CASES = [f"knot {size} at 0.8" for size in SIZES]


def words(table):
    return {name: result.verdict.word for name, result in results(table).items()}


def goals(table):
    return {goal.name: goal for goal in check_goals(GOALS, table)}


def spoiled(study, case, contestant, quantity, value, round=None):
    table = good_table()
    table.study(study).add(case, contestant, quantity, value, round=round)
    return table


def retimed(kind, **times):
    """The good table with some times of one race changed, names by keyword with blanks as underscores."""
    changed = {**TIMES[kind], **{name.replace("_", " "): value for name, value in times.items()}}
    return good_table({**TIMES, kind: changed})


def built(builder, quantity, factor):
    """A value of one builder on the largest object is so much larger."""
    table = good_table()
    case = "knot 500000"
    table.study(BUILT).add(case, builder, quantity, factor * table.study(BUILT).value(case, builder, quantity))
    return table


def slower(builder, factor, low=1.0, high=1.0):
    """The largest object takes one builder so many times as long, within so much of it."""
    table = good_table()
    study, case = table.study(BUILT), "knot 500000"
    seconds = factor * study.value(case, builder, "time")
    study.add_values(case, builder, {"time": seconds, "time, from": low * seconds, "time, to": high * seconds})
    return table


def split_pairs(name, value):
    return spoiled(SPLITS, "knot", name, "node pairs", value)


def test_all_hold_on_a_good_table():
    assert {name: word for name, word in words(good_table()).items() if word != HOLDS} == {}
    assert {goal.verdict for goal in goals(good_table()).values()} == {MET}


def test_nothing_measured_is_no_verdict():
    table = Table()
    add_published(table)
    assert set(words(table).values()) == {UNKNOWN}
    assert {goal.verdict for goal in goals(table).values()} == {NOT_REACHED}


def test_certain_claims_are_those_that_theory_fixes():
    assert {claim.name for claim in CLAIMS if claim.certain} == CERTAIN
    assert len({claim.name for claim in CLAIMS}) == len(CLAIMS)


TESTS_ALL, PRINTED_ALL, TREES_ALL, PRINTED_TREES_ALL = (
    f"{kind}, {ALL}" for kind in (TESTS, PRINTED_TESTS, TREES, PRINTED_TREES)
)
BROKEN = [
    ("empty-space", lambda: spoiled(EMPTINESS, "knot", "all nodes", "close", 0.3), FAILS),
    ("touching-sides", lambda: spoiled(EMPTINESS, "knot", "all nodes", "touching", 0.5), FAILS),
    ("nine-bytes", lambda: spoiled(NODES, TABLE_1, "boxtree, axis", "bytes per node", 12.0), PARTLY),
    ("two-n-minus-one", lambda: spoiled(BYTES, "knot 1k", PRINTED, "nodes", 2_000), FAILS),
    ("aabb-bytes", lambda: spoiled(BYTES, "knot 1k", CHAINED, "nodes", 1_200), PARTLY),
    ("sphere-bytes", lambda: spoiled(BYTES, "knot 1k", CHAINED, "nodes", 1_400), PARTLY),
    ("obb-bytes", lambda: spoiled(NODES, TABLE_1, OBB, "bytes per node", 60.0), FAILS),
    ("least-memory", lambda: spoiled(NODES, TABLE_1, AABB, "bytes per node", 9.0), PARTLY),
    ("one-link", lambda: spoiled(NODES, TABLE_1, "boxtree, axis", "reached", 0.9), PARTLY),
    ("one-link", lambda: spoiled(NODES, TABLE_1, "boxtree, axis", "link bytes", 2), PARTLY),
    ("leaf-bytes", lambda: spoiled(NODES, TABLE_1, TWO_PLANES, "bytes per node", 18.0), FAILS),
    ("leaf-bytes", lambda: spoiled(NODES, TABLE_1, TWO_PLANES, "bytes per node", 12.0), FAILS),
    ("slightly-looser", lambda: spoiled(TIGHTNESS, "knot", FREE, "median", 1.2), PARTLY),
    ("not-hurt", lambda: spoiled(TREES_ALL, CASES[0], FREE, "node pairs", 80.0), PARTLY),
    ("not-hurt-printed", lambda: spoiled(PRINTED_TREES_ALL, CASES[0], PRINTED, "node pairs", 80.0), FAILS),
    ("not-slowed", lambda: retimed(TREES, free_boxtree=1.1), PARTLY),
    ("not-slowed-printed", lambda: retimed(PRINTED_TREES, printed_boxtree=1.1), FAILS),
    ("restricted-bytes", lambda: spoiled(TIGHTNESS, "knot", "kdop24", "bytes", 100.0), PARTLY),
    ("restricted-operations", lambda: spoiled(DOP_WALK, "knot", "kdop24", "operations", 168.0), PARTLY),
    ("restricted-answers", lambda: spoiled(DOP_WALK, "knot", "kdop24", "lost", 1), PARTLY),
    ("restricted-answers", lambda: spoiled(DOP_WALK, "knot", "kdop24", "leaf pairs", 8), PARTLY),
    ("dop-sides", lambda: spoiled(TIGHTNESS, "knot", "kdop24", "shared", 0.4), PARTLY),
    ("robust", lambda: spoiled(TIGHTNESS, "knot", FREE, "faults", 1), PARTLY),
    ("operations", lambda: spoiled(NODES, TABLE_1, "boxtree, axis", "worst", 13.0), PARTLY),
    ("operations-elsewhere", lambda: spoiled(NODES, TABLE_1, AABB, "worst", 108.0), PARTLY),
    ("operations-elsewhere", lambda: spoiled(NODES, TABLE_1, OBB, "worst", 200.0), PARTLY),
    ("sat-lite-twice", lambda: spoiled(NODES, TABLE_1, "boxtree, sat-lite", "worst", 23.0), FAILS),
    ("sat-exact", lambda: spoiled(BOX_OVERLAP, "knot", "sat", "false positives", 1), PARTLY),
    ("sat-exact", lambda: spoiled(BOX_OVERLAP, "knot", "axis", "lost", 1), PARTLY),
    ("sat-exact", lambda: spoiled(BOX_OVERLAP, "knot", "sat", "passing", 0), PARTLY),
    ("axis-operations", lambda: spoiled(NODES, TABLE_1, "boxtree, axis", "comparisons", 6.0), PARTLY),
    ("sat-below-obb", lambda: spoiled(NODES, TABLE_1, "boxtree, sat", "worst", 250.0), FAILS),
    ("half-overlap", lambda: spoiled(PRINTED_ALL, CASES[0], "sat", "overlapping", 10.0), PARTLY),
    ("same-answers", lambda: spoiled(f"{TREES}, {FIRST}", CASES[0], DEFAULT_BUILD, "differ", 1), PARTLY),
    ("false-positives", lambda: spoiled(TESTS_ALL, CASES[0], "sat", "overlapping", 24.5), PARTLY),
    ("false-positives", lambda: spoiled(TESTS_ALL, CASES[0], "lookup", "overlapping", 24.5), PARTLY),
    ("false-positives-printed", lambda: spoiled(PRINTED_ALL, CASES[0], "sat", "overlapping", 24.5), PARTLY),
    ("sat-lite-best", lambda: retimed(TESTS, axis=0.9), PARTLY),
    ("sat-lite-best-printed", lambda: retimed(PRINTED_TESTS, axis=0.9), PARTLY),
    ("similar-on-all", lambda: retimed(TESTS, axis=0.9), FAILS),
    ("similar-on-all-printed", lambda: retimed(PRINTED_TESTS, axis=0.9), FAILS),
    ("sat-not-worth-it", lambda: retimed(TESTS, sat=0.9), FAILS),
    ("sat-not-worth-it-printed", lambda: retimed(PRINTED_TESTS, sat=0.9), FAILS),
    ("lookup-gain", lambda: retimed(TESTS, lookup=1.2), FAILS),
    ("lookup-gain-printed", lambda: retimed(PRINTED_TESTS, **{"lookup,_whole_offsets": 1.2}), FAILS),
    ("lookup-small", lambda: retimed(TESTS, lookup=1.3), FAILS),
    ("lookup-small-printed", lambda: retimed(PRINTED_TESTS, **{"lookup,_whole_offsets": 1.3}), FAILS),
    ("ahead-operations", lambda: spoiled(NODES, TABLE_1, "boxtree, axis", "additions ahead", 2.5), PARTLY),
    ("ahead-halves-operations", lambda: spoiled(NODES, TABLE_1, "boxtree, axis", "mean ahead", 9.0), PARTLY),
    ("ahead-operations-elsewhere", lambda: spoiled(NODES, TABLE_1, OBB, "worst ahead", 243.0), PARTLY),
    ("ahead-operations-elsewhere-mean", lambda: spoiled(NODES, TABLE_1, OBB, "mean ahead", 160.0), PARTLY),
    ("ahead-one-hierarchy", lambda: spoiled(NODES, TABLE_1, OBB, "moves ahead", 4_500), PARTLY),
    ("ahead-one-hierarchy-halves", lambda: spoiled(NODES, TABLE_1, OBB, "moves ahead", 6_000), PARTLY),
    ("ahead-node-work", lambda: spoiled(NODES, TABLE_1, "boxtree, axis", "additions ahead", 2.0), PARTLY),
    ("ahead-node-work-halves", lambda: spoiled(NODES, TABLE_1, "boxtree, axis", "additions ahead", 4.0), PARTLY),
    ("ahead", lambda: retimed(TESTS, axis=1.7), PARTLY),
    ("ahead-printed", lambda: retimed(PRINTED_TESTS, axis=2.4), PARTLY),
    ("ahead-dramatic", lambda: retimed(PRINTED_TESTS, axis=1.7), PARTLY),
    ("both-planes", lambda: retimed(PRINTED_TESTS, **{"axis,_both_planes": 1.5}), PARTLY),
    ("ahead-elsewhere", lambda: retimed(AHEAD, sphere_tree=0.9), PARTLY),
    ("ahead-significantly", lambda: retimed(AHEAD, sphere_tree=1.05), PARTLY),
    ("equation-4", lambda: spoiled(CRITERION, "knot", "Equation 4", "overlapping in a tenth", 0.3, 0), FAILS),
    ("equation-5", lambda: spoiled(CRITERION, "knot", "space", "upper bound", 0.99), PARTLY),
    ("equation-5-plane", lambda: spoiled(CRITERION, "knot", "plane", "upper bound", 0.99), PARTLY),
    ("sum-estimate", lambda: spoiled(CRITERION, "knot", "space", "sum / estimate", 2.0, 1), FAILS),
    ("equation-6", lambda: spoiled(CRITERION, "knot", "Equation 6", "overlapping in a tenth", 0.3, 0), FAILS),
    ("criterion-elsewhere", lambda: split_pairs(by_split(OBB, "least-volume"), 1300), PARTLY),
    ("criterion-literally", lambda: split_pairs(splits.LITERAL, 1200), PARTLY),
    ("alternating-order", lambda: spoiled(SPLITS, "knot", splits.LITERAL, "mean depth", 30.0), FAILS),
    ("random-order", lambda: spoiled(SPLITS, "knot", splits.LITERAL_SHUFFLED, "mean depth", 30.0), FAILS),
    ("longest-axis", lambda: split_pairs(splits.LONGEST, 1000), FAILS),
    ("n-log-n", lambda: slower(DEFAULT_BUILD, 4), PARTLY),
    ("log-levels", lambda: built(LEAST_VOLUME, "levels", 3), FAILS),
    ("linear", lambda: built(LEAST_VOLUME, "levels", 1.2), FAILS),
    ("build-rate", lambda: slower(LEAST_VOLUME, 1000), FAILS),
    ("build-fast", lambda: builds_that_take(2.5), FAILS),
    ("load-time", lambda: builds_that_take(2.1), FAILS),
    ("perpendicular", lambda: split_pairs("boxtree, sah, free planes", 1100), PARTLY),
    ("dop-league", lambda: retimed(TREES, **{"24-DOP_tree": 0.5}), FAILS),
    ("obb-league", lambda: retimed(TREES, OBB_tree=0.5), FAILS),
    ("dop-league-printed", lambda: retimed(PRINTED_TREES, **{"24-DOP_tree": 0.5}), FAILS),
    ("obb-league-printed", lambda: retimed(PRINTED_TREES, OBB_tree=0.5), FAILS),
    ("obb-tighter", lambda: spoiled(TREES_ALL, CASES[0], OBB, "node pairs", 90.0), FAILS),
    ("deforming", lambda: spoiled(DEFORMATION, "knot bent by 0.1", REFITTED, "node pairs", 300), PARTLY),
    ("deforming", lambda: spoiled(DEFORMATION, "knot bent by 0.2", REFITTED, "node pairs", 300), PARTLY),
    ("deforming", lambda: spoiled(DEFORMATION, "knot bent by 0", REBUILT, "hits", 8), PARTLY),
    ("refit-pays", lambda: refits_that_take(*[1.2] * 6), FAILS),
    ("ray-tracing", lambda: spoiled(RAYS, "knot", BOXES, "differ", 1), PARTLY),
    ("ray-tracing", lambda: rays_that_take(*[9.0] * 6), FAILS),
    ("occlusion", lambda: spoiled(OCCLUSION, "knot", "", "wrong", 1), FAILS),
    ("occlusion", lambda: spoiled(OCCLUSION, "knot", "", "hidden", 0), FAILS),
    ("arities", lambda: retimed(MORE_CHILDREN, **{"AABB_tree,_4_children": 1.0}), PARTLY),
    ("wide-boxtrees", lambda: split_pairs(by_arity(splits.BOXTREE, 8), 1100), PARTLY),
    ("look-ahead", lambda: split_pairs(by_split(AABB, "look-ahead"), 900), PARTLY),
]


def refits_that_take(*seconds):
    table = good_table()
    for case in table.study(DEFORMATION).cases():
        rounds = {REFITTED: seconds, REBUILT: [1.0] * len(seconds)}
        table.study(DEFORMATION).add_race(case, rounds, [(REFITTED, REBUILT)])
    return table


def rays_that_take(*seconds):
    table = good_table()
    table.study(RAYS).add_race("knot", {"larger": seconds, BOXES: [2.0] * len(seconds)}, [("larger", BOXES)])
    return table


def builds_that_take(seconds):
    table = good_table()
    add_startup(table, seconds)
    return table


def test_every_claim_has_a_table_that_breaks_it():
    assert {name for name, _, _ in BROKEN} == {claim.name for claim in CLAIMS}


@pytest.mark.parametrize("claim, make, word", BROKEN, ids=[f"{name} {word}" for name, _, word in BROKEN])
def test_each_claim_can_fail(claim, make, word):
    found = result(make(), claim)
    assert found.verdict.word == word
    assert found.broken == (claim in CERTAIN)


def test_noise_larger_than_the_difference_decides_nothing():
    assert result(refits_that_take(0.2, 1.3, 0.9, 0.9, 0.8, 1.1), "refit-pays").verdict.word == UNDECIDED
    assert result(rays_that_take(7.0, 9.0, 8.0, 8.0, 7.5, 8.5), "ray-tracing").verdict.word == UNDECIDED
    assert result(slower(LEAST_VOLUME, 2, 0.1, 4), "n-log-n").verdict.word == UNDECIDED
    assert result(slower(LEAST_VOLUME, 100, 0.1, 10), "build-rate").verdict.word == UNDECIDED
    table = good_table()
    for study in both_of(table, TESTS):
        for case in study.cases():
            rounds = {"sat": [0.9, 1.0, 1.2, 0.95, 1.1, 1.0], "sat-lite": [1.0] * 6}
            study.add_race(case, rounds, [("sat", "sat-lite")])
    assert result(table, "sat-lite-best").verdict.word == UNDECIDED
    assert result(table, "sat-not-worth-it").verdict.word == UNDECIDED


def test_few_rounds_decide_nothing():
    """Rounds that agree, but are too few, decide no claim about times, and do not matter to the others."""
    rows = [
        row._replace(value=FEW_ROUNDS.get(row.quantity.rpartition(", ")[2], row.value)) for row in good_table().rows()
    ]
    found = words(Table(rows))
    assert {name for name, word in found.items() if word == UNDECIDED} == ABOUT_TIMES
    assert {word for name, word in found.items() if name not in ABOUT_TIMES} == {HOLDS}


def test_every_claim_says_when_it_holds():
    assert [claim.name for claim in CLAIMS if not 5 < len(claim.holds_if) <= 100] == []


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
        study.add_race(CASES[1], {"lookup": [0.95] * 6, "axis": [1.0] * 6}, [("lookup", "axis")])
    found = words(table)
    assert (found["lookup-gain"], found["lookup-small"]) == (HOLDS, HOLDS)


def with_many_bytes():
    table = good_table()
    add_bytes(table, "gear", 3_400)
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
