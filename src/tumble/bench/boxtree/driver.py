"""The run from objects to files: measure, judge, draw, write."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tumble.bench.boxtree.agenda import Run, agenda
from tumble.bench.boxtree.claims import Judged as JudgedClaim
from tumble.bench.boxtree.claims import judge_claims
from tumble.bench.boxtree.entries import entries, write_csv
from tumble.bench.boxtree.figures import draw_figures
from tumble.bench.boxtree.goals import best_build, judge_goals
from tumble.bench.boxtree.pages import build_document
from tumble.bench.boxtree.scope import FULL, QUICK, Scope
from tumble.bench.folder import output_folder
from tumble.bench.machine import describe_machine, package_versions
from tumble.bench.peers.goals import Judged as JudgedGoal
from tumble.bench.peers.objects import chosen_data_folder
from tumble.report import plots

Progress = Callable[[int, int, str], None]

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

    `data` is a folder of real meshes (default: `shared/meshes` beside the checkout, where there is one), `scope`
    replaces what is measured. `progress(done, total, label)` is called as work goes on. The returned dictionary is what
    results.json holds; its `ok` is False when something that theory fixes came out wrong.
    """
    folder, meshes = output_folder(out_dir), chosen_data_folder(data)
    plots.require_matplotlib()
    measuring = Run(scope or (QUICK if quick else FULL), meshes)
    if meshes is None:
        measuring.findings.notes.append("Real meshes were left out: name their folder with `--data DIR`.")
    _work_through(measuring, progress or _silent)
    claims, goals = judge_claims(measuring.findings), judge_goals(measuring.findings)
    summary = _summary(measuring, claims, goals, quick)
    _write(folder, measuring, claims, goals, summary)
    return summary


def _work_through(measuring: Run, progress: Progress) -> None:
    progress(0, 1, "loading")
    tasks = agenda(measuring)
    for done, task in enumerate(tasks):
        progress(done, len(tasks), task.label)
        task.work(lambda label, done=done: progress(done, len(tasks), label))  # type: ignore[misc]
    progress(len(tasks), len(tasks), "writing")


def _summary(measuring: Run, claims: Sequence[JudgedClaim], goals: Sequence[JudgedGoal], quick: bool) -> dict[str, Any]:
    return {
        "benchmark": "boxtree",
        "ok": not any(judged.broken for judged in claims),
        "quick": quick,
        "finished": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": describe_machine(),
        "versions": package_versions(*PACKAGES),
        "turn_steps": measuring.scope.turn_steps,
        "best": best_build(measuring.findings),
        "goals": [_goal_entry(judged) for judged in goals],
        "claims": [judged.as_dict() for judged in claims],
        **entries(measuring.findings),
    }


def _goal_entry(judged: JudgedGoal) -> dict[str, Any]:
    reached = None if math.isnan(judged.reached) else judged.reached  # JSON has no NaN
    return {**vars(judged), "reached": reached, "verdict_text": judged.verdict_text}


def _write(
    folder: Path,
    measuring: Run,
    claims: Sequence[JudgedClaim],
    goals: Sequence[JudgedGoal],
    summary: dict[str, Any],
) -> None:
    findings = measuring.findings
    write_csv(findings, folder / "results.csv")
    figures = draw_figures(findings, folder)
    build_document(findings, claims, goals, summary, figures).write(folder)
    text = json.dumps(summary, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    (folder / "results.json").write_text(text, encoding="utf-8")


def _silent(done: int, total: int, label: str) -> None:
    """Progress nobody asked for."""
