"""Tests of the paper's claims about construction: the criterion and its equations by counts, build times by powers."""

import math

import numpy as np

from tumble.bench.framework.claims import Verdict, interval, over_cases
from tumble.bench.framework.statistics import Interval, geometric_mean
from tumble.bench.framework.table import Study, reads
from tumble.bench.papers.boxtree import contestants, splits
from tumble.bench.papers.boxtree import published as paper
from tumble.bench.papers.boxtree.arity import LEVELS
from tumble.bench.papers.boxtree.builds import BUILT, fits, kinds, power_text, seconds_of
from tumble.bench.papers.boxtree.contestants import BUILDS, DEFAULT_BUILD, PRINTED, by_arity
from tumble.bench.papers.boxtree.criterion import CRITERION
from tumble.bench.papers.boxtree.splits import OTHER_TREES, SPLITS, by_split
from tumble.bench.papers.boxtree.startup import BUILT_TREES, FILES, STARTUP
from tumble.report import count, ratio

# An estimate of a probability: right within a tenth, in every tenth of the pairs.
CLOSE = 0.1
# "≈" for a volume: within a half, either way.
ABOUT = 1.5
# Levels that triangles pass, by the logarithm of their number: at most twice a balanced tree's, and not growing.
MOST_LEVELS, STEADY = 2.0, 1.1
# Trees by the criterion alone, as good as those with a least share, and builds, as fast as others: a tenth to spare.
AS_GOOD = 1.1


@reads(BUILT)
def n_log_n(study: Study) -> Verdict | None:
    """Powers of n, fitted to the processor's time of every builder on every kind of object, with their intervals."""
    found = {(name, kind): fit for name in BUILDS for kind, fit in fits(study, name).items()}
    if not found:
        return None
    kept = [fit.holds for fit in found.values()]
    default = [f"{kind} {power_text(fit.power)}" for (name, kind), fit in found.items() if name == DEFAULT_BUILD]
    expected = next(iter(found.values())).expected_power
    numbers = f"{kept.count(True)} of {len(kept)} no faster; powers of n, default builder: {', '.join(default)}"
    return Verdict(over_cases([(each, "") for each in kept]).word, f"{numbers}; n log n would be {expected:.2f}")


def _levels(study: Study, kind: str) -> list[tuple[int, float]]:
    """Triangles, and the levels on which the paper's rule looks at each of them, by size."""
    name = contestants.LEAST_VOLUME
    cases = [case for case in study.cases(name) if study.text(case, "", "kind") == kind]
    cases = [case for case in cases if study.has(case, name, "levels")]
    return sorted((study.count(case, "", "triangles"), study.value(case, name, "levels")) for case in cases)


@reads(BUILT)
def log_levels(study: Study) -> Verdict | None:
    """Mean levels of triangles in trees by the paper's rule, by the logarithm of the number of leaves.

    Each level is one pass over all triangles: a constant times log n levels make n log n. A balanced tree has 1.
    """
    outcomes = []
    for kind in kinds(study):
        found = [levels / math.log2(n / contestants.LEAF_SIZE) for n, levels in _levels(study, kind)]
        if len(found) > 1:
            kept = max(found) <= MOST_LEVELS and found[-1] <= STEADY * found[0]
            outcomes.append((kept, f"{kind} {found[0]:.2f} to {found[-1]:.2f}"))
    return over_cases(outcomes, "levels / log2 of leaves, smallest to largest object: ") if outcomes else None


@reads(BUILT)
def linear(study: Study) -> Verdict | None:
    """O(n) would need as many passes whatever the size: mean levels of the largest object by the smallest's."""
    outcomes = []
    for kind in kinds(study):
        found = _levels(study, kind)
        if len(found) > 1:
            growth = found[-1][1] / found[0][1]
            outcomes.append((growth <= STEADY, f"{kind} {ratio(growth)}"))
    return over_cases(outcomes, "levels, largest / smallest object: ") if outcomes else None


@reads(BUILT)
def build_rate(study: Study) -> Verdict | None:
    """The rate of the paper's own rule on the largest object, beside the paper's rate."""
    cases = study.cases(contestants.LEAST_VOLUME)
    if not cases:
        return None
    largest = max(cases, key=lambda case: study.count(case, "", "triangles"))
    seconds = seconds_of(study, largest, contestants.LEAST_VOLUME)
    factor = Interval(*3 * (study.value(largest, "", "triangles") / paper.TRIANGLES_PER_SECOND,)).over(seconds)
    rate = count(round(factor.value * paper.TRIANGLES_PER_SECOND))
    text = f"{rate} per second ({largest}, {contestants.LEAST_VOLUME}), {interval(factor)} as many"
    return over_cases([(factor.above(1.0), text)])


@reads(STARTUP)
def build_fast(study: Study) -> Verdict:
    """The time of the paper's builder beside those of other trees by the same rule: no more, with a tenth to spare."""
    times = {name: study.mean_of_intervals(PRINTED, name) for name in BUILT_TREES}
    outcomes = [(time.below(AS_GOOD), f"{name} {interval(time)}") for name, time in times.items()]
    return over_cases(outcomes, "time of a build, the other tree's = 1: ")


@reads(STARTUP)
def load_time(study: Study) -> Verdict:
    """The time of the paper's builder beside reading the object: no more, so that loading doubles at most."""
    times = {name: study.mean_of_intervals(PRINTED, name) for name in FILES}
    outcomes = [(time.below(1.0), f"{name} {interval(time)}") for name, time in times.items()]
    return over_cases(outcomes, "time of a build, that of reading = 1: ")


