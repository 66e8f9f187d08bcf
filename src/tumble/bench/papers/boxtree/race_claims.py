"""Tests of the paper's claims about queries: answers and node pairs by counts, times by ratios within rounds."""

from collections.abc import Collection, Mapping

import numpy as np

from tumble.bench.framework.answers import differences
from tumble.bench.framework.claims import Verdict, all_alike, interval, over_cases, verdict
from tumble.bench.framework.statistics import Interval
from tumble.bench.framework.table import Table
from tumble.bench.papers.boxtree import contestants, races
from tumble.bench.papers.boxtree import published as paper
from tumble.bench.papers.boxtree.contestants import (
    AABB,
    ARITIES,
    BUILDS,
    DOP,
    FCL,
    OBB,
    OVERLAPS,
    PRINTED,
    TESTS_RUN,
    by_arity,
    called,
)
from tumble.bench.papers.boxtree.races import AHEAD, ALL, MORE_CHILDREN, PRINTED_TESTS, PRINTED_TREES, TREES
from tumble.report import count, ratio

# Times closer than this count as equal: what repeated runs on one quiet machine differ by.
EQUAL = 0.02
# "About as fast": within a half.
SAME_LEAGUE = 1.5
# What working ahead must gain: more than two runs differ by (4 %); "significantly": a tenth; "dramatic": a half.
GAINS = {"any": 1.05, "significant": 1.1, "dramatic": 1.5}
# What a test takes beside another: above these.
LIMITS = {"no faster": 1 - EQUAL, "at most 8 % faster": np.nextafter(1 - paper.LOOKUP_GAIN, 0), "slower": 1.0}
# The boxtrees that other trees are measured against.
BOXTREES: Mapping[str, Collection[str]] = {TREES: BUILDS, PRINTED_TREES: (PRINTED,)}
# "Exactly half of all node pairs": within a twentieth of all.
HALF = 0.05


def same_answers(table: Table) -> Verdict:
    """All comparisons of all races but those with FCL, which computes with tolerances."""
    studies = [study for kind in races.KINDS for study in races.both_of(table, kind)]
    asked = [(*key, found) for study in studies for key, found in differences(study).items() if key[1] != FCL]
    wrong = [f"{name} on {case}" for case, name, found in asked if found.differ]
    return all_alike(wrong, len(asked), f"all of {count(len(asked))} cases")


def false_positives(table: Table, kind: str) -> Verdict | None:
    """Node pairs that pass; the lookup test, which rounds outward, lets at least as many pass as axis alignment."""
    order = [called(overlap) for overlap in ("sat", "sat-lite", "axis", "lookup")]
    study = races.race_of(table, kind, ALL)
    passing = [[study.value(case, name, "overlapping") for name in order] for case in study.cases(*order)]
    if not passing:
        return None
    kept, sums = sum(numbers == sorted(numbers) for numbers in passing), np.sum(passing, axis=0)
    numbers = ", ".join(f"{name} {ratio(value / sums[0])}" for name, value in zip(order, sums, strict=True))
    return verdict(kept, len(passing), f"overlapping node pairs, sat = 1: {numbers}")


def half_overlap(table: Table) -> Verdict | None:
    """Of all node pairs, those that overlap: nothing parts them, so all axes are looked at. Sums over all cases."""
    study, outcomes = races.race_of(table, PRINTED_TESTS, ALL), []
    for name in (called(overlap) for overlap in OVERLAPS):
        cases = study.cases(name)
        tested, passing = (
            sum(study.value(case, name, quantity) for case in cases) for quantity in ("node pairs", "overlapping")
        )
        if tested:
            share = passing / tested
            outcomes.append((abs(share - 0.5) <= HALF, f"{name} {share:.1%}"))
    return over_cases(outcomes) if outcomes else None


def sat_lite_best(table: Table, kind: str) -> Verdict:
    """The times of the other tests, that of SAT lite being 1; equal within two hundredths is no loss."""
    studies = races.both_of(table, kind)
    times = {
        name: races.mean_ratio(studies, called(name), contestants.DEFAULT_OVERLAP) for name in OVERLAPS[1:] if studies
    }
    outcomes = [(time.above(1 - EQUAL), f"{name} {interval(time)}") for name, time in times.items()]
    return over_cases(outcomes, "time, sat-lite = 1: ")


def similar_on_all(table: Table, kind: str) -> Verdict:
    """The best of the other tests on each kind of object, beside SAT lite: nowhere is it faster."""
    studies, outcomes = races.both_of(table, kind), []
    kinds = dict.fromkeys(study.text(case, "", "kind") for study in studies for case in study.cases())
    for shape in kinds:
        times = {
            name: races.mean_ratio(studies, called(name), contestants.DEFAULT_OVERLAP, None, shape)
            for name in OVERLAPS[1:]
        }
        best = min(times, key=lambda name: times[name].value)
        outcomes.append((times[best].above(1 - EQUAL), f"{shape}: {best} {interval(times[best])}"))
    return over_cases(outcomes, "best other test, sat-lite = 1: ")


