"""The page: page.html with style, rows, data and scripts in it; one file, no reference to anything outside."""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

from tumble.clash.as_text import WORDS, conclusion, notes
from tumble.clash.baseline import Known
from tumble.clash.check import Checked
from tumble.clash.finding import Finding
from tumble.report.clash.drawn import drawn, touching_of
from tumble.report.clash.geometry import pack
from tumble.report.clash.rows import columns_of, details_html, headers, row_html

SCRIPTS = "unpack", "algebra", "draw", "camera", "view", "table", "main"
TONES = ((0.62, 0.66, 0.70), (0.55, 0.62, 0.68), (0.70, 0.71, 0.70), (0.58, 0.60, 0.66), (0.66, 0.63, 0.60))
STEERING = "Drag turns, right button or two fingers shift, the wheel zooms."
MOST_ROWS = 5000
"""findings that are listed, the worst: a browser takes seconds for more, and nobody reads them"""
HINT = f"Choose a row, or a pin in the picture, to see a finding. {STEERING}"


@dataclass(frozen=True)
class Setting:
    """What is said around the findings."""

    title: str
    unit: str | None = None
    resolved: Sequence[Known] = ()
    notes: Sequence[str] = ()
    """what was checked, how, how long it took, what was left out"""


def as_html(checked: Checked, setting: Setting, report: Callable[[int, int], None] = lambda done, total: None) -> str:
    """Return the page of a check; `report` is told how many findings are drawn, and of how many."""
    found, unit = checked.findings[:MOST_ROWS], setting.unit
    columns = columns_of(found)
    said = [*_left_out(checked), *notes(checked, setting.resolved), *setting.notes]
    return Template(_text("page.html")).substitute(
        title=escape(setting.title),
        lead=escape(" ".join([conclusion(checked), *_left_out(checked)])),
        style=_text("page.css"),
        filters=_filters(found),
        shown=f"{len(found)} of {len(found)} shown",
        headers=headers(columns),
        rows="\n".join(row_html(k, finding, columns, unit) for k, finding in enumerate(found)),
        nothing="" if found else '<p class="nothing">Nothing was found.</p>',
        hint=HINT if found else STEERING,
        details="\n".join(details_html(k, finding, unit) for k, finding in enumerate(found)),
        footer="\n".join(f"<p>{escape(note)}</p>" for note in said),
        data=_data(replace(checked, findings=found), unit, report),
        script="\n".join(_text(f"{name}.js") for name in SCRIPTS),
    )


def _left_out(checked: Checked) -> list[str]:
    """Say how many findings are not on the page, if any are not."""
    count = len(checked.findings)
    if count <= MOST_ROWS:
        return []
    return [f"This page lists the {MOST_ROWS:,} worst of {count:,} findings; --json and --csv write all."]


def _filters(findings: Sequence[Finding]) -> str:
    """Return a box to tick for each kind and state that there is, with how many there are of it."""
    kinds = Counter(finding.kind for finding in findings)
    labels = {str(kind): f"{WORDS.get(kind, str(kind))} ({number})" for kind, number in kinds.items()}
    states = Counter(str(finding.state) for finding in findings)
    groups = []
    for title, boxes in (
        ("Kinds", labels),
        ("States", {name: f"{name} ({number})" for name, number in states.items()}),
    ):
        if len(boxes) < 2:
            continue
        ticks = "".join(
            f'<label><input type="checkbox" data-filter="{escape(name)}" checked> {escape(label)}</label>'
            for name, label in boxes.items()
        )
        groups.append(f'<fieldset><legend class="unseen">{title}</legend>{ticks}</fieldset>')
    return "".join(groups)


def _data(checked: Checked, unit: str | None, report: Callable[[int, int], None]) -> str:
    """Return what is drawn, as JSON and bytes, deflated, as text."""
    packed = pack([part.mesh for part in checked.parts])
    lows = np.array([part["low"] for part in packed.parts]).reshape(-1, 3)
    highs = lows + np.array([part["size"] for part in packed.parts]).reshape(-1, 3)
    boxes = [np.array([low, high]) + packed.origin for low, high in zip(lows, highs, strict=True)]
    radius = float(np.linalg.norm(highs.max(axis=0) - lows.min(axis=0)) / 2) if len(lows) else 0.0
    touching = touching_of(checked.parts, checked.findings, report)
    scene: dict[str, Any] = {
        "radius": radius or 1.0,
        "shapes": packed.shapes,
        "parts": [{**part, "color": TONES[k % len(TONES)]} for k, part in enumerate(packed.parts)],
        "findings": [
            drawn(finding, seen, boxes, packed.origin, unit)
            for finding, seen in zip(checked.findings, touching, strict=True)
        ],
    }
    content = json.dumps(scene, separators=(",", ":"), allow_nan=False).encode()
    whole = len(content).to_bytes(4, "little") + content + packed.data
    return base64.b64encode(zlib.compress(whole, 9)).decode()


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
