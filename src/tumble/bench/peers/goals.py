"""What Tumble set out to reach against its peers, and whether this run reached it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.goals import Judged, Outcome
from tumble.bench.goals import judged as verdict_on
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.records import Findings, Timed
from tumble.report import ratio, significant

# FCL's bytes a triangle, and the part of it that Tumble may take.
FCL_BYTES, BYTES_SHARE = 516, 8
COLD_SECONDS, WARM_SECONDS = 30.0, 3.0


@dataclass(frozen=True)
class Speedups:
    """How much faster Tumble is on the cases of one query."""

    mean: float
    # The case where Tumble leads by least and the one where it leads by most: name and ratio.
    worst: tuple[str, float]
    best: tuple[str, float]
    cases: int
    slower: Sequence[tuple[str, float]]


@dataclass(frozen=True)
class Goal:
    """A goal and how it is judged: the judge gives what was measured, in words, and how much of the goal that is."""

    name: str
    goal: str
    judge: Callable[[Findings, Sequence[str]], Outcome]

    def put_to(self, findings: Findings, judged: Sequence[str]) -> Judged:
        """The goal with its verdict."""
        return verdict_on(self.name, self.goal, self.judge(findings, judged))


def speedups(timed: Sequence[Timed], rivals: Sequence[str]) -> Speedups | None:
    """Tumble against the fastest of some rivals, case by case."""
    ratios = [(one.case.name, one.speedup(rival).median) for one in timed if (rival := one.fastest(rivals)) is not None]
    if not ratios:
        return None
    by_lead = sorted(ratios, key=lambda case: case[1])
    slower = [case for case in by_lead if case[1] < 1]
    return Speedups(geometric_mean([lead for _, lead in ratios]), by_lead[0], by_lead[-1], len(ratios), slower)


def _mean_at_least(query: str, wanted: float, rival: str | None = None) -> Callable[..., Outcome]:
    def judge(findings: Findings, judged: Sequence[str]) -> Outcome:
        timed = findings.of(query)
        if rival is not None:  # this library itself, not its loop on several threads
            timed = [Timed(one.case, {n: one.rounds[n] for n in (OURS, rival) if n in one.rounds}) for one in timed]
        found = speedups(timed, judged if rival is None else [rival])
        if found is None:
            return None
        ends = f"{ratio(found.worst[1])} to {ratio(found.best[1])}, cases: {found.cases}"
        return f"{ratio(found.mean)} ({ends})", found.mean / wanted

    return judge


def _nowhere_slower(query: str) -> Callable[..., Outcome]:
    def judge(findings: Findings, judged: Sequence[str]) -> Outcome:
        found = speedups(findings.of(query), judged)
        if found is None:
            return None
        name, lead = found.worst
        slower = f"slower on {len(found.slower)} of {found.cases}" if found.slower else f"on none of {found.cases}"
        return f"{slower}; least lead {ratio(lead)} ({name})", lead

    return judge


def _memory(findings: Findings, judged: Sequence[str]) -> Outcome:
    own = findings.fact("memory", "with triangles", OURS)
    if own is None:
        return None
    fcl = findings.fact("memory", "with triangles", "fcl")
    beside = f"; FCL here: {significant(fcl.value)}" if fcl else ""
    return f"{significant(own.value)} bytes{beside}", FCL_BYTES / BYTES_SHARE / own.value


def _start(name: str, limit: float) -> Callable[..., Outcome]:
    def judge(findings: Findings, judged: Sequence[str]) -> Outcome:
        fact = findings.fact("start", name, OURS)
        return None if fact is None else (f"{significant(fact.value)} s", limit / fact.value)

    return judge


GOALS = (
    Goal("all pairs, one thread", "≥ 10× faster", _mean_at_least("all-pairs", 10)),
    Goal("first hit, one thread", "≥ 3× faster", _mean_at_least("first-hit", 3)),
    Goal("first hit, every case", "slower on none", _nowhere_slower("first-hit")),
    Goal("far apart, one call", "≥ 1× FCL's own call", _mean_at_least("far-apart", 1, "fcl")),
    Goal(
        "10 000 poses in one call, with threads",
        "≥ 30× faster than a Python loop over FCL",
        _mean_at_least("batch-threads", 30, "fcl"),
    ),
    Goal("build", "≥ 5× faster than FCL fed by NumPy arrays", _mean_at_least("build", 5, "fcl")),
    Goal("memory", f"≤ {FCL_BYTES / BYTES_SHARE:g} bytes a triangle, triangles included", _memory),
    Goal("first use, cold", f"`tumble check` below {COLD_SECONDS:g} s", _start("cold", COLD_SECONDS)),
    Goal("first use, warm", f"`tumble check` below {WARM_SECONDS:g} s", _start("warm", WARM_SECONDS)),
)


def judge_goals(findings: Findings, judged: Sequence[str]) -> list[Judged]:
    """Every goal with its verdict."""
    return [goal.put_to(findings, judged) for goal in GOALS]
