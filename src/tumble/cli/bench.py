"""`tumble bench`: benchmarks, one command for each paper."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from tumble.cli.errors import CLEAR, Debug
from tumble.cli.output import styled, table, write_out
from tumble.cli.progress import Bar, run_interruptibly

BROKEN = 1

bench_app = typer.Typer(help="Rerun a paper: its published figures beside ours.", no_args_is_help=True)


@bench_app.callback()
def _bench() -> None:
    """Keep `stackless` a command of its own while it is the only one."""


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
    rows = [(claim["statement"], claim["paper"]["verdict"], _verdict_here(claim)) for claim in claims]
    tally = Counter(claim["ours"]["verdict"] for claim in claims)
    counts = ", ".join(f"{number} {verdict}" for verdict, number in tally.most_common())
    return table(("claim", "in the paper", "here"), rows) + "\n" + styled(f"Claims here: {counts}.", "bold")


def _verdict_here(claim: dict[str, Any]) -> str:
    verdict = claim["ours"]["verdict"]
    return f"{verdict}: a fault in Tumble, for theory fixes this" if claim["broken"] else verdict
