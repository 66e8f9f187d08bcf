"""Paths that users hand over: a number is a file descriptor to Python, and would be read, and closed."""

from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias

from tumble.errors import OptionError

AnyPath: TypeAlias = str | PathLike[str]


def as_path(path: AnyPath) -> Path:
    """Return a path, or raise OptionError for what is none: numbers, bytes, open files."""
    if isinstance(path, str | PathLike) and isinstance(named := fspath(path), str):
        return Path(named)
    hint = "; pass its .name" if hasattr(path, "read") else ""
    raise OptionError(f"a path must be a str or a pathlib.Path, not {path!r}{hint}")
