"""Options of commands: Typer reads them off a signature, which here comes from a record or a table."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import wraps
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

R = TypeVar("R")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]


def set_options(command: Callable[..., None], options: dict[str, tuple[Any, Any]]) -> None:
    """Let a command take options by name, each with an annotation and a default."""
    command.__annotations__ = {name: annotation for name, (annotation, _) in options.items()}
    command.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, (annotation, default) in options.items()
        ]
    )


def takes(record: type[R]) -> Callable[[Callable[[R], None]], Callable[..., None]]:
    """Let a command take the fields of a dataclass as options, and receive them as one record."""
    hints = get_type_hints(record, include_extras=True)
    options: dict[str, tuple[Any, Any]] = {}
    for field in fields(record):  # type: ignore[arg-type]
        options[field.name] = hints[field.name], Parameter.empty if field.default is MISSING else field.default

    def taking(work: Callable[[R], None]) -> Callable[..., None]:
        @wraps(work)
        def command(**given: Any) -> None:
            work(record(**given))

        set_options(command, options)
        return command

    return taking
