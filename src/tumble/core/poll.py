"""`poll`: what long loops of kernels call now and then, to see whether to go on.

It costs some ten nanoseconds, so that a loop can call it every few microseconds. Only in the main thread, and only if
`INTERVAL` has passed, it asks for the GIL, which another thread may hold for some milliseconds.
"""

import sys
import time

from llvmlite import binding, ir
from numba import int64, types
from numba.core import cgutils
from numba.extending import intrinsic

from tumble.core import interrupts
from tumble.core.interrupts import (
    FIRST_SLOT,
    INTERRUPTED,
    LOOKED,
    MAIN,
    MOST_PAIRS,
    RAISED,
    SLOTS,
    STOP,
    STOPPING,
    TOO_MANY,
)
from tumble.core.jit import external
from tumble.core.simd.memory import INT32, INT64, call_symbol, int64_at, set_int64

GO_ON = 0
INTERVAL = 50_000_000
"""nanoseconds between two looks for signals"""
OFTEN = (1 << 10) - 1
"""loops look when these bits of their count of steps are zero"""
TABLE = "tumble_interrupts"
binding.add_symbol(TABLE, interrupts.address)


@intrinsic
def table_address(typing_context):
    """Return where the words of `tumble.core.interrupts` are; a symbol, as cached code knows no addresses."""

    def generate(context, builder, signature, arguments):
        table = builder.module.globals.get(TABLE)
        if table is None:
            table = ir.GlobalVariable(builder.module, INT64, TABLE)
            table.linkage = "external"
        return builder.ptrtoint(table, INT64)

    return types.int64(), generate


@intrinsic
def thread_ident(typing_context):
    """Return the number of this thread, that of `threading.get_ident`."""

    def generate(context, builder, signature, arguments):
        return call_symbol(builder, "PyThread_get_thread_ident", INT64, [])

    return types.int64(), generate


@intrinsic
def nanoseconds(typing_context):
    """Return the time of a clock that only goes forward."""

    def generate(context, builder, signature, arguments):
        if sys.platform == "win32":
            return builder.mul(call_symbol(builder, "GetTickCount64", INT64, []), INT64(1_000_000))
        place = cgutils.alloca_once(builder, ir.ArrayType(INT64, 2))
        moment = builder.bitcast(place, INT64.as_pointer())
        call_symbol(builder, "clock_gettime", INT32, [INT32(time.CLOCK_MONOTONIC), moment])
        seconds, rest = (builder.load(builder.gep(moment, [INT32(k)])) for k in range(2))
        return builder.add(builder.mul(seconds, INT64(1_000_000_000)), rest)

    return types.int64(), generate


@intrinsic
def run_handlers(typing_context, place):
    """Let Python run its signal handlers; put aside at an address what they raise. Return whether they did."""

    def generate(context, builder, signature, arguments):
        state = call_symbol(builder, "PyGILState_Ensure", INT32, [])
        answer = call_symbol(builder, "PyErr_CheckSignals", INT32, [])
        raised = builder.icmp_signed("!=", answer, INT32(0))
        with builder.if_then(raised):
            parts = [
                builder.inttoptr(builder.add(arguments[0], INT64(8 * k)), cgutils.voidptr_t.as_pointer())
                for k in range(3)
            ]
            call_symbol(builder, "PyErr_Fetch", ir.VoidType(), parts)
        call_symbol(builder, "PyGILState_Release", ir.VoidType(), [state])
        return builder.zext(raised, INT64)

    return types.int64(types.int64), generate


@external(int64(int64))
def poll(found):
    """Return GO_ON, or why this thread is to end its loop: INTERRUPTED, or TOO_MANY for so many pairs found."""
    table = table_address()
    if found > int64_at(table, MOST_PAIRS):
        return TOO_MANY
    ident = thread_ident()
    if ident == int64_at(table, MAIN):
        if int64_at(table, RAISED) != 0:  # an outer loop comes to its turn after an inner one has ended
            return INTERRUPTED
        now = nanoseconds()
        if now - int64_at(table, LOOKED) < INTERVAL:
            return GO_ON
        set_int64(table, LOOKED, now)
        return INTERRUPTED if run_handlers(table + 8 * RAISED) != 0 else GO_ON
    if int64_at(table, STOPPING) != 0:
        for slot in range(SLOTS):
            at = FIRST_SLOT + 2 * slot
            if int64_at(table, at) == ident:
                job = int64_at(table, at + 1)
                if job != 0 and int64_at(job, 0) & STOP != 0:
                    return INTERRUPTED
    return GO_ON
