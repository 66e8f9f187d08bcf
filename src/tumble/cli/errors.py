"""How commands end: exit codes, and errors as one line on stderr instead of a traceback."""

import traceback
from typing import Annotated

import typer

from tumble.cli.output import printable

CLEAR = 0
TOUCHING = 1
ERROR = 2
INTERRUPTED, TERMINATED = 130, 143

DEBUG = "tumble.debug"
"""where the context of a command remembers whether it was given --debug"""


def _remember(context: typer.Context, value: bool) -> bool:
    # the group sees the error after the command's own context is gone; `meta` is shared by all of them
    context.meta[DEBUG] = value
    return value


Debug = Annotated[bool, typer.Option("--debug", help="Show where an error comes from.", callback=_remember)]


def explain(message: str, debug: bool = False) -> None:
    """Say on stderr what went wrong; with `debug`, also where the exception at hand comes from."""
    if debug:
        traceback.print_exc()
    typer.secho("error:", fg=typer.colors.RED, bold=True, nl=False, err=True)
    typer.echo(" " + printable(message), err=True)
