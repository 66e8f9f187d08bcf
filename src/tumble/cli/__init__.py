"""The command `tumble`: one file per command, loaded when it is asked for; none loads the compiler before it needs it.

Exit codes: 0 clear, 1 parts touch (or a benchmark's certain claim is broken), 2 an error, 130 interrupted, 143 ended by
a signal to terminate.
"""

import atexit
import gc
import os
import signal
import sys
import traceback
from types import FrameType
from typing import Annotated, NoReturn

import typer

from tumble import __version__
from tumble.cli.errors import ERROR, INTERRUPTED, TERMINATED, explain
from tumble.cli.group import Commands
from tumble.cli.output import write_out
from tumble.errors import TumbleError

OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""to look for cycles as often as Python does takes a twentieth of a short command, and a tenth of compiling"""

app = typer.Typer(
    name="tumble",
    cls=Commands,
    help="Which triangles of two meshes touch: exactly, in microseconds.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # brackets, as in tumble[plot], are text
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        write_out(f"tumble {__version__}\n")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line and leave the process with its exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us: the exit code still counts
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)  # to look for garbage once more at the end takes a tenth of a second, or a whole one
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
    try:
        app(prog_name="tumble")
    except SystemExit as leaving:
        if leaving.code in (INTERRUPTED, TERMINATED):
            _leave_at_once(leaving.code)
        raise
    except KeyboardInterrupt:
        _leave_at_once(INTERRUPTED)
    except TumbleError as error:  # before a command was reached
        explain(str(error))
        sys.exit(ERROR)
    except Exception:  # an uncaught exception would exit with 1, which means that parts touch
        traceback.print_exc()
        sys.stderr.write("error: this should not have happened; please report it with the lines above\n")
        sys.exit(ERROR)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    """End as Ctrl-C does: files that are half written are removed on the way."""
    raise SystemExit(TERMINATED)


def _leave_at_once(code: int) -> NoReturn:
    """Leave without tidying up: a kernel may still be running in its thread, and could take minutes."""
    sys.stderr.flush()
    os._exit(code)
