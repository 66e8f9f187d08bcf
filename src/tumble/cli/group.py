"""The group of all commands: loads the one that is asked for, and turns what it raises into messages and exit codes."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from tumble.cli.errors import DEBUG, ERROR, INTERRUPTED, explain
from tumble.cli.plain_values import PlainCommand, with_plain_values
from tumble.errors import TumbleError

COMMANDS = ("check", "chip", "simulate", "view", "warm", "info", "robot", "bench")
"""modules of `tumble.cli`, each with an `app` or a function of its name"""


class Commands(TyperGroup):
    """The group of all commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options before the name of a command."""
        return with_plain_values(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load a command."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self.commands[cmd_name] = _loaded(cmd_name)
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except TumbleError as error:
            explain(str(error), bool(ctx.meta.get(DEBUG)))
        except MemoryError:
            explain("not enough memory for this input", bool(ctx.meta.get(DEBUG)))
        raise typer.Exit(ERROR)


def _loaded(name: str) -> Any:
    """Return a command, or a group of them, with what it says about itself."""
    module = import_module(f"tumble.cli.{name}")
    command: Any
    if hasattr(module, "app"):
        command = typer.main.get_group(module.app)
    else:
        app = typer.Typer(add_completion=False, rich_markup_mode="markdown")
        app.command(name, cls=getattr(module, "COMMAND_CLASS", PlainCommand))(getattr(module, name))
        command = typer.main.get_command(app)
    command.name = name
    return command
