"""The tests of the paper's claims, and what boxtrees must reach here."""

import math
from collections.abc import Mapping
from functools import partial

import numpy as np

from tumble.bench.framework.answers import differences
from tumble.bench.framework.claims import Verdict, all_alike, over_cases, read_claims, verdict
from tumble.bench.framework.goals import Goal, Outcome, faster_on_average, mean_with_ends
from tumble.bench.framework.table import PUBLISHED, TIME, Study, Table, reads
from tumble.bench.papers.boxtree import contestants, races
from tumble.bench.papers.boxtree import published as paper
from tumble.bench.papers.boxtree.builds import BUILT, fits
from tumble.bench.papers.boxtree.contestants import AABB, BUILDS, DEFAULT_BUILD, DOP, FCL, OBB, OVERLAPS, called
from tumble.bench.papers.boxtree.nodes import EMPTINESS, NODES
from tumble.bench.papers.boxtree.published import TABLE_1
from tumble.bench.papers.boxtree.races import AHEAD, ALL, BYTES, FIRST, TESTS, TREES
from tumble.report import count, ratio, significant

# Times closer than this count as equal: what repeated runs on one quiet machine differ by.
EQUAL = 0.02
# "About half of all nodes": anything from two fifths on; "usually": two thirds; "about as fast": within a half.
LEAST_SHARES, SAME_LEAGUE = {"close": 0.4, "touching": 2 / 3}, 1.5
# "About half of the operations".
FEWER_OPERATIONS = 1.5
PER_NODE, PER_TRIANGLE = "bytes per node", "bytes per triangle"
# What a test takes beside another: above these.
LIMITS = {"no faster": 1 - EQUAL, "at most 8 % faster": np.nextafter(1 - paper.LOOKUP_GAIN, 0), "slower": 1.0}

MOST_TIME, MOST_BYTES = 1.3, 1 / 3
RATE, RATE_TRIANGLES = 1_000_000, 450_000


@reads(EMPTINESS)
def shares(study: Study, quantity: str, title: str) -> Verdict:
    """Which part of the nodes has a property, object by object."""
    parts = [(case, study.value(case, "all nodes", quantity)) for case in study.cases()]
    return over_cases([(part >= LEAST_SHARES[quantity], f"{name} {part:.0%}") for name, part in parts], f"{title}: ")


def _is_boxtree(name: str) -> bool:
    return name.startswith("boxtree")


@reads(NODES)
def nine_bytes(study: Study) -> Verdict:
    """Every boxtree; the other trees beside it."""
    sizes = {name: study.value(TABLE_1, name, PER_NODE) for name in study.contestants()}
    ours = [size for name, size in sizes.items() if _is_boxtree(name)]
    others = [f"{name} {size:g}" for name, size in sizes.items() if size not in ours]
    numbers = f"{', '.join(f'{size:g}' for size in sorted(set(ours)))}; {', '.join(others)}"
    return verdict(sum(size == 9 for size in ours), len(ours), numbers)


@reads(NODES)
def obb_bytes(study: Study) -> Verdict | None:
    """Bytes per node and of whole trees."""
    ours = "boxtree, sat"
    if not {ours, OBB} <= set(study.contestants()):
        return None
    node, whole = (
        study.value(TABLE_1, OBB, quantity) / study.value(TABLE_1, ours, quantity)
        for quantity in (PER_NODE, PER_TRIANGLE)
    )
    return verdict(node >= paper.OBB_BYTES, 1, f"{ratio(node)} per node, {ratio(whole)} the whole tree")


@reads(NODES, PUBLISHED)
def operations(study: Study, published: Study) -> Verdict:
    """No more than printed, for boxtrees; the others for comparison."""
    names = [name for name in published.contestants(TABLE_1) if study.has(TABLE_1, name, "worst")]
    worst = {name: study.value(TABLE_1, name, "worst") for name in names}
    printed = {name: published.count(TABLE_1, name, "operations") for name in names}
    kept = [worst[name] <= printed[name] for name in names if _is_boxtree(name)]
    numbers = ", ".join(f"{name} {significant(worst[name])} ({printed[name]})" for name in names)
    return verdict(sum(kept), len(kept), numbers)


