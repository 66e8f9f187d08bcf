"""The run from scenes to files: measure, judge, draw, write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tumble.bench.bsp.agenda import Run, agenda
from tumble.bench.bsp.claims import judge_claims
from tumble.bench.bsp.entries import CSV_COLUMNS, csv_rows, entries
from tumble.bench.bsp.goals import judge_goals
from tumble.bench.bsp.pages import write_page
from tumble.bench.bsp.scenes import scene_folder
from tumble.bench.bsp.scenes import scenes as load_scenes
from tumble.bench.bsp.scope import FULL, QUICK, Scope
from tumble.bench.framework.folder import output_folder
from tumble.bench.results import summary_of, write_csv, write_json
from tumble.bench.tasks import Progress, silent, work_through
from tumble.report import plots

PACKAGES = ("tumble", "pyopencl", "numpy", "numba", "matplotlib")


def run(
    out_dir: str | Path,
    quick: bool = False,
    progress: Progress | None = None,
    *,
    scenes: str | Path | None = None,
    embree: str | Path | None = None,
    scope: Scope | None = None,
) -> dict[str, Any]:
    """Rerun the paper; write results.json, results.csv, index.md, index.html and the plots.

    `scenes` holds the UNC scenes (default: those in the folder TUMBLE_MESHES, if that is set; scenes made by
    code otherwise), `embree` is the file of libembree4 (default: see `tumble.bench.bsp.embree`), `scope`
    replaces what is measured. `progress(done, total, label)` is called as work goes on. The returned dictionary is what
    results.json holds; its `ok` is False when something that theory fixes came out wrong.
    """
    folder, chosen = output_folder(out_dir), scope or (QUICK if quick else FULL)
    plots.require_matplotlib()
    progress = progress or silent
    progress(0, 1, "loading")
    found, notes = load_scenes(scene_folder(scenes), chosen.shrink)
    measuring = Run(chosen, found, embree)
    findings = measuring.findings
    findings.notes += notes
    work_through(agenda(measuring), progress)
    claims, goals = judge_claims(findings), judge_goals(findings)
    summary = {**summary_of("bsp", quick, PACKAGES, claims, goals), **entries(findings)}
    summary["versions"] |= findings.versions
    write_csv(folder, CSV_COLUMNS, csv_rows(findings))
    write_page(findings, chosen, claims, goals, summary, folder)
    write_json(folder, summary)
    return summary
