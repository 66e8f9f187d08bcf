"""What boxtrees must reach here, and whether this run reached it."""

from __future__ import annotations

import math
from collections.abc import Callable

from tumble.bench.boxtree.contestants import AABB, BUILDS, DEFAULT_BUILD, FCL
from tumble.bench.boxtree.records import FIRST, TREES, Findings, mean_ratio
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.goals import Judged, Outcome, judged
from tumble.report import count, ratio

MOST_TIME, MOST_BYTES = 1.3, 1 / 3
RATE, RATE_TRIANGLES = 1_000_000, 450_000


def best_build(findings: Findings) -> str | None:
    """The variant of the least time against the AABB tree, over all cases: one for all of them."""
    cases = findings.of(TREES, FIRST + TREES)
    times = {name: mean_ratio(cases, name, AABB) for name in BUILDS}
    present = {name: value for name, value in times.items() if not math.isnan(value)}
    return min(present, key=lambda name: present[name], default=None)


def judge_goals(findings: Findings) -> list[Judged]:
    """Every goal with its verdict."""
    goals: tuple[tuple[str, str, Callable[[Findings], Outcome]], ...] = (
        ("query time, all pairs", f"≤ {MOST_TIME:g}× the AABB tree of equal leaves", lambda f: _time(f, TREES)),
        ("query time, first hit", f"≤ {MOST_TIME:g}× the AABB tree of equal leaves", lambda f: _time(f, FIRST + TREES)),
        ("bytes of nodes", "less than a third of the AABB tree's", _bytes),
        ("against FCL, all pairs", "faster", lambda f: _faster_than_fcl(f, TREES)),
        ("against FCL, first hit", "faster", lambda f: _faster_than_fcl(f, FIRST + TREES)),
        ("build", f"≥ {count(RATE)} triangles a second, {count(500_000)} triangles", _rate),
    )
    return [judged(name, goal, judge(findings)) for name, goal, judge in goals]


def _time(findings: Findings, query: str) -> Outcome:
    best, cases = best_build(findings), findings.of(query)
    if best is None or not cases:
        return None
    ratios = [one.ratio(best, AABB).median for one in cases]
    mean = geometric_mean(ratios)
    ends = f"{ratio(min(ratios))} to {ratio(max(ratios))}, cases: {len(ratios)}"
    return f"{best}: {ratio(mean)} ({ends})", MOST_TIME / mean


def _bytes(findings: Findings) -> Outcome:
    best = best_build(findings)
    if best is None or not findings.tree_bytes:
        return None
    parts = [(one.node_bytes[best] / one.node_bytes[AABB], one.name) for one in findings.tree_bytes]
    worst, name = max(parts)
    return f"{best}: {worst:.0%} at most ({name})", MOST_BYTES / worst


def _faster_than_fcl(findings: Findings, query: str) -> Outcome:
    best, cases = best_build(findings), [one for one in findings.of(query) if FCL in one.rounds]
    if best is None or not cases:
        return None
    leads = [(one.ratio(FCL, best).median, one.case.name) for one in cases]
    mean, (least, name) = geometric_mean([lead for lead, _ in leads]), min(leads)
    slower = sum(lead < 1 for lead, _ in leads)
    return f"{ratio(mean)}, least {ratio(least)} ({name}); slower on {slower} of {len(leads)}", mean


def _rate(findings: Findings) -> Outcome:
    large = [one for one in findings.built if one.triangles >= RATE_TRIANGLES]
    if not large:
        return None
    rates = [(one.triangles / one.seconds(DEFAULT_BUILD), one.name) for one in large]
    rate, name = min(rates)
    return f"{count(round(rate / 1000) * 1000)} a second at least ({name})", rate / RATE
