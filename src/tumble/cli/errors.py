"""How commands end: exit codes, and errors as one line on stderr instead of a traceback."""

import traceback
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tumble.cli.output import printable
from tumble.errors import TumbleError

CLEAR = 0
TOUCHING = 1
ERROR = 2
INTERRUPTED, TERMINATED = 130, 143

_DEBUG = "tumble.debug"


def _remember(context: typer.Context, value: bool) -> bool:
    # the group sees the error after the command's own context is gone; `meta` is shared by all of them
    context.meta[_DEBUG] = value
    return value


Debug = Annotated[bool, typer.Option("--debug", help="Show where an error comes from.", callback=_remember)]


def explain(message: str, debug: bool = False) -> None:
    """Say on stderr what went wrong; with `debug`, also where the exception at hand comes from."""
    if debug:
        traceback.print_exc()
    typer.secho("error:", fg=typer.colors.RED, bold=True, nl=False, err=True)
    typer.echo(" " + printable(message), err=True)


class Commands(TyperGroup):
    """The group of all commands; turns what they raise into messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except TumbleError as error:
            explain(str(error), bool(ctx.meta.get(_DEBUG)))
        except MemoryError:
            explain("not enough memory for this input", bool(ctx.meta.get(_DEBUG)))
        raise typer.Exit(ERROR)
