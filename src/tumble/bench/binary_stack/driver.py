"""The run from the mesh to files: measure, judge, draw, write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tumble
from tumble.bench.binary_stack.agenda import Run, agenda
from tumble.bench.binary_stack.claims import judge_claims
from tumble.bench.binary_stack.entries import CSV_COLUMNS, csv_rows, entries
from tumble.bench.binary_stack.goals import judge_goals
from tumble.bench.binary_stack.pages import write_page
from tumble.bench.binary_stack.scope import FULL, QUICK, Scope
from tumble.bench.framework.folder import output_folder
from tumble.bench.results import summary_of, write_csv, write_json
from tumble.bench.tasks import Progress, silent, work_through
from tumble.mesh import Mesh
from tumble.report import plots
from tumble.scenario.objects import default_data_folder

PACKAGES = ("tumble", "coal", "pyopencl", "numpy", "numba", "matplotlib")
COW = "cgal-data/Data/data/meshes/cow.off"
NO_COW = (
    "The real cow was not at hand, an animal made by code fell in its place: name a closed mesh with `--mesh FILE`."
)


def run(
    out_dir: str | Path,
    quick: bool = False,
    progress: Progress | None = None,
    *,
    mesh: str | Path | None = None,
    scope: Scope | None = None,
) -> dict[str, Any]:
    """Rerun the paper; write results.json, results.csv, index.md, index.html and the plots.

    `mesh` is a file with the body that falls (default: the cow in the folder TUMBLE_MESHES, if that is set; an animal
    made by code otherwise, and in quick runs), `scope` replaces what is measured. `progress(done, total, label)` is
    called as work goes on. The returned dictionary is what results.json holds; its `ok` is False when
    something that theory fixes came out wrong.
    """
    folder, chosen = output_folder(out_dir), scope or (QUICK if quick else FULL)
    plots.require_matplotlib()
    measuring = Run(chosen, *_body(mesh, chosen))
    findings = measuring.findings
    if measuring.mesh is None and chosen.animal is None:
        findings.notes.append(NO_COW)
    progress = progress or silent
    progress(0, 1, "loading")
    work_through(agenda(measuring), progress)
    claims, goals = judge_claims(findings), judge_goals(findings)
    summary = {**summary_of("binary-stack", quick, PACKAGES, claims, goals), **entries(findings)}
    write_csv(folder, CSV_COLUMNS, csv_rows(findings))
    write_page(findings, claims, goals, summary, folder)
    write_json(folder, summary)
    return summary


def _body(mesh: str | Path | None, scope: Scope) -> tuple[Mesh | None, str]:
    """The mesh that falls, or None for the animal made by code, and what it is called."""
    if mesh is not None:
        return tumble.load(mesh), Path(mesh).stem
    folder = default_data_folder() if scope.animal is None else None
    if folder is not None and (folder / COW).is_file():
        return tumble.load(folder / COW), "cow"
    return None, "animal"
