"""The claims of paper `boxtree` and the goals: met by good findings, and each able to fail."""

from dataclasses import replace

import numpy as np
import pytest
from boxtree_findings import PASSING, good_findings, raced, retimed, test_times

from tumble.bench.boxtree.claims import CLAIMS, judge_claims
from tumble.bench.boxtree.contestants import AABB, BUILDS, DEFAULT_BUILD, DOP, FCL, LEAST_VOLUME, OVERLAPS, called
from tumble.bench.boxtree.goals import best_build, judge_goals
from tumble.bench.boxtree.records import AHEAD, FIRST, TESTS, TREES, Findings, Work
from tumble.bench.goals import MET, MISSED
from tumble.bench.goals import UNKNOWN as UNJUDGED
from tumble.bench.peers.records import Difference
from tumble.bench.verdicts import FAILS, HOLDS, PARTLY, UNKNOWN

CERTAIN = {"nine-bytes", "same-answers", "false-positives"}


def verdicts(findings):
    return {judged.claim.name: judged.found.verdict for judged in judge_claims(findings)}


def goals(findings):
    return {judged.name: judged for judged in judge_goals(findings)}


def changed(**fields):
    """Good findings with one list changed by a function."""
    findings = good_findings()
    for name, change in fields.items():
        setattr(findings, name, change(getattr(findings, name)))
    return findings


def slower(builder, factor):
    """Builds whose largest object takes so much longer."""

    def change(built):
        last = built[-1]
        rounds = {**last.rounds, builder: [factor * value for value in last.rounds[builder]]}
        return [*built[:-1], replace(last, rounds=rounds)]

    return change


def wide_open(emptiness):
    return [replace(one, shares=np.full(5, 0.3), touching=np.full(5, 2)) for one in emptiness]


def passing(**changes):
    """The races of overlap tests with other numbers of overlapping node pairs."""
    counts = {**PASSING, **changes}
    work = {called(name): Work(50.0, counts[name], 3.0) for name in OVERLAPS}
    return lambda races: [*races, raced(TESTS, test_times(), 1_000, work)]


def lost_pairs(differences):
    return [*differences, Difference(TREES, "knot 1000 at 0.8", "chained boxtree", 4, 1, 2, 0)]


def test_all_hold_on_good_findings():
    assert set(verdicts(good_findings()).values()) == {HOLDS}
    assert {goal.verdict for goal in goals(good_findings()).values()} == {MET}


def test_nothing_measured_is_no_verdict():
    assert set(verdicts(Findings()).values()) == {UNKNOWN}
    assert {goal.verdict for goal in goals(Findings()).values()} == {UNJUDGED}


def test_certain_claims_are_those_that_theory_fixes():
    assert {claim.name for claim in CLAIMS if claim.certain} == CERTAIN
    assert len({claim.name for claim in CLAIMS}) == len(CLAIMS)


