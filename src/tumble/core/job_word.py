"""The word of a job: how many threads of the pool work for it, and whether they may go on; changed without the GIL.

All functions take the address of the word; see `tumble.core.interrupts` for its parts.
"""

from typing import Any

import numpy as np
from numba import int64, types
from numba.core import cgutils
from numba.extending import intrinsic

from tumble.core.interrupts import CLOCK, CLOSED, FIRST_SLOT, RUNNING, STOP, STOPPING
from tumble.core.jit import door
from tumble.core.poll import INT32, _call, table_address, thread_ident
from tumble.core.simd.memory import INT64, int64_at, set_int64
from tumble.core.simd.objects import release_gil, take_gil

NAP = 100
"""microseconds"""


def _changed(operation: str) -> Any:
    """Make a function that changes the word at an address undivided, and returns what was there before."""

    @intrinsic
    def change(typing_context, address, value):
        def generate(context, builder, signature, arguments):
            place = builder.inttoptr(arguments[0], INT64.as_pointer())
            return builder.atomic_rmw(operation, place, arguments[1], "seq_cst")

        return types.int64(types.int64, types.int64), generate

    return change


add_to, set_bits = _changed("add"), _changed("or")


@intrinsic
def exchange(typing_context, address, expected, value):
    """Write a value if the word at an address is the expected one; return whether it was."""

    def generate(context, builder, signature, arguments):
        place = builder.inttoptr(arguments[0], INT64.as_pointer())
        both = builder.cmpxchg(place, arguments[1], arguments[2], "seq_cst", "seq_cst")
        return builder.zext(builder.extract_value(both, 1), INT64)

    return types.int64(types.int64, types.int64, types.int64), generate


@intrinsic
def nap(typing_context, lock, microseconds):
    """Wait for a lock that nobody gives back; no signal handler runs meanwhile, and no signal ends it."""

    def generate(context, builder, signature, arguments):
        pointer = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        _call(builder, "PyThread_acquire_lock_timed", INT32, [pointer, arguments[1], INT32(0)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@door(int64(int64, int64))
def enter(job, slot):
    """Join a job, unless it is closed, as the thread of the pool in this slot; return whether that is so."""
    while True:
        before = int64_at(job, 0)
        if before & CLOSED != 0:
            return 0
        if exchange(job, before, before + 1) != 0:
            break
    table = table_address()
    set_int64(table, FIRST_SLOT + 2 * slot + 1, job)
    set_int64(table, FIRST_SLOT + 2 * slot, thread_ident())
    return 1


@door(int64(int64, int64))
def leave(job, slot):
    """Leave a job; return whether this was the last thread of a job that is closed."""
    table = table_address()
    set_int64(table, FIRST_SLOT + 2 * slot, 0)
    set_int64(table, FIRST_SLOT + 2 * slot + 1, 0)
    after = add_to(job, np.int64(-1)) - 1
    return 1 if after & CLOSED != 0 and after & RUNNING == 0 else 0


@door(int64(int64))
def close(job):
    """Let no other thread join; return how many have joined and not yet left."""
    return set_bits(job, CLOSED) & RUNNING


@door(int64(int64))
def settle(job):
    """Close a job, tell its threads to end early, and wait until all have left."""
    if set_bits(job, CLOSED | STOP) & RUNNING == 0:
        return 0
    table = table_address()
    add_to(table + 8 * STOPPING, np.int64(1))
    state = release_gil()
    while int64_at(job, 0) & RUNNING != 0:
        nap(int64_at(table, CLOCK), NAP)
    take_gil(state)
    add_to(table + 8 * STOPPING, np.int64(-1))
    return 1
