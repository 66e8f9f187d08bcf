"""Zip archives whose members cannot take more memory than the archive's size allows.

Deflate packs up to 1000 bytes into one, so that a file of a few megabytes can unpack to gigabytes. Real models pack 3
to 20 bytes into one. All that is read of an archive may therefore have FREE_BYTES plus MAX_RATIO times its size; a
member never gives more than its entry announces. bzip2 and LZMA pack far more, and zipfile unpacks them in pieces of
any size: they are refused.
"""

import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from tumble.mesh.formats import open_regular

FREE_BYTES = 32 * 2**20
MAX_RATIO = 30


class Archive:
    """An open zip archive; names are found as written, else without regard to case."""

    def __init__(self, path: Path) -> None:
        with ExitStack() as opened:
            file = opened.enter_context(open_regular(path))
            self._left = FREE_BYTES + MAX_RATIO * os.fstat(file.fileno()).st_size
            with _damage():
                self._zip = opened.enter_context(zipfile.ZipFile(file))
            self._opened = opened.pop_all()
        self._members: dict[str, list[zipfile.ZipInfo]] = {}
        for member in self._zip.infolist():
            self._members.setdefault(member.filename.lower(), []).append(member)

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *error: Any) -> None:
        self._opened.__exit__(*error)

    @property
    def names(self) -> list[str]:
        """The names of all members, as written."""
        return self._zip.namelist()

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._members

    def size(self, name: str) -> int:
        """Return how many bytes a member has when unpacked, as its entry announces."""
        return self._member(name).file_size

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Open a member as a stream; its size counts against what the archive may unpack to."""
        member = self._member(name)
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{name!r} is packed by another method than deflate; pack the archive anew")
        self._left -= member.file_size
        if self._left < 0:
            raise ValueError(
                f"{name!r} would unpack to {member.file_size} bytes, more than {MAX_RATIO} times the size of the "
                "archive: damaged, or made to fill the memory"
            )
        with _damage(), self._zip.open(member) as stream:
            yield stream

    def read(self, name: str) -> bytes:
        """Return the content of a member."""
        with self.open(name) as stream:
            return stream.read()

    def _member(self, name: str) -> zipfile.ZipInfo:
        found = self._members.get(name.lower(), [])
        found = [member for member in found if member.filename == name] or found
        if not found:
            raise ValueError(f"it has no member {name!r}")
        if len(found) > 1:
            raise ValueError(f"it has {len(found)} members called {name!r}")
        return found[0]


@contextmanager
def _damage() -> Iterator[None]:
    """Turn what zipfile and its decompressor raise on damaged archives into one error."""
    try:
        yield
    # RuntimeError: a password is needed; EOFError and OSError: an offset that points nowhere
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"its zip archive is truncated or damaged: {error}") from error
