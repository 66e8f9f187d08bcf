"""Compiled kernels on disk: one folder for each compiler, one file for each specialisation.

Numba's own cache looks only at the file that holds a function, so an edit in a callee elsewhere would go unnoticed;
and its index file can name the wrong machine code when several processes start cold together. Here the folder's name
is a digest of the versions of the compiler, a file's name is a digest of the specialisation and of the sources that
shape it (see `kernel_sources`), and files appear by an atomic rename. Nothing is ever edited, so nothing can be seen
half-written, and an edit recompiles only the kernels that depend on it.

Loading a kernel unpickles it, which can run anything. So a file is read only if it is ours and nobody else can write
to it, and so is its folder: TUMBLE_CACHE_DIR may name a place that others share.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from tumble.core import compile_notices, inner_code, kernel_turns
from tumble.core.kernel_bundle import bundled_file
from tumble.core.kernel_place import KERNEL, cache_root
from tumble.core.kernel_sources import digest_of, sources_of

STALE_AFTER_SECONDS = 30 * 24 * 3600
FRESH_SECONDS = 24 * 3600
DIGEST_LENGTH = 20
UNFINISHED = ".writing-"
CHECK_BYTES = hashlib.sha256().digest_size
OWN = ("llvm.", "_ZN", "tumble_", "NRT_incref", "NRT_decref")
"""what names begin with that need not be looked for: operations of the compiler, compiled functions, which the code
contains as far as it calls them, external functions, see `define_symbol`, and what Numba's run-time compiles itself"""
SYMBOL = re.compile(rb"tumble_\w+")
"""names of external functions, in machine code as in everything else"""


def compiler_digest() -> str:
    """Digest the versions that shape the machine code."""
    versions = (sys.version, np.__version__, numba.__version__, llvmlite.__version__)
    return hashlib.sha256(repr(versions).encode()).hexdigest()[:DIGEST_LENGTH]


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """Return this compiler's folder, made if need be, or None where nothing can be written or trusted."""
    try:
        root = cache_root()
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = root / compiler_digest()
        for each in (root, folder):
            each.mkdir(mode=0o700, exist_ok=True)
            why = _why_not_safe(each.stat())
            if why:
                warnings.warn(
                    f"compiled kernels are not kept: {each} {why}, and loading a kernel from there could run anything; "
                    "set TUMBLE_CACHE_DIR to a folder of your own with mode 700",
                    stacklevel=2,
                )
                return None
        tempfile.TemporaryFile(dir=folder).close()
    except (OSError, RuntimeError):  # RuntimeError: no home folder
        return None
    return folder


def _why_not_safe(status: os.stat_result) -> str:
    """Return why a folder or file could hold what someone else wrote; nothing if it cannot."""
    if not hasattr(os, "geteuid"):  # Windows: the folder is in the user's profile
        return ""
    if status.st_uid != os.geteuid():
        return f"belongs to another user (number {status.st_uid})"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"can be written to by others (mode {stat.S_IMODE(status.st_mode):o})"
    return ""


@lru_cache(maxsize=1)
def _sweep(folder: Path) -> None:
    """Delete kernels that have not been used for a month, of any compiler, and nothing that is not ours."""
    for each in folder.parent.iterdir():
        if re.fullmatch(f"[0-9a-f]{{{DIGEST_LENGTH}}}", each.name):
            for path in (*each.glob(f"*{KERNEL}"), *each.glob(f"{UNFINISHED}*"), *each.glob(f"{kernel_turns.LOCKED}*")):
                with contextlib.suppress(OSError):
                    if _age(path) > STALE_AFTER_SECONDS:
                        path.unlink()
            with contextlib.suppress(OSError):
                if each != folder and _age(each) > STALE_AFTER_SECONDS:
                    each.rmdir()  # fails, rightly, while anything is in it


def _age(path: Path) -> float:
    return time.time() - path.stat().st_mtime


class _Locator(_CacheLocator):
    """Says where a function's files live; the digests in the files' names make stamps unnecessary."""

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
        return ""  # the key has it: see KernelCache

    def get_disambiguator(self) -> str:
        return self._disambiguator


