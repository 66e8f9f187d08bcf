"""Work on all cores: pieces of it on a pool of threads, results in the order of the pieces.

The kernels release the GIL, so threads really run at once, and any number of Python threads may do so together.
(Numba's own parallel loops abort the process then, where their threading library is the built-in one.)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from tumble.core.locks import new_lock
from tumble.core.options import whole_number
from tumble.errors import OptionError

if TYPE_CHECKING:
    from tumble.core.pool import Pool

Result = TypeVar("Result")

_pool: Pool | None = None
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
    number = whole_number(threads)
    if number is None or number < 1:
        raise OptionError(f"threads must be a whole number from 1, or None for all cores, not {threads!r}")
    return min(number, _pool_size() + 1)  # more never run at a time, but buffers would be made for each


def run_pieces(work: Callable[[int], Result], pieces: int, threads: int) -> list[Result]:
    """Return [work(0), …, work(pieces - 1)], at most `threads` of them running at a time, the caller's included.

    No piece runs any more when this returns or raises, whatever signal handlers raise: see `tumble.core.pool`.
    """
    if threads == 1 or pieces <= 1:
        return [work(piece) for piece in range(pieces)]
    return _run_together(work, pieces, min(threads, pieces) - 1)


def _pool_size() -> int:
    return max(32, usable_cores())


def _run_together(work: Callable[[int], Result], pieces: int, helpers: int) -> list[Result]:
    from tumble.core.pool import Pool, run_together

    global _pool
    with _lock:
        if _pool is None:
            _pool = Pool(_pool_size())
        pool = _pool
    return run_together(pool, work, pieces, helpers)


def _forget_pool() -> None:
    """Start anew in a forked child: threads do not survive a fork."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)
