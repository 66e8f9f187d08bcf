"""Work on all cores: pieces of it on a pool of threads, results in the order of the pieces.

The kernels release the GIL, so threads really run at once, and any number of Python threads may do so together.
(Numba's own parallel loops abort the process then, where their threading library is the built-in one.)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, TypeVar

from tumble.errors import OptionError
from tumble.locks import new_lock

Result = TypeVar("Result")

_pool: ThreadPoolExecutor | None = None
_lock = new_lock()


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """Return the number of threads that a user asks for; None means all cores."""
    if threads is None:
        return usable_cores()
    if isinstance(threads, bool) or not hasattr(threads, "__index__") or int(threads) < 1:
        raise OptionError(f"threads must be a whole number from 1, or None for all cores, not {threads!r}")
    return min(int(threads), _pool_size() + 1)  # more never run at a time, but buffers would be made for each


def run_pieces(work: Callable[[int], Result], pieces: int, threads: int) -> list[Result]:
    """Return [work(0), …, work(pieces - 1)], at most `threads` of them running at a time, the caller's included."""
    if threads == 1 or pieces <= 1:
        return [work(piece) for piece in range(pieces)]
    results: list[Any] = [None] * pieces
    numbers = count()  # next() is atomic

    def run() -> None:
        while (piece := next(numbers)) < pieces:
            results[piece] = work(piece)

    others = [_shared_pool().submit(run) for _ in range(min(threads, pieces) - 1)]
    try:
        run()
    finally:
        numbers = count(pieces)  # after an error here, the others stop at their next piece
        errors = [error for other in others if not other.cancel() and (error := other.exception()) is not None]
    if errors:
        raise errors[0]
    return results


def _pool_size() -> int:
    return max(32, usable_cores())


def _shared_pool() -> ThreadPoolExecutor:
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max_workers=_pool_size(), thread_name_prefix="tumble")
        return _pool


def _forget_pool() -> None:
    """Start anew in a forked child: threads do not survive a fork."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)
