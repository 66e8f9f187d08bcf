"""A run from tasks to files, and files from a kept table."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any

from tumble.bench.framework.benchmark import Benchmark, Run, Task
from tumble.bench.framework.claims import ClaimResult, check_claims, claims_section
from tumble.bench.framework.goals import GoalResult, check_goals, goals_table
from tumble.bench.framework.machine import Neighbours, describe_machine, package_versions
from tumble.bench.framework.page import GOALS, METHOD, Page, machine_text, run_items
from tumble.bench.framework.table import Table
from tumble.report import Document, plots
from tumble.report.document import output_folder

Progress = Callable[[int, int, str], None]
# Steps of the progress bar per task.
TICKS = 100
OTHERS = "cores that others kept busy"


def run_benchmark(
    benchmark: Benchmark[Any],
    out_dir: str | Path,
    quick: bool = False,
    progress: Progress | None = None,
    *,
    sizes: Any = None,
    **options: Any,
) -> dict[str, Any]:
    """Measure, then write results.csv, results.json, index.md, index.html and the figures into a folder.

    `progress(done, total, label)` is called as work goes on; `sizes` replaces how much is measured. The returned
    dictionary is what results.json holds; its `ok` is False where something that theory fixes came out wrong.
    """
    folder = output_folder(out_dir)
    plots.require_matplotlib()  # now, not after long work
    table = Table()
    benchmark.published(table)
    run = Run(sizes or (benchmark.quick if quick else benchmark.full), options, table)
    neighbours, began = Neighbours(), perf_counter()
    work_through(benchmark.tasks(run), progress or (lambda done, total, label: None))
    _describe(benchmark, quick, (perf_counter() - began) / 60, table)
    if (load := neighbours.load()) is not None:
        table.study("run").add("machine", "", OTHERS, round(load, 2))
    table.write(folder / "results.csv")
    return render(benchmark, folder / "results.csv", folder)


def render(benchmark: Benchmark[Any], results: str | Path, out_dir: str | Path) -> dict[str, Any]:
    """Write the page and results.json of a results.csv; returns what results.json holds."""
    table, folder = Table.read(Path(results)), output_folder(out_dir)
    plots.require_matplotlib()
    claims, goals = check_claims(benchmark.claims, table), check_goals(benchmark.goals, table)
    _write_page(benchmark, table, claims, goals, folder)
    summary = _summary(benchmark, table, claims, goals)
    rows = [row._asdict() for row in table.rows() if row.study != "run" and _in_json(row.value)]
    text = json.dumps({**summary, "results": rows}, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    (folder / "results.json").write_text(text, encoding="utf-8")
    return summary


def _in_json(value: float | str) -> bool:
    """Whether JSON can hold it: neither NaN nor infinity."""
    return isinstance(value, str) or isfinite(value)


def work_through(tasks: Sequence[Task], progress: Progress) -> None:
    """Do one task after the other, telling how far the work is."""
    total = TICKS * len(tasks)
    for index, task in enumerate(tasks):

        def say(label: str, done: float = 0.0, base: int = TICKS * index) -> None:
            progress(base + int(TICKS * done), total, label)

        say(task.label)
        task.work(say)
    progress(total, total, "writing")


def _describe(benchmark: Benchmark[Any], quick: bool, minutes: float, table: Table) -> None:
    """Write down where and when the run was, and how long it took."""
    run = table.study("run")
    finished = datetime.now(timezone.utc).isoformat(timespec="seconds")
    run.add_values("run", "", {"benchmark": benchmark.name, "quick": quick, "finished": finished})
    run.add("run", "", "duration", round(minutes, 1), "min")
    run.add_values("machine", "", describe_machine())
    run.add_values("versions", "", package_versions(*benchmark.packages))


def busy_text(table: Table) -> str:
    """Say that other programs took part of the machine, where they took so much that times suffer; else ""."""
    load = table.study("run").value("machine", "", OTHERS, 0.0)
    if load <= Neighbours.MOST:
        return ""
    return (
        f"The machine was busy: other programs took {load:.1f} of its cores on average while this was measured. Counts "
        "do not depend on that; times and their ratios do. Measure again on an idle machine."
    )


def _write_page(
    benchmark: Benchmark[Any],
    table: Table,
    claims: Sequence[ClaimResult],
    goals: Sequence[GoalResult],
    folder: Path,
) -> None:
    quick = table.study("run").value("run", "", "quick", 0)
    text = benchmark.page
    lead = f"{text.lead} Measured on {machine_text(table)}"
    document = Document(text.title, f"{lead}, {benchmark.quick_text} (quick run)." if quick else f"{lead}.")
    page = Page(document, table, folder)
    if busy := busy_text(table):
        document.text(f"**{busy}**")
    if goals:
        document.heading(GOALS)
        if before := text.goals(page):
            document.text(before)
        document.table(goals_table(goals))
    if claims:
        claims_section(document, claims)
    for section in text.sections:
        section(page)
    document.heading(METHOD)
    document.items([*text.method(page), *run_items(page)])
    document.write(folder)


def _summary(
    benchmark: Benchmark[Any], table: Table, claims: Sequence[ClaimResult], goals: Sequence[GoalResult]
) -> dict[str, Any]:
    run = table.study("run")
    texts = {
        case: {name: run.text(case, "", name) for name in run.quantities(case)} for case in ("machine", "versions")
    }
    return {
        "benchmark": benchmark.name,
        "ok": not any(claim.broken for claim in claims),
        "quick": bool(run.value("run", "", "quick", 0)),
        "finished": run.text("run", "", "finished"),
        **texts,
        "busy": busy_text(table),
        "notes": table.notes,
        "goals": [goal.as_dict() for goal in goals],
        "claims": [claim.as_dict() for claim in claims],
        "remark": benchmark.remark(table),
    }