@pytest.mark.parametrize(
    "claim, findings, verdict",
    [
        ("empty-space", changed(emptiness=wide_open), FAILS),
        ("touching-sides", changed(emptiness=wide_open), FAILS),
        ("obb-bytes", changed(nodes=lambda nodes: [*nodes[:-1], replace(nodes[-1], nbytes=60.0)]), FAILS),
        ("nine-bytes", changed(nodes=lambda nodes: [replace(nodes[0], nbytes=12.0), *nodes[1:]]), PARTLY),
        ("operations", changed(nodes=lambda nodes: [replace(nodes[0], worst=13.0), *nodes[1:]]), PARTLY),
        ("operations", changed(nodes=lambda nodes: [replace(node, worst=None) for node in nodes]), UNKNOWN),
        ("ahead-halves-operations", changed(nodes=lambda nodes: [replace(nodes[0], mean_ahead=9.0)]), FAILS),
        ("n-log-n", changed(built=slower(DEFAULT_BUILD, 4)), PARTLY),
        ("n-log-n", changed(built=lambda built: built[:3]), UNKNOWN),
        ("build-rate", changed(built=slower(LEAST_VOLUME, 1000)), FAILS),
        ("same-answers", changed(own_differences=lost_pairs), PARTLY),
        ("false-positives", changed(raced=passing(sat=12.0)), PARTLY),
        ("false-positives", changed(raced=passing(lookup=14.0)), PARTLY),
        ("sat-lite-best", retimed(good_findings(), TESTS, axis=0.9), PARTLY),
        ("sat-not-worth-it", retimed(good_findings(), TESTS, sat=0.9), FAILS),
        ("lookup-gain", retimed(good_findings(), TESTS, lookup=1.2), FAILS),
        ("lookup-small", retimed(good_findings(), TESTS, lookup=1.3), FAILS),
        ("ahead", retimed(good_findings(), TESTS, axis=1.7), PARTLY),
        ("ahead-elsewhere", retimed(good_findings(), AHEAD, sphere_tree=0.9), PARTLY),
        ("same-league", retimed(good_findings(), TREES, **{DOP.replace(" ", "_"): 0.5, "OBB_tree": 0.5}), FAILS),
        ("same-league", retimed(good_findings(), TREES, OBB_tree=0.5), PARTLY),
    ],
)
def test_each_claim_can_fail(claim, findings, verdict):
    judged = {one.claim.name: one for one in judge_claims(findings)}[claim]
    assert judged.found.verdict == verdict
    assert judged.broken == (claim in CERTAIN)
    assert judged.as_dict()["broken"] == judged.broken


def test_lookup_tables_may_win_a_little_on_large_objects():
    findings = good_findings()
    large = {called("lookup"): [1.35] * 3}
    findings.raced = [
        replace(one, rounds={**one.rounds, **large}) if one.size == 10_000 and one.case.query.endswith(TESTS) else one
        for one in findings.raced
    ]
    found = verdicts(findings)
    assert (found["lookup-gain"], found["lookup-small"]) == (HOLDS, HOLDS)


@pytest.mark.parametrize(
    "goal, findings",
    [
        ("query time, all pairs", retimed(good_findings(), TREES, **{AABB.replace(" ", "_"): 0.7})),
        ("query time, first hit", retimed(good_findings(), TREES, **{AABB.replace(" ", "_"): 0.7})),
        ("against FCL, all pairs", retimed(good_findings(), TREES, **{FCL: 0.9})),
        ("against FCL, first hit", retimed(good_findings(), TREES, **{FCL: 0.9})),
        ("build", changed(built=slower(DEFAULT_BUILD, 20))),
    ],
)
def test_each_goal_can_be_missed(goal, findings):
    judged = goals(findings)[goal]
    assert judged.verdict == MISSED
    assert judged.reached < 1


def test_too_many_bytes_miss_the_goal():
    findings = good_findings()
    sizes = {**findings.tree_bytes[0].node_bytes, **dict.fromkeys(BUILDS, 30_000)}
    findings.tree_bytes.append(replace(findings.tree_bytes[0], name="gear", node_bytes=sizes))
    judged = goals(findings)["bytes of nodes"]
    assert (judged.verdict, "gear" in judged.measured) == (MISSED, True)


def test_one_variant_is_the_best_for_all_cases():
    findings = retimed(good_findings(), TREES, chained_boxtree=0.5)
    assert best_build(findings) == "chained boxtree"
    # faster on one case only, and much slower on the others
    slow = replace(findings.of(TREES)[0], rounds={**findings.of(TREES)[0].rounds, "chained boxtree": [1e4] * 3})
    findings.raced = [slow if one is findings.of(TREES)[0] else one for one in findings.raced]
    assert best_build(findings) != "chained boxtree"


def test_without_fcl_its_goals_are_not_measured():
    findings = good_findings()
    findings.raced = [
        replace(one, rounds={name: rounds for name, rounds in one.rounds.items() if name != FCL})
        for one in findings.raced
    ]
    assert goals(findings)["against FCL, all pairs"].verdict == UNJUDGED
    assert goals(findings)["query time, all pairs"].verdict == MET
    assert findings.of(FIRST + TREES)
