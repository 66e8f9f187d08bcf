"""Locks that a forked child can take: whoever held them in the parent is not there to give them back.

Two kinds of locks are not ours: those of modules that a thread is importing, and that of Numba's compiler. The first
query loads kernels, and holds both for seconds. What a child would find is half of a module, so a fork waits until the
module is whole; it holds the compiler's lock meanwhile, for itself and for the child.
"""

import concurrent.futures.thread
import importlib
import logging
import os
import sys
import threading
import time
import weakref
from typing import Any

_locks: weakref.WeakSet[Any] = weakref.WeakSet()
_held = threading.local()
LONGEST_WAIT = 60.0
STEP = 0.005
"""seconds"""


def new_lock() -> threading.RLock:
    """Return a lock that is free again in a forked child."""
    lock = threading.RLock()
    _locks.add(lock)
    return lock


def _free_all() -> None:
    for lock in list(_locks):
        lock._at_fork_reinit()


def _importers() -> set[int]:
    """Return the threads that are importing; a module's lock is there from before its file is looked for."""
    # importlib has no public way to ask; where it keeps its locks otherwise, nobody is waited for
    references = list(getattr(getattr(importlib, "_bootstrap", None), "_module_locks", {}).values())
    owners = [getattr(reference(), "owner", None) for reference in references]
    return {owner for owner in owners if owner is not None}


def _wait_for_loading() -> None:
    """Wait until no other thread loads kernels, and keep it so; not forever, for it may need what this one holds."""
    end = time.monotonic() + LONGEST_WAIT
    while threading.get_ident() not in _importers():  # it need not wait for itself
        numba = sys.modules.get("numba.core.compiler_lock")
        lock = getattr(getattr(numba, "global_compiler_lock", None), "_lock", None)
        held = lock is not None and lock.acquire(timeout=max(end - time.monotonic(), 0.0))
        if not _importers() or time.monotonic() > end:
            _held.lock = lock if held else None
            return
        if lock is not None and held:  # who imports may need it
            lock.release()
        time.sleep(STEP)


def _go_on() -> None:
    """Give the compiler's lock back, in the parent and in the child."""
    lock, _held.lock = getattr(_held, "lock", None), None
    if lock is not None:
        lock.release()


# Before a fork, hooks run from the last one registered to the first, and these two take locks that loading needs.
_REGISTERED_BEFORE = (logging, concurrent.futures.thread)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_wait_for_loading, after_in_parent=_go_on, after_in_child=_go_on)
    os.register_at_fork(after_in_child=_free_all)
