"""The paper's claims, each with a test that reads the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tumble.bench.framework.claims import FAILS, HOLDS, NOT_MEASURED, Verdict, claim, claims_of, over_cases, word_for
from tumble.bench.framework.differences import differences
from tumble.bench.framework.table import PUBLISHED, TIME, Table
from tumble.bench.papers.boxtree import contestants
from tumble.bench.papers.boxtree import published as paper
from tumble.bench.papers.boxtree.builds import BUILT, fits
from tumble.bench.papers.boxtree.contestants import BUILDS, DOP, FCL, OBB, OVERLAPS, called
from tumble.bench.papers.boxtree.nodes import EMPTINESS, NODES
from tumble.bench.papers.boxtree.published import TABLE_1
from tumble.bench.papers.boxtree.races import AHEAD, ALL, TESTS, TREES, both_of, mean_ratio, race_of, sizes_of
from tumble.report import count, ratio, significant

# Times closer than this count as equal: what repeated runs on one quiet machine differ by.
EQUAL = 0.02
# "About half of all nodes": anything from two fifths on; "usually": two thirds; "about as fast": within a half.
ABOUT_HALF, USUALLY, SAME_LEAGUE = 0.4, 2 / 3, 1.5
# "About half of the operations".
FEWER_OPERATIONS = 1.5
PER_NODE, PER_TRIANGLE = "bytes per node", "bytes per triangle"


def _parts(table: Table, quantity: str, least: float, title: str) -> Verdict:
    study = table.study(EMPTINESS)
    parts = [(case, study.value(case, "all nodes", quantity)) for case in study.cases()]
    return over_cases([(part >= least, f"{name} {part:.0%}") for name, part in parts], title)


@claim("Figure 1", "half of the nodes: 10 %")
def empty_space(table: Table) -> Verdict:
    """In AABB trees, about half of all nodes leave only about 10 % of their parent's box empty (the side of the split
    not counted)."""
    return _parts(table, "close", ABOUT_HALF, "nodes so close: ")


@claim("Section 3.1", "at least 3 sides")
def touching_sides(table: Table) -> Verdict:
    """A box of an AABB tree usually touches its parent's on at least three sides."""
    return _parts(table, "touching", USUALLY, "nodes that do: ")


def _is_boxtree(name: str) -> bool:
    return name.startswith("boxtree")


@claim("Table 1", "9", certain=True)
def nine_bytes(table: Table) -> Verdict:
    """A node of a boxtree needs 9 bytes."""
    study = table.study(NODES)
    sizes = {name: study.value(TABLE_1, name, PER_NODE) for name in study.contestants()}
    ours = [size for name, size in sizes.items() if _is_boxtree(name)]
    if not ours:
        return NOT_MEASURED
    others = [f"{name} {size:g}" for name, size in sizes.items() if size not in ours]
    numbers = f"{', '.join(f'{size:g}' for size in sorted(set(ours)))}; {', '.join(others)}"
    return Verdict(word_for(sum(size == 9 for size in ours), len(ours)), numbers)


@claim("Section 6", "64 / 9 = 7.1")
def obb_bytes(table: Table) -> Verdict:
    """Boxtrees need about a factor 7 less memory than OBB trees."""
    study, ours = table.study(NODES), "boxtree, sat"
    if not {ours, OBB} <= set(study.contestants()):
        return NOT_MEASURED
    node, whole = (
        study.value(TABLE_1, OBB, quantity) / study.value(TABLE_1, ours, quantity)
        for quantity in (PER_NODE, PER_TRIANGLE)
    )
    return Verdict(
        HOLDS if node >= paper.OBB_BYTES else FAILS, f"{ratio(node)} per node, {ratio(whole)} the whole tree"
    )


