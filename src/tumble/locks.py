"""Locks that a forked child can take: whoever held them in the parent is not there to give them back."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

_locks: weakref.WeakSet[Any] = weakref.WeakSet()


def new_lock() -> threading.RLock:
    """Return a lock that is free again in a forked child."""
    lock = threading.RLock()
    _locks.add(lock)
    return lock


def _free_all() -> None:
    for lock in list(_locks):
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free_all)
