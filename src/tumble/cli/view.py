"""`tumble view`: a live view of an assembly, in a browser on this machine."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tumble.cli.errors import Debug
from tumble.cli.options import takes
from tumble.cli.output import write_out
from tumble.cli.progress import Bar, progress_bar, run_interruptibly
from tumble.cli.reading import ReadingOptions, check_reading, file_option, read_assembly
from tumble.view.findings import Report, load_report

if TYPE_CHECKING:
    from tumble.view.viewer import Viewer

FINDINGS_HELP = "List the findings that `tumble check --json` wrote to this file; its files are shown if none is given."
PORT_HELP = "The port on 127.0.0.1; if it is taken, the next free one."


@dataclass(frozen=True)
class ViewOptions(ReadingOptions):
    """The options of the command."""

    findings: Annotated[Path | None, file_option("--findings", FINDINGS_HELP)] = None
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help=PORT_HELP)] = 8080
    debug: Debug = False


@takes(ViewOptions)
def view(options: ViewOptions) -> None:
    """Look at an assembly in the browser: drag a part, and the triangles that touch light up.

    The page is served to this machine only, at the address that is printed. Without a file, a sample assembly is shown.
    It needs pip install "tumble[view]".

    Ctrl-C ends it, with exit code 130; 2 is an error.
    """
    from tumble.view.server import require_viser, viser_server

    check_reading(options)
    report = None if options.findings is None else load_report(options.findings)
    if report is not None and not options.files:
        options = replace(options, files=report.files or None)
    viser = require_viser("live views", "")
    with viser_server(viser, options.port) as server:
        write_out(f"http://{server.get_host()}:{server.get_port()} (Ctrl-C ends)\n")
        with progress_bar("reading", lines=True) as bar:
            run_interruptibly(lambda: _open(options, report, viser, server, bar))
        while True:
            time.sleep(0.2)  # a wait without limit cannot be interrupted everywhere


def _open(options: ViewOptions, report: Report | None, viser: Any, server: Any, bar: Bar) -> Viewer:
    from tumble.view.viewer import Viewer

    assembly = read_assembly(options, bar)
    findings = () if report is None else report.findings(assembly.parts)
    bar.update(0, None, "drawing")
    viewer = Viewer(viser, server, assembly, findings)
    bar.update(0, None, "loading the kernels")
    viewer.prepare()
    return viewer
