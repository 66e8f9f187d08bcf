"""Files that a command is to write: refused before the work where they would destroy what it reads, or each other."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from tumble.core.whole_files import check_writable
from tumble.errors import OptionError
from tumble.mesh.formats import FORMATS


def check_outputs(outputs: Mapping[str, Path | None], inputs: Mapping[str, Path | None], files: Sequence[Path]) -> None:
    """Raise an error where a file cannot be written, is one of those that are read, or is to be written twice.

    outputs, inputs   by option; None where an option is not given
    files             what is checked: files, and folders of files
    """
    read = [(f"{option} {path}", path) for option, path in inputs.items() if path is not None]
    read += [(str(path), path) for path in files]
    written: dict[str, Path] = {}
    for option, path in outputs.items():
        if path is None:
            continue
        check_writable(path)
        if path.exists() and not path.is_file():  # a device or a pipe takes whatever comes
            continue
        for called, given in read:
            if _is_same(path, given) or _is_read_in(path, given):
                raise OptionError(f"{option} {path} would replace {called}, which is read: name another file")
        for other, earlier in written.items():
            if _is_same(path, earlier):
                raise OptionError(f"{other} and {option} would both be written to {path}: name another file for one")
        written[option] = path


def _is_same(path: Path, other: Path) -> bool:
    return os.path.realpath(path) == os.path.realpath(other) or (
        path.exists() and other.exists() and os.path.samefile(path, other)
    )


def _is_read_in(path: Path, folder: Path) -> bool:
    """Whether a file is one of those that are read from a folder."""
    if not folder.is_dir() or not path.exists() or path.suffix[1:].lower() not in FORMATS:
        return False
    return os.path.realpath(path.parent) == os.path.realpath(folder)