@claim("Table 1", "axis 12, SAT lite 24, SAT 82")
def operations(table: Table) -> Verdict:
    """The tests take 12, 24 and 82 operations per node pair in the worst case."""
    study, published = table.study(NODES), table.study(PUBLISHED)
    names = [name for name in published.contestants(TABLE_1) if study.has(TABLE_1, name, "worst")]
    worst = {name: study.value(TABLE_1, name, "worst") for name in names}
    printed = {name: published.count(TABLE_1, name, "operations") for name in names}
    kept = [worst[name] <= printed[name] for name in names if _is_boxtree(name)]
    numbers = ", ".join(f"{name} {significant(worst[name])} ({printed[name]})" for name in names)
    return Verdict(word_for(sum(kept), len(kept)), numbers) if kept else NOT_MEASURED


@claim("Table 1", "about a factor of 2")
def ahead_halves_operations(table: Table) -> Verdict:
    """Node work done one level up takes about half of the operations."""
    study = table.study(NODES)
    names = [name for name in study.contestants() if _is_boxtree(name) and study.has(TABLE_1, name, "mean ahead")]
    saved = {name: study.value(TABLE_1, name, "mean") / study.value(TABLE_1, name, "mean ahead") for name in names}
    return over_cases([(saved[name] >= FEWER_OPERATIONS, f"{name} {ratio(saved[name])}") for name in names])


@claim("Section 4.3, Figure 6", "O(n log n)")
def n_log_n(table: Table) -> Verdict:
    """Building takes time in n log n."""
    found = {(name, kind): fit for name in BUILDS for kind, fit in fits(table.study(BUILT), name).items()}
    if not found:
        return NOT_MEASURED
    kept = sum(fit.holds for fit in found.values())
    powers = ", ".join(
        f"{kind} {fit.power:.2f}" for (name, kind), fit in found.items() if name == contestants.DEFAULT_BUILD
    )
    expected = next(iter(found.values())).expected_power
    numbers = f"{kept} of {len(found)} no faster; powers of n, default builder: {powers}; n log n would be "
    return Verdict(word_for(kept, len(found)), f"{numbers}{expected:.2f}")


@claim("Section 6", f"{count(paper.TRIANGLES_PER_SECOND)} polygons per second")
def build_rate(table: Table) -> Verdict:
    """Boxtrees are built fast enough to be made when a program starts."""
    study = table.study(BUILT)
    cases = study.cases(contestants.LEAST_VOLUME)
    if not cases:
        return NOT_MEASURED
    largest = max(cases, key=lambda case: study.count(case, "", "triangles"))
    rate = study.count(largest, "", "triangles") / study.value(largest, contestants.LEAST_VOLUME, TIME)
    factor = rate / paper.TRIANGLES_PER_SECOND
    numbers = f"{count(round(rate))} per second ({largest}, {contestants.LEAST_VOLUME}), {ratio(factor)} as many"
    return Verdict(HOLDS if factor >= 1 else FAILS, numbers)


@claim("Section 3.2", "–", certain=True)
def same_answers(table: Table) -> Verdict:
    """All tests and all trees find the same triangles."""
    studies = [study for kind in (TESTS, TREES, AHEAD) for study in both_of(table, kind)]
    asked = [(*key, found) for study in studies for key, found in differences(study).items() if key[1] != FCL]
    wrong = [f"{name} on {case}" for case, name, found in asked if found.differ]
    numbers = f"differ: {', '.join(dict.fromkeys(wrong))}" if wrong else f"all of {count(len(asked))} cases"
    return Verdict(word_for(len(asked) - len(wrong), len(asked)), numbers) if asked else NOT_MEASURED


@claim("Section 3.2", "SAT: no false positives", certain=True)
def false_positives(table: Table) -> Verdict:
    """The more axes a test looks at, the fewer node pairs pass: SAT, then SAT lite, then axis alignment.

    The lookup test, which rounds outward, lets at least as many pass as axis alignment.
    """
    order = [called(overlap) for overlap in ("sat", "sat-lite", "axis", "lookup")]
    study = race_of(table, TESTS, ALL)
    passing = [[study.value(case, name, "overlapping") for name in order] for case in study.cases(*order)]
    if not passing:
        return NOT_MEASURED
    kept, sums = sum(numbers == sorted(numbers) for numbers in passing), np.sum(passing, axis=0)
    numbers = ", ".join(f"{name} {ratio(value / sums[0])}" for name, value in zip(order, sums, strict=True))
    return Verdict(word_for(kept, len(passing)), f"overlapping node pairs, sat = 1: {numbers}")