@reads(NODES)
def ahead_halves_operations(study: Study) -> Verdict:
    """Mean operations without and with it."""
    names = [name for name in study.contestants() if _is_boxtree(name) and study.has(TABLE_1, name, "mean ahead")]
    saved = {name: study.value(TABLE_1, name, "mean") / study.value(TABLE_1, name, "mean ahead") for name in names}
    return over_cases([(saved[name] >= FEWER_OPERATIONS, f"{name} {ratio(saved[name])}") for name in names])


@reads(BUILT)
def n_log_n(study: Study) -> Verdict | None:
    """Powers of n, fitted to every builder on every kind of object."""
    found = {(name, kind): fit for name in BUILDS for kind, fit in fits(study, name).items()}
    if not found:
        return None
    kept = sum(fit.holds for fit in found.values())
    default = [(kind, fit.power) for (name, kind), fit in found.items() if name == DEFAULT_BUILD]
    powers = ", ".join(f"{kind} {power:.2f}" for kind, power in default)
    expected = next(iter(found.values())).expected_power
    numbers = f"{kept} of {len(found)} no faster; powers of n, default builder: {powers}; n log n would be "
    return verdict(kept, len(found), f"{numbers}{expected:.2f}")


@reads(BUILT)
def build_rate(study: Study) -> Verdict | None:
    """The rate of the paper's own rule on the largest object, beside the paper's rate."""
    cases = study.cases(contestants.LEAST_VOLUME)
    if not cases:
        return None
    largest = max(cases, key=lambda case: study.count(case, "", "triangles"))
    rate = study.count(largest, "", "triangles") / study.value(largest, contestants.LEAST_VOLUME, TIME)
    factor = rate / paper.TRIANGLES_PER_SECOND
    numbers = f"{count(round(rate))} per second ({largest}, {contestants.LEAST_VOLUME}), {ratio(factor)} as many"
    return verdict(factor >= 1, 1, numbers)


def same_answers(table: Table) -> Verdict:
    """All comparisons of all races but those with FCL, which computes with tolerances."""
    studies = [study for kind in (TESTS, TREES, AHEAD) for study in races.both_of(table, kind)]
    asked = [(*key, found) for study in studies for key, found in differences(study).items() if key[1] != FCL]
    wrong = [f"{name} on {case}" for case, name, found in asked if found.differ]
    return all_alike(wrong, len(asked), f"all of {count(len(asked))} cases")


def false_positives(table: Table) -> Verdict | None:
    """Node pairs that pass; the lookup test, which rounds outward, lets at least as many pass as axis alignment."""
    order = [called(overlap) for overlap in ("sat", "sat-lite", "axis", "lookup")]
    study = races.race_of(table, TESTS, ALL)
    passing = [[study.value(case, name, "overlapping") for name in order] for case in study.cases(*order)]
    if not passing:
        return None
    kept, sums = sum(numbers == sorted(numbers) for numbers in passing), np.sum(passing, axis=0)
    numbers = ", ".join(f"{name} {ratio(value / sums[0])}" for name, value in zip(order, sums, strict=True))
    return verdict(kept, len(passing), f"overlapping node pairs, sat = 1: {numbers}")


def sat_lite_best(table: Table) -> Verdict:
    """The times of the other tests, that of SAT lite being 1."""
    studies = races.both_of(table, TESTS)
    times = {
        name: races.mean_ratio(studies, called(name), contestants.DEFAULT_OVERLAP) for name in OVERLAPS[1:] if studies
    }
    outcomes = [(time > 1 - EQUAL, f"{name} {ratio(time)}") for name, time in times.items()]
    return over_cases(outcomes, "time, sat-lite = 1: ")


