"""The run from scenes to files: measure, judge, draw, write."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tumble.bench.folder import output_folder
from tumble.bench.machine import describe_machine, package_versions
from tumble.bench.stackless.claims import Judged, judge_claims
from tumble.bench.stackless.count_claims import COUNT_CLAIMS
from tumble.bench.stackless.figure import draw_figure_33
from tumble.bench.stackless.measure import PlanChooser, budgeted, fixed, measure_scene
from tumble.bench.stackless.pages import build_document
from tumble.bench.stackless.published import published
from tumble.bench.stackless.rows import Results, Row, write_csv
from tumble.bench.stackless.time_claims import TIME_CLAIMS
from tumble.errors import OptionError
from tumble.report import plots
from tumble.scenario import pair_scene

# Seconds of measuring per scene; trees and first compilation come on top. Twenty scenes.
FULL_SECONDS = 60.0
QUICK_SECONDS = 2.0
TICKS = 100

Progress = Callable[[int, int, str], None]


def run(
    out_dir: str | Path,
    quick: bool = False,
    progress: Progress | None = None,
    *,
    scenes: Sequence[str] | None = None,
    repetitions: int | None = None,
    rounds: int | None = None,
) -> dict[str, Any]:
    """Rerun the paper; write results.json, results.csv, index.md, index.html, figure33.svg, figure33.png.

    The paper runs 1000 to 100 000 repetitions a hundred times over. A full run keeps as much of that as fits
    in about a minute per scene, `quick` in two seconds; `repetitions` and `rounds` (both or none) fix the
    numbers instead, and `scenes` names the scenes. `progress(done, total, label)` is called as work
    goes on. The returned dictionary is what results.json holds; its `ok` is False when a count that theory
    fixes came out wrong.
    """
    folder = output_folder(out_dir)
    plots.require_matplotlib()
    names = _scene_names(scenes)
    rows = _measure(names, _plan_chooser(quick, repetitions, rounds), progress or _silent)
    results, paper = Results(rows), published()
    claims = judge_claims(COUNT_CLAIMS + TIME_CLAIMS, results, paper)
    summary = _summary(rows, claims, quick)
    _write(folder, results, claims, summary)
    return summary


def _measure(names: Sequence[str], choose_plan: PlanChooser, progress: Progress) -> list[Row]:
    rows: list[Row] = []
    total = TICKS * len(names)
    for index, name in enumerate(names):
        progress(TICKS * index, total, f"{name}: trees and kernels")

        def tick(done: int, of: int, base: int = TICKS * index, label: str = name) -> None:
            progress(base + TICKS * done // of, total, label)

        rows += measure_scene(pair_scene(name), choose_plan, tick)
    return rows


def _summary(rows: Sequence[Row], claims: Sequence[Judged], quick: bool) -> dict[str, Any]:
    return {
        "benchmark": "stackless",
        "ok": not any(judged.broken for judged in claims),
        "quick": quick,
        "finished": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": describe_machine(),
        "versions": package_versions("tumble", "numpy", "numba", "matplotlib"),
        "trees": {"volume": "aabb", "split": "median", "leaf_size": 1, "arity": 2},
        "rows": [{**asdict(row), "seconds_per_query": row.seconds_per_query} for row in rows],
        "claims": [judged.as_dict() for judged in claims],
    }


def _write(folder: Path, results: Results, claims: Sequence[Judged], summary: dict[str, Any]) -> None:
    paper = published()
    write_csv(results.rows, folder / "results.csv")
    svg = draw_figure_33(results, paper, folder)
    build_document(results, paper, claims, summary, svg).write(folder)
    text = json.dumps(summary, indent=2, ensure_ascii=False) + "\n"
    (folder / "results.json").write_text(text, encoding="utf-8")


def _scene_names(scenes: Sequence[str] | None) -> list[str]:
    known = published().scenes()
    if scenes is None:
        return known
    strangers = [name for name in scenes if name not in known]
    if strangers or not scenes:
        wrong = f"unknown scene {strangers[0]!r}" if strangers else "no scene named"
        raise OptionError(f"{wrong}: choose from {', '.join(known)}")
    return [name for name in known if name in scenes]


def _plan_chooser(quick: bool, repetitions: int | None, rounds: int | None) -> PlanChooser:
    if repetitions is None and rounds is None:
        return budgeted(QUICK_SECONDS if quick else FULL_SECONDS)
    if repetitions is None or rounds is None or repetitions < 1 or rounds < 1:
        raise OptionError(f"repetitions={repetitions} and rounds={rounds}: give both, each at least 1, or neither")
    return fixed(repetitions, rounds)


def _silent(done: int, total: int, label: str) -> None:
    """Progress nobody asked for."""
