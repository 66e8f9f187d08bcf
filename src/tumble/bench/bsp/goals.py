"""What the bulk traversal must reach here, and whether this run reached it."""

from __future__ import annotations

import numpy as np

from tumble.bench.bsp.broad_phases import EMBREE, IPC, WIDE
from tumble.bench.bsp.judging import lead_over, mean, speedups, title
from tumble.bench.bsp.published import CLOTH_BALL
from tumble.bench.bsp.records import CPU, Findings, papers_way
from tumble.bench.goals import Judged, Outcome, judged
from tumble.report import count, ratio

LEAST_SPEEDUP = 4.0
MOST_GROWTH = 0.05
"""of resident memory, from a third of the way on"""


def judge_goals(findings: Findings) -> list[Judged]:
    """Every goal with its verdict."""
    least = f"on average at least {LEAST_SPEEDUP:g}× as fast as streams on the same device"
    goals = [judged(f"bulk on {device.name}", least, _streams(findings, device.name)) for device in findings.devices]
    if not findings.devices:
        goals.append(judged("bulk on a device", least, None))
    goals.append(
        judged("self-collision candidates, cloth-ball", "faster than IPC Toolkit's fastest", _ipc(findings, True))
    )
    goals.append(judged("contact candidates, cloth-ball", "faster than IPC Toolkit's fastest", _ipc(findings, False)))
    goals.append(judged("beside Embree, cloth-ball", "the distance is stated", _embree(findings)))
    goals.append(judged("answers", "the same leaf pairs in every way, for all settings", _answers(findings)))
    goals.append(judged("sheet", "the same pairs by every rule, memory flat", _sheet(findings)))
    return goals


def _streams(findings: Findings, way: str) -> Outcome:
    found = speedups(findings, way)
    if not found:
        return None
    told = ", ".join(f"{title(scene)} {ratio(value)}" for scene, value in found.items())
    others = {
        "in the paper's way": mean(speedups(findings, papers_way(way))),
        "in kernels alone": mean(speedups(findings, way, kernels=True)),
        "on the CPU without a device": mean(speedups(findings, CPU)),
    }
    told = "; ".join([told, *(f"{name} {ratio(value)}" for name, value in others.items())])
    return f"{ratio(mean(found))} ({told})", mean(found) / LEAST_SPEEDUP


def _ipc(findings: Findings, faces: bool) -> Outcome:
    raced = findings.of(findings.faces if faces else findings.elements, CLOTH_BALL)
    if raced is None:
        return None
    lead = lead_over(raced, IPC) if faces else lead_over(raced, IPC, WIDE)
    if lead is None:
        return None
    rival, value = lead
    told = f"{ratio(value)} as fast as {rival}"
    if faces and findings.object_seconds:
        each = 1e9 * float(np.median(findings.object_seconds))
        told += f", with the Python objects that it makes of all candidates, about {each:.0f} ns each;"
        told += " the next row has none"
    return told, value


def _embree(findings: Findings) -> Outcome:
    raced = findings.of(findings.faces, CLOTH_BALL)
    lead = None if raced is None else lead_over(raced, EMBREE)
    if lead is None:
        return None
    rival, value = lead
    words = f"{ratio(value)} as fast" if value >= 1 else f"{ratio(1 / value)} as long"
    return f"the CPU twin takes {words} as {rival}" if value < 1 else f"the CPU twin is {words} as {rival}", 1.0


def _answers(findings: Findings) -> Outcome:
    if not findings.answers:
        return None
    same, asked = sum(one.same for one in findings.answers), len(findings.answers)
    return f"{count(same)} of {count(asked)} comparisons", same / asked


def _sheet(findings: Findings) -> Outcome:
    if not findings.moved:
        return None
    pairs = {one.pairs for one in findings.moved}
    early, late = findings.early_megabytes, findings.late_megabytes
    grown = (late - early) / early if early and late else 0.0
    frames, rules = findings.moved[0].frames, len(findings.moved)
    told = f"{count(min(pairs))} pairs in {count(frames)} frames by {rules} rules"
    told += "" if len(pairs) == 1 else f" (but up to {count(max(pairs))})"
    told += "; memory not known" if early is None else f"; memory grows by {grown:.1%} in the last two thirds"
    return told, (1.0 if len(pairs) == 1 else 0.0) * min(1.0, MOST_GROWTH / max(grown, 1e-9))
