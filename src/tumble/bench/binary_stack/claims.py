"""The paper's claims, each with a judge that looks at what was found.

Claims about a GPU are judged where a device is one; elsewhere the numbers stand without a verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from tumble.bench.binary_stack.contestants import BINARY, EACH, called
from tumble.bench.binary_stack.published import GPU, SHARE, SPEEDUP, SPEEDUP_WITH_COPIES, published
from tumble.bench.binary_stack.racing import WARP
from tumble.bench.binary_stack.records import COLLISION, CONTACT, Findings, Row
from tumble.bench.claims import Claim, Judged, judge
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.verdicts import FAILS, HOLDS, PARTLY, UNKNOWN, Finding, verdict
from tumble.device import Device
from tumble.report import count, ratio

NOTHING = Finding(UNKNOWN, "–")
# "Greatly": a quarter at most. "A lot of clock cycles": a third of them and more. Times closer than a twentieth are
# equal.
GREATLY, A_LOT, EQUAL = 0.25, 1 / 3, 0.05
# Steps from which the heap is there: the paper's sentences are about those.
FROM_STEP = 100


def judge_claims(findings: Findings) -> list[Judged]:
    """Every claim put to what was found."""
    return judge(CLAIMS, findings)


def _bottleneck(findings: Findings) -> Finding:
    fall = findings.simulation
    if fall is None:
        return NOTHING
    alone, with_contacts = fall.share(*COLLISION), fall.share(*COLLISION, CONTACT)
    kept = HOLDS if alone >= SHARE[0] else PARTLY if with_contacts >= SHARE[0] else FAILS
    return Finding(kept, f"{alone:.0%} of the simulation, {with_contacts:.0%} with contact points")


def _same_walk(findings: Findings) -> Finding:
    asked = sum(one.body_pairs * len(one.equal) for one in findings.compared)
    equal = sum(sum(one.equal.values()) for one in findings.compared)
    rules = {rule for one in findings.compared for rule in one.equal}
    told = f"{count(equal)} of {count(asked)} queries: pairs of bodies, {len(rules)} rules"
    return Finding(verdict(equal, asked), told if asked else "–")


def _memory(findings: Findings) -> Finding:
    parts = [(one.bound_2 / one.bound_1, one.binary / one.stack) for one in findings.memory if one.bound_1]
    if not parts:
        return NOTHING
    kept = sum(bound <= GREATLY and here <= GREATLY for bound, here in parts)
    bounds, here = zip(*parts, strict=True)
    told = f"bound (2) is {min(bounds):.1%} to {max(bounds):.1%} of bound (1); here {min(here):.1%} to {max(here):.1%}"
    return Finding(verdict(kept, len(parts)), told)


def _bound_1(findings: Findings) -> Finding:
    kept = sum(one.seen <= one.bound_1 for one in findings.memory)
    worst = max(findings.memory, key=lambda one: one.seen / max(one.bound_1, 1e-9), default=None)
    told = "–" if worst is None else f"{worst.name}: {worst.seen} bytes in use, bound (1) says {worst.bound_1:g}"
    return Finding(verdict(kept, len(findings.memory)), told)


def _same_answers(findings: Findings) -> Finding:
    wrong = [f"{one.contestant} at step {one.step}" for one in findings.answers if one.differ]
    wrong += [f"the simulation at step {step}" for step in _otherwise_simulated(findings)]
    total = len(findings.answers) + len(findings.rows)
    told = f"differ: {', '.join(wrong)}" if wrong else f"in all of {count(total)} comparisons"
    return Finding(verdict(total - len(wrong), total), told)


def _otherwise_simulated(findings: Findings) -> list[int]:
    """The recorded moments at which the simulation counted otherwise."""
    fall = findings.simulation
    columns = ("broad pairs", "touching pairs", "triangle pairs")
    counted = {row.step: (row.broad, row.colliding, row.faces) for row in findings.rows}
    steps = fall.steps if fall is not None else ()
    return [
        step.step
        for step in steps
        if step.step in counted and tuple(step.counts[name] for name in columns) != counted[step.step]
    ]


def _heap(findings: Findings) -> list[Row]:
    """The rows of the paper's sentences, or all where the simulation was shorter."""
    return [row for row in findings.rows if row.step >= FROM_STEP] or findings.rows


def _on_gpus(findings: Findings, lead: float, told: str) -> Finding:
    """A verdict where there is a GPU; without one, only what was measured."""
    if not findings.devices or not findings.rows:
        return NOTHING
    if not findings.gpus:
        return Finding(UNKNOWN, f"no GPU here; {told}")
    return Finding(HOLDS if lead >= 1 else FAILS, told)


