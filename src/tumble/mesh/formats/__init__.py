"""One reader per file format, all of them strict, and bounded in time and memory by the size of the file.

A reader takes a path and a Request, and returns a list of Instance. It raises ValueError on anything odd;
`tumble.mesh.reading` turns that into a FileError with the path. docs/formats.md says what each one keeps.

Only regular files are opened: a FIFO would wait for a writer for ever, and a device has no end. That holds for the file
that the user names and for every file that it refers to, which must be inside its folder.
"""

import importlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, TypeAlias

from tumble.mesh.formats.map_frame import MapFrame
from tumble.mesh.formats.placing import Instance
from tumble.mesh.joints import Joint

# What becomes a part: a whole file; a node of the scene; in OBJ files, which have no scene, a group; or, there, an
# object if it has several and a group if not.
Split: TypeAlias = Literal["files", "nodes", "groups", "either"]


class Skipped(NamedTuple):
    """Something that was not read: a file, or an element of one."""

    what: str
    why: str


@dataclass
class Request:
    """What is asked of a reader, and what it has to say besides the parts."""

    split: Split = "nodes"
    folders: tuple[Path, ...] = ()
    """where the files that a robot refers to may be, besides its own folder"""
    notes: list[str] = field(default_factory=list)
    """sentences about the file, for the user"""
    skipped: list[Skipped] = field(default_factory=list)
    frame: MapFrame | None = None
    """where the file's coordinates are on the map"""
    joints: list[Joint] = field(default_factory=list)
    """of a robot, parents first, in metres"""
    carried: dict[str, int] = field(default_factory=dict)
    """by the name of an instance, the joint that carries it"""


Reader = Callable[[Path, Request], list[Instance]]

# suffix: module; it is imported when the first file of its format is read
_READERS = {
    **{suffix: suffix for suffix in ("dae", "gltf", "ifc", "obj", "off", "ply", "step", "stl", "urdf", "xaml")},
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


@contextmanager
def open_regular(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file for reading; anything else raises ValueError, a missing file OSError.

    A file that another program writes to meanwhile is refused: half of it would be old, half new.
    """
    _check(os.stat(path), path)
    with os.fdopen(os.open(path, _FLAGS), "rb") as file:
        before = os.fstat(file.fileno())
        _check(before, path)
        try:
            yield file
        except Exception as error:
            _check_unchanged(before, file, error)
            raise
        _check_unchanged(before, file)


def read_regular(path: Path) -> bytes:
    """Return the content of a regular file: never more than the size that the file system states for it.

    Files of /proc state a size of zero, and some of them never end.
    """
    with open_regular(path) as file:
        return file.read(os.fstat(file.fileno()).st_size)


def inside(folders: Iterable[Path], path: Path, called: str) -> Path:
    """Return a path that a file refers to, links resolved; one outside of all folders is refused."""
    try:
        found = path.resolve()
        found.exists()  # says whether the system takes such a name at all
    except (OSError, ValueError, RuntimeError):  # too long, a null byte, half a character; links in a circle
        raise ValueError(f"it refers to {called[:80]!r}, which cannot be the name of a file") from None
    if not any(found.is_relative_to(folder.resolve()) for folder in folders):
        raise ValueError(f"it refers to {called[:80]!r}, which is outside of its folder: not opened")
    return found


def existing(path: Path, called: str) -> Path:
    """Return a path that a file refers to, if it is that of a regular file."""
    if not path.is_file():
        raise ValueError(f"it refers to {called[:200]!r}, which does not exist, or is not a regular file")
    return path


def _check(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(f"{path} is not a regular file")


def _check_unchanged(before: os.stat_result, file: BinaryIO, cause: Exception | None = None) -> None:
    now = os.fstat(file.fileno())
    if (before.st_size, before.st_mtime_ns) != (now.st_size, now.st_mtime_ns):
        raise ValueError("it changed while it was read; read it again when it is whole") from cause
