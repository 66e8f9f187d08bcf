"""Files that are written whole or not at all: beside the target first, then moved there."""

import contextlib
import os
import uuid
from pathlib import Path

from tumble.errors import FileError


def check_writable(path: Path) -> None:
    """Say why a file cannot be written, if so: before the work, not after it."""
    if path.is_dir():
        raise FileError(f"cannot write to {path}: it is a folder")
    if not path.parent.is_dir():
        raise FileError(f"cannot write to {path}: there is no folder {path.parent}; make it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise FileError(f"cannot write to {path}: no permission to write there")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees a part of it; whatever happens meanwhile, Ctrl-C included, leaves none."""
    check_writable(path)
    temporary = path.with_name(f".{path.name[:64]}.{uuid.uuid4().hex}")
    try:
        if path.exists() and not path.is_file():  # a device or a pipe, such as /dev/stdout, cannot be replaced
            path.write_bytes(content)
            return
        temporary.write_bytes(content)
        if path.exists():
            with contextlib.suppress(OSError):
                os.chmod(temporary, path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write to {path}: {getattr(error, 'strerror', None) or error}") from error
    finally:
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink()
