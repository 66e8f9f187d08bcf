"""What Tumble set out to reach, and whether a run reached it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import Table
from tumble.report import Column, ratio
from tumble.report import Table as PageTable

MET, MISSED, UNKNOWN = "met", "missed", "not measured"
MARKS = {MET: "✓", MISSED: "✗", UNKNOWN: "–"}

# What was measured, in words, and how much of the goal that is (1: just met); None where it was not measured.
Outcome = tuple[str, float] | None


@dataclass(frozen=True)
class Goal:
    """A goal in words, and how much of it a table reaches."""

    name: str
    goal: str
    reach: Callable[[Table], Outcome]


@dataclass(frozen=True)
class GoalResult:
    """A goal with what was measured."""

    name: str
    goal: str
    measured: str
    verdict: str
    # How far from the goal: 1 is just met, 2 is twice as good, 0.5 half as good.
    reached: float

    @property
    def verdict_text(self) -> str:
        """The verdict, with what is lacking where it is missed."""
        # Rounded down: a goal that is just missed is not reached to 100 %.
        return f"missed: at {int(100 * self.reached)}% of the goal" if self.verdict == MISSED else self.verdict

    def as_dict(self) -> dict[str, Any]:
        """Plain values for a JSON file, which knows no NaN."""
        reached = None if math.isnan(self.reached) else self.reached
        return {**vars(self), "reached": reached, "verdict_text": self.verdict_text}


def check_goals(goals: Sequence[Goal], table: Table) -> list[GoalResult]:
    """Every goal with its verdict."""
    results = []
    for goal in goals:
        measured, reached = goal.reach(table) or ("–", math.nan)
        verdict = UNKNOWN if math.isnan(reached) else MET if reached >= 1 else MISSED
        results.append(GoalResult(goal.name, goal.goal, measured, verdict, reached))
    return results


def goals_table(goals: Sequence[GoalResult]) -> PageTable:
    """All goals; those that were missed stand out."""
    columns = [Column("what"), Column("goal"), Column("measured"), Column("verdict", whole=True)]
    rows = [[g.name, g.goal, g.measured, f"{MARKS[g.verdict]} {g.verdict_text}"] for g in goals]
    return PageTable(columns, rows, flagged=[i for i, goal in enumerate(goals) if goal.verdict == MISSED])


def mean_with_ends(ratios: Mapping[str, float]) -> tuple[str, float]:
    """The geometric mean of ratios by case, in words with the smallest and the largest, and itself."""
    mean, values = geometric_mean(list(ratios.values())), ratios.values()
    return f"{ratio(mean)} ({ratio(min(values))} to {ratio(max(values))}, cases: {len(values)})", mean


def faster_on_average(leads: Mapping[str, float]) -> Outcome:
    """How many times as fast as another, by case: met where that is above 1 on average."""
    if not leads:
        return None
    mean, least = geometric_mean(list(leads.values())), min(leads, key=leads.__getitem__)
    slower = sum(lead < 1 for lead in leads.values())
    return f"{ratio(mean)}, least {ratio(leads[least])} ({least}); slower on {slower} of {len(leads)}", mean
