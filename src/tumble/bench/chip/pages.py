"""The page of the rerun: goals and claims first, then the table, the model, lists, triangles, sweep and method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tumble.bench.chip.figures import draw_figures
from tumble.bench.chip.records import Findings
from tumble.bench.chip.rotating import PASSES
from tumble.bench.chip.sections import cycle_model, list_traversal, table_1, triangle_section
from tumble.bench.claims import Judged as JudgedClaim
from tumble.bench.claims import claims_section
from tumble.bench.goals import Judged as JudgedGoal
from tumble.bench.goals import goals_table
from tumble.bench.results import WHAT_IS_KEPT
from tumble.report import Document
from tumble.report.chip.page import add_sweep


def write_page(
    findings: Findings,
    claims: Sequence[JudgedClaim],
    goals: Sequence[JudgedGoal],
    summary: Mapping[str, Any],
    folder: Path,
) -> None:
    """Write index.md, index.html and the figures."""
    machine = summary["machine"]
    document = Document(
        "The CollisionChip: the paper, rerun",
        "k-DOP trees, list traversal and a chip that finds touching triangles, with the table and the claims of the "
        f"paper `chip`. Software measured on {machine['processor']}, {machine['cores']} cores"
        + (", small objects and few poses (quick run)." if summary["quick"] else "."),
    )
    figures = draw_figures(findings, folder)
    document.heading("Goals")
    document.table(goals_table(goals))
    claims_section(document, claims)
    table_1(document, findings, figures)
    cycle_model(document, findings)
    list_traversal(document, findings, figures)
    triangle_section(document, findings)
    if findings.sweep:
        add_sweep(document, findings.sweep, folder, findings.swept)
    _method(document, findings, summary)
    document.write(folder)


def _method(document: Document, findings: Findings, summary: Mapping[str, Any]) -> None:
    machine = summary["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    document.heading("How it was measured")
    document.items(
        [
            "**Objects.** The paper's are not published. Each has a stand-in made by code, of its size and character, "
            "and there are real meshes where their folder is at hand; the Buddha is not among them. All are scaled "
            "into a cube of length 1.",
            "**Motion.** The paper says “close proximity” and no number. Here the distance between the middles is "
            "chosen so that about a seventh of the poses touch, and half of them for the Filter, whose published "
            "counts show deep contact.",
            "**Trees.** By surface, one triangle a leaf, the same tree for chip and software.",
            f"**Times of software.** Every pose under its own clock, {PASSES} times, the quickest counts; queries are "
            "prepared beforehand. The races between traversals take turns in every round, and their ratios are taken "
            "within rounds.",
            "**Speed-ups** set a chip of 2003 at 266 MHz beside software of today on this machine: they say what the "
            "chip would be worth now, not what it was worth then.",
            *findings.notes,
            f"**Machine.** {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
            f"Python {machine['python']}, {packages}. Finished {summary['finished']}.",
            WHAT_IS_KEPT,
        ]
    )