def by_size(table: Table, limit: str, name: str, base: str, which: str = "all") -> Verdict:
    """The time of a test by that of another, for all sizes of objects or the smaller half of them."""
    studies = races.both_of(table, TESTS)
    sizes = races.sizes_of(studies)
    chosen = sizes if which == "all" else sizes[: max(1, len(sizes) // 2)]
    times = [(size, races.mean_ratio(studies, called(name), called(base), size)) for size in chosen]
    outcomes = [(time > LIMITS[limit], f"{ratio(time)} at {count(size)}") for size, time in times]
    return over_cases(outcomes, f"{name} / {base}: ")


def ahead(table: Table) -> Verdict:
    """All tests of boxtrees."""
    studies = races.both_of(table, TESTS)
    return _gains({name: races.mean_ratio(studies, called(name, False), called(name)) for name in OVERLAPS if studies})


def ahead_elsewhere(table: Table) -> Verdict:
    """All trees that store their volumes."""
    studies = races.both_of(table, AHEAD)
    pairs = {name: contestants.ahead(name) for name in contestants.STORED}
    asked = {name: other for name, other in pairs.items() if any(study.cases(name, other) for study in studies)}
    return _gains({name: races.mean_ratio(studies, name, other) for name, other in asked.items()})


def _gains(gains: Mapping[str, float]) -> Verdict:
    outcomes = [(gain > 1 + EQUAL, f"{name} {ratio(gain)}") for name, gain in gains.items()]
    return over_cases(outcomes, "time without it / with it: ")


def same_league(table: Table) -> Verdict | None:
    """Every boxtree beside both."""
    studies = races.both_of(table, TREES)
    if not studies:
        return None
    values = {other: {name: races.mean_ratio(studies, name, other) for name in BUILDS} for other in (DOP, OBB)}
    kept = [value <= SAME_LEAGUE for found in values.values() for value in found.values()]
    texts = [
        f"time, {other} = 1: " + ", ".join(f"{name} {ratio(value)}" for name, value in found.items())
        for other, found in values.items()
    ]
    return verdict(sum(kept), len(kept), "; ".join(texts))


def best_build(table: Table) -> str | None:
    """The variant of the least time against the AABB tree, over all cases: one for all of them."""
    times = {name: races.mean_ratio(races.both_of(table, TREES), name, AABB) for name in BUILDS}
    present = {name: value for name, value in times.items() if not math.isnan(value)}
    return min(present, key=present.__getitem__, default=None)


def _time(query: str, table: Table) -> Outcome:
    best = best_build(table)
    ratios = races.race_of(table, TREES, query).ratios(best, AABB) if best else {}
    if not ratios:
        return None
    words, mean = mean_with_ends(ratios)
    return f"{best}: {words}", MOST_TIME / mean


def _bytes(table: Table) -> Outcome:
    best, study = best_build(table), table.study(BYTES)
    if best is None or not study:
        return None
    parts = [(study.value(case, best, "bytes") / study.value(case, AABB, "bytes"), case) for case in study.cases(best)]
    worst, name = max(parts)
    return f"{best}: {worst:.0%} at most ({name})", MOST_BYTES / worst


def _faster_than_fcl(query: str, table: Table) -> Outcome:
    best = best_build(table)
    return faster_on_average(races.race_of(table, TREES, query).ratios(FCL, best) if best else {})


def _rate(table: Table) -> Outcome:
    study = table.study(BUILT)
    sizes = {case: study.count(case, "", "triangles") for case in study.cases()}
    large = [
        (size / study.value(case, DEFAULT_BUILD, TIME), case) for case, size in sizes.items() if size >= RATE_TRIANGLES
    ]
    if not large:
        return None
    rate, name = min(large)
    return f"{count(round(rate / 1000) * 1000)} per second at least ({name})", rate / RATE


CLAIMS = read_claims(__package__, globals())
EQUAL_LEAVES = f"≤ {MOST_TIME:g}× the AABB tree of equal leaves"
GOALS = (
    Goal("query time, all pairs", EQUAL_LEAVES, partial(_time, ALL)),
    Goal("query time, first hit", EQUAL_LEAVES, partial(_time, FIRST)),
    Goal("bytes of nodes", "less than a third of the AABB tree's", _bytes),
    Goal("against FCL, all pairs", "faster", partial(_faster_than_fcl, ALL)),
    Goal("against FCL, first hit", "faster", partial(_faster_than_fcl, FIRST)),
    Goal("build", f"≥ {count(RATE)} triangles per second, {count(500_000)} triangles", _rate),
)
