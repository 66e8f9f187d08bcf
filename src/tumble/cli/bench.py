"""`tumble bench`: one command per benchmark, all from one registry."""

from collections import Counter
from collections.abc import Callable, Sequence
from csv import DictReader
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer

from tumble.bench import render, run
from tumble.bench.framework.registry import BENCHMARKS, EXIT_CODE, Entry
from tumble.cli.errors import CLEAR, Debug
from tumble.cli.options import set_options
from tumble.cli.output import styled, table, write_out
from tumble.cli.plain_values import PlainCommand
from tumble.cli.progress import progress_bar, run_interruptibly

BROKEN = 1
BENCH_HELP = """Rerun a paper, or race against other libraries.

Plots need pip install "tumble[plot]"; other libraries, without which `peers` cannot run and the others leave out
comparisons, need pip install "tumble[bench]", and more of them for distances and points "tumble[bench,rivals]".
"""
app = typer.Typer(help=BENCH_HELP, no_args_is_help=True, add_completion=False, rich_markup_mode="markdown")


def _options() -> dict[str, Any]:
    kinds = {"path": Path | None, "number": int | None, "text": str | None}
    text = files(__package__).joinpath("bench_options.csv").read_text(encoding="utf-8")
    found = {}
    for row in DictReader(text.splitlines()):
        kind, metavar, default = kinds[row["kind"]], row["metavar"], row["default"]
        option = typer.Option(f"--{row['name']}", metavar=metavar, help=row["help"], show_default=default)
        found[row["name"]] = Annotated[kind, option]
    return found


OPTIONS = _options()
"""what benchmarks take beyond `--quick`, `--out` and `--from`; the registry says which takes what"""

FROM_HELP = "Measure nothing: make the page of this results.csv."


def _add_command(name: str, entry: Entry) -> None:
    def command(quick: bool, out: Path, kept: Path | None, debug: bool, **options: Any) -> None:
        _run(name, quick, out, kept, options)

    default = Path("bench-results") / name
    common = {
        "quick": (Annotated[bool, typer.Option("--quick", help=entry.quick)], False),
        **{option: (OPTIONS[option], None) for option in entry.options},
        "out": (Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the results.")], default),
        "kept": (Annotated[Path | None, typer.Option("--from", metavar="FILE", help=FROM_HELP)], None),
        "debug": (Debug, False),
    }
    set_options(command, common)
    command.__doc__ = f"{entry.summary}\n\n{entry.duration} {EXIT_CODE}"
    app.command(name, cls=PlainCommand)(command)


for _name, _entry in BENCHMARKS.items():
    _add_command(_name, _entry)


def _run(name: str, quick: bool, out: Path, kept: Path | None, options: dict[str, Any]) -> None:
    """Run a benchmark, or render a kept one, say what came out, and leave with its exit code."""
    if isinstance(options.get("only"), str):
        options["only"] = [query.strip() for query in options["only"].split(",") if query.strip()]
    with progress_bar("loading") as bar:
        work: Callable[[], dict[str, Any]] = (
            (lambda: run(name, out, quick, bar.update, **options)) if kept is None else lambda: render(name, kept, out)
        )
        results = run_interruptibly(work)
    claims, goals = results.get("claims", []), results.get("goals", [])
    fault = ": a fault in Tumble, for theory fixes this"
    here = [(one["statement"], one["published"], one["verdict"] + fault * one["broken"]) for one in claims]
    reached = [(one["name"], one["goal"], one["measured"], one["verdict_text"]) for one in goals]
    parts = [
        _verdicts("Claims here", ("claim", "in the paper", "here"), here, claims),
        _verdicts("Goals", ("what", "goal", "measured", "verdict"), reached, goals),
        results.get("remark", ""),
        styled(busy, "bold") + "\n" if (busy := results.get("busy")) else "",
    ]
    write_out("\n".join(part for part in parts if part) + f"The full page: {out / 'index.html'}\n")
    raise typer.Exit(CLEAR if results.get("ok", True) else BROKEN)


def _verdicts(what: str, titles: Sequence[str], rows: Sequence[Sequence[str]], found: Sequence[dict[str, Any]]) -> str:
    """A table, and how often each verdict is in it; nothing without rows."""
    words = Counter(one["verdict"] for one in found).most_common()
    tally = ", ".join(f"{number} {word}" for word, number in words)
    return table(titles, rows) + "\n" + styled(f"{what}: {tally}.", "bold") if rows else ""
