"""The page of the rerun: goals and claims first, then the paper's table and figures, others, trees and method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tumble.bench.bsp.figures import draw_figures
from tumble.bench.bsp.other_sections import broad_phases, sheet, trees
from tumble.bench.bsp.records import Findings
from tumble.bench.bsp.scope import Scope
from tumble.bench.bsp.sections import figure_7, figure_8, figure_9, table_1
from tumble.bench.claims import Judged as JudgedClaim
from tumble.bench.claims import claims_section
from tumble.bench.goals import Judged as JudgedGoal
from tumble.bench.goals import goals_table
from tumble.bench.results import WHAT_IS_KEPT
from tumble.report import Document


def write_page(
    findings: Findings,
    scope: Scope,
    claims: Sequence[JudgedClaim],
    goals: Sequence[JudgedGoal],
    summary: Mapping[str, Any],
    folder: Path,
) -> None:
    """Write index.md, index.html and the figures."""
    machine = summary["machine"]
    document = Document(
        "Bulk-synchronous traversal of many trees: the paper, rerun",
        "All overlapping leaves of many implicit trees, found in sweeps over frontiers on the CPU and in OpenCL, with "
        f"the table and the figures of the paper `bsp`. Measured on {machine['processor']}, {machine['cores']} cores"
        + (", few rounds and settings (quick run)." if summary["quick"] else "."),
    )
    figures = draw_figures(findings, folder)
    stand_ins = [note for note in findings.notes if "stand-in" in note]
    if stand_ins:
        document.items(stand_ins)
    document.heading("Goals")
    document.table(goals_table(goals))
    claims_section(document, claims)
    table_1(document, findings)
    figure_7(document, findings, figures)
    figure_8(document, findings, figures)
    figure_9(document, findings, figures, scope.sweep_step)
    broad_phases(document, findings, figures)
    trees(document, findings)
    sheet(document, findings, figures)
    _method(document, findings, summary)
    document.write(folder)


def _method(document: Document, findings: Findings, summary: Mapping[str, Any]) -> None:
    machine = summary["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    kinds = ", ".join(f"{device.name} is {device.device} ({device.kind})" for device in findings.devices)
    items = [
        "**Scenes.** The UNC dynamic scenes as the Scalable CCD dataset has them, two frames each; the second is "
        "measured, the first gives the front of Figure 7. An object is a connected component by vertex numbers.",
        "**Turns.** In every round each way answers once, one after the other; what slows the machine for a while "
        "slows all. Ratios are taken within rounds, tables give medians. The settings of Figures 8 and 9 take turns "
        "too, and the fastest of their few rounds is shown.",
        "**Answers.** Every way and every setting is compared with the leaf pairs of the CPU twin, pair by pair; "
        "broad phases of others by their number.",
    ]
    if kinds:
        items.append(
            f"**Devices.** {kinds}. PoCL runs work-items on the cores of the CPU: it tells that kernels are right, and "
            "how methods compare there, not how fast a GPU is."
        )
    items += [note for note in findings.notes if "stand-in" not in note]
    items += [
        f"**Machine.** {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
        f"Python {machine['python']}, {packages}. Finished {summary['finished']}.",
        WHAT_IS_KEPT,
    ]
    document.heading("How it was measured")
    document.items(items)
