"""Claims and goals of the rerun of paper `bsp`: met by good findings, missed where one thing is spoilt."""

from dataclasses import replace

import pytest
from bsp_findings import (
    EMBREE,
    GPU,
    IPC_FAST,
    changed,
    flat,
    good_findings,
    grown,
    load,
    moved,
    query,
    raced,
    steep,
    streams,
    swept,
)

from tumble.bench.bsp.broad_phases import FACES, TWIN
from tumble.bench.bsp.claims import judge_claims
from tumble.bench.bsp.goals import judge_goals
from tumble.bench.bsp.records import ALL, BETWEEN, Answer, Findings
from tumble.bench.goals import MET, MISSED
from tumble.bench.goals import UNKNOWN as NOT_MEASURED
from tumble.bench.verdicts import FAILS, HOLDS, PARTLY, UNKNOWN

CERTAIN = {"same-answers", "padding"}
WRONG = Answer("funnel", ALL, GPU.name, 6, 7, False)
CPU_DEVICE = replace(GPU, kind="cpu")


def verdicts(findings):
    return {judged.claim.name: judged.found.verdict for judged in judge_claims(findings)}


def goals(findings):
    return {goal.name: goal for goal in judge_goals(findings)}


def test_good_findings_satisfy_all():
    assert set(verdicts(good_findings()).values()) == {HOLDS}
    assert {goal.verdict for goal in judge_goals(good_findings())} == {MET}
    assert {judged.claim.name for judged in judge_claims(good_findings()) if judged.claim.certain} == CERTAIN


def test_nothing_found_is_nothing_judged():
    assert set(verdicts(Findings()).values()) == {UNKNOWN}
    assert {goal.verdict for goal in judge_goals(Findings())} == {NOT_MEASURED}


@pytest.mark.parametrize(
    "name, verdict, changes",
    [
        ("same-answers", PARTLY, {"answers": lambda good: [*good, WRONG]}),
        ("same-answers", FAILS, {"answers": [WRONG]}),
        ("objects", PARTLY, {"loads": lambda good: [*good[:2], load("n-body", 310, 58_800, 0, False, "19")]}),
        ("loads", PARTLY, {"loads": lambda good: [*good[:2], load("n-body", 305, 19_853, 0, False, "19")]}),
        ("loads", UNKNOWN, {"loads": [load("n-body", 305, 58_800, 0, False, "", real=False)]}),
        ("real-time", FAILS, {"table": lambda good: [query("cloth-ball", ALL, 7.0), *good[2:]]}),
        ("real-time", UNKNOWN, {"devices": [CPU_DEVICE]}),
        ("order", FAILS, {"table": lambda good: [*good[:4], query("n-body", BETWEEN, 0.5)]}),
        ("order", UNKNOWN, {"table": lambda good: good[:4]}),
        ("faster", PARTLY, {"streams": [streams("cloth-ball", 2.0), streams("n-body", 2.0)]}),
        ("faster", FAILS, {"streams": [streams("cloth-ball", 9.0), streams("n-body", 0.9)]}),
        ("best-scene", FAILS, {"streams": [streams("cloth-ball", 9.0), streams("n-body", 4.0)]}),
        ("deep-steps", PARTLY, {"swept": [swept(8, "funnel", lambda entry, step: 2 + step)]}),
        ("deep-steps", FAILS, {"swept": [swept(8, "funnel", lambda entry, step: 5 - step)]}),
        ("small-steps", FAILS, {"swept": [swept(8, "funnel", lambda entry, step: 5 - step)]}),
        ("entry", FAILS, {"swept": [swept(8, "n-body", flat), swept(8, "funnel", flat)]}),
        ("entry", FAILS, {"swept": [swept(8, "n-body", steep), swept(8, "funnel", steep)]}),
        ("mid-range", FAILS, {"swept": [swept(9, "funnel", lambda queue, group: queue * group)]}),
        ("mid-range", PARTLY, {"swept": [swept(9, "funnel", lambda queue, group: 9 / queue)]}),
        ("mid-range", PARTLY, {"swept": [swept(9, "funnel", lambda queue, group: 9 / group)]}),
        ("mid-range", PARTLY, {"swept": [swept(9, "funnel", lambda queue, group: group / queue)]}),
        ("padding", PARTLY, {"grown": [grown("funnel"), grown("n-body", 201, 100)]}),
        (
            "compressed",
            FAILS,
            {"grown": lambda good: [replace(good[0], rounds={name: [1.0] for name in good[0].rounds})]},
        ),
    ],
)
def test_a_claim_that_is_spoilt(name, verdict, changes):
    assert verdicts(changed(**changes))[name] == verdict


def test_only_what_theory_fixes_breaks_a_build():
    def broken(**changes):
        return {judged.claim.name for judged in judge_claims(changed(**changes)) if judged.broken}

    assert broken(answers=[WRONG]) == {"same-answers"}
    assert broken(streams=[streams("cloth-ball", 0.5), streams("n-body", 0.9)]) == set()


@pytest.mark.parametrize(
    "name, changes",
    [
        ("bulk on opencl:0", {"streams": [streams("cloth-ball", 2.0), streams("n-body", 5.9)]}),
        ("self-collision candidates, cloth-ball", {"faces": [raced("cloth-ball", FACES, {TWIN: 0.3, IPC_FAST: 0.2})]}),
        ("answers", {"answers": lambda good: [*good, WRONG]}),
        ("sheet", {"moved": [moved("one"), moved("two", pairs=1_235)]}),
        ("sheet", {"late_megabytes": 220.0}),
    ],
)
def test_a_goal_that_is_missed(name, changes):
    if "faces" in changes:
        changes["faces"] = [replace(one, counts=dict.fromkeys(one.rounds, 9)) for one in changes["faces"]]
    goal = goals(changed(**changes))[name]
    assert goal.verdict == MISSED
    assert goal.reached < 1


def test_the_average_over_streams_is_a_plain_mean_of_the_devices_ratios():
    goal = goals(good_findings())["bulk on opencl:0"]
    assert goal.measured.startswith(
        "4.67× (Cloth-Ball 4.00×, Funnel 4.00×, NBody 6.00×; in the paper's way 4.67×; in kernels alone 9.33×"
    )
    assert goal.reached == pytest.approx(4.6667 / 4, rel=1e-3)


def test_the_distance_to_embree_is_stated_both_ways():
    assert "takes 2.00× as long as Embree" in goals(good_findings())["beside Embree, cloth-ball"].measured
    faster = changed(faces=[raced("cloth-ball", FACES, {TWIN: 0.1, EMBREE: 0.3})])
    assert "is 3.00× as fast as Embree" in goals(faster)["beside Embree, cloth-ball"].measured


def test_the_fastest_of_a_family_counts():
    told = goals(good_findings())["self-collision candidates, cloth-ball"].measured
    assert "3.00× as fast as IPC Toolkit, LBVH" in told
    assert "with the Python objects that it makes of all candidates, about 100 ns each" in told
