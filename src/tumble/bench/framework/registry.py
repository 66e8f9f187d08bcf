"""The benchmarks by name. Nothing is imported before it is needed: the command line lists them at every start."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from tumble.errors import OptionError


@dataclass(frozen=True)
class Entry:
    """What the command line needs to know about a benchmark before it is loaded."""

    module: str
    summary: str
    """what it reruns"""
    duration: str
    quick: str
    """what a quick run has less of"""
    options: tuple[str, ...] = ()
    """options beyond `quick` and `out`, by the names of `tumble.cli.bench`"""


EXIT_CODE = "The exit code is 1 when something that theory fixes came out wrong; it says nothing about timings."


def _read() -> dict[str, Entry]:
    text = files("tumble.bench.framework").joinpath("benchmarks.csv").read_text(encoding="utf-8")
    rows = [(row.pop("name"), tuple(row.pop("options").split()), row) for row in csv.DictReader(text.splitlines())]
    return {name: Entry(options=options, **row) for name, options, row in rows}


BENCHMARKS = _read()
"""all that there are, from benchmarks.csv, in the order of the command line"""


def load(name: str) -> Any:
    """The `Benchmark` record of one, its module imported."""
    if name not in BENCHMARKS:
        raise OptionError(f"unknown benchmark {name!r}: choose from {', '.join(BENCHMARKS)}")
    return import_module(BENCHMARKS[name].module).BENCHMARK


def run(
    name: str,
    out_dir: str | Path,
    quick: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Run a benchmark by its name, and write its files into a folder: see `run_benchmark` of `framework.run`."""
    from tumble.bench.framework.run import run_benchmark

    return run_benchmark(load(name), out_dir, quick, progress, **options)


def render(name: str, results: str | Path, out_dir: str | Path) -> dict[str, Any]:
    """Make the page of a kept results.csv."""
    from tumble.bench.framework.run import render as render_table

    return render_table(load(name), results, out_dir)
