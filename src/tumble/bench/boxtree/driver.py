"""The run from objects to files: measure, judge, draw, write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tumble.bench.boxtree.agenda import Run, agenda
from tumble.bench.boxtree.claims import judge_claims
from tumble.bench.boxtree.entries import CSV_COLUMNS, csv_rows, entries
from tumble.bench.boxtree.figures import draw_figures
from tumble.bench.boxtree.goals import best_build, judge_goals
from tumble.bench.boxtree.pages import build_document
from tumble.bench.boxtree.scope import FULL, QUICK, Scope
from tumble.bench.claims import Judged as JudgedClaim
from tumble.bench.framework.folder import output_folder
from tumble.bench.goals import Judged as JudgedGoal
from tumble.bench.results import summary_of, write_csv, write_json
from tumble.bench.tasks import Progress, silent, work_through
from tumble.report import plots
from tumble.scenario.objects import chosen_data_folder

PACKAGES = ("tumble", "python-fcl", "numpy", "numba", "matplotlib")


def run(
    out_dir: str | Path,
    quick: bool = False,
    progress: Progress | None = None,
    *,
    data: str | Path | None = None,
    scope: Scope | None = None,
) -> dict[str, Any]:
    """Rerun the paper; write results.json, results.csv, index.md, index.html and the plots.

    `data` is a folder of real meshes (default: that in TUMBLE_MESHES, if set), `scope`
    replaces what is measured. `progress(done, total, label)` is called as work goes on. The returned dictionary is what
    results.json holds; its `ok` is False when something that theory fixes came out wrong.
    """
    folder, meshes = output_folder(out_dir), chosen_data_folder(data)
    plots.require_matplotlib()
    measuring = Run(scope or (QUICK if quick else FULL), meshes)
    if meshes is None:
        measuring.findings.notes.append("Real meshes were left out: name their folder with `--data DIR`.")
    progress = progress or silent
    progress(0, 1, "loading")
    work_through(agenda(measuring), progress)
    claims, goals = judge_claims(measuring.findings), judge_goals(measuring.findings)
    summary = _summary(measuring, claims, goals, quick)
    _write(folder, measuring, claims, goals, summary)
    return summary


def _summary(measuring: Run, claims: Sequence[JudgedClaim], goals: Sequence[JudgedGoal], quick: bool) -> dict[str, Any]:
    return {
        **summary_of("boxtree", quick, PACKAGES, claims, goals),
        "turn_steps": measuring.scope.turn_steps,
        "best": best_build(measuring.findings),
        **entries(measuring.findings),
    }


def _write(
    folder: Path,
    measuring: Run,
    claims: Sequence[JudgedClaim],
    goals: Sequence[JudgedGoal],
    summary: dict[str, Any],
) -> None:
    findings = measuring.findings
    write_csv(folder, CSV_COLUMNS, csv_rows(findings))
    figures = draw_figures(findings, folder)
    build_document(findings, claims, goals, summary, figures).write(folder)
    write_json(folder, summary)