@reads(CRITERION)
def estimates(study: Study, equation: str) -> Verdict:
    """The largest difference between estimate and share of overlapping pairs, over tenths of pairs by estimate."""
    outcomes = []
    for case in study.cases(equation):
        estimated, met = (study.series(case, equation, f"{what} in a tenth") for what in ("estimated", "overlapping"))
        worst = float(np.abs(estimated - met).max())
        outcomes.append((worst <= CLOSE, f"{case} {worst:.2f}"))
    return over_cases(outcomes, "largest difference: ")


@reads(CRITERION)
def sum_bounds(study: Study, where: str) -> Verdict:
    """The part of the overlapping pairs for which each bound holds, over all objects; it must be all of them."""
    outcomes = []
    for bound in ("lower bound", "upper bound"):
        parts = [study.value(case, where, bound) for case in study.cases(where)]
        outcomes.append((min(parts) == 1, f"{bound} {min(parts):.0%} to {max(parts):.0%} of the pairs"))
    return over_cases(outcomes)


@reads(CRITERION)
def sum_estimate(study: Study) -> Verdict:
    """The volume of the Minkowski sum by twice the sum of both volumes: the median over pairs, object by object."""
    medians = [(case, study.series(case, "space", "sum / estimate")[1]) for case in study.cases("space")]
    return over_cases([(1 / ABOUT <= value <= ABOUT, f"{case} {ratio(value)}") for case, value in medians])


def _pairs(study: Study, case: str, name: str) -> float:
    return study.value(case, name, "node pairs")


def _beside(study: Study, name: str, base: str) -> float:
    """Node pairs with one tree by those with another: the geometric mean over objects."""
    return geometric_mean([_pairs(study, case, name) / _pairs(study, case, base) for case in study.cases(name, base)])


@reads(SPLITS)
def good_elsewhere(study: Study) -> Verdict:
    """Node pairs with trees by the criterion beside those by the median, the previous heuristic: no more."""
    values = {tree: _beside(study, by_split(tree, "least-volume"), by_split(tree, "median")) for tree in OTHER_TREES}
    return over_cases([(value <= 1, f"{tree} {ratio(value)}") for tree, value in values.items()], "median = 1: ")


@reads(SPLITS)
def literally(study: Study) -> Verdict:
    """Node pairs with trees by the criterion alone beside those with the least share of an eighth: no more than so."""
    outcomes = []
    for name in (splits.LITERAL, splits.LITERAL_SHUFFLED):
        for case in study.cases(name):
            value = _pairs(study, case, name) / _pairs(study, case, splits.GUARDED)
            outcomes.append((value <= AS_GOOD, f"{name.removeprefix('boxtree, ')} on {case} {ratio(value)}"))
    return over_cases(outcomes, "with a least share = 1: ")


@reads(SPLITS)
def greediness(study: Study, which: str) -> Verdict:
    """Mean levels of triangles in literal trees by one order, beside those of triangles as they lie: fewer."""
    name = {"alternating": splits.LITERAL, "random": splits.LITERAL_SHUFFLED}[which]
    outcomes = []
    for case in study.cases(name):
        levels, base = (study.value(case, each, "mean depth") for each in (name, splits.LITERAL_AS_THEY_LIE))
        outcomes.append((levels < base, f"{case} {levels:.1f} ({base:.1f} as they lie)"))
    return over_cases(outcomes, "mean levels: ")


@reads(SPLITS)
def longest_axis(study: Study) -> Verdict:
    """Node pairs with trees by the longest axis alone beside those by all axes: more, object by object."""
    values = [
        (case, _pairs(study, case, splits.LONGEST) / _pairs(study, case, splits.GUARDED)) for case in study.cases()
    ]
    return over_cases([(value > 1, f"{case} {ratio(value)}") for case, value in values], "all axes = 1: ")


@reads(SPLITS)
def look_ahead(study: Study) -> Verdict:
    """Node pairs with trees by look-ahead beside those by the same rule without: fewer, over all objects."""
    values = {tree: _beside(study, by_split(tree, "look-ahead"), by_split(tree, "sah")) for tree in OTHER_TREES}
    return over_cases([(value < 1, f"{tree} {ratio(value)}") for tree, value in values.items()], "sah = 1: ")


@reads(SPLITS)
def perpendicular(study: Study) -> Verdict | None:
    """Node pairs with planes of any direction for each child, beside parallel ones, by rule and object: fewer."""
    outcomes = []
    for name, rule in splits.FREE_PLANES.items():
        for case in study.cases(name, rule):
            value = _pairs(study, case, name) / _pairs(study, case, rule)
            outcomes.append((value < 1, f"{rule.removeprefix('boxtree, ')} on {case} {ratio(value)}"))
    return over_cases(outcomes, "node pairs, parallel planes = 1: ") if outcomes else None


@reads(SPLITS)
def wide_boxtrees(study: Study) -> Verdict:
    """Node pairs with boxtrees that are opened by several levels at once, beside one: fewer, arity by arity."""
    values = {n: _beside(study, by_arity(splits.BOXTREE, n), by_arity(splits.BOXTREE, 2)) for n in tuple(LEVELS)[1:]}
    outcomes = [(value < 1, f"{n} children {ratio(value)}") for n, value in values.items()]
    return over_cases(outcomes, "node pairs, two children = 1: ")
