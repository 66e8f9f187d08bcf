"""Tests of claims about Figures 8 and 9: times by entry level, depth step, queue and group, round by round."""

from collections.abc import Callable
from math import log

from tumble.bench.framework.claims import Kept, Verdict, graded, interval, over_cases
from tumble.bench.framework.statistics import Interval, geometric_mean
from tumble.bench.framework.table import Table
from tumble.bench.papers.bsp import published as paper
from tumble.bench.papers.bsp.published import N_BODY, title
from tumble.bench.papers.bsp.sweeps import (
    Rounds,
    Seconds,
    known,
    rounds_of,
    smaller_takes,
    step_costs,
    study_of,
)
from tumble.bench.papers.bsp.time_claims import CLOSE, every
from tumble.bench.papers.bsp.ways import DEVICES, papers_ways, pruned_way

FAR_MORE = 2.0
# A middling queue and group: 64 and 32 are where the paper's good values begin.
MIDDLE = (64, 32)


def _swept(table: Table, figure: int, ways: list[str] | None = None) -> list[tuple[str, Rounds]]:
    """Scenes of a figure, with more than one combination that was measured in the paper's way."""
    study = study_of(table, figure)
    chosen = papers_ways(table) if ways is None else ways
    found = [(scene, rounds_of(study, scene, way)) for way in chosen for scene in study.cases(way)]
    return [(scene, rounds) for scene, rounds in found if len(rounds) > 1]


def _on(table: Table, text: str) -> str:
    return f"{'; '.join(papers_ways(table))}: {text}"


def _known(swept: list[tuple[str, Rounds]], measure: Callable[[Seconds], float | None]) -> list[tuple[str, Interval]]:
    found = [(scene, known(rounds, measure)) for scene, rounds in swept]
    return [(scene, value) for scene, value in found if value is not None]


def _deep(seconds: Seconds) -> float | None:
    """Four levels beside the mean of one to three, as the paper has it."""
    costs = step_costs(seconds)
    others = [cost for step, cost in costs.items() if step < paper.DEEP_STEP]
    return costs[paper.DEEP_STEP] / geometric_mean(others) if paper.DEEP_STEP in costs and others else None


def deep_steps(table: Table) -> Verdict | None:
    """Three times as long on all scenes, the least that the paper saw; in part where it is slower at all on all."""
    found = _known(_swept(table, 8), _deep)
    if not found:
        return None
    text = ", ".join(f"{title(scene)} {interval(value)}" for scene, value in found)
    drastic = every(value.above(paper.SLOW_DOWN[0]) for _, value in found)
    slower = every(value.above(1 + CLOSE) for _, value in found)
    return graded(drastic, slower, _on(table, f"µ = 4 beside µ = 1 to 3: {text}"))


def small_steps(table: Table) -> Verdict:
    """The better of one and two levels takes at most a twentieth more than the best step."""

    def measure(seconds: Seconds) -> float | None:
        costs = step_costs(seconds)
        return min((costs[step] for step in (1, 2) if step in costs), default=None)

    outcomes = [
        (value.below(1 + CLOSE), f"{title(scene)} {interval(value)}")
        for scene, value in _known(_swept(table, 8), measure)
    ]
    return over_cases(outcomes, _on(table, "µ = 1 or 2 beside the best step: "))


def _entry_growth(seconds: Seconds) -> float | None:
    low, high = paper.ENTRY_LEVELS
    levels = sorted({entry for entry, step in seconds if step == 2 and low <= entry <= high})
    return seconds[levels[-1], 2] / seconds[levels[0], 2] if len(levels) > 1 else None


def entry(table: Table) -> Verdict | None:
    """From level 1 to 5 at µ = 2, NBody's time grows by twice what it does on the other scenes or more.

    Scenes are swept one after the other: their ratios are compared by intervals.
    """
    growths = _known(_swept(table, 8), _entry_growth)
    crowd = [value for scene, value in growths if scene == N_BODY]
    others = [value for scene, value in growths if scene != N_BODY]
    if not crowd or not others:
        return None
    beside = crowd[0].over(Interval(*map(max, zip(*others, strict=True))))
    more: Kept = every([crowd[0].above(1 + CLOSE), beside.above(1 + CLOSE)])
    text = ", ".join(f"{title(scene)} {interval(value)}" for scene, value in growths)
    pruned = _swept(table, 8, [pruned_way(name) for name in table.study(DEVICES).cases()])
    for scene, value in _known(pruned, _entry_growth):
        text += f"; with overlapping objects only, {title(scene)} {interval(value)}" if scene == N_BODY else ""
    far = beside.above(FAR_MORE) if more else more
    return graded(far, more, _on(table, f"level 5 beside level 1, µ = 2: {text}"))


def _smaller(table: Table, axis: int) -> list[tuple[str, Interval]]:
    good = paper.GOOD_QUEUE, paper.GOOD_GROUP
    return _known(_swept(table, 9), lambda seconds: smaller_takes(seconds, axis, good[axis], good[1 - axis]))


def mid_range(table: Table, which: str) -> Verdict:
    """Queues or groups below the paper's good ones take more than a twentieth longer, the other being good."""
    found = _smaller(table, ("queues", "groups").index(which))
    outcomes = [(gain.above(1 + CLOSE), f"{title(scene)} {interval(gain)}") for scene, gain in found]
    return over_cases(outcomes, _on(table, f"smaller {which} take "))


def extremes(table: Table) -> Verdict:
    """The largest queue with the smallest group, and the other way round, beside the mean of all combinations."""

    def corner(seconds: Seconds, largest: int) -> float | None:
        ends = [sorted({at[axis] for at in seconds}) for axis in (0, 1)]
        at = (ends[0][-1], ends[1][0]) if largest == 0 else (ends[0][0], ends[1][-1])
        return seconds[at] / geometric_mean(list(seconds.values())) if at in seconds else None

    outcomes = []
    for largest, name in enumerate(("κ largest, |G| least", "|G| largest, κ least")):
        for scene, value in _known(_swept(table, 9), lambda seconds, k=largest: corner(seconds, k)):  # type: ignore[misc]
            outcomes.append((value.above(1), f"{title(scene)}, {name} {interval(value)}"))
    return over_cases(outcomes, _on(table, "beside the mean: "))


def middle(table: Table) -> Verdict:
    """The slowest combination takes twice as long as a middling one, or more: that is nearest to κ = 64, |G| = 32."""

    def measure(seconds: Seconds) -> float | None:
        near = [min({at[axis] for at in seconds}, key=lambda v: abs(log(v / MIDDLE[axis]))) for axis in (0, 1)]
        return max(seconds.values()) / seconds[near[0], near[1]] if (near[0], near[1]) in seconds else None

    found = _known(_swept(table, 9), measure)
    return over_cases(
        [(value.above(FAR_MORE), f"{title(scene)} {interval(value)}") for scene, value in found],
        _on(table, "the slowest beside a middling one: "),
    )
