"""One reader per file format, all of them strict, and bounded in time and memory by the size of the file.

A reader takes a path and whether to split the file into its parts, and returns a list of Part. It raises ValueError on
anything odd; `tumble.mesh.files` turns that into a FileError with the path. docs/formats.md says what each one keeps.

Only regular files are opened: a FIFO would wait for a writer for ever, and a device has no end. That holds for the file
that the user names and for every file that it refers to.
"""

import importlib
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from tumble.mesh.mesh import Part

Reader = Callable[[Path, bool], list[Part]]

# suffix: module; it is imported when the first file of its format is read
_READERS = {
    **{suffix: suffix for suffix in ("gltf", "obj", "off", "ply", "step", "stl", "xaml")},
    "3dxml": "threedxml",
    "3mf": "threemf",
    "glb": "gltf",
    "stp": "step",
}
FORMATS = tuple(sorted(_READERS))
# On a FIFO that takes the place of a file between the two checks, opening must not wait either.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def reader(kind: str) -> Reader:
    """Return the reader of a format, by the suffix of its files."""
    found: Reader = importlib.import_module(f"{__name__}.{_READERS[kind]}").read
    return found


def open_regular(path: Path) -> BinaryIO:
    """Return a regular file, open for reading; anything else raises ValueError, a missing file OSError."""
    _check(os.stat(path), path)
    descriptor = os.open(path, _FLAGS)
    try:
        _check(os.fstat(descriptor), path)
    except ValueError:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def read_regular(path: Path) -> bytes:
    """Return the content of a regular file: never more than the size that the file system states for it.

    Files of /proc state a size of zero, and some of them never end.
    """
    with open_regular(path) as file:
        return file.read(os.fstat(file.fileno()).st_size)


def _check(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(f"{path} is not a regular file")