class _KernelFiles:
    """One file for each specialisation: a check sum, then the key and the code.

    The check sum is looked at first, as damaged machine code would bring the process down.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.calls: Iterable[str] = ()
        """what the code that is saved next calls by name"""

    def path(self, key: Any) -> Path | None:
        """Return where the code for a key is kept; None where nothing can be."""
        folder = cache_folder()
        return folder / f"{self._name}.{_digest(key)}{KERNEL}" if folder else None

    def flush(self) -> None:
        pass

    def load(self, key: Any) -> Any:
        path = self.path(key)
        found = _content(_read_own_file(path), key) if path else None
        if found is None and (bundled := bundled_file(self._name, key, _digest)) is not None:
            path, made_for = bundled
            with contextlib.suppress(OSError):  # as trustworthy as the code of any package
                found = _content(path.read_bytes(), made_for)
        return found

    def save(self, key: Any, data: Any) -> None:
        path = self.path(key)
        if path is None:
            return
        with contextlib.suppress(OSError):
            _sweep(path.parent)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)  # with mode 600
            payload = dumps((repr(key), data, tuple(self.calls)))
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(payload).digest() + payload)
            os.replace(temporary, path)
        kernel_turns.end_turn(path)


def _digest(key: Any) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()[:24]


def _content(stored: bytes, key: Any) -> Any:
    """Return what a file holds for a key; None if it is damaged, or for another key."""
    payload = stored[CHECK_BYTES:]
    if hashlib.sha256(payload).digest() != stored[:CHECK_BYTES]:
        return None
    for symbol in set(SYMBOL.findall(payload)):  # bitcode names its symbols without gaps: see `_InnerImpl`
        define_symbol(symbol.decode())
    stored_key, data, *calls = pickle.loads(payload)
    if stored_key != repr(key):
        return None
    if not calls or any(binding.address_of_symbol(name) is None for name in calls[0]):
        # Numba defines some only with all that it can compile; the linker would end the process
        cpu_target.target_context.refresh()
    return data


_undefined: dict[str, Callable[[], None]] = {}


def define_before_use(symbol: str, define: Callable[[], None]) -> None:
    """Have a symbol defined when a kernel that calls it is compiled or loaded: the linker would end the process."""
    _undefined[symbol] = define


def define_symbol(symbol: str) -> None:
    """Compile the external function of this name if that has not been done; other names do not matter."""
    if symbol in _undefined:
        _undefined[symbol]()
        _undefined.pop(symbol, None)


def _read_own_file(path: Path) -> bytes:
    """Return what a file holds, or nothing when there is none or somebody else may have written it."""
    try:
        with path.open("rb") as file:
            # asked of the open file, not of its name, which might lead elsewhere a moment later
            if _why_not_safe(os.fstat(file.fileno())):
                return b""
            stored = file.read()
        if _age(path) > FRESH_SECONDS:
            os.utime(path)  # so that `_sweep` sees that it is in use
        return stored
    except OSError:
        return b""


class _Impl(CompileResultCacheImpl):
    _locator_classes = (_Locator,)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        return inner_code.rebuild_outer(target_context, payload)


class _InnerImpl(_Impl):
    def rebuild(self, target_context: Any, payload: Any) -> Any:
        found = inner_code.rebuild_inner(target_context, payload)
        for name in inner_code.declared_names(found.library):
            define_symbol(name)
        return found


class KernelCache(FunctionCache):
    """Numba's cache of one function, with our folder, our files and our key."""

    _impl_class: type[_Impl] = _Impl

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        self._cache_file = _KernelFiles(self._impl.filename_base)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return a specialisation from disk; None, and a notice, when Numba will have to compile it.

        Numba imports all that it can compile before it looks. Machine code needs none of that, if all that it calls is
        there: see `_content`.
        """
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)
        if found is None:
            target_context.refresh()
            compile_notices.started(self._py_func.__name__, cache_folder())
            found = self._from_other_process(sig, target_context)
        return found

    def _from_other_process(self, sig: Any, target_context: Any) -> Any:
        """Return a specialisation that another process is compiling; None if it is for this one to do."""
        path = self._cache_file.path(self._index_key(sig, target_context.codegen()))
        if path is None or not kernel_turns.wait_for(path):
            return None
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)
        if found is not None:
            compile_notices.finished(self._py_func.__name__)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what Numba has compiled, without the source text with types beside it, which nobody asks for."""
        self._cache_file.calls = self._calls(data.library)
        super().save_overload(sig, data._replace(type_annotation=""))
        compile_notices.finished(self._py_func.__name__)

    def _calls(self, library: Any) -> list[str]:
        """Return what machine code calls by name: functions of Python, of C and of Numba's run-time."""
        return [name for name in inner_code.declared_names(library) if not name.startswith(OWN)]

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        sources = sources_of(_modules_of(self._py_func), _records_in(sig))
        return *super()._index_key(sig, codegen), digest_of(sources)


class InnerKernelCache(KernelCache):
    """The cache of a function that kernels alone call."""

    _impl_class = _InnerImpl

    def _calls(self, library: Any) -> list[str]:
        return []  # it is only loaded to be compiled into something

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return *super()._index_key(sig, codegen), "inner"


def _modules_of(function: Any) -> Iterator[str]:
    """Yield the module of a function, and those of the functions that it was made with."""
    yield function.__module__
    for cell in function.__closure__ or ():
        inner = getattr(cell.cell_contents, "py_func", cell.cell_contents)
        if isinstance(inner, FunctionType):
            yield from _modules_of(inner)


def _records_in(signature: Any) -> Iterator[type]:
    """Yield the NamedTuple classes among Numba's types of the arguments, those within others too."""
    if isinstance(signature, types.BaseNamedTuple):
        yield signature.instance_class
    parts = signature if isinstance(signature, tuple | list) else getattr(signature, "types", ())
    for part in (*parts, *((signature.type,) if isinstance(signature, types.Optional) else ())):
        yield from _records_in(part)
