"""The run from libraries to files: race, judge, draw, write."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tumble.bench.framework.folder import output_folder
from tumble.bench.framework.machine import describe_machine, package_versions
from tumble.bench.peers.agenda import Run, agenda
from tumble.bench.peers.figures import draw_figures
from tumble.bench.peers.found import Field, find_peers
from tumble.bench.peers.goals import Judged, judge_goals
from tumble.bench.peers.ours import OURS, TumblePeer
from tumble.bench.peers.pages import build_document
from tumble.bench.peers.records import Findings, Timed
from tumble.bench.peers.scope import FULL, QUICK, Scope, chosen_queries
from tumble.bench.tasks import Progress, silent, work_through
from tumble.errors import OptionError
from tumble.report import plots
from tumble.scenario.objects import chosen_data_folder

PACKAGES = ("tumble", "python-fcl", "coal", "vtk", "trimesh", "numpy", "numba")


def run(
    out_dir: str | Path,
    quick: bool = False,
    progress: Progress | None = None,
    *,
    data: str | Path | None = None,
    threads: int | None = None,
    only: Sequence[str] | None = None,
    scope: Scope | None = None,
    field: Field | None = None,
) -> dict[str, Any]:
    """Race Tumble against its peers; write results.json, results.csv, index.md, index.html and the plots.

    `data` is a folder of real meshes (default: that in TUMBLE_MESHES, if set), `threads` the
    number for the queries with threads (default: all cores), `only` the names of the queries to run.
    `scope` and `field` replace what is measured and who competes. `progress(done, total, label)` is called as work goes
    on. The returned dictionary is what results.json holds.
    """
    folder, queries = output_folder(out_dir), chosen_queries(only)
    threads, data_folder = _checked_threads(threads), chosen_data_folder(data)
    plots.require_matplotlib()
    field = find_peers() if field is None else field
    competing = Run(scope or (QUICK if quick else FULL), [TumblePeer(), *field.peers], queries, threads)
    competing.findings.notes.extend(field.notes)
    if data_folder is None:
        competing.findings.notes.append("Real meshes were left out: name their folder with `--data DIR`.")
    work_through(agenda(competing, data_folder), progress or silent)
    goals = judge_goals(competing.findings, field.judged)
    summary = _summary(competing, field, goals, quick)
    _write(folder, competing.findings, field, goals, summary)
    return summary


def _summary(competing: Run, field: Field, goals: Sequence[Judged], quick: bool) -> dict[str, Any]:
    findings = competing.findings
    differ = [one for one in findings.differences if one.differ]
    names = ", ".join(dict.fromkeys(one.peer for one in differ))
    remark = f"Answers differ from Tumble's, which are exact, in {len(differ)} cases ({names}).\n" if differ else ""
    return {
        "benchmark": "peers",
        "remark": remark,
        "quick": quick,
        "finished": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": describe_machine(),
        "versions": package_versions(*PACKAGES),
        "threads": competing.threads,
        "judged": field.judged,
        "queries": list(competing.queries),
        "goals": [{**vars(judged), "verdict_text": judged.verdict_text} for judged in goals],
        "cases": [_case_entry(timed, field.judged) for timed in findings.timed],
        "facts": [asdict(fact) for fact in findings.facts],
        "differences": [asdict(difference) for difference in findings.differences],
        "notes": list(findings.notes),
    }


def _case_entry(timed: Timed, judged: Sequence[str]) -> dict[str, Any]:
    rivals = [name for name in timed.rounds if name != OURS]
    return {
        **asdict(timed.case),
        "answer": timed.answer,
        "rounds": len(timed.rounds[OURS]),
        "fastest_rival": timed.fastest(judged),
        "seconds_per_item": {name: asdict(timed.seconds(name)) for name in timed.rounds},
        "speedup": {name: asdict(timed.speedup(name)) for name in rivals},
    }


def _write(folder: Path, findings: Findings, field: Field, goals: Sequence[Judged], summary: dict[str, Any]) -> None:
    _write_csv(findings.timed, folder / "results.csv")
    figures = draw_figures(findings, field.judged, folder)
    build_document(findings, field.judged, goals, summary, figures).write(folder)
    text = json.dumps(summary, indent=1, ensure_ascii=False, allow_nan=True) + "\n"
    (folder / "results.json").write_text(text, encoding="utf-8")


CSV_COLUMNS = (
    *("query", "case", "object", "faces", "distance", "items", "contestant", "rounds"),
    *("seconds_per_item", "seconds_low", "seconds_high", "speedup", "speedup_low", "speedup_high"),
)


def _write_csv(timed: Sequence[Timed], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        for one in timed:
            writer.writerows(_csv_row(one, name) for name in one.rounds)


def _csv_row(timed: Timed, name: str) -> list[Any]:
    case, seconds, lead = timed.case, timed.seconds(name), timed.speedup(name)
    distance = "" if case.distance is None else case.distance
    times = [f"{value:.6g}" for value in (seconds.median, seconds.low, seconds.high)]
    leads = [f"{value:.6g}" for value in (lead.median, lead.low, lead.high)]
    rounds = len(timed.rounds[name])
    return [case.query, case.name, case.thing, case.faces, distance, case.items, name, rounds, *times, *leads]


def _checked_threads(threads: int | None) -> int:
    if threads is None:
        return int(describe_machine()["cores"])
    if threads < 1:
        raise OptionError(f"threads={threads}: give 1 or more")
    return threads
