"""Findings as lines for people: rows of a table, a conclusion, notes. Names are as in the files: whoever prints them
escapes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tumble.clash.baseline import Known
from tumble.clash.check import Checked
from tumble.clash.finding import Finding, Kind, State
from tumble.clash.groups import Group
from tumble.core.text import amount

COLUMNS = "", "finding", "part", "other part", "size", "common volume", "state", "id"
NUMBERS = "size", "common volume"
COUNTED = {Kind.PIERCING: "going through", Kind.TOO_CLOSE: "too close", Kind.APART: "not touching"}
WORDS = {Kind.PIERCING: "goes through", Kind.TOO_CLOSE: "too close", Kind.APART: "does not touch"}
MOST_NAMED = 3
"""open parts that are named"""
ID_LETTERS = 8
FIGURES = 4
PLAIN = 1e12
"""numbers below are written without an exponent"""


def rows_of(findings: Sequence[Finding], unit: str | None, frames: int | None = None) -> list[tuple[str, ...]]:
    """Return a row of `COLUMNS` for each finding; a cross marks faults. `frames`: of a motion, how many."""
    return [
        (
            "✗" if one.fails else "·",
            WORDS.get(one.kind, str(one.kind)),
            one.name_a,
            one.name_b,
            size_of(one, unit),
            "" if one.volume is None or one.kind is Kind.TOUCHING else measure(one.volume, unit, "³"),
            ", ".join(filter(None, [str(one.state), one.rule, _frames(one, frames)])),
            one.id[:ID_LETTERS],
        )
        for one in findings
    ]


def _frames(finding: Finding, count: int | None) -> str:
    return "" if finding.frames is None or count is None else f"in {len(finding.frames):,} of {count:,} frames"


def size_of(finding: Finding, unit: str | None) -> str:
    """Return the number that tells most about a finding."""
    if finding.gap is not None:
        return f"gap {measure(finding.gap, unit)}"
    if finding.kind is Kind.TOUCHING:
        return f"area {measure(finding.contact_area, unit, '²')}" if finding.contact_area else "depth 0"
    if finding.local_depth is not None and (finding.depth is None or finding.local_depth < finding.depth):
        return f"local depth {measure(finding.local_depth, unit)}"
    if finding.depth is None:
        return ""
    return f"depth {'' if finding.depth_is_exact else '≤ '}{measure(finding.depth, unit)}"


def measure(number: float, unit: str | None, power: str = "") -> str:
    """Return a number with its unit, to four figures; large ones without an exponent, their thousands split."""
    short = f"{number:.{FIGURES}g}"
    if "e+" in short and abs(number) < PLAIN:
        short = f"{float(short):,.0f}"
    return short + (f" {unit}{power}" if unit else "")


def conclusion(checked: Checked) -> str:
    """Return the outcome in a sentence."""
    if len(checked.parts) < 2:
        return "There is only one part, so there is nothing to compare."
    if not checked.findings:
        return "Clear: no parts touch, and none is inside another."
    kinds = Counter(finding.kind for finding in checked.findings)
    listed = ", ".join(f"{kinds[kind]:,} {COUNTED.get(kind, str(kind))}" for kind in Kind if kinds[kind])
    faults = len(checked.faults)
    verdict = amount(faults, "fault") if faults else "No fault"
    return f"{verdict} in {amount(len(checked.findings), 'finding')}: {listed}."


def notes(checked: Checked, resolved: Sequence[Known] = ()) -> list[str]:
    """Return what else there is to say: states, rules, and what could not be found."""
    found = []
    states = Counter(finding.state for finding in checked.findings)
    if resolved or set(states) - {State.NEW}:
        counts = [f"{states[state]:,} {state}" for state in (State.NEW, State.PERSISTENT, State.APPROVED)]
        found.append(f"Since the baseline: {', '.join(counts)}, {len(resolved):,} resolved.")
        found += [f"Resolved: {one.a} and {one.b} ({one.kind})." for one in resolved]
    if checked.ignored:
        found.append(f"Rules left out {amount(sum(checked.ignored.values()), 'pair')} of parts.")
    found += [f"The rule {name!r} matches no parts." for name in checked.unused_rules]
    if any(finding.kind is Kind.UNDECIDED for finding in checked.findings):
        found.append("Undecided: surfaces that meet along many lines; --relations decides all, which takes longer.")
    if any(finding.depth is not None and not finding.depth_is_exact for finding in checked.findings):
        found.append("≤: the depth of parts that are not convex is an upper bound.")
    if checked.welded_parts:
        number = f"{len(checked.welded_parts):,} of {amount(len(checked.parts), 'part')}"
        found.append(f"{number} had seams open by rounding: vertices nearer than 1e-9 of the part's size were merged.")
    return [*found, *_open_parts(checked)]


def _open_parts(checked: Checked) -> list[str]:
    """Say which parts have no inside, so that nothing can be found there."""
    open_ones = checked.open_parts
    if not open_ones or len(checked.parts) < 2:
        return []
    names = [checked.parts[k].name for k in open_ones[:MOST_NAMED]]
    more = ", …" if len(open_ones) > MOST_NAMED else ""
    number = f"{len(open_ones):,} of {amount(len(checked.parts), 'part')}"
    is_open = "has open edges" if len(open_ones) == 1 else "have open edges"
    return [f"{number} {is_open} ({', '.join(names)}{more}): surfaces without an inside, in which nothing is found."]


def group_rows(groups: Sequence[Group]) -> list[tuple[str, ...]]:
    """Return a row for each group: its name, findings, faults, and the worst of them."""
    return [
        (
            group.name,
            f"{len(group.findings):,}",
            f"{sum(one.fails for one in group.findings):,}",
            WORDS.get(group.findings[0].kind, str(group.findings[0].kind)),
        )
        for group in groups
    ]


GROUP_COLUMNS = "group", "findings", "faults", "worst"
GROUP_NUMBERS = "findings", "faults"
