"""Claims and goals of the paper `chip`, put to findings made by hand."""

from dataclasses import replace

import numpy as np
import pytest
from chip_findings import good_findings, good_rotation, good_sample, relisted, swept, with_rotation, with_sample

from tumble.bench.chip import claims as module
from tumble.bench.chip.claims import CLAIMS, judge_claims
from tumble.bench.chip.goals import judge_goals
from tumble.bench.chip.listing import VOLUMES
from tumble.bench.chip.published import TABLE_1
from tumble.bench.chip.records import Findings
from tumble.bench.chip.unit_claims import OURS
from tumble.bench.goals import MET, MISSED
from tumble.bench.goals import UNKNOWN as UNJUDGED
from tumble.bench.verdicts import FAILS, HOLDS, PARTLY, UNKNOWN

MODEL = "cycle model without triangles, beside Equation 5"


def found(findings):
    return {judged.claim.name: judged.found for judged in judge_claims(findings)}


def verdicts(findings):
    return {name: one.verdict for name, one in found(findings).items()}


def test_everything_holds_where_everything_is_as_it_should_be():
    assert set(verdicts(good_findings()).values()) == {HOLDS}
    assert not any(judged.broken for judged in judge_claims(good_findings()))


def test_nothing_is_judged_where_nothing_was_measured():
    judged = verdicts(Findings())
    assert judged.pop("published-times") == HOLDS  # that depends on no run
    assert set(judged.values()) == {UNKNOWN}
    assert {goal.verdict for goal in judge_goals(Findings())} == {UNJUDGED}


def every(method, **counts):
    return {f"{volume} {method}": counts for volume in VOLUMES}


def with_other_answers():
    findings = good_findings()
    findings.differences = [replace(one, differ=1) for one in findings.differences]
    return findings


def with_costly_unit():
    findings = good_findings()
    findings.triangle_tests = [replace(findings.triangle_tests[0], additions=500.0), *findings.triangle_tests[1:]]
    return findings


def with_fast_26():
    findings = good_findings()
    findings.sweep = [swept(24, 483), swept(26, 300)]
    return findings


def all_moved(times):
    """Every node moved so many times, in software and on the chip."""
    findings = relisted(counts={**every("lists", moves=20.0 * times), **every("lists-pairs", moves=20.0 * times)})
    samples = [good_sample(tumbled=20 * times)]
    findings.rotations = [replace(one, tumbled=times * one.tumbled, samples=samples) for one in findings.rotations]
    return findings


@pytest.mark.parametrize(
    "name, findings, verdict",
    [
        ("speedup-range", with_rotation(recursive=np.array([1e-6, 2e-6])), FAILS),
        ("speedup-range", with_rotation(recursive=np.array([2_000e-6, 9_000e-6])), FAILS),
        ("worst-case-higher", with_rotation(recursive=np.array([700e-6, 800e-6])), FAILS),
        ("moved-once", with_rotation(tumbled=np.array([40.0, 201.0])), PARTLY),
        ("moved-once", relisted(counts=every("lists", moves=20.25)), PARTLY),
        ("moved-once", relisted(counts=every("lists-pairs", moves=49 * 20.0)), PARTLY),
        ("moved-once", with_sample(tumbled=21), PARTLY),
        ("moved-once", all_moved(49), FAILS),
        ("fewer-visits", relisted(counts=every("lists-pairs", iterations=150.0)), FAILS),
        ("half-the-reads", relisted(counts=every("lists-pairs", iterations=80.0)), FAILS),
        ("lists-gain", relisted({"kdop24 lists": 2.5, "kdop24 lists-pairs": 2.2}), FAILS),
        ("lists-gain", relisted({"kdop24 lists": 1.7, "kdop24 lists-pairs": 1.7}), PARTLY),
        ("all-volumes", relisted({"sphere lists-pairs": 5.0}), PARTLY),
        ("k-24", relisted({"kdop6 stack": 1.8}), PARTLY),
        ("k-24", with_fast_26(), PARTLY),
        ("triangles-rare", with_rotation(checks=np.array([100.0, 1_500.0])), FAILS),
        ("cheap-triangles", with_costly_unit(), FAILS),
        ("limits", with_sample(bottleneck="stack engine"), FAILS),
        ("same-answers", with_other_answers(), PARTLY),
        ("same-answers", with_sample(agrees=False), PARTLY),
    ],
)
def test_what_spoils_a_claim(name, findings, verdict):
    judged = verdicts(findings)
    assert judged[name] == verdict
    certain = {claim.name for claim in CLAIMS if claim.certain}
    broken = {one.claim.name for one in judge_claims(findings) if one.broken}
    assert (name in broken) is (name in certain)


def test_cheaper_than_our_own_tests_is_not_cheaper_than_others():
    """A test of ours that costs more does not save the claim."""
    findings = with_costly_unit()
    findings.triangle_tests = [replace(one, additions=900.0) if one.name in OURS else one
                               for one in findings.triangle_tests]  # fmt: skip
    assert verdicts(findings)["cheap-triangles"] == FAILS


def test_speedups_with_and_without_triangles_are_both_told():
    told = found(with_sample(seconds=4_000e-6))["speedup-range"].numbers
    assert "by Equation 5, which leaves out the triangles that the software tests" in told
    assert "0.75× to 0.75× where both test them, in 2 poses" in told
    assert "where both" not in found(with_sample(polygon_checks=0))["speedup-range"].numbers


def test_a_misread_equation_is_a_fault(monkeypatch):
    monkeypatch.setattr(module, "total_cycles", lambda aligned, tumbled: 2.0 * aligned)
    (judged,) = [one for one in judge_claims(good_findings()) if one.claim.name == "published-times"]
    assert judged.broken


@pytest.mark.parametrize(
    "goal, findings",
    [
        (MODEL, with_sample(plain_cycles=4_300)),
        (MODEL, with_sample(plain_cycles=3_300)),
        ("the chip's answers", with_sample(agrees=False)),
    ],
)
def test_goals_can_be_missed(goal, findings):
    assert {one.name: one.verdict for one in judge_goals(good_findings())}[goal] == MET
    assert {one.name: one.verdict for one in judge_goals(findings)}[goal] == MISSED


def test_short_lists_are_no_part_of_the_goal():
    goals = {one.name: one for one in judge_goals(with_sample(plain_cycles=9_000, pairs_a_list=2.0))}
    assert goals[MODEL].verdict == UNJUDGED


def test_hardware_times_and_speedups_of_a_rotation():
    one = good_rotation()
    # 100 reads in 20 lists are 2.5 pairs a list: 105 cycles each
    assert one.hardware[0] == pytest.approx(20 * 105 * 3.76e-9)
    assert one.hardware[1] == pytest.approx(100 * 130 * 3.76e-9)
    assert one.speedup == pytest.approx(3_200e-6 / (2_100 + 13_000) / 3.76e-9)
    assert one.worst_speedup == pytest.approx(3_000e-6 / 13_000 / 3.76e-9)


def test_the_published_table():
    assert [row.polygons for row in TABLE_1.values()] == [19_326, 30_075, 62_023, 60_755, 125_000]
    assert [row.speedup for row in TABLE_1.values()] == [98, 36, 27, 31, 26]
    assert [row.worst_speedup for row in TABLE_1.values()] == [127, 44, 38, 49, 53]
    assert TABLE_1["Filter"].worst == (542_888, 3_553, 5_638, 717_164)
