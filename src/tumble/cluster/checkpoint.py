"""A folder that keeps the results of chunks, so that a job that was ended goes on where it was.

    question.json                       what was asked, as digests: another question is refused
    rows-000000000000-000000004096      the arrays of these rows, and their digest

Files appear whole (`tumble.core.whole_files`). One that is damaged is removed, and its rows are computed again; so are
rows that are in two files, as after two jobs at once in one folder.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.cluster.job import Arrays
from tumble.core.whole_files import write_whole
from tumble.errors import ClusterError, FileError

QUESTION = "question.json"
FORMAT = "tumble-checkpoint-1"
NAME = re.compile(r"rows-(\d{12})-(\d{12})")
DIGEST_BYTES = 32
Span = tuple[int, int]


class Checkpoint:
    """The chunks of one question that a folder keeps."""

    def __init__(self, folder: Path, count: int, digests: Mapping[str, str]) -> None:
        self.folder, self.count = folder, count
        self._open({"format": FORMAT, "rows": str(count), **digests})
        self.spans = self._kept()
        """where the rows are that are kept, sorted"""

    def _open(self, question: Mapping[str, str]) -> None:
        """Begin a folder, or make sure that it is about the same question."""
        file = self.folder / QUESTION
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            known = json.loads(file.read_text("utf-8")) if file.exists() else None
        except (OSError, ValueError) as error:
            raise FileError(f"cannot use the checkpoint {self.folder}: {error}") from error
        if known is None:
            if any(self.folder.iterdir()):
                raise ClusterError(f"{self.folder} is not empty and no checkpoint; name a new folder")
            write_whole(file, json.dumps(question, indent=2).encode())
            return
        known = known if isinstance(known, dict) else {}
        changed = [name for name in {**question, **known} if question.get(name) != known.get(name)]
        if changed:
            raise ClusterError(
                f"the checkpoint {self.folder} is about another question: {', '.join(changed)} changed; remove the "
                "folder, or name another one"
            )

    def _kept(self) -> list[Span]:
        """Return where the rows of all files are; damaged ones, and those whose rows overlap others', are removed."""
        found, end = [], 0
        for span in sorted(_spans(self.folder)):
            try:
                if span[0] < end or not span[0] < span[1] <= self.count:
                    raise ValueError("its rows do not fit to those of the other files")
                self._body(span)
            except (OSError, ValueError) as error:
                self._drop(span, str(error))
                continue
            found.append(span)
            end = span[1]
        return found

    def gaps(self) -> list[Span]:
        """Return where the rows are that are missing."""
        found, end = [], 0
        for start, stop in [*self.spans, (self.count, self.count)]:
            if end < start:
                found.append((end, start))
            end = stop
        return found

    def read(self, span: Span) -> Arrays:
        """Return the arrays of some rows."""
        try:
            with np.load(io.BytesIO(self._body(span)), allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
        except (OSError, ValueError) as error:
            raise FileError(f"{self._path(span)} was damaged while it was in use: {error}") from error

    def _body(self, span: Span) -> bytes:
        content = self._path(span).read_bytes()
        body = content[DIGEST_BYTES:]
        if hashlib.sha256(body).digest() != content[:DIGEST_BYTES]:
            raise ValueError("its content does not fit to its digest")
        return body

    def write(self, span: Span, arrays: Arrays) -> None:
        """Keep the arrays of some rows."""
        buffer = io.BytesIO()
        named: dict[str, Any] = {name: np.asarray(array) for name, array in arrays.items()}
        np.savez(buffer, **named)
        body = buffer.getvalue()
        write_whole(self._path(span), hashlib.sha256(body).digest() + body)

    def _drop(self, span: Span, reason: str) -> None:
        """Remove a file, and say why."""
        path = self._path(span)
        logging.getLogger("tumble").warning("%s: %s; its rows are computed again", path, reason)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise FileError(f"cannot remove the damaged {path}: {error}") from error

    def _path(self, span: Span) -> Path:
        return self.folder / f"rows-{span[0]:012d}-{span[1]:012d}"


def _spans(folder: Path) -> Iterator[Span]:
    for path in folder.iterdir():
        found = NAME.fullmatch(path.name)
        if found:
            yield int(found[1]), int(found[2])


def digest_of(arrays: Iterable[NDArray[Any] | None]) -> str:
    """Return a digest of arrays, their types and shapes."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(b"none" if array is None else f"{array.dtype.str}{array.shape}".encode())
        if array is not None:
            digest.update(np.ascontiguousarray(array).data if array.size else b"")
    return digest.hexdigest()[:32]
