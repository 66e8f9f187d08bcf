"""The HTML of one finding: its row in the table, and its details beside the picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import takewhile

from tumble.clash.as_text import ID_LETTERS, WORDS, measure, size_of
from tumble.clash.finding import Finding, Kind

SMALL = 90, 60
"""size of the small pictures, in pixels"""
NUMBERS = ("size", "common volume")


def word_of(finding: Finding) -> str:
    """Return the kind of a finding as people say it."""
    return WORDS.get(finding.kind, str(finding.kind))


def columns_of(findings: Sequence[Finding]) -> list[str]:
    """Return the columns of the table: those that say something."""
    volume = ["common volume"] if any(_volume(finding) for finding in findings) else []
    states = ["state"] if len({finding.state for finding in findings}) > 1 else []
    return ["picture", "finding", "part", "other part", "size", *volume, *states]


def headers(columns: Sequence[str]) -> str:
    """Return the cells of the table's head: each a button that sorts by its column."""
    cells = []
    for name in columns:
        kind = ' class="number"' if name in NUMBERS else ""
        cells.append(f'<th scope="col" aria-sort="none"{kind}><button type="button">{escape(name)}</button></th>')
    return "".join(cells)


def row_html(which: int, finding: Finding, columns: Sequence[str], unit: str | None) -> str:
    """Return the row of a finding."""
    a, b, word, volume = finding.name_a, finding.name_b, word_of(finding), _volume(finding)
    search = escape(f"{a} {b} {word} {finding.state} {finding.id}".lower())
    kind, state = escape(str(finding.kind)), escape(str(finding.state))
    note = "" if finding.fails else "<small>not a fault</small>"
    size = f'width="{2 * SMALL[0]}" height="{2 * SMALL[1]}"'
    canvas = f'<canvas {size} role="img" aria-label="{escape(word)}: {escape(a)} and {escape(b)}"></canvas>'
    cells = {
        "picture": f'<td class="small" data-value="{which}">{canvas}</td>',
        "finding": f'<td class="kind {kind}">{escape(word)}{note}</td>',
        "part": f'<td class="part">{escape(a)}</td>',
        "other part": f'<td class="part">{escape(b)}</td>',
        "size": _number(_largest(finding), _labelled(size_of(finding, unit))),
        "common volume": _number(finding.volume, _volume_html(measure(volume, unit, "³")) if volume else ""),
        "state": f"<td>{state}</td>",
    }
    row = "".join(cells[name] for name in columns)
    return f'<tr data-finding="{which}" data-kind="{kind}" data-state="{state}" data-search="{search}">{row}</tr>'


def _volume(finding: Finding) -> float:
    return 0.0 if finding.volume is None or finding.kind is Kind.TOUCHING else finding.volume


def _largest(finding: Finding) -> float | None:
    """Return what findings are sorted by: how deep they are; gaps are the other way round."""
    if finding.gap is not None:
        return -finding.gap
    return finding.local_depth if finding.local_depth is not None else finding.depth


def _number(value: float | None, content: str) -> str:
    return f'<td class="number" data-value="{"" if value is None else repr(value)}">{content}</td>'


def _labelled(size: str) -> str:
    """Return a size with what it is in front of it: `local depth 2 mm` is a label and a number."""
    label = " ".join(takewhile(str.isalpha, size.split(" ")))
    return f"<small>{escape(label)}</small>{escape(size.removeprefix(label))}" if size else ""


def _volume_html(volume: str) -> str:
    """Return a volume with a label that is shown where the table has no head."""
    return f'<small class="headless">common volume</small> {escape(volume)}'


def details_html(which: int, finding: Finding, unit: str | None) -> str:
    """Return what is said of a finding beside the picture."""
    facts = [(term, text) for term, text in _facts(finding, unit) if text]
    listed = "".join(f"<div><dt>{escape(term)}</dt><dd>{escape(text)}</dd></div>" for term, text in facts)
    title = f'<span class="a">{escape(finding.name_a)}</span> – <span class="b">{escape(finding.name_b)}</span>'
    return f'<div data-detail="{which}" hidden><h2>{title}: {escape(word_of(finding))}</h2><dl>{listed}</dl></div>'


def _facts(finding: Finding, unit: str | None) -> list[tuple[str, str]]:
    def length(value: float | None, power: str = "") -> str:
        return "" if value is None or value == 0.0 else measure(value, unit, power)

    exact = finding.depth_is_exact
    return [
        ("local depth", length(finding.local_depth)),
        ("shift that parts them" if exact else "a shift that parts them", length(finding.depth)),
        ("direction", _direction(finding)),
        ("common volume", length(finding.volume, "³")),
        ("length of the curves", length(finding.curve_length)),
        ("contact area", length(finding.contact_area, "²")),
        ("gap", length(finding.gap)),
        ("wanted clearance", length(finding.clearance)),
        ("where", _place(finding, unit)),
        ("touching triangle pairs", f"{finding.triangle_pairs:,}" if finding.triangle_pairs else ""),
        ("frames", "" if finding.frames is None else f"{len(finding.frames):,}, worst: {finding.frame}"),
        ("rule", finding.rule or ""),
        ("state", f"{finding.state}{f': {finding.reason}' if finding.reason else ''}"),
        ("id", finding.id[:ID_LETTERS]),
    ]


def _direction(finding: Finding) -> str:
    if finding.direction is None:
        return ""
    rounded = [round(value, 3) + 0.0 for value in finding.direction]  # + 0.0: no negative zeros
    return f"({', '.join(f'{value:g}' for value in rounded)})"


def _place(finding: Finding, unit: str | None) -> str:
    """Return the point in as many figures as the size of the coordinates deserves."""
    if finding.point is None:
        return ""
    largest = max(abs(value) for value in finding.point)
    rounded = [0.0 if abs(value) < 1e-9 * largest else value for value in finding.point]
    return f"({', '.join(f'{value:.6g}' for value in rounded)})" + (f" {unit}" if unit else "")
