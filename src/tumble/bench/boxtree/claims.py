"""The paper's claims, each with a judge that looks at what was found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tumble.bench.boxtree.building import fits
from tumble.bench.boxtree.contestants import (
    BUILDS,
    DEFAULT_BUILD,
    DEFAULT_OVERLAP,
    DOP,
    LEAST_VOLUME,
    OBB,
    OVERLAPS,
    called,
)
from tumble.bench.boxtree.published import (
    EMPTY_SHARE,
    LOOKUP_GAIN,
    OBB_BYTES,
    TABLE_1,
    TOUCHING_SIDES,
    TRIANGLES_A_SECOND,
)
from tumble.bench.boxtree.records import AHEAD, FIRST, TESTS, TREES, Findings, by_size, mean_ratio
from tumble.bench.claims import Claim, Judged, judge
from tumble.bench.verdicts import FAILS, HOLDS, UNKNOWN, Finding, verdict
from tumble.report import count, ratio, significant

# Times closer than this count as equal: what repeated runs on one quiet machine differ by.
EQUAL = 0.02
# "About half of all nodes": anything from two fifths on; "usually": two thirds; "about as fast": within a half.
ABOUT_HALF, USUALLY, SAME_LEAGUE = 0.4, 2 / 3, 1.5
NOTHING = Finding(UNKNOWN, "–")


def judge_claims(findings: Findings) -> list[Judged]:
    """Every claim put to what was found."""
    return judge(CLAIMS, findings)


def _empty_space(findings: Findings) -> Finding:
    parts = [(one.name, float((one.shares <= EMPTY_SHARE).mean())) for one in findings.emptiness if len(one.shares)]
    kept = sum(part >= ABOUT_HALF for _, part in parts)
    return Finding(verdict(kept, len(parts)), "nodes so close: " + _listed(parts))


def _touching_sides(findings: Findings) -> Finding:
    parts = [
        (one.name, float((one.touching >= TOUCHING_SIDES).mean())) for one in findings.emptiness if len(one.shares)
    ]
    kept = sum(part >= USUALLY for _, part in parts)
    return Finding(verdict(kept, len(parts)), "nodes that do: " + _listed(parts))


def _listed(parts: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{name} {part:.0%}" for name, part in parts) or "–"


def _nine_bytes(findings: Findings) -> Finding:
    sizes = [cost.nbytes for cost in findings.nodes if cost.name.startswith("boxtree")]
    others = [f"{cost.name} {cost.nbytes:g}" for cost in findings.nodes if cost.nbytes and cost.nbytes not in sizes]
    numbers = f"{', '.join(f'{size:g}' for size in sorted({size for size in sizes if size}))}; {', '.join(others)}"
    return Finding(verdict(sum(size == 9 for size in sizes), len(sizes)), numbers if sizes else "–")


def _smaller_than_obb(findings: Findings) -> Finding:
    costs = findings.cost("boxtree, sat"), findings.cost(OBB)
    nodes, wholes = ([cost.nbytes if cost else None, cost.nbytes_a_triangle if cost else None] for cost in costs)
    if not all(nodes) or not all(wholes):
        return NOTHING
    node, whole = (theirs / ours for ours, theirs in zip(nodes, wholes, strict=True) if ours and theirs)
    return Finding(HOLDS if node >= OBB_BYTES else FAILS, f"{ratio(node)} a node, {ratio(whole)} the whole tree")


def _operations(findings: Findings) -> Finding:
    counted = [(name, cost.worst) for name in TABLE_1 if (cost := findings.cost(name)) and cost.worst is not None]
    kept = [worst <= TABLE_1[name].operations for name, worst in counted if name.startswith("boxtree")]
    numbers = ", ".join(f"{name} {significant(worst)} ({TABLE_1[name].operations})" for name, worst in counted)
    return Finding(verdict(sum(kept), len(kept)), numbers or "–")


def _ahead_operations(findings: Findings) -> Finding:
    saved = [
        (cost.name, cost.mean / cost.mean_ahead)
        for cost in findings.nodes
        if cost.name.startswith("boxtree") and cost.mean and cost.mean_ahead
    ]
    kept = sum(factor >= 1.5 for _, factor in saved)
    return Finding(verdict(kept, len(saved)), ", ".join(f"{name} {ratio(factor)}" for name, factor in saved) or "–")


def _grows_as_n_log_n(findings: Findings) -> Finding:
    found = {(name, kind): fit for name in BUILDS for kind, fit in fits(findings.built, name).items()}
    kept = sum(fit.holds for fit in found.values())
    powers = ", ".join(f"{kind} {fit.power:.2f}" for (name, kind), fit in found.items() if name == DEFAULT_BUILD)
    expected = next((f"; n log n would be {fit.expected_power:.2f}" for fit in found.values()), "")
    numbers = f"{kept} of {len(found)} no faster; powers of n, default builder: {powers}{expected}"
    return Finding(verdict(kept, len(found)), numbers if found else "–")


def _build_rate(findings: Findings) -> Finding:
    rates = [(one, one.triangles / one.seconds(LEAST_VOLUME)) for one in findings.built if LEAST_VOLUME in one.rounds]
    if not rates:
        return NOTHING
    largest, rate = max(rates, key=lambda item: item[0].triangles)
    factor = rate / TRIANGLES_A_SECOND
    numbers = f"{count(round(rate))} a second ({largest.name}, {LEAST_VOLUME}), {ratio(factor)} as many"
    return Finding(HOLDS if factor >= 1 else FAILS, numbers)


def _same_answers(findings: Findings) -> Finding:
    wrong = [one for one in findings.own_differences if one.differ]
    names = ", ".join(dict.fromkeys(f"{one.peer} on {one.case}" for one in wrong))
    total = len(findings.own_differences)
    return Finding(verdict(total - len(wrong), total), f"differ: {names}" if wrong else f"all of {count(total)} cases")


def _fewer_false_positives(findings: Findings) -> Finding:
    """More axes never let more node pairs pass: sat ≤ sat-lite ≤ axis ≤ lookup, which rounds outward."""
    order = [called(overlap) for overlap in ("sat", "sat-lite", "axis", "lookup")]
    cases = [one for one in findings.of(TESTS) if set(order) <= set(one.work)]
    passing = [[one.work[name].overlapping for name in order] for one in cases]
    kept = sum(numbers == sorted(numbers) for numbers in passing)
    sums = np.sum(passing, axis=0) if passing else []
    numbers = ", ".join(f"{name} {ratio(value / sums[0])}" for name, value in zip(order, sums, strict=False))
    return Finding(verdict(kept, len(cases)), f"overlapping node pairs, sat = 1: {numbers}" if cases else "–")


def _sat_lite_best(findings: Findings) -> Finding:
    cases = findings.of(TESTS, FIRST + TESTS)
    if not cases:
        return NOTHING
    times = {name: mean_ratio(cases, called(name), DEFAULT_OVERLAP) for name in OVERLAPS if name != DEFAULT_OVERLAP}
    kept = sum(value > 1 - EQUAL for value in times.values())
    numbers = ", ".join(f"{name} {ratio(value)}" for name, value in times.items())
    return Finding(verdict(kept, len(times)), f"time, sat-lite = 1: {numbers}")


def _full_sat_not_worth_it(findings: Findings) -> Finding:
    sizes = by_size(
        findings.of(TESTS, FIRST + TESTS), lambda cases: mean_ratio(cases, called("sat"), called("sat-lite"))
    )
    kept = sum(value > 1 - EQUAL for _, value in sizes)
    return Finding(verdict(kept, len(sizes)), _over_sizes("sat / sat-lite", sizes))


def _lookup_gain(findings: Findings) -> Finding:
    sizes = _lookup_ratios(findings)
    kept = sum(value >= 1 - LOOKUP_GAIN for _, value in sizes)
    return Finding(verdict(kept, len(sizes)), _over_sizes("lookup / axis", sizes))


def _lookup_slower_on_small(findings: Findings) -> Finding:
    sizes = _lookup_ratios(findings)
    small = sizes[: max(1, len(sizes) // 2)]
    return Finding(verdict(sum(value > 1 for _, value in small), len(small)), _over_sizes("lookup / axis", small))


def _lookup_ratios(findings: Findings) -> list[tuple[int, float]]:
    return by_size(findings.of(TESTS, FIRST + TESTS), lambda cases: mean_ratio(cases, called("lookup"), called("axis")))


def _over_sizes(what: str, sizes: Sequence[tuple[int, float]]) -> str:
    return f"{what}: " + (", ".join(f"{ratio(value)} at {count(size)}" for size, value in sizes) or "–")


def _ahead_pays(findings: Findings) -> Finding:
    cases = findings.of(TESTS, FIRST + TESTS)
    if not cases:
        return NOTHING
    gains = {overlap: mean_ratio(cases, called(overlap, False), called(overlap)) for overlap in OVERLAPS}
    return _gains(gains)


def _ahead_pays_elsewhere(findings: Findings) -> Finding:
    cases = findings.of(AHEAD, FIRST + AHEAD)
    names = dict.fromkeys(name for one in cases for name in one.rounds if f"{name}, ahead" in one.rounds)
    return _gains({name: mean_ratio(cases, name, f"{name}, ahead") for name in names})


def _gains(gains: dict[str, float]) -> Finding:
    kept = sum(gain > 1 + EQUAL for gain in gains.values())
    numbers = ", ".join(f"{name} {ratio(gain)}" for name, gain in gains.items())
    return Finding(verdict(kept, len(gains)), f"time without it / with it: {numbers}" if gains else "–")


def _as_fast_as_others(findings: Findings) -> Finding:
    cases = findings.of(TREES, FIRST + TREES)
    told, kept, total = [], 0, 0
    for other in (DOP, OBB) if cases else ():
        values = {name: mean_ratio(cases, name, other) for name in BUILDS}
        kept, total = kept + sum(value <= SAME_LEAGUE for value in values.values()), total + len(values)
        told.append(f"time, {other} = 1: " + ", ".join(f"{name} {ratio(value)}" for name, value in values.items()))
    return Finding(verdict(kept, total), "; ".join(told) or "–")


CLAIMS = (
    Claim(
        "empty-space",
        "In AABB trees, about half of all nodes leave only about 10 % of their parent's box empty (the side of the "
        "split not counted).",
        "Figure 1",
        "half of the nodes: 10 %",
        _empty_space,
    ),
    Claim(
        "touching-sides",
        "A box of an AABB tree usually touches its parent's on at least three sides.",
        "Section 3.1",
        "at least 3 sides",
        _touching_sides,
    ),
    Claim("nine-bytes", "A node of a boxtree needs 9 bytes.", "Table 1", "9", _nine_bytes, certain=True),
    Claim(
        "obb-bytes",
        "Boxtrees need about a factor 7 less memory than OBB trees.",
        "Section 6",
        "64 / 9 = 7.1",
        _smaller_than_obb,
    ),
    Claim(
        "operations",
        "The tests take 12, 24 and 82 operations a node pair in the worst case.",
        "Table 1",
        "axis 12, SAT lite 24, SAT 82",
        _operations,
    ),
    Claim(
        "ahead-halves-operations",
        "Node work done one level up takes about half of the operations.",
        "Table 1",
        "about a factor of 2",
        _ahead_operations,
    ),
    Claim("n-log-n", "Building takes time in n log n.", "Section 4.3, Figure 6", "O(n log n)", _grows_as_n_log_n),
    Claim(
        "build-rate",
        "Boxtrees are built fast enough to be made when a program starts.",
        "Section 6",
        f"{count(TRIANGLES_A_SECOND)} polygons a second",
        _build_rate,
    ),
    Claim(
        "same-answers",
        "All tests and all trees find the same triangles.",
        "Section 3.2",
        "–",
        _same_answers,
        certain=True,
    ),
    Claim(
        "false-positives",
        "The more axes a test looks at, the fewer node pairs pass: SAT, then SAT lite, then axis alignment.",
        "Section 3.2",
        "SAT: no false positives",
        _fewer_false_positives,
        certain=True,
    ),
    Claim("sat-lite-best", "SAT lite performs best among the tests.", "Figure 9", "SAT lite", _sat_lite_best),
    Claim(
        "sat-not-worth-it",
        "The full separating axis test is not worth its effort.",
        "Section 5",
        "no faster than SAT lite",
        _full_sat_not_worth_it,
    ),
    Claim("lookup-gain", "Lookup tables gain at most 8 %.", "Section 5", "0.92× or more", _lookup_gain),
    Claim(
        "lookup-small",
        "On small objects lookup tables are slower, for they must be set up.",
        "Section 5",
        "above 1×",
        _lookup_slower_on_small,
    ),
    Claim(
        "ahead",
        "Node work done one level up makes boxtree queries faster.",
        "Section 3.2.5",
        "dramatic savings",
        _ahead_pays,
    ),
    Claim(
        "ahead-elsewhere",
        "It makes most other hierarchies faster, too.",
        "Sections 3.2.5, 6",
        "significantly",
        _ahead_pays_elsewhere,
    ),
    Claim(
        "same-league",
        "Boxtrees are in the same league as DOP trees and OBB trees, whose nodes are ten and seven times as large.",
        "Section 5, Figure 10",
        "about as fast as DOP trees",
        _as_fast_as_others,
    ),
)
