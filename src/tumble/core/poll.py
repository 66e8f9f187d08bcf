"""`poll`: what long loops of kernels call now and then, to see whether to go on.

It costs some ten nanoseconds, so that a loop can call it every few microseconds. Only in the main thread, and only if
`INTERVAL` has passed, it asks for the GIL, which another thread may hold for some milliseconds.
"""

import sys
import time

import numpy as np
from llvmlite import binding, ir
from numba import int32, int64, types

from tumble.core import interrupts
from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import INT64, instruction, int64_at, set_int64
from tumble.core.simd.stack_memory import scratch

GO_ON = 0
INTERVAL = 50_000_000
"""nanoseconds between two looks for signals"""
OFTEN = (1 << 10) - 1
"""loops look when these bits of their count of steps are zero"""
TABLE = "tumble_interrupts"
binding.add_symbol(TABLE, interrupts.address)


# Functions of C, with addresses as int64.
thread_ident = types.ExternalFunction("PyThread_get_thread_ident", int64())
"""returns the number of this thread, that of `threading.get_ident`"""
_take_gil = types.ExternalFunction("PyGILState_Ensure", int32())
_give_gil_back = types.ExternalFunction("PyGILState_Release", types.void(int32))
_run_handlers = types.ExternalFunction("PyErr_CheckSignals", int32())
_put_aside = types.ExternalFunction("PyErr_Fetch", types.void(int64, int64, int64))


@instruction(int64())
def table_address(builder):
    """Return where the words of `tumble.core.interrupts` are; a symbol, as cached code knows no addresses."""
    table = builder.module.globals.get(TABLE)
    if table is None:
        table = ir.GlobalVariable(builder.module, INT64, TABLE)
        table.linkage = "external"
    return builder.ptrtoint(table, INT64)


if sys.platform == "win32":
    _milliseconds = types.ExternalFunction("GetTickCount64", int64())

    @inlined_kernel
    def nanoseconds():
        """Return the time of a clock that only goes forward."""
        return _milliseconds() * 1_000_000

else:
    _read_clock = types.ExternalFunction("clock_gettime", int32(int32, int64))
    CLOCK = np.int32(time.CLOCK_MONOTONIC)

    @inlined_kernel
    def nanoseconds():
        """Return the time of a clock that only goes forward."""
        moment = scratch(2)
        _read_clock(CLOCK, moment)
        return int64_at(moment, 0) * 1_000_000_000 + int64_at(moment, 1)


@inlined_kernel
def run_handlers(place):
    """Let Python run its signal handlers; put aside at an address what they raise. Return whether they did."""
    state = _take_gil()
    raised = _run_handlers()
    if raised != 0:
        _put_aside(place, place + 8, place + 16)
    _give_gil_back(state)
    return raised != 0


@external(int64(int64))
def poll(found):
    """Return GO_ON, or why this thread is to end its loop: INTERRUPTED, or TOO_MANY for so many pairs found."""
    table = table_address()
    if found > int64_at(table, interrupts.MOST_PAIRS):
        return interrupts.TOO_MANY
    ident = thread_ident()
    if ident == int64_at(table, interrupts.MAIN):
        if int64_at(table, interrupts.RAISED) != 0:  # an outer loop comes to its turn after an inner one has ended
            return interrupts.INTERRUPTED
        # the clock first: where another thread holds the GIL, asking for it takes milliseconds
        now = nanoseconds()
        if now - int64_at(table, interrupts.LOOKED) < INTERVAL:
            return GO_ON
        # before the handlers run: one that calls Tumble itself would otherwise come to this place at its every poll
        set_int64(table, interrupts.LOOKED, now)
        return interrupts.INTERRUPTED if run_handlers(table + 8 * interrupts.RAISED) else GO_ON
    # STOPPING is zero nearly always: only while a job is being ended do threads look for their own among all slots
    if int64_at(table, interrupts.STOPPING) != 0:
        for slot in range(interrupts.SLOTS):
            at = interrupts.FIRST_SLOT + 2 * slot
            if int64_at(table, at) == ident:
                job = int64_at(table, at + 1)
                if job != 0 and int64_at(job, 0) & interrupts.STOP != 0:
                    return interrupts.INTERRUPTED
    return GO_ON
