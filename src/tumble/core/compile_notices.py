"""Says when kernels are being compiled, which takes about a minute where a user expects microseconds.

The first kernel of a process that has to be compiled is announced on the logger "tumble", once, at level WARNING: with
logging left as it is, that is one line on stderr. Switch it off or lead it elsewhere as any other message:

    logging.getLogger("tumble").setLevel(logging.ERROR)      # or TUMBLE_QUIET=1 in the environment

At level INFO the logger also tells what was compiled and how long it took. A program with a display of its own listens
instead (`show_in`), and nothing is logged meanwhile: the command line does.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOGGER = logging.getLogger("tumble")

Listener = Callable[[str | None, int], None]
"""Called with the name of the kernel that is being compiled, None when it is done, and the number compiled so far."""

_under_way: list[tuple[str, float]] = []
"""kernels and when they were begun; a kernel compiles those that it calls, which come after it"""
_listeners: list[Listener] = []
_compiled = 0
_announced = False


def is_quiet() -> bool:
    """Tell whether the environment asks for silence: TUMBLE_QUIET is set, and not to 0."""
    return os.environ.get("TUMBLE_QUIET", "0") not in ("", "0")


@contextmanager
def show_in(listener: Listener) -> Iterator[None]:
    """Tell a listener about kernels instead of the logger."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def compiled() -> int:
    """Return how many kernels this process has compiled so far."""
    return _compiled


def started(name: str, kept_in: Path | None) -> None:
    """Note that a kernel is not on disk and is being compiled; `kept_in` is where it will be, None for nowhere.

    Called with Numba's compiler lock held, as `finished` is: there is one compilation at a time.
    """
    _under_way.append((name, time.perf_counter()))
    if _listeners:
        _tell_listeners(name)
    else:
        _announce(kept_in)


def finished(name: str) -> None:
    """Note that a kernel is compiled."""
    global _compiled
    names = [each for each, _ in _under_way]
    if name not in names:
        return
    at = names.index(name)
    seconds = time.perf_counter() - _under_way[at][1]
    # what began later and has not ended was given up: Numba tries some types in vain
    del _under_way[at:]
    _compiled += 1
    if _listeners:
        _tell_listeners(names[at - 1] if at else None)
    elif not at:
        LOGGER.info("compiled %s in %.1f s", name, seconds)


def _tell_listeners(name: str | None) -> None:
    for listener in tuple(_listeners):
        listener(name, _compiled)


def _announce(kept_in: Path | None) -> None:
    """Log what is going on, the first time."""
    global _announced
    if _announced or is_quiet():
        return
    _announced = True
    later = "later ones take them from disk"
    if kept_in is None:
        later = "they cannot be kept, so every process compiles anew (`tumble info` says why)"
    LOGGER.warning("tumble is compiling kernels: the first use of each method takes about a minute, %s", later)
