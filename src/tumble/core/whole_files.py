"""Files that are written whole or not at all, several of them together: beside the targets first, then moved there."""

import contextlib
import os
import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tumble.errors import FileError

DESCRIPTOR = re.compile(r"/(?:proc/(?:self|thread-self)|dev)/fd/(\d+)")
"""of this process; those of others, by their numbers, lead to files like any other link"""
MOST_LINKS = 40


def check_writable(path: Path) -> None:
    """Say why a file cannot be written, if so: before the work, not after it."""
    target = _target(path)
    if target.is_dir():
        raise FileError(f"cannot write to {path}: it is a folder")
    if not target.parent.is_dir():
        raise FileError(f"cannot write to {path}: there is no folder {target.parent}; make it first")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise FileError(f"cannot write to {path}: no permission to write there")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees a part of it; whatever happens meanwhile, Ctrl-C included, leaves none."""
    write_all({path: content})


def write_all(contents: Mapping[Path, bytes], meanwhile: Callable[[], None] = lambda: None) -> None:
    """Write several files as `write_whole` does one: if one of them cannot be written, none is.

    A link stays, and the file that it leads to is written. Devices, pipes and descriptors such as /dev/stdout cannot be
    replaced: they are written to before any file appears.

    meanwhile   called when all that may fail for lack of room is written, and before any file appears
    """
    temporary: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            check_writable(path)
            if _is_replaceable(path):
                target = _target(path)
                temporary[target] = target.with_name(f".{target.name[:64]}.{uuid.uuid4().hex}")
                with _explained(path):
                    _write_beside(temporary[target], target, content)
        for path, content in contents.items():
            if not _is_replaceable(path):
                with _explained(path):
                    _write_into(path, content)
        meanwhile()
        for target, beside in temporary.items():
            with _explained(target):
                os.replace(beside, target)
    finally:
        for beside in temporary.values():
            with contextlib.suppress(OSError, ValueError):
                beside.unlink()


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write to {path}: {getattr(error, 'strerror', None) or error}") from error


def _target(path: Path) -> Path:
    """Return the file that is written: where a link leads to."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _is_replaceable(path: Path) -> bool:
    return _descriptor(path) is None and (path.is_file() or not path.exists())


def _descriptor(path: Path) -> int | None:
    """Return the number of the descriptor that a path stands for, as /dev/stdout does; None if it is none."""
    place = os.path.abspath(path)
    for _ in range(MOST_LINKS):
        found = DESCRIPTOR.fullmatch(place)
        if found:
            return int(found[1])
        if not os.path.islink(place):
            return None
        place = os.path.normpath(os.path.join(os.path.dirname(place), os.readlink(place)))
    return None


def _write_beside(beside: Path, target: Path, content: bytes) -> None:
    beside.write_bytes(content)
    if target.exists():
        with contextlib.suppress(OSError):
            os.chmod(beside, target.stat().st_mode & 0o777)


def _write_into(path: Path, content: bytes) -> None:
    """Write to what cannot be replaced; to a descriptor of this process behind what it has been given already."""
    number = _descriptor(path)
    if number is None:
        path.write_bytes(content)
        return
    with os.fdopen(os.dup(number), "wb") as file:
        file.write(content)
