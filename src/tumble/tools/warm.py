"""Kernels before they are needed: questions of every kind, asked in as many processes as there are cores.

One thread of a process compiles at a time, so only processes use all cores. What two of them want at once is compiled
by one, for which the other waits (`tumble.core.kernel_turns`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple

from tumble.errors import InternalError

Show = Callable[[int, int, str], None]
"""called with the number of workloads that are done, that of all, and the name of one that is over"""
LONGEST_FIRST = (
    "methods", "dynamics", "check", "impact", "collide", "scene", "penetration", "robot", "distance", "points",
)  # fmt: skip


class Failure(NamedTuple):
    """A workload that did not come to its end."""

    name: str
    words: str


def warm(
    names: Sequence[str], jobs: int, environment: Mapping[str, str] | None = None, show: Show | None = None
) -> None:
    """Ask the questions of workloads in processes of their own, so many at a time."""
    order = sorted(names, key=LONGEST_FIRST.index)
    failed: list[Failure] = []
    with ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(_ask, name, environment): name for name in order}
        for done, future in enumerate(as_completed(waiting), 1):
            words = future.result()
            if words is not None:
                failed.append(Failure(waiting[future], words))
            if show is not None:
                show(done, len(order), waiting[future])
    if failed:
        raise InternalError(f"{failed[0].name} could not be compiled: {failed[0].words}")


def _ask(name: str, environment: Mapping[str, str] | None) -> str | None:
    """Run one workload; return the end of what it said if it failed."""
    command = [sys.executable, "-m", "tumble.tools.workloads", name]
    own = {**os.environ, **(environment or {}), "TUMBLE_QUIET": "1"}
    done = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stderr.strip()[-2000:]
