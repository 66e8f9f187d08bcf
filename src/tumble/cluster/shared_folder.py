"""A folder that all workers see: what they need is written there once, and they map it.

    <digest>-<random>.items      read-only; see `tumble.cluster.mapped`

A file is named by its content: where it is there already, as another job is about the same meshes, this one gets a name
of its own for it (a hard link), and both share the pages. A name goes when whoever asked forgets the items, or ends.
"""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from tumble.cluster.mapped import MappedItems, digest_of_pieces, mapped, own_number, pieces_of
from tumble.errors import ClusterError, FileError

SUFFIX = ".items"
BY_VALUE = b"__main__"
"""what is defined in a script is pickled by Dask, which can do that by its source"""


class SharedFolder:
    """Where items are kept for workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, items: Sequence[Any]) -> Sequence[Any]:
        """Return items that travel as the name of a file, which stays as long as they do."""
        pieces = pieces_of(items)
        if any(BY_VALUE in piece for piece in pieces if isinstance(piece, bytes)):
            return items
        digest = digest_of_pieces(pieces)
        path = self.folder / f"{digest}-{uuid4().hex}{SUFFIX}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not self._linked(digest, path):
                _write(path, pieces)
            owner = path.stat().st_uid
        except OSError as error:
            raise FileError(f"cannot write to the shared folder {self.folder}: {error.strerror or error}") from error
        kept = MappedItems(str(path), digest, owner)
        weakref.finalize(kept, _remove, path, os.getpid())
        return kept

    def _linked(self, digest: str, path: Path) -> bool:
        """Give a sound file with this content another name, if there is one."""
        for other in sorted(self.folder.glob(f"{digest}-*{SUFFIX}")):
            with contextlib.suppress(OSError, ClusterError):
                mapped(str(other), digest, own_number())
                os.link(other, path)
                return True
        return False


def is_sound(items: Sequence[Any]) -> bool:
    """Tell whether the file of some items is there, as it was written; items without a file are sound."""
    if isinstance(items, MappedItems):
        try:
            mapped(items.file, items.digest, items.owner)
        except ClusterError:
            return False
    return True


def _write(path: Path, pieces: Sequence[Any]) -> None:
    """Write a file that nobody may write to, whole or not at all."""
    beside = path.with_name(f".{path.name}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444), "wb") as file:
            for piece in pieces:
                file.write(piece)
        os.replace(beside, path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def _remove(path: Path, process: int) -> None:
    """Remove a file; a process that was forked leaves it."""
    if os.getpid() == process:
        with contextlib.suppress(OSError):
            path.unlink()
