"""The word of a job: how many threads of the pool work for it, and whether they may go on; changed without the GIL.

All functions take the address of the word; see `tumble.core.interrupts` for its parts.
"""

import numpy as np
from numba import int64, types
from numba.core import cgutils
from numba.extending import intrinsic

from tumble.core.interrupts import CLOCK, CLOSED, FIRST_SLOT, RUNNING, STOP, STOPPING
from tumble.core.jit import direct_call
from tumble.core.poll import table_address, thread_ident
from tumble.core.simd.atomics import ordered_add, ordered_exchange, ordered_set_bits
from tumble.core.simd.memory import INT32, call_symbol, int64_at, set_int64
from tumble.core.simd.objects import release_gil, take_gil

NAP = 100
"""microseconds"""


@intrinsic
def nap(typing_context, lock, microseconds):
    """Wait for a lock that nobody gives back; no signal handler runs meanwhile, and no signal ends it."""

    def generate(context, builder, signature, arguments):
        pointer = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        call_symbol(builder, "PyThread_acquire_lock_timed", INT32, [pointer, arguments[1], INT32(0)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@direct_call(int64(int64, int64))
def enter(job, slot):
    """Join a job, unless it is closed, as the thread of the pool in this slot; return whether that is so."""
    while True:
        before = int64_at(job, 0)
        if before & CLOSED != 0:
            return 0
        if ordered_exchange(job, 0, before, before + 1) != 0:
            break
    table = table_address()
    set_int64(table, FIRST_SLOT + 2 * slot + 1, job)
    set_int64(table, FIRST_SLOT + 2 * slot, thread_ident())
    return 1


@direct_call(int64(int64, int64))
def leave(job, slot):
    """Leave a job; return whether this was the last thread of a job that is closed."""
    table = table_address()
    set_int64(table, FIRST_SLOT + 2 * slot, 0)
    set_int64(table, FIRST_SLOT + 2 * slot + 1, 0)
    after = ordered_add(job, 0, np.int64(-1)) - 1
    return 1 if after & CLOSED != 0 and after & RUNNING == 0 else 0


@direct_call(int64(int64))
def close(job):
    """Let no other thread join; return how many have joined and not yet left."""
    return ordered_set_bits(job, 0, CLOSED) & RUNNING


@direct_call(int64(int64))
def settle(job):
    """Close a job, tell its threads to end early, and wait until all have left."""
    if ordered_set_bits(job, 0, CLOSED | STOP) & RUNNING == 0:
        return 0
    table = table_address()
    ordered_add(table, STOPPING, np.int64(1))
    state = release_gil()
    while int64_at(job, 0) & RUNNING != 0:
        nap(int64_at(table, CLOCK), NAP)
    take_gil(state)
    ordered_add(table, STOPPING, np.int64(-1))
    return 1
