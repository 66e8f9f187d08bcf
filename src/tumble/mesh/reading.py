"""What is in a file, as instances; whatever goes wrong is a FileError that names the path and the reason."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tumble.errors import FileError, InputError, MissingDependencyError, OptionError
from tumble.mesh.formats import FORMATS, Request, reader
from tumble.mesh.formats.placing import Instance

AnyPath: TypeAlias = str | PathLike[str]

_ARCHIVES = {"zip", "gz", "tgz", "bz2", "tar", "7z", "ifczip"}
# Formats that people try, and what to do instead.
_INSTEAD = {
    "iges": "export it as STEP",
    "igs": "export it as STEP",
    "ifcxml": "export it as IFC (STEP)",
    "xacro": "expand it first, with `xacro robot.urdf.xacro > robot.urdf`",
    "xyz": "it holds points without triangles",
}


class Source(NamedTuple):
    """A file, what is in it, and what its reader had to say."""

    path: Path
    instances: list[Instance]
    said: Request


def read_source(path: Path, request: Request) -> Source:
    """Read a file; one without triangles is refused."""
    kind = kind_of(path)
    with errors_of(path):
        instances = [each for each in reader(kind)(path, request) if len(each.mesh)]
    if not instances:
        raise FileError(f"{path} holds no triangles")
    return Source(path, instances, request)


@contextmanager
def errors_of(path: Path) -> Iterator[None]:
    """Turn whatever is raised about the content of a file into a FileError that names it."""
    try:
        # what overflows or is not a number is refused by Mesh and by poses, by name
        with np.errstate(over="ignore", invalid="ignore"):
            yield
    except (FileError, MissingDependencyError):
        raise
    except MemoryError as error:
        raise FileError(f"{path} needs more memory than there is") from error
    except Exception as error:  # parsers raise whatever they like on damaged files
        raise FileError(f"{path} cannot be read as {path.suffix[1:].upper()}: {_reason(error)}") from error


def as_path(path: AnyPath) -> Path:
    """Return a path, or raise OptionError for what is none: bytes, open files, numbers.

    A number is a file descriptor to Python, and would be read, and closed.
    """
    if isinstance(path, str | PathLike) and isinstance(named := fspath(path), str):
        return Path(named)
    hint = "; pass its .name" if hasattr(path, "read") else ""
    raise OptionError(f"a path must be a str or a pathlib.Path, not {path!r}{hint}")


def as_paths(paths: Any) -> list[Path]:
    """Return one path, or several, as a list; text, bytes and open files are no lists of paths."""
    if isinstance(paths, str | bytes | PathLike) or hasattr(paths, "read"):
        return [as_path(paths)]
    try:
        listed = list(paths)
    except TypeError:
        raise OptionError(f"expected a path or several, not {paths!r}") from None
    if not listed:
        raise OptionError("no file given; pass at least one path")
    return [as_path(path) for path in listed]


def kind_of(path: Path, kinds: Collection[str] = FORMATS) -> str:
    """Return the format of a file by its suffix; one that is missing, empty, or of none of these kinds is refused."""
    kind = path.suffix[1:].lower()
    try:
        size = path.stat().st_size
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise FileError(f"{path} cannot be opened: {getattr(error, 'strerror', None) or error}") from error
    if path.is_dir():
        raise FileError(f"{path} is a directory; pass the files inside it")
    if not path.is_file():
        raise FileError(f"{path} is not a regular file")
    if kind in _ARCHIVES:
        raise FileError(f"{path} is an archive; unpack it and pass the files inside it")
    if kind in _INSTEAD:
        raise FileError(f"{path} is of a format that is not read: {_INSTEAD[kind]}")
    if kind not in kinds:
        raise FileError(f"{path} has the unknown suffix {path.suffix!r}; can be read: {', '.join(kinds)}")
    if size == 0:
        raise FileError(f"{path} is empty (0 bytes)")
    return kind


def _reason(error: Exception) -> str:
    if isinstance(error, InputError | ValueError) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else f"damaged ({type(error).__name__})"
