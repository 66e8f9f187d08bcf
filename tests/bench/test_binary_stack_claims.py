"""Claims and goals of the rerun of paper `binary-stack`: met by good findings, missed where one thing is spoilt."""

from dataclasses import replace

import pytest
from binary_stack_findings import GPU, QUICK_COLLISION, changed, compared, fall, good_findings, row, step

from tumble.bench.binary_stack.claims import judge_claims
from tumble.bench.binary_stack.contestants import EACH, called
from tumble.bench.binary_stack.goals import judge_goals
from tumble.bench.binary_stack.obb_race import COAL
from tumble.bench.binary_stack.published import STEPS
from tumble.bench.binary_stack.records import Disagreement, Findings, Rest
from tumble.bench.goals import MET, MISSED
from tumble.bench.goals import UNKNOWN as NOT_MEASURED
from tumble.bench.verdicts import FAILS, HOLDS, PARTLY, UNKNOWN

CERTAIN = {"same-walk", "same-answers"}


def verdicts(findings):
    return {judged.claim.name: judged.found.verdict for judged in judge_claims(findings)}


def goals(findings):
    return {judged.name: judged for judged in judge_goals(findings)}


def with_phases(phases):
    return fall(steps=[step(number, phases) for number in range(STEPS + 1)])


def one_step(**changes):
    """The simulation with one step changed."""
    steps = [step(number) for number in range(STEPS + 1)]
    steps[7] = step(7, **changes)
    return fall(steps=steps)


def slower(races, which):
    """The races with Coal ahead in one of them."""
    ahead = replace(races[which], rounds={**races[which].rounds, COAL: [0.9] * 3})
    return [ahead if number == which else one for number, one in enumerate(races)]


def test_good_findings_hold():
    judged = judge_claims(good_findings())
    assert {one.claim.name: one.found.verdict for one in judged} == {one.claim.name: HOLDS for one in judged}
    assert not any(one.broken for one in judged)
    assert {one.claim.name for one in judged if one.claim.certain} == CERTAIN


def test_nothing_measured_is_no_verdict():
    assert set(verdicts(Findings()).values()) == {UNKNOWN}
    assert {one.verdict for one in goals(Findings()).values()} == {NOT_MEASURED}


DEVICE = called(GPU, EACH)


@pytest.mark.parametrize(
    ("name", "findings", "expected"),
    [
        ("bottleneck", changed(simulation=with_phases(QUICK_COLLISION)), FAILS),
        ("bottleneck", changed(simulation=with_phases({**QUICK_COLLISION, "contacts": 0.7, "solve": 0.1})), PARTLY),
        ("same-walk", changed(compared=[compared(equal={"volume": 10, "a-first": 9})]), PARTLY),
        ("memory", changed(memory=lambda rows: [replace(rows[0], bound_2=30.0)]), FAILS),
        ("memory", changed(memory=lambda rows: [replace(rows[0], binary=60)]), FAILS),
        ("bound-1", changed(memory=lambda rows: [*rows, replace(rows[0], seen=88)]), PARTLY),
        ("same-answers", changed(answers=[Disagreement(0, "a", 3, 0), Disagreement(0, "b", 3, 1)]), PARTLY),
        ("same-answers", changed(rows=lambda rows: [replace(rows[0], faces=41), *rows[1:]]), PARTLY),
        ("kernel", changed(rows=[row(100, binary_stack=0.05)]), FAILS),
        ("with-copies", changed(rows=[row(100, **{DEVICE: 0.06})]), FAILS),
        ("waiting", changed(compared=[compared(idle=0.1)]), FAILS),
        ("pool", changed(rows=[row(100, **{called(GPU): 0.04})]), FAILS),
        ("kernel", changed(devices=[replace(GPU, kind="cpu")]), UNKNOWN),
        ("with-copies", changed(devices=[replace(GPU, kind="cpu")]), UNKNOWN),
        ("pool", changed(devices=[replace(GPU, kind="cpu")]), UNKNOWN),
        ("pool", changed(devices=[]), UNKNOWN),
    ],
)
def test_what_fails_is_noticed(name, findings, expected):
    assert verdicts(findings)[name] == expected
    broken = {one.claim.name for one in judge_claims(findings) if one.broken}
    assert broken == ({name} & CERTAIN if expected in (FAILS, PARTLY) else set())


def test_much_copying_is_noticed():
    slow = row(100)
    slow = replace(slow, devices={name: replace(times, copy=0.02) for name, times in slow.devices.items()})
    assert verdicts(changed(rows=[slow]))["compact"] == FAILS


def test_numbers_of_a_device_that_is_no_gpu_are_told():
    told = {one.claim.name: one.found.numbers for one in judge_claims(changed(devices=[replace(GPU, kind="cpu")]))}
    assert told["kernel"] == "no GPU here; opencl:0 (CPU, 16 units) 5.00×"
    assert told["with-copies"] == "no GPU here; opencl:0 (CPU, 16 units) 2.50×"


def test_good_findings_meet_the_goals():
    met = goals(changed(simulation=with_phases(QUICK_COLLISION)))
    assert {name: one.verdict for name, one in met.items()} == dict.fromkeys(met, MET)


@pytest.mark.parametrize(
    ("name", "findings", "expected"),
    [
        ("512 cows, 400 steps", changed(simulation=fall(steps=[step(0, seconds=2.0)] * (STEPS + 1))), MISSED),
        ("512 cows, 400 steps", changed(simulation=fall(real=False)), NOT_MEASURED),
        ("512 cows, 400 steps", changed(simulation=fall(bodies=511)), NOT_MEASURED),
        ("512 cows, 400 steps", changed(simulation=fall(steps=[step(0)] * STEPS)), NOT_MEASURED),
        ("collision detection", good_findings(), MISSED),
        ("none tunnels", changed(simulation=one_step(lowest=-0.11)), MISSED),
        ("none explodes", changed(simulation=one_step(fastest=13.0)), MISSED),
        ("none explodes", changed(simulation=one_step(energy=102.0)), MISSED),
        ("all come to rest", changed(simulation=fall(rest=Rest(900, 511, 0.0, 0.1))), MISSED),
        ("all come to rest", changed(simulation=fall(rest=Rest(900, 512, -0.003, 0.0))), MISSED),
        ("OBB tree beside Coal's, all pairs", changed(obb=lambda races: slower(races, 0)), MISSED),
        ("OBB tree beside Coal's, first hit", changed(obb=lambda races: slower(races, 1)), MISSED),
        ("answers", changed(answers=[Disagreement(0, "b", 3, 1)]), MISSED),
    ],
)
def test_missed_goals(name, findings, expected):
    assert goals(findings)[name].verdict == expected
