"""A second process that compiles from the other end, while a command waits for its kernels.

One thread of a process compiles at a time. What both need at once is compiled by one of them, and the other waits for
it (`tumble.core.kernel_turns`). So the command finds compiled what it would have come to later.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tumble.core import compile_notices, kernel_bundle
from tumble.core.kernel_place import none_kept_yet
from tumble.core.parallel import usable_cores

SWITCH = "TUMBLE_COMPILERS"
"""the environment variable that says how many processes may compile for a command: 1 or 2"""
FEW = 2
"""kernels for which no process is started: it takes as long to begin"""


@contextmanager
def compiled_beside(workload: str) -> Iterator[None]:
    """Have another process compile the kernels of a workload.

    It begins at once where no kernels are on disk, else when this process has had to compile some.
    """
    processes: list[subprocess.Popen[bytes]] = []

    def listen(_: str | None, compiled: int) -> None:
        if compiled - before >= FEW and not processes and _may_start():
            processes.append(_start(workload))

    before = compile_notices.compiled()
    try:
        if _wanted() and none_kept_yet() and kernel_bundle.lookup().bundle is None:
            processes.append(_start(workload))
        with compile_notices.show_in(listen):
            yield
    finally:
        for process in processes:
            process.kill()  # files of kernels appear whole or not at all
            process.wait()


def _wanted() -> bool:
    return os.environ.get(SWITCH, "2") != "1" and usable_cores() > 1


def _may_start() -> bool:
    from tumble.core.kernel_cache import cache_folder

    return _wanted() and cache_folder() is not None


def _start(workload: str) -> subprocess.Popen[bytes]:
    nowhere = subprocess.DEVNULL
    command = [sys.executable, "-m", "tumble.tools.workloads", workload]
    own = {**os.environ, "TUMBLE_QUIET": "1"}
    return subprocess.Popen(command, env=own, stdin=nowhere, stdout=nowhere, stderr=nowhere)
