"""The page of the rerun: goals and claims first, then the fall, collision times, traversals, memory and method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tumble.bench.binary_stack.figures import draw_figures
from tumble.bench.binary_stack.records import Findings
from tumble.bench.binary_stack.table_sections import collision_times, table_1
from tumble.bench.binary_stack.walk_sections import coal, memory, traversals
from tumble.bench.claims import Judged as JudgedClaim
from tumble.bench.claims import claims_section
from tumble.bench.goals import Judged as JudgedGoal
from tumble.bench.goals import goals_table
from tumble.bench.results import WHAT_IS_KEPT
from tumble.report import Document


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
        "Falling cows and the binary stack: the paper, rerun",
        "Trees of turned boxes walked with one bit for each step down, on the CPU and in OpenCL, in the simulation "
        f"that the paper `binary-stack` made them for. Measured on {machine['processor']}, {machine['cores']} cores"
        + (", fewer and simpler bodies (quick run)." if summary["quick"] else "."),
    )
    figures = draw_figures(findings, folder)
    document.heading("Goals")
    document.table(goals_table(goals))
    claims_section(document, claims)
    table_1(document, findings, figures)
    collision_times(document, findings, figures)
    traversals(document, findings, figures)
    memory(document, findings)
    coal(document, findings)
    _method(document, findings, summary)
    document.write(folder)


def _method(document: Document, findings: Findings, summary: Mapping[str, Any]) -> None:
    machine = summary["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    document.heading("How it was measured")
    document.items(
        [
            "**The simulation** ran once, with the default engine; the same states follow from every device and number "
            "of threads. Kernels were compiled and trees built beforehand. In the table in the form of the paper, the "
            "simulation time of the other ways is that of the step with its narrow phase replaced by theirs.",
            "**Collision times** are medians of rounds in which all ways take turns on the same recorded poses; ratios "
            "are taken within rounds. Kernel times are by the device's own clock.",
            "**Calls.** The traversals of turned boxes on the CPU are called from Python for each pair of bodies, "
            "which costs some microseconds a pair; the default engine and the devices take the whole list in one call.",
            "**The paper's scene** is not published: the grid, its distances, materials and time step are ours.",
            "**The paper's machine** was ten to twenty years older than today's: its absolute times compare with "
            "nothing here, the shares and ratios within a row do.",
            *findings.notes,
            f"**Machine.** {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
            f"Python {machine['python']}, {packages}. Finished {summary['finished']}.",
            WHAT_IS_KEPT,
        ]
    )
