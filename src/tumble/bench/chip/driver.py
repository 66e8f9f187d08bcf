"""The run from objects to files: measure, judge, draw, write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tumble.bench.chip.agenda import Run, agenda
from tumble.bench.chip.claims import judge_claims
from tumble.bench.chip.entries import CSV_COLUMNS, csv_rows, entries
from tumble.bench.chip.goals import judge_goals
from tumble.bench.chip.pages import write_page
from tumble.bench.chip.scope import FULL, QUICK, Scope
from tumble.bench.folder import output_folder
from tumble.bench.peers.objects import chosen_data_folder
from tumble.bench.results import summary_of, write_csv, write_json
from tumble.bench.tasks import Progress, silent, work_through
from tumble.report import plots

PACKAGES = ("tumble", "numpy", "numba", "matplotlib")


def run(
    out_dir: str | Path,
    quick: bool = False,
    progress: Progress | None = None,
    *,
    data: str | Path | None = None,
    scope: Scope | None = None,
) -> dict[str, Any]:
    """Rerun the paper and write the results into a folder; arguments and outcome as in `tumble.bench.boxtree.run`."""
    folder, meshes = output_folder(out_dir), chosen_data_folder(data)
    plots.require_matplotlib()
    measuring = Run(scope or (QUICK if quick else FULL), meshes)
    findings = measuring.findings
    if meshes is None:
        findings.notes.append("Real meshes were left out: name their folder with `--data DIR`.")
    work_through(agenda(measuring), progress or silent)
    claims, goals = judge_claims(findings), judge_goals(findings)
    summary = {**summary_of("chip", quick, PACKAGES, claims, goals), **entries(findings)}
    write_csv(folder, CSV_COLUMNS, csv_rows(findings))
    write_page(findings, claims, goals, summary, folder)
    write_json(folder, summary)
    return summary
