"""Bounds on memory and time, and a guard of the standard streams.

What asks for more memory gets a MemoryError, which is a failure unless it is turned into an error of ours. What takes
too long gets a TooLong, at the latest when it returns to Python. Standard input, output and errors must stay open.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


@contextmanager
def memory_limit(extra: int) -> Iterator[None]:
    """Let this process have so many bytes more than it has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else None
    if pages is None:  # no way to know what there is already
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + extra, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


class TooLong(BaseException):
    """More time than what was asked can need; not an Exception, which might be caught on the way."""


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TooLong


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooLong when the body takes longer; for the main thread."""
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def streams_kept() -> Iterator[None]:
    """Raise AssertionError when the body closes or changes a standard stream, and mend it."""
    kept = {number: os.dup(number) for number in range(3)}
    try:
        yield
        changed = [number for number, copy in kept.items() if not _same(number, copy)]
        if changed:
            raise AssertionError(f"standard streams {changed} were closed or changed")
    finally:
        for number, copy in kept.items():
            os.dup2(copy, number)
            os.close(copy)


def _same(number: int, copy: int) -> bool:
    try:
        return os.path.samestat(os.fstat(number), os.fstat(copy))
    except OSError:
        return False
