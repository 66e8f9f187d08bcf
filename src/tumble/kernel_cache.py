"""Compiled kernels on disk: one folder for each state of the sources, one file for each specialisation.

Numba's own cache looks only at the file that holds a function, so an edit in a callee elsewhere would go unnoticed;
and its index file can name the wrong machine code when several processes start cold together. Here the folder's name
is a digest of all sources of the package and of the versions of the compiler, a file's name is a digest of the
specialisation, and files appear by an atomic rename. Nothing is ever edited, so nothing can be seen half-written.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import sys
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

STALE_AFTER_SECONDS = 30 * 24 * 3600
DIGEST_LENGTH = 20
UNFINISHED = ".writing-"
CHECK_BYTES = hashlib.sha256().digest_size


def cache_root() -> Path:
    """Return the folder of all caches: $TUMBLE_CACHE_DIR, or the user's cache folder on this system."""
    chosen = os.environ.get("TUMBLE_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "tumble" / "kernels"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "tumble" / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tumble" / "kernels"


@lru_cache(maxsize=1)
def sources_digest() -> str:
    """Digest every source file of the package and the versions that shape the machine code."""
    digest = hashlib.sha256()
    versions = (sys.version, np.__version__, numba.__version__, llvmlite.__version__)
    digest.update(repr(versions).encode())
    package = Path(__file__).parent
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:DIGEST_LENGTH]


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """Return this version's folder, made if need be, or None where nothing can be written."""
    try:
        folder = cache_root() / sources_digest()
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _remove_stale(folder.parent)
        tempfile.TemporaryFile(dir=folder).close()
    except (OSError, RuntimeError):  # RuntimeError: no home folder
        return None
    return folder


def _remove_stale(root: Path) -> None:
    """Delete the kernels of other versions that nobody has used for a month, and nothing that is not ours."""
    for folder in root.iterdir():
        with contextlib.suppress(OSError):
            ours = re.fullmatch(f"[0-9a-f]{{{DIGEST_LENGTH}}}", folder.name)
            if ours and time.time() - folder.stat().st_mtime > STALE_AFTER_SECONDS:
                for path in (*folder.glob("*.nbc"), *folder.glob(f"{UNFINISHED}*")):
                    path.unlink()
                folder.rmdir()


class _Locator(_CacheLocator):
    """Says where a function's files live; the digest in the folder's name makes stamps unnecessary."""

    def __init__(self, py_func: Any) -> None:
        self._py_file = py_func.__code__.co_filename
        self._disambiguator = f"{py_func.__module__}-{py_func.__code__.co_firstlineno}"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func)

    def get_cache_path(self) -> str:
        return str(cache_folder() or "")

    def ensure_cache_path(self) -> None:
        pass  # cache_folder has made it, or found that nothing can be written

    def get_source_stamp(self) -> str:
        return sources_digest()

    def get_disambiguator(self) -> str:
        return self._disambiguator


class _KernelFiles:
    """One file for each specialisation: a check sum, then the key and the code.

    The check sum is looked at first, as damaged machine code would bring the process down.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def _path(self, key: Any) -> Path | None:
        folder = cache_folder()
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:24]
        return folder / f"{self._name}.{digest}.nbc" if folder else None

    def flush(self) -> None:
        pass

    def load(self, key: Any) -> Any:
        path = self._path(key)
        try:
            stored = path.read_bytes() if path else b""
        except OSError:
            return None
        payload = stored[CHECK_BYTES:]
        if hashlib.sha256(payload).digest() != stored[:CHECK_BYTES]:
            return None
        stored_key, data = pickle.loads(payload)
        return data if stored_key == repr(key) else None

    def save(self, key: Any, data: Any) -> None:
        from numba.core.serialize import dumps

        path = self._path(key)
        if path is None:
            return
        with contextlib.suppress(OSError):
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
            payload = dumps((repr(key), data))
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(payload).digest() + payload)
            os.replace(temporary, path)


class _Impl(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class KernelCache(FunctionCache):
    """Numba's cache of one function, with our folder and our files."""

    _impl_class = _Impl

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        self._cache_file = _KernelFiles(self._impl.filename_base)
