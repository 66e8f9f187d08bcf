"""The files that benchmarks leave behind for programs: results.json and results.csv."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tumble.bench.claims import Judged as JudgedClaim
from tumble.bench.framework.machine import describe_machine, package_versions
from tumble.bench.goals import Judged as JudgedGoal

WHAT_IS_KEPT = (
    "The command writes what it found to `results.json`, and counts and times as one table to `results.csv`. Beside "
    "the pages that are kept in the repository there is only `results.csv`."
)
"""the last item of every page"""


def summary_of(
    benchmark: str,
    quick: bool,
    packages: Sequence[str],
    claims: Sequence[JudgedClaim],
    goals: Sequence[JudgedGoal],
) -> dict[str, Any]:
    """What every rerun of a paper says about itself; `ok` is False where something that theory fixes came out wrong."""
    return {
        "benchmark": benchmark,
        "ok": not any(judged.broken for judged in claims),
        "quick": quick,
        "finished": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": describe_machine(),
        "versions": package_versions(*packages),
        "goals": [judged.as_dict() for judged in goals],
        "claims": [judged.as_dict() for judged in claims],
    }


def write_json(folder: Path, summary: Mapping[str, Any]) -> None:
    """Write results.json; NaN is refused, for JSON has none."""
    text = json.dumps(summary, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    (folder / "results.json").write_text(text, encoding="utf-8")


def write_csv(folder: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write results.csv: one long table under a header."""
    with (folder / "results.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
