"""The tests of the paper's claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tumble.bench.framework.answers import differences
from tumble.bench.framework.claims import Verdict, over_cases, read_claims, verdict
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


def empty_space(table: Table) -> Verdict:
    """About half: from two fifths on."""
    return _parts(table, "close", ABOUT_HALF, "nodes so close: ")


def touching_sides(table: Table) -> Verdict:
    """Usually: two thirds."""
    return _parts(table, "touching", USUALLY, "nodes that do: ")


def _is_boxtree(name: str) -> bool:
    return name.startswith("boxtree")


def nine_bytes(table: Table) -> Verdict | None:
    """Every variant of the tree."""
    study = table.study(NODES)
    sizes = {name: study.value(TABLE_1, name, PER_NODE) for name in study.contestants()}
    ours = [size for name, size in sizes.items() if _is_boxtree(name)]
    if not ours:
        return None
    others = [f"{name} {size:g}" for name, size in sizes.items() if size not in ours]
    numbers = f"{', '.join(f'{size:g}' for size in sorted(set(ours)))}; {', '.join(others)}"
    return verdict(sum(size == 9 for size in ours), len(ours), numbers)


def obb_bytes(table: Table) -> Verdict | None:
    """By node."""
    study, ours = table.study(NODES), "boxtree, sat"
    if not {ours, OBB} <= set(study.contestants()):
        return None
    node, whole = (
        study.value(TABLE_1, OBB, quantity) / study.value(TABLE_1, ours, quantity)
        for quantity in (PER_NODE, PER_TRIANGLE)
    )
    return verdict(node >= paper.OBB_BYTES, 1, f"{ratio(node)} per node, {ratio(whole)} the whole tree")


def operations(table: Table) -> Verdict:
    """At most those that the paper prints."""
    study, published = table.study(NODES), table.study(PUBLISHED)
    names = [name for name in published.contestants(TABLE_1) if study.has(TABLE_1, name, "worst")]
    worst = {name: study.value(TABLE_1, name, "worst") for name in names}
    printed = {name: published.count(TABLE_1, name, "operations") for name in names}
    kept = [worst[name] <= printed[name] for name in names if _is_boxtree(name)]
    numbers = ", ".join(f"{name} {significant(worst[name])} ({printed[name]})" for name in names)
    return verdict(sum(kept), len(kept), numbers)


def ahead_halves_operations(table: Table) -> Verdict:
    """Means of every variant."""
    study = table.study(NODES)
    names = [name for name in study.contestants() if _is_boxtree(name) and study.has(TABLE_1, name, "mean ahead")]
    saved = {name: study.value(TABLE_1, name, "mean") / study.value(TABLE_1, name, "mean ahead") for name in names}
    return over_cases([(saved[name] >= FEWER_OPERATIONS, f"{name} {ratio(saved[name])}") for name in names])


def n_log_n(table: Table) -> Verdict | None:
    """Every builder over every kind of object."""
    found = {(name, kind): fit for name in BUILDS for kind, fit in fits(table.study(BUILT), name).items()}
    if not found:
        return None
    kept = sum(fit.holds for fit in found.values())
    powers = ", ".join(
        f"{kind} {fit.power:.2f}" for (name, kind), fit in found.items() if name == contestants.DEFAULT_BUILD
    )
    expected = next(iter(found.values())).expected_power
    numbers = f"{kept} of {len(found)} no faster; powers of n, default builder: {powers}; n log n would be "
    return verdict(kept, len(found), f"{numbers}{expected:.2f}")


def build_rate(table: Table) -> Verdict | None:
    """The largest object, beside the rate of the paper."""
    study = table.study(BUILT)
    cases = study.cases(contestants.LEAST_VOLUME)
    if not cases:
        return None
    largest = max(cases, key=lambda case: study.count(case, "", "triangles"))
    rate = study.count(largest, "", "triangles") / study.value(largest, contestants.LEAST_VOLUME, TIME)
    factor = rate / paper.TRIANGLES_PER_SECOND
    numbers = f"{count(round(rate))} per second ({largest}, {contestants.LEAST_VOLUME}), {ratio(factor)} as many"
    return verdict(factor >= 1, 1, numbers)


def same_answers(table: Table) -> Verdict:
    """Every answer beside that of the fast path; FCL computes with tolerances."""
    studies = [study for kind in (TESTS, TREES, AHEAD) for study in both_of(table, kind)]
    asked = [(*key, found) for study in studies for key, found in differences(study).items() if key[1] != FCL]
    wrong = [f"{name} on {case}" for case, name, found in asked if found.differ]
    numbers = f"differ: {', '.join(dict.fromkeys(wrong))}" if wrong else f"all of {count(len(asked))} cases"
    return verdict(len(asked) - len(wrong), len(asked), numbers)


def false_positives(table: Table) -> Verdict | None:
    """The lookup test, which rounds outward, lets at least as many pass as axis alignment."""
    order = [called(overlap) for overlap in ("sat", "sat-lite", "axis", "lookup")]
    study = race_of(table, TESTS, ALL)
    passing = [[study.value(case, name, "overlapping") for name in order] for case in study.cases(*order)]
    if not passing:
        return None
    kept, sums = sum(numbers == sorted(numbers) for numbers in passing), np.sum(passing, axis=0)
    numbers = ", ".join(f"{name} {ratio(value / sums[0])}" for name, value in zip(order, sums, strict=True))
    return verdict(kept, len(passing), f"overlapping node pairs, sat = 1: {numbers}")


def sat_lite_best(table: Table) -> Verdict:
    """No other test takes clearly less time."""
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


def sat_not_worth_it(table: Table) -> Verdict:
    """At no size clearly faster than SAT lite."""
    return _over_sizes(_by_size(table, "sat", "sat-lite"), 1 - EQUAL, "sat / sat-lite: ")


def lookup_gain(table: Table) -> Verdict:
    """At every size."""
    return _over_sizes(_by_size(table, "lookup", "axis"), np.nextafter(1 - paper.LOOKUP_GAIN, 0), "lookup / axis: ")


def lookup_small(table: Table) -> Verdict:
    """The smaller half of the sizes."""
    sizes = _by_size(table, "lookup", "axis")
    return _over_sizes(sizes[: max(1, len(sizes) // 2)], 1, "lookup / axis: ")


def ahead(table: Table) -> Verdict:
    """Every test with and without it."""
    studies = both_of(table, TESTS)
    return _gains({name: mean_ratio(studies, called(name, False), called(name)) for name in OVERLAPS if studies})


def ahead_elsewhere(table: Table) -> Verdict:
    """Every tree that stores its volumes."""
    studies = both_of(table, AHEAD)
    names = [
        name for name in contestants.STORED if any(study.cases(name, contestants.ahead(name)) for study in studies)
    ]
    return _gains({name: mean_ratio(studies, name, contestants.ahead(name)) for name in names})


def _gains(gains: Mapping[str, float]) -> Verdict:
    outcomes = [(gain > 1 + EQUAL, f"{name} {ratio(gain)}") for name, gain in gains.items()]
    return over_cases(outcomes, "time without it / with it: ")


def same_league(table: Table) -> Verdict | None:
    """Every builder, beside both trees."""
    studies = both_of(table, TREES)
    if not studies:
        return None
    values = {other: {name: mean_ratio(studies, name, other) for name in BUILDS} for other in (DOP, OBB)}
    kept = [value <= SAME_LEAGUE for found in values.values() for value in found.values()]
    texts = [
        f"time, {other} = 1: " + ", ".join(f"{name} {ratio(value)}" for name, value in found.items())
        for other, found in values.items()
    ]
    return verdict(sum(kept), len(kept), "; ".join(texts))


CLAIMS = read_claims(__package__, globals())
