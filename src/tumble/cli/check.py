"""`tumble check`: which parts of an assembly touch."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from tumble.cli.check_verdict import CheckVerdict
from tumble.cli.errors import CLEAR, TOUCHING, Debug
from tumble.cli.output import write_out
from tumble.cli.progress import Bar, run_interruptibly
from tumble.mesh import Part

FILES_HELP = (
    "An assembly of several parts (GLB, glTF, 3MF, 3DXML, OBJ …) or a file for each part (STL, PLY …); "
    'STEP needs pip install "tumble[cad]".'
)


def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help=FILES_HELP, show_default=False)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="Take each file as one part.")] = False,
    debug: Debug = False,
) -> None:
    """Tell which parts touch which, exactly; without a file, on a sample assembly.

    Parts touch when their surfaces share at least a point: a part that floats inside a hollow one does not.

    The exit code is 0 when no parts touch, 1 when some do, 2 on an error.
    """
    with Bar("reading") as bar:
        verdict = run_interruptibly(lambda: _look(files or [], whole, bar))
    write_out(verdict.render(json))
    raise typer.Exit(TOUCHING if verdict.contacts else CLEAR)


def _look(files: list[Path], whole: bool, bar: Bar) -> CheckVerdict:
    from tumble.api.touching_parts import touching_parts

    started = time.perf_counter()
    parts = _read(files, whole)
    bar.update(0, None, "loading the kernels")
    looked_at = 0

    def show(done: int, total: int) -> None:
        nonlocal looked_at
        looked_at = total
        bar.update(done, total, "checking")

    contacts = touching_parts(parts, show)
    seconds = time.perf_counter() - started
    return CheckVerdict([str(file) for file in files], parts, contacts, looked_at, seconds, compiled=bar.compiled > 0)


def _read(files: list[Path], whole: bool) -> list[Part]:
    if files:
        from tumble.mesh import load_parts

        return load_parts(files, split=not whole)
    from tumble.scenario import assembly

    return assembly()
