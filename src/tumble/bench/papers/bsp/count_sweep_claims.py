"""Tests of claims about Figure 8 on counts: tests by entry level and depth step, the same on every machine."""

from tumble.bench.framework.claims import Kept, Verdict, graded, over_cases
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import Study, reads
from tumble.bench.papers.bsp import published as paper
from tumble.bench.papers.bsp.counts import (
    COUNTS,
    EVERY,
    INACTIVE,
    OVERLAPPING,
    SPIKED_STEPS,
    below_entry,
    frontiers_of,
    tests_of,
)
from tumble.bench.papers.bsp.published import N_BODY, title
from tumble.report import ratio

CLOSE = 0.05
# So many times as much is far more.
FAR_MORE = 2.0
SPIKE = 1.25
"""a level whose tests exceed those of another by a quarter stands out in a figure"""


def _by_step(tests: dict[tuple[int, int], float]) -> dict[int, float]:
    """The geometric mean over the entry levels that the paper names, as far as every step has them."""
    steps = sorted({step for _, step in tests})
    low, high = paper.ENTRY_LEVELS
    entries = {entry for entry, _ in tests if low <= entry <= high and all((entry, step) in tests for step in steps)}
    return {step: geometric_mean([tests[entry, step] for entry in entries]) for step in steps if entries}


@reads(COUNTS)
def deep_tests(study: Study) -> Verdict:
    """Tests at µ = 4 beside the mean of µ = 1 to 3, as the paper compares times; three times or more on all scenes."""
    outcomes = []
    for scene in study.cases(OVERLAPPING):
        means = _by_step(tests_of(study, scene, OVERLAPPING))
        others = [value for step, value in means.items() if step < paper.DEEP_STEP]
        if paper.DEEP_STEP in means and others:
            growth = means[paper.DEEP_STEP] / geometric_mean(others)
            outcomes.append((growth >= paper.SLOW_DOWN[0], f"{title(scene)} {ratio(growth)}"))
    return over_cases(outcomes, "tests at µ = 4 beside µ = 1 to 3: ")


@reads(COUNTS)
def fewest_tests(study: Study) -> Verdict:
    """The step with the fewest tests is 1 or 2 on all scenes."""
    outcomes = []
    for scene in study.cases(EVERY):
        means = _by_step(tests_of(study, scene, EVERY))
        if not means:
            continue
        best = min(means, key=lambda step: means[step])
        beside = means.get(2, means[best]) / means[best]
        outcomes.append((best <= 2, f"{title(scene)} µ = {best}, µ = 2 takes {ratio(beside)}"))
    return over_cases(outcomes, "fewest tests: ")


def _swing(tests: dict[int, float]) -> float:
    return max(tests.values()) / min(tests.values()) if tests else 1.0


def _periodic(tests: dict[int, float], period: int) -> bool:
    """Whether the level that takes most tests among the first ones does so one period later, with fewer in between."""
    both = [entry for entry in range(period) if entry in tests and entry + period in tests]
    peaks = [max(both, key=lambda entry: tests[entry + shift], default=-1) for shift in (0, period)]
    return len(both) > 1 and peaks[0] == peaks[1] and tests.get(peaks[0] + 1, 0.0) < tests[peaks[0]]


@reads(COUNTS)
def spikes(study: Study) -> Verdict:
    """Tests behind the first frontier, by entry level: they swing by a quarter or more, and peak again µ later."""
    outcomes: list[tuple[Kept, str]] = []
    for scene in study.cases(EVERY):
        for step in SPIKED_STEPS:
            tests = below_entry(study, scene, EVERY, step)
            if sum(entry + step in tests for entry in tests) > 1:
                kept = _swing(tests) >= SPIKE and _periodic(tests, step)
                outcomes.append((kept, f"{title(scene)} µ = {step} {ratio(_swing(tests))}"))
    return over_cases(outcomes, "most tests of a level beside fewest: ")


@reads(COUNTS)
def padding_spikes(study: Study) -> Verdict:
    """With inactive nodes the swing is larger by a quarter or more than without them, or padding does not cause it."""
    outcomes = []
    for scene in study.cases(EVERY, INACTIVE):
        for step in SPIKED_STEPS:
            both = [below_entry(study, scene, name, step) for name in (INACTIVE, EVERY)]
            if not all(both):
                continue
            with_them, without = map(_swing, both)
            text = f"{title(scene)} µ = {step} {ratio(with_them)} with, {ratio(without)} without"
            outcomes.append((with_them >= SPIKE * without, text))
    found = over_cases(outcomes, "inactive nodes: ")
    return found._replace(numbers=f"{found.numbers}; what is left of the depth after whole steps of µ repeats, too")


def _growths(study: Study, name: str) -> dict[str, float]:
    """Tests at entry level 5, or the deepest before it, beside level 1, at µ = 2."""
    low, high = paper.ENTRY_LEVELS
    found = {}
    for scene in study.cases(name):
        tests = {entry: n for (entry, step), n in tests_of(study, scene, name).items() if step == 2}
        levels = sorted(entry for entry in tests if low <= entry <= high)
        if len(levels) > 1:
            found[scene] = tests[levels[-1]] / tests[levels[0]]
    return found


@reads(COUNTS)
def entry_tests(study: Study) -> Verdict | None:
    """With all pairs of objects, tests grow on NBody by far more than on the others (twice as much, and by twice)."""
    growths, pruned = _growths(study, EVERY), _growths(study, OVERLAPPING)
    if N_BODY not in growths or len(growths) < 2:
        return None
    others = max(value for scene, value in growths.items() if scene != N_BODY)
    more = growths[N_BODY] > (1 + CLOSE) * max(others, 1.0)
    text = ", ".join(f"{title(scene)} {ratio(value)}" for scene, value in growths.items())
    if N_BODY in pruned:
        text += f"; with overlapping objects only, {title(N_BODY)} {ratio(pruned[N_BODY])}"
    return graded(more and growths[N_BODY] >= FAR_MORE * max(others, 1.0), more, text)


@reads(COUNTS)
def initial_input(study: Study) -> Verdict | None:
    """At level 5 most tests of NBody are of its first frontier, and at most a tenth on the other scenes."""
    outcomes = []
    for scene in study.cases(EVERY):
        found = {entry: s for (entry, step), s in frontiers_of(study, scene, EVERY).items() if step == 2}
        deep = max((entry for entry in found if entry <= paper.ENTRY_LEVELS[1]), default=0)
        if deep:
            share = found[deep][0] / found[deep].sum()
            outcomes.append((share > 0.5 if scene == N_BODY else share <= 0.1, f"{title(scene)} {share:.1%}"))
    return over_cases(outcomes, "the first frontier's share of all tests: ")
