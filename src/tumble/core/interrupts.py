"""Calls that end early: what kernels look at while they run, and what Python raises once they have returned.

A signal handler that raises (Ctrl-C does) can only run between two steps of Python, and kernels have none. So long
loops call `tumble.core.poll.poll` now and then. In the main thread it lets Python run its handlers; what they raise is
put aside here, the kernel returns early, and `check` raises it where the kernel was called. Threads of the pool look
whether their job is being ended (see `tumble.core.pool`), and then `check` raises `Stopped` in them.

All of this is a table of words that compiled code knows by its address.
"""

import ctypes
import os
import threading
from _thread import get_ident
from array import array
from contextlib import suppress

from tumble.errors import InternalError

MAIN = 0
"""the main thread, the only one in which Python runs signal handlers"""
LOOKED = 1
"""when it last let them run, in nanoseconds"""
MOST_PAIRS = 2
"""how many pairs a query may find: see `tumble.limits`"""
RAISED = 3
"""what a handler raised, put aside: three addresses, as PyErr_Fetch gives them; zero when there is none"""
STOPPING = 6
"""how many jobs are being ended right now"""
CLOCK = 7
"""a lock that nobody ever gives back: waiting for it with a time limit is the one way to sleep on all systems"""
FIRST_SLOT = 8
"""two words for each thread of the pool: its number, and the address of the job that it works for"""
SLOTS = 256
WORDS = FIRST_SLOT + 2 * SLOTS

RUNNING = (1 << 32) - 1
"""the part of a job's word that counts the threads of the pool that work for it"""
CLOSED = 1 << 32
"""no other thread may join in"""
STOP = 1 << 33
"""those that did are to end early"""

# A compiled query returns how many pairs it found, or one of these.
REFUSED = -1
"""an argument that the query does not know: not a plain array, not a rigid motion, not a tree"""
INTERRUPTED = -2
"""the call is to end: `check` raises what it ends with"""
TOO_MANY = -3
"""more pairs than `tumble.limits` allows"""
NO_MEMORY = -4
COUNTED = 5
"""words at the front of a buffer of pairs: blocks compared, boxes that overlapped, pairs of leaves, pairs of triangles,
and pairs of boxes tested where that is not eight per block"""

words = array("q", bytes(8 * WORDS))
address = words.buffer_info()[0]


class Stopped(BaseException):
    """Raised in a thread of the pool whose job is being ended; it never leaves the pool."""


def check() -> None:
    """Raise what a kernel returned early for, if this thread is to end its call."""
    ident = get_ident()
    if ident == words[MAIN]:
        if words[RAISED]:
            raised = words[RAISED : RAISED + 3]
            words[RAISED] = 0
            _raise(*raised)
        return
    for slot in range(FIRST_SLOT, WORDS, 2):
        if words[slot] == ident:
            job = words[slot + 1]
            if job and ctypes.c_int64.from_address(job).value & STOP:
                raise Stopped


def count_of(answer: int) -> int:
    """Return the number of pairs that a compiled query found; anything else is not an answer, and raises."""
    if answer >= 0:
        return answer
    raise InternalError(f"a query refused arguments that had been checked (code {answer}); please report this")


def forget() -> None:
    """Forget what a handler raised, when what another one raised has taken its place."""
    with suppress(BaseException):
        check()


# Python's own function, called with the GIL held: ctypes then raises what it has set.
_raise = ctypes.pythonapi.PyErr_Restore
_raise.argtypes = [ctypes.c_void_p] * 3
_raise.restype = None


def _sleeping_lock() -> int:
    """Return a lock of the C interface that is taken, and stays so."""
    allocate, acquire = ctypes.pythonapi.PyThread_allocate_lock, ctypes.pythonapi.PyThread_acquire_lock
    allocate.argtypes, allocate.restype = [], ctypes.c_void_p
    acquire.argtypes, acquire.restype = [ctypes.c_void_p, ctypes.c_int], ctypes.c_int
    lock = allocate()
    if not lock:
        raise MemoryError("no memory for a lock")
    acquire(lock, 0)
    return int(lock)


def _begin() -> None:
    """Fill the table; anew in a forked child, whose only thread is its main thread."""
    for place in range(WORDS):
        if place != MOST_PAIRS:
            words[place] = 0
    words[MAIN] = threading.main_thread().ident or 0
    words[CLOCK] = _sleeping_lock()


_begin()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin)
