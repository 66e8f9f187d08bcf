"""Of several processes that want the same kernel, the first compiles it; the others wait and load it.

A process that begins to compile a kernel locks a file beside the place where it will be, and unlocks it when the kernel
is there. The system unlocks the files of a process that ends, however it ends, so nothing can stay locked. A kernel
waits for those that it calls and never the other way round, so no two processes wait for each other. Only time depends
on a lock: one that is held for too long is not waited for, and where files cannot be locked, every process compiles.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCKED = ".compiling-"
"""what the names of locked files begin with"""
LONGEST_WAIT = 60.0
"""s; several times what the largest kernel takes"""
PAUSE = 0.01
"""s between two looks"""

_held: list[tuple[Path, int]] = []
"""files that this process has locked, for kernels and, after each, those that it calls"""


def wait_for(kernel: Path) -> bool:
    """Take the turn to compile a kernel, or wait while another process does; return whether it is there then."""
    if fcntl is None:
        return False
    end = time.monotonic() + LONGEST_WAIT
    while not _take(kernel):
        time.sleep(PAUSE)
        if kernel.exists():
            return True
        if time.monotonic() > end:
            return False
    if kernel.exists():  # since it was looked for
        end_turn(kernel)
        return True
    return False


def end_turn(kernel: Path) -> None:
    """Unlock the file of a kernel, and those of kernels begun after it, which have been given up."""
    places = [path for path, _ in _held]
    if kernel not in places:
        return
    at = places.index(kernel)
    for path, file in _held[at:]:
        with contextlib.suppress(OSError):
            _file_of(path).unlink()  # whoever waits with this file open locks it next, and finds the kernel there
        os.close(file)
    del _held[at:]


def _take(kernel: Path) -> bool:
    """Lock the file of a kernel unless another process has; True also where that is not possible at all."""
    if any(path == kernel for path, _ in _held):
        return True
    try:
        file = os.open(_file_of(kernel), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return False
    except OSError:  # the file system has no locks
        os.close(file)
        return True
    _held.append((kernel, file))
    return True


def _file_of(kernel: Path) -> Path:
    return kernel.with_name(LOCKED + kernel.name)