def by_size(table: Table, kind: str, limit: str, name: str, base: str, which: str = "all") -> Verdict:
    """The time of a test by that of another, for all sizes of objects or the smaller half of them."""
    studies, test = races.both_of(table, kind), _test(name)
    sizes = races.sizes_of(studies)
    chosen = sizes if which == "all" else sizes[: max(1, len(sizes) // 2)]
    times = [(size, races.mean_ratio(studies, called(test), called(base), size)) for size in chosen]
    outcomes = [(time.above(LIMITS[limit]), f"{interval(time)} at {count(size)}") for size, time in times]
    return over_cases(outcomes, f"{test} / {base}: ")


def _test(name: str) -> str:
    """The test that is called so in claims.md, where a comma ends an argument."""
    return contestants.WHOLE_LOOKUP if name == "whole lookup" else name


def ahead(table: Table, kind: str, gain: str) -> Verdict:
    """All tests of boxtrees."""
    studies = races.both_of(table, kind)
    gains = {name: races.mean_ratio(studies, called(name, False), called(name)) for name in TESTS_RUN if studies}
    return _gains(gains, gain)


def both_planes(table: Table) -> Verdict | None:
    """Tests with the planes of both children in their parent, beside those with a plane in each node: no slower."""
    studies = races.both_of(table, PRINTED_TESTS)
    if not studies:
        return None
    times = {name: races.mean_ratio(studies, name, base) for name, base in contestants.BOTH_PLANES.items()}
    outcomes = [(time.below(1 + EQUAL), f"{name} {interval(time)}") for name, time in times.items()]
    return over_cases(outcomes, "time, own planes = 1: ")


def ahead_elsewhere(table: Table, gain: str) -> Verdict:
    """All trees that store their volumes."""
    studies = races.both_of(table, AHEAD)
    pairs = {name: contestants.ahead(name) for name in contestants.STORED}
    asked = {name: other for name, other in pairs.items() if any(study.cases(name, other) for study in studies)}
    return _gains({name: races.mean_ratio(studies, name, other) for name, other in asked.items()}, gain)


def _gains(gains: Mapping[str, Interval], least: str) -> Verdict:
    outcomes = [(gain.above(GAINS[least]), f"{name} {interval(gain)}") for name, gain in gains.items()]
    return over_cases(outcomes, "time without it / with it: ")


def same_league(table: Table, other: str, kind: str) -> Verdict | None:
    """Every boxtree of a race beside one tree: at most half as long again."""
    studies, base = races.both_of(table, kind), {"DOP": DOP, "OBB": OBB}[other]
    if not studies:
        return None
    times = {name: races.mean_ratio(studies, name, base) for name in BOXTREES[kind]}
    outcomes = [(time.below(SAME_LEAGUE), f"{name} {interval(time)}") for name, time in times.items()]
    return over_cases(outcomes, f"time, {base} = 1: ")


def not_hurt(table: Table, kind: str) -> Verdict | None:
    """Node pairs that boxtrees need beside the AABB tree of equal leaves: no more, with two hundredths to spare."""
    study, names = races.race_of(table, kind, ALL), BOXTREES[kind]
    cases = study.cases(AABB, *names)
    if not cases:
        return None
    sums = {name: sum(study.value(case, name, "node pairs") for case in cases) for name in (AABB, *names)}
    outcomes = [(sums[name] <= (1 + EQUAL) * sums[AABB], f"{name} {ratio(sums[name] / sums[AABB])}") for name in names]
    return over_cases(outcomes, "node pairs, AABB tree = 1: ")


def not_slowed(table: Table, kind: str) -> Verdict | None:
    """The time of queries with boxtrees beside the AABB tree of equal leaves: no more, with two hundredths to spare."""
    studies = races.both_of(table, kind)
    if not studies:
        return None
    times = {name: races.mean_ratio(studies, name, AABB) for name in BOXTREES[kind]}
    outcomes = [(time.below(1 + EQUAL), f"{name} {interval(time)}") for name, time in times.items()]
    return over_cases(outcomes, "time, AABB tree = 1: ")


def arities(table: Table) -> Verdict | None:
    """The time of queries with AABB trees of more children beside two: less, arity by arity."""
    studies, base = races.both_of(table, MORE_CHILDREN), by_arity(AABB, 2)
    if not studies:
        return None
    times = {arity: races.mean_ratio(studies, by_arity(AABB, arity), base) for arity in ARITIES[1:]}
    outcomes = [(time.below(1 - EQUAL), f"{arity} children {interval(time)}") for arity, time in times.items()]
    return over_cases(outcomes, "time, two children = 1: ")


def obb_tighter(table: Table) -> Verdict | None:
    """Node pairs with OBB trees beside AABB trees of equal leaves, by kind of object: fewer."""
    study, outcomes = races.race_of(table, TREES, ALL), []
    cases = study.cases(AABB, OBB)
    for kind in dict.fromkeys(study.text(case, "", "kind") for case in cases):
        sums = [
            sum(study.value(case, name, "node pairs") for case in cases if study.text(case, "", "kind") == kind)
            for name in (OBB, AABB)
        ]
        if sums[1]:
            outcomes.append((sums[0] < sums[1], f"{kind} {ratio(sums[0] / sums[1])}"))
    return over_cases(outcomes, "node pairs, AABB tree = 1: ") if outcomes else None
