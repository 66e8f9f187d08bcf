"""The benchmarks by name. Nothing is imported before it is needed: the command line lists them at every start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
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

BENCHMARKS = {
    "stackless": Entry(
        "tumble.bench.papers.stackless",
        "Rerun the paper `stackless`: Tables 2 to 8 and Figure 33.",
        "A full run takes about 20 minutes, a quick one one or two, besides compiling.",
        "Measure each scene for two seconds only.",
    ),
    "boxtree": Entry(
        "tumble.bench.papers.boxtree",
        "Rerun the paper `boxtree`: Table 1 and Figures 1, 6, 8, 9 and 10.",
        "A full run takes about a quarter of an hour, a quick one about two minutes, besides compiling.",
        "Fewer objects, smaller ones, fewer rounds.",
        ("data",),
    ),
    "chip": Entry(
        "tumble.bench.papers.chip",
        "Rerun the paper `chip`: Table 1, list traversal in software, triangle tests, and a sweep over designs.",
        "A full run takes about ten minutes, a quick one one or two, besides compiling.",
        "Smaller objects and fewer poses.",
        ("data",),
    ),
    "binary-stack": Entry(
        "tumble.bench.papers.binary_stack",
        "Rerun the paper `binary-stack`: 512 falling cows, Table 1, Figure 10, traversals side by side.",
        "A full run takes about ten minutes, a quick one one or two, besides compiling.",
        "64 small animals made by code, fewer rounds.",
        ("mesh",),
    ),
    "bsp": Entry(
        "tumble.bench.papers.bsp",
        "Rerun the paper `bsp`: Table 1, Figures 7, 8 and 9, broad phases of others, trees and a sheet that move.",
        "A full run takes about a quarter of an hour, a quick one a few minutes, besides compiling.",
        "Fewer rounds, fewer settings, smaller stand-ins.",
        ("scenes", "embree"),
    ),
    "peers": Entry(
        "tumble.bench.peers",
        "Race Tumble against python-fcl, Coal and VTK on the same meshes, poses and outputs.",
        "Queries: first-hit, all-pairs, far-apart, aligned, sweep, python-threads, batch, scene, build, memory, start. "
        "A full run takes about half an hour, a quick one a few minutes.",
        "Fewer objects, smaller ones, fewer rounds.",
        ("data", "threads", "only"),
    ),
}


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
