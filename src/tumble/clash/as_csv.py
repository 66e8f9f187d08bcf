"""Findings as a table for spreadsheets: one row each, a header, UTF-8."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

from tumble.clash.baseline import Known
from tumble.clash.check import Checked
from tumble.clash.finding import Finding
from tumble.core.text import printable

FORMULAS = "=", "+", "-", "@"
"""a cell that begins like this is a formula to a spreadsheet, whatever file it came from"""

COLUMNS: dict[str, Callable[[Finding], Any]] = {
    "id": lambda one: one.id,
    "kind": lambda one: one.kind,
    "part_a": lambda one: safe(one.name_a),
    "part_b": lambda one: safe(one.name_b),
    "fault": lambda one: "yes" if one.fails else "no",
    "state": lambda one: one.state,
    "depth": lambda one: one.depth,
    "depth_is_exact": lambda one: None if one.depth is None else "yes" if one.depth_is_exact else "no",
    "local_depth": lambda one: one.local_depth,
    "volume": lambda one: one.volume,
    "curve_length": lambda one: one.curve_length,
    "contact_area": lambda one: one.contact_area,
    "gap": lambda one: one.gap,
    "clearance": lambda one: one.clearance,
    "x": lambda one: one.point and one.point[0],
    "y": lambda one: one.point and one.point[1],
    "z": lambda one: one.point and one.point[2],
    "rule": lambda one: safe(one.rule or ""),
    "reason": lambda one: safe(one.reason or ""),
    "frames": lambda one: None if one.frames is None else " ".join(map(str, one.frames)),
}


def as_csv(checked: Checked, resolved: Sequence[Known] = ()) -> str:
    """Return all findings, and those that are resolved."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for finding in checked.findings:
        writer.writerow([cell(finding) for cell in COLUMNS.values()])
    for one in resolved:
        known = {"id": one.id, "kind": one.kind, "part_a": safe(one.a), "part_b": safe(one.b), "fault": "no"}
        writer.writerow([(known | {"state": one.state}).get(column, "") for column in COLUMNS])
    return text.getvalue()


def safe(text: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    shown = printable(text)
    return f"'{shown}" if shown.startswith(FORMULAS) else shown
