"""The page of the rerun: goals and claims first, then the paper's table and figures, every case, and the method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tumble.bench.boxtree.contestants import BUILDS, LEAF_SIZE
from tumble.bench.boxtree.published import MACHINE
from tumble.bench.boxtree.race_sections import answers, figure_9, figure_10, work_ahead
from tumble.bench.boxtree.records import Findings
from tumble.bench.boxtree.tree_sections import figure_1, figure_6, figure_8, how_built, table_1
from tumble.bench.claims import Judged as JudgedClaim
from tumble.bench.claims import claims_section
from tumble.bench.goals import Judged as JudgedGoal
from tumble.bench.goals import goals_table
from tumble.bench.results import WHAT_IS_KEPT
from tumble.report import Document, count


def build_document(
    findings: Findings,
    claims: Sequence[JudgedClaim],
    goals: Sequence[JudgedGoal],
    summary: Mapping[str, Any],
    figures: Mapping[str, str],
) -> Document:
    """The whole page, ready to write."""
    machine = summary["machine"]
    document = Document(
        "Restricted boxtrees: the paper, rerun",
        "Trees of nine bytes a node, their builders and their four overlap tests, with the table, the figures and the "
        f"claims of the paper `boxtree`. Measured on {machine['processor']}, {machine['cores']} cores"
        + (", few rounds (quick run)." if summary["quick"] else "."),
    )
    _goals(document, goals, summary["best"])
    claims_section(document, claims)
    table_1(document, findings)
    figure_1(document, findings, figures)
    figure_6(document, findings, figures)
    figure_8(document, findings, figures)
    figure_9(document, findings, figures)
    figure_10(document, findings, figures)
    work_ahead(document, findings)
    answers(document, findings)
    _method(document, findings, summary)
    return document


def _goals(document: Document, goals: Sequence[JudgedGoal], best: str | None) -> None:
    document.heading("Goals")
    if best is not None:
        document.text(f"The best variant over all cases is **{best}** ({how_built(best)}); its numbers count.")
    document.table(goals_table(goals))


def _method(document: Document, findings: Findings, summary: Mapping[str, Any]) -> None:
    document.heading("How it was measured")
    machine = summary["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    document.items(
        [
            "**Motion.** As in Section 5: two objects, each scaled into a cube of length 1, stand so far apart (middle "
            "to middle of their boxes: the number after “at”); one makes a full turn about z and x in equal steps. "
            f"Figure 8 takes {count(summary['turn_steps'])} steps, each query under its own clock; the races of "
            "Figures 9 and 10 go through fewer poses of the same turn many times.",
            "**Turns.** In every round each contestant goes through all poses once, one after the other; what slows "
            "the machine for a while slows all. Ratios are taken within each round, and the tables give their medians. "
            "Python's garbage collector is off meanwhile.",
            f"**Trees.** {LEAF_SIZE} triangles a leaf in all of them. "
            + " ".join(f"`{name}`: {how_built(name)}." for name in BUILDS)
            + " They are built before the clock starts, and so are the queries of trees that store their volumes.",
            "**Every call from Python** costs some microseconds, which is part of every time: on small objects far "
            "apart it is most of it.",
            f"**The paper's machine** was a {MACHINE}; only ratios compare. Its CAD objects are not published: ours "
            "are shapes made by code, and real meshes where their folder is at hand.",
            *findings.notes,
            f"**Machine.** {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
            f"Python {machine['python']}, {packages}. Finished {summary['finished']}.",
            WHAT_IS_KEPT,
        ]
    )