@claim("Figure 9", "SAT lite")
def sat_lite_best(table: Table) -> Verdict:
    """SAT lite performs best among the tests."""
    studies = both_of(table, TESTS)
    times = {name: mean_ratio(studies, called(name), contestants.DEFAULT_OVERLAP) for name in OVERLAPS[1:] if studies}
    return over_cases(
        [(time > 1 - EQUAL, f"{name} {ratio(time)}") for name, time in times.items()], "time, sat-lite = 1: "
    )


def _by_size(table: Table, name: str, base: str) -> list[tuple[int, float]]:
    studies = both_of(table, TESTS)
    return [(size, mean_ratio(studies, called(name), called(base), size)) for size in sizes_of(studies)]


def _over_sizes(sizes: Sequence[tuple[int, float]], least: float, title: str) -> Verdict:
    return over_cases([(value > least, f"{ratio(value)} at {count(size)}") for size, value in sizes], title)


@claim("Section 5", "no faster than SAT lite")
def sat_not_worth_it(table: Table) -> Verdict:
    """The full separating axis test is not worth its effort."""
    return _over_sizes(_by_size(table, "sat", "sat-lite"), 1 - EQUAL, "sat / sat-lite: ")


@claim("Section 5", "0.92× or more")
def lookup_gain(table: Table) -> Verdict:
    """Lookup tables gain at most 8 %."""
    return _over_sizes(_by_size(table, "lookup", "axis"), np.nextafter(1 - paper.LOOKUP_GAIN, 0), "lookup / axis: ")


@claim("Section 5", "above 1×")
def lookup_small(table: Table) -> Verdict:
    """On small objects lookup tables are slower, for they must be set up."""
    sizes = _by_size(table, "lookup", "axis")
    return _over_sizes(sizes[: max(1, len(sizes) // 2)], 1, "lookup / axis: ")


@claim("Section 3.2.5", "dramatic savings")
def ahead(table: Table) -> Verdict:
    """Node work done one level up makes boxtree queries faster."""
    studies = both_of(table, TESTS)
    return _gains({name: mean_ratio(studies, called(name, False), called(name)) for name in OVERLAPS if studies})


@claim("Sections 3.2.5, 6", "significantly")
def ahead_elsewhere(table: Table) -> Verdict:
    """It makes most other hierarchies faster, too."""
    studies = both_of(table, AHEAD)
    names = [
        name for name in contestants.STORED if any(study.cases(name, contestants.ahead(name)) for study in studies)
    ]
    return _gains({name: mean_ratio(studies, name, contestants.ahead(name)) for name in names})


def _gains(gains: Mapping[str, float]) -> Verdict:
    outcomes = [(gain > 1 + EQUAL, f"{name} {ratio(gain)}") for name, gain in gains.items()]
    return over_cases(outcomes, "time without it / with it: ")


@claim("Section 5, Figure 10", "about as fast as DOP trees")
def same_league(table: Table) -> Verdict:
    """Boxtrees are in the same league as DOP trees and OBB trees, whose nodes are ten and seven times as large."""
    studies = both_of(table, TREES)
    if not studies:
        return NOT_MEASURED
    values = {other: {name: mean_ratio(studies, name, other) for name in BUILDS} for other in (DOP, OBB)}
    kept = [value <= SAME_LEAGUE for found in values.values() for value in found.values()]
    texts = [
        f"time, {other} = 1: " + ", ".join(f"{name} {ratio(value)}" for name, value in found.items())
        for other, found in values.items()
    ]
    return Verdict(word_for(sum(kept), len(kept)), "; ".join(texts))


CLAIMS = claims_of(__name__)
