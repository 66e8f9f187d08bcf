"""`tumble bench`: benchmarks, one command for each paper, and `peers`, the race against other libraries."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from tumble.cli.errors import CLEAR, Debug
from tumble.cli.output import amount, styled, table, write_out
from tumble.cli.progress import Bar, run_interruptibly

BROKEN = 1

BENCH_HELP = """Rerun a paper, or race against other libraries.

Plots need pip install "tumble[plot]"; other libraries, without which `peers` cannot run and the others leave out
comparisons, need pip install "tumble[bench]".
"""

bench_app = typer.Typer(help=BENCH_HELP, no_args_is_help=True, rich_markup_mode="markdown")


@bench_app.command()
def stackless(
    quick: Annotated[bool, typer.Option("--quick", help="Measure each scene for two seconds only.")] = False,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the results.")] = Path(
        "bench-results/stackless"
    ),
    debug: Debug = False,
) -> None:
    """Rerun the paper `stackless`: Tables 2 to 8 and Figure 33.

    The exit code is 1 when a count that theory fixes came out wrong.
    """
    with Bar("loading") as bar:
        results = run_interruptibly(lambda: _run(out, quick, bar))
    write_out(_summary(results) + f"The full page: {out / 'index.html'}\n")
    raise typer.Exit(CLEAR if results["ok"] else BROKEN)


def _run(out: Path, quick: bool, bar: Bar) -> dict[str, Any]:
    from tumble.bench import stackless as benchmark

    return benchmark.run(out, quick=quick, progress=bar.update)


def _summary(results: dict[str, Any]) -> str:
    claims = results["claims"]
    rows = [(claim["statement"], claim["paper"]["verdict"], _verdict_here(claim, claim["ours"])) for claim in claims]
    tally = Counter(claim["ours"]["verdict"] for claim in claims)
    counts = ", ".join(f"{number} {verdict}" for verdict, number in tally.most_common())
    return table(("claim", "in the paper", "here"), rows) + "\n" + styled(f"Claims here: {counts}.", "bold")


def _verdict_here(claim: dict[str, Any], found: dict[str, Any]) -> str:
    verdict = found["verdict"]
    return f"{verdict}: a fault in Tumble, for theory fixes this" if claim["broken"] else verdict


Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="A folder of real meshes; what is missing there is left out, and named in the results.",
        show_default="that in TUMBLE_MESHES; if unset, only shapes made by code",
    ),
]


@bench_app.command()
def boxtree(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer objects, smaller ones, fewer rounds.")] = False,
    data: Data = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the results.")] = Path(
        "bench-results/boxtree"
    ),
    debug: Debug = False,
) -> None:
    """Rerun the paper `boxtree`: Table 1 and Figures 1, 6, 8, 9 and 10.

    A full run takes about a quarter of an hour, a quick one about two minutes, besides compiling. The exit code is 1
    when something that theory fixes came out wrong; it says nothing about timings.
    """
    _rerun("boxtree", out, quick, data=data)


def _rerun(paper: str, out: Path, quick: bool, **options: Path | None) -> None:
    """Run the benchmark of a paper, tell what was found, and leave with its exit code."""
    with Bar("loading") as bar:
        results = run_interruptibly(
            lambda: import_module(f"tumble.bench.{paper}").run(out, quick=quick, progress=bar.update, **options)
        )
    write_out(_found(results) + f"The full page: {out / 'index.html'}\n")
    raise typer.Exit(CLEAR if results["ok"] else BROKEN)


def _found(results: dict[str, Any]) -> str:
    claims = results["claims"]
    rows = [(claim["statement"], claim["published"], _verdict_here(claim, claim)) for claim in claims]
    tally = Counter(claim["verdict"] for claim in claims)
    counts = ", ".join(f"{number} {verdict}" for verdict, number in tally.most_common())
    told = table(("claim", "in the paper", "here"), rows) + "\n" + styled(f"Claims here: {counts}.", "bold")
    return told + "\n" + _goals(results)


@bench_app.command()
def chip(
    quick: Annotated[bool, typer.Option("--quick", help="Smaller objects and fewer poses.")] = False,
    data: Data = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the results.")] = Path(
        "bench-results/chip"
    ),
    debug: Debug = False,
) -> None:
    """Rerun the paper `chip`: Table 1, list traversal in software, triangle tests, and a sweep over designs.

    A full run takes about ten minutes, a quick one one or two, besides compiling. The exit code is 1 when something
    that theory fixes came out wrong; it says nothing about timings.
    """
    _rerun("chip", out, quick, data=data)


@bench_app.command()
def binary_stack(
    quick: Annotated[bool, typer.Option("--quick", help="64 small animals made by code, fewer rounds.")] = False,
    mesh: Annotated[
        Path | None,
        typer.Option(
            "--mesh",
            metavar="FILE",
            help="The closed mesh that falls.",
            show_default="the cow in the folder TUMBLE_MESHES; if unset, an animal made by code",
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the results.")] = Path(
        "bench-results/binary-stack"
    ),
    debug: Debug = False,
) -> None:
    """Rerun the paper `binary-stack`: 512 falling cows, Table 1, Figure 10, traversals side by side.

    A full run takes about ten minutes, a quick one one or two, besides compiling. The exit code is 1 when something
    that theory fixes came out wrong; it says nothing about timings.
    """
    _rerun("binary_stack", out, quick, mesh=mesh)


@bench_app.command()
def bsp(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer rounds, fewer settings, smaller stand-ins.")] = False,
    scenes: Annotated[
        Path | None,
        typer.Option(
            "--scenes",
            metavar="DIR",
            help="The folder of the UNC scenes: cloth-ball, cloth-funnel, n-body-simulation.",
            show_default="those in the folder TUMBLE_MESHES; if unset, scenes made by code",
        ),
    ] = None,
    embree: Annotated[
        Path | None,
        typer.Option("--embree", metavar="FILE", help="The library libembree4.", show_default="found, if there"),
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the results.")] = Path(
        "bench-results/bsp"
    ),
    debug: Debug = False,
) -> None:
    """Rerun the paper `bsp`: Table 1, Figures 7, 8 and 9, broad phases of others, trees and a sheet that move.

    A full run takes about a quarter of an hour, a quick one a few minutes, besides compiling. The exit code is 1 when
    something that theory fixes came out wrong; it says nothing about timings.
    """
    _rerun("bsp", out, quick, scenes_folder=scenes, embree=embree)


@bench_app.command()
def peers(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer objects, smaller ones, fewer rounds.")] = False,
    data: Data = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the results.")] = Path(
        "bench-results/peers"
    ),
    threads: Annotated[
        int | None, typer.Option("--threads", metavar="N", help="Threads where they count.", show_default="all cores")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="QUERY,...", help="Only these queries.", show_default="all"),
    ] = None,
    debug: Debug = False,
) -> None:
    """Race Tumble against python-fcl, Coal and VTK on the same meshes, poses and outputs.

    Queries: first-hit, all-pairs, far-apart, aligned, sweep, python-threads, batch, scene, build, memory, start.

    A full run takes about half an hour, a quick one a few minutes. The exit code says nothing about timings: it is 0
    when the race was run.
    """
    with Bar("loading") as bar:
        results = run_interruptibly(lambda: _race(out, quick, bar, data=data, threads=threads, only=_names(only)))
    write_out(_standing(results) + f"The full page: {out / 'index.html'}\n")


def _race(out: Path, quick: bool, bar: Bar, **options: Any) -> dict[str, Any]:
    from tumble.bench import peers as benchmark

    return benchmark.run(out, quick=quick, progress=bar.update, **options)


def _names(only: str | None) -> list[str] | None:
    return None if only is None else [name.strip() for name in only.split(",") if name.strip()]


def _standing(results: dict[str, Any]) -> str:
    differ = [difference for difference in results["differences"] if difference["differ"]]
    names = ", ".join(dict.fromkeys(difference["peer"] for difference in differ))
    cases = amount(len(differ), "case")
    answers = f"Answers differ from Tumble's, which are exact, in {cases} ({names}).\n" if differ else ""
    return _goals(results) + answers


def _goals(results: dict[str, Any]) -> str:
    rows = [(goal["name"], goal["goal"], goal["measured"], goal["verdict_text"]) for goal in results["goals"]]
    tally = Counter(goal["verdict"] for goal in results["goals"])
    counts = ", ".join(f"{number} {verdict}" for verdict, number in tally.most_common())
    return table(("query", "goal", "measured", "verdict"), rows) + "\n" + styled(f"Goals: {counts}.", "bold")
