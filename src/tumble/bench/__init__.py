"""Benchmarks: each reruns one paper, its published figures beside ours; `peers` races other libraries.

    from tumble import bench
    bench.run("chip", "results/chip", quick=True)                       # writes index.html, results.csv and more
    bench.render("chip", "results/chip/results.csv", "page")            # the same page from the table alone

`framework` is what they share, `papers` has a module for each, `data` the published tables, `peers` other libraries.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from tumble.bench.framework.registry import BENCHMARKS
from tumble.errors import OptionError

__all__ = ["BENCHMARKS", "render", "run"]


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
