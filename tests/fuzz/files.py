"""Files of every format, whole and damaged: the right parts, or an error of ours, in bounded time and memory."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from damage import damaged
from valid_files import ValidFile, valid_files

import tumble
from tumble.errors import TumbleError

from .limits import memory_limit, time_limit

Random = np.random.Generator
SECONDS = 20
MEMORY = 1 << 30
"""for files of a few kilobytes"""


def case(rng: Random) -> None:
    """Read one file as it should be, and damaged a few times."""
    files = list(valid_files(rng))
    file = files[rng.integers(len(files))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file.name
        path.write_bytes(file.data)
        check_whole(path, file)
        for _ in range(6):
            path.write_bytes(damaged(rng, file.data))
            read(path)


def read(path: Path) -> list[tumble.Part] | None:
    """Return the parts of a file, None for one that is refused; all else is a failure."""
    with time_limit(SECONDS), memory_limit(MEMORY):
        try:
            return list(tumble.load_parts(path))
        except TumbleError:
            return None


def check_whole(path: Path, file: ValidFile) -> None:
    """Compare an undamaged file with what was written."""
    parts = tumble.load_parts(path)
    found = len(parts), sum(len(part.mesh) for part in parts)
    if found != (file.parts, file.triangles):
        raise AssertionError(f"{file.name}: {found} parts and triangles, {(file.parts, file.triangles)} written")