def _speedups(rows: Sequence[Row], device: Device, kernel_only: bool) -> float:
    name = called(device, EACH)
    if kernel_only:
        return geometric_mean([row.seconds(BINARY) / row.devices[name].kernel for row in rows])
    return geometric_mean([1 / row.ratio(name, BINARY).median for row in rows])


def _described(device: Device) -> str:
    return f"{device.name} ({device.kind.upper()}, {device.units} units)"


def _kernel(findings: Findings) -> Finding:
    leads = [(device, _speedups(_heap(findings), device, True)) for device in findings.gpus or findings.devices]
    told = ", ".join(f"{_described(device)} {ratio(lead)}" for device, lead in leads)
    return _on_gpus(findings, max((lead for _, lead in leads), default=0.0) / SPEEDUP[0], told)


def _with_copies(findings: Findings) -> Finding:
    leads = [(device, _speedups(_heap(findings), device, False)) for device in findings.gpus or findings.devices]
    told = ", ".join(f"{_described(device)} {ratio(lead)}" for device, lead in leads)
    return _on_gpus(findings, max((lead for _, lead in leads), default=0.0) / SPEEDUP_WITH_COPIES, told)


def _compact(findings: Findings) -> Finding:
    """What came back in the paper, and here: candidates, and only those."""
    if not findings.devices or not findings.rows:
        return NOTHING
    name = called(findings.devices[0])
    ours = [row.devices[name].copy / row.seconds(name) for row in _heap(findings)]
    theirs = [row.copy / row.collision for step, row in published(GPU).items() if step >= FROM_STEP and row.copy]
    told = f"copying takes {max(ours):.1%} of {name}'s collision time at most; in the paper {min(theirs):.0%} at least"
    return Finding(HOLDS if max(ours) < min(theirs) else FAILS, told)


def _waiting(findings: Findings) -> Finding:
    parts = [(one.idle, one.step) for one in findings.compared]
    kept = sum(idle >= A_LOT for idle, _ in parts)
    told = ", ".join(f"{idle:.0%} at step {step}" for idle, step in parts)
    return Finding(verdict(kept, len(parts)), f"turns that would wait, {WARP} walks in step: {told}" if parts else "–")


def _pool(findings: Findings) -> Finding:
    rows = _heap(findings)
    gains = [
        (device, geometric_mean([row.ratio(called(device, EACH), called(device)).median for row in rows]))
        for device in findings.gpus or findings.devices
    ]
    told = ", ".join(f"{_described(device)} {ratio(gain)}" for device, gain in gains)
    return _on_gpus(findings, max((gain for _, gain in gains), default=0.0) / (1 + EQUAL), told)


CLAIMS = (
    Claim(
        "bottleneck",
        "Collision detection may consume 80–90 % of the simulation time.",
        "Abstract",
        "its Table 1: 5 % at step 400, 42 % with contact points",
        _bottleneck,
    ),
    Claim(
        "same-walk",
        "The binary stack works in the same way as the ordinary one: the same node pairs.",
        "Sections 2, 6",
        "by construction",
        _same_walk,
        certain=True,
    ),
    Claim(
        "memory",
        "A binary stack needs far less memory than an ordinary one.",
        "Section 2",
        "bounds (1) and (2)",
        _memory,
    ),
    Claim(
        "bound-1",
        "An ordinary stack never holds more than k (c − 1) max(h) bytes.",
        "Section 2, bound (1)",
        "upper bound",
        _bound_1,
    ),
    Claim(
        "same-answers",
        "CPU and GPU find the same triangles (in the paper they drift apart from step 100 on, by rounding).",
        "Section 5",
        "1 face at step 100, 4 485 at step 250",
        _same_answers,
        certain=True,
    ),
    Claim(
        "kernel",
        "On a GPU the traversal is 4 to 5 times as fast as on one core of the CPU.",
        "Abstract, Table 1",
        "4–5×",
        _kernel,
    ),
    Claim(
        "with-copies",
        "With all copying, a GPU is more than twice as fast from step 100 on.",
        "Section 5, Figure 10",
        "> 2×",
        _with_copies,
    ),
    Claim(
        "compact",
        "Copying whole slots back is inefficient; bringing back less would be better.",
        "Section 5",
        "0.125 s a step, 4 096 slots a pair of bodies",
        _compact,
    ),
    Claim(
        "waiting",
        "With one work-item a pair of bodies, a lot of cycles are spent waiting for the longest walk.",
        "Sections 4, 5",
        "a lot",
        _waiting,
    ),
    Claim(
        "pool",
        "A pool of work that idle work-items draw from would be faster.",
        "Section 6",
        "future work",
        _pool,
    ),
)
