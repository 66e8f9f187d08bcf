"""Values of options that need no converter: Typer makes one for every option of a command, even those not given, by a
library that takes longer to load than most commands take to run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args, get_origin

from typer.core import TyperCommand

PLAIN = {str: str, Path: Path}
CHECKS = ("parser", "exists", "resolve_path", "allow_dash", "path_type")
"""what Typer can be told to do with a path, besides taking it"""


class PlainCommand(TyperCommand):
    """A command whose options take texts and paths as they are; Typer converts all else, as ever."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return arguments and options, that for help included."""
        return with_plain_values(super().get_params(ctx))


def with_plain_values(parameters: list[Any]) -> list[Any]:
    """Return options of a command that are not converted before they must be."""
    for parameter in parameters:
        if getattr(parameter, "_runtime_param", parameter) is None:  # how Typer of today says: not made yet
            parameter._runtime_param = PlainValue()
    return parameters


class PlainValue:
    """Stands where Typer keeps a converter, until a value needs it."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of an option, as Typer's converter would."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        described = param.type_descriptor
        kind = get_args(described.annotation)[0] if get_origin(described.annotation) is list else described.annotation
        if not any(getattr(described.parameter_info, name, None) for name in CHECKS):
            if kind is described.annotation and _is_plain(value, kind):
                return PLAIN[kind](value)
            if kind is not described.annotation and isinstance(value, list | tuple):
                if all(_is_plain(each, kind) for each in value):
                    return [PLAIN[kind](each) for each in value]
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _is_plain(value: Any, kind: Any) -> bool:
    return kind in PLAIN and isinstance(value, str | kind)
