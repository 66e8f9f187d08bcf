"""Jobs on a pool of threads, which are over when they return, whatever a signal handler raises and when.

    a job is a number of pieces; the caller and threads of the pool draw from them until there are none
    at the end, or when anything is raised: `settle` tells the threads to end early, and waits until all have

Threads write into arrays of the caller, so none may be left when the caller's arrays are freed. Waiting in Python will
not do: a second signal could raise amid it. `settle` is one call of compiled code; between an exception and the call in
a `finally` clause, and within it, Python runs no handler. What arrives meanwhile is raised after it.

A job is known to compiled code by the address of its word: how many threads of the pool work for it, and whether they
may go on; see `tumble.core.interrupts` for its parts. It is changed without the GIL.
"""

from _thread import allocate_lock, start_new_thread
from array import array
from collections.abc import Callable
from itertools import count
from queue import SimpleQueue
from typing import Any

import numpy as np
from numba import int32, int64, types

from tumble.core.interrupts import CLOCK, CLOSED, FIRST_SLOT, RUNNING, SLOTS, STOP, STOPPING, Stopped, check, words
from tumble.core.jit import direct_call
from tumble.core.poll import table_address, thread_ident
from tumble.core.simd.memory import int64_at, ordered_add, ordered_exchange, ordered_set_bits, set_int64
from tumble.core.simd.objects import release_gil, take_gil

SECONDS = 0.05
"""between two looks whether a call that waits is part of a job that is being ended"""
NAP = 100
"""microseconds"""
nap = types.ExternalFunction("PyThread_acquire_lock_timed", int32(int64, int64, int32))
"""waits for a lock that nobody gives back; no signal handler runs meanwhile, and no signal ends it"""


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
        nap(int64_at(table, CLOCK), NAP, np.int32(0))
    take_gil(state)
    ordered_add(table, STOPPING, np.int64(-1))
    return 1


class Job:
    """Pieces of work, and what came of them."""

    def __init__(self, work: Callable[[int], Any], pieces: int) -> None:
        self.state = array("q", [0])
        """see `tumble.core.interrupts.RUNNING`"""
        self.address = self.state.buffer_info()[0]
        self.work, self.pieces = work, pieces
        self.numbers = count()  # next() is atomic
        self.results: list[Any] = [None] * pieces
        self.errors: list[BaseException] = []
        self.idle = allocate_lock()
        """free once the job is closed and the last thread of the pool has left it"""
        self.idle.acquire()

    def run(self) -> None:
        """Do pieces until there are none."""
        while (piece := next(self.numbers)) < self.pieces:
            if words[STOPPING]:
                check()
            self.results[piece] = self.work(piece)

    def help(self, slot: int) -> None:
        """Do pieces in a thread of the pool, if the job still takes any."""
        if not enter(self.address, slot):
            return
        try:
            self.run()
        except Stopped:
            pass
        except BaseException as error:
            self.errors.append(error)
            self.numbers = count(self.pieces)  # the others stop at their next piece
        finally:
            if leave(self.address, slot):
                self.idle.release()


class Pool:
    """Threads that wait for jobs; they are started when they are wanted, and end with the process."""

    def __init__(self, size: int) -> None:
        self.jobs: SimpleQueue[Job] = SimpleQueue()
        self.free_slots = list(range(min(size, SLOTS)))
        self.waiting: list[None] = []
        """an entry for each thread that has nothing to do; lists are atomic"""

    def offer(self, job: Job, helpers: int) -> None:
        """Let so many threads know of a job; where none can be started, the caller does its pieces alone."""
        for _ in range(min(helpers - len(self.waiting), len(self.free_slots))):
            try:
                start_new_thread(self._serve, ())
            except RuntimeError:
                break
        for _ in range(helpers):
            self.jobs.put(job)

    def _serve(self) -> None:
        try:
            slot = self.free_slots.pop()
        except IndexError:
            return
        while True:
            self.waiting.append(None)
            job = self.jobs.get()
            self.waiting.pop()
            job.help(slot)
            del job  # what it holds is not kept while waiting for the next


def run_together(pool: Pool, work: Callable[[int], Any], pieces: int, helpers: int) -> list[Any]:
    """Return [work(0), …, work(pieces - 1)], done by the caller and at most so many threads of the pool."""
    job = Job(work, pieces)
    address = job.address
    try:
        pool.offer(job, helpers)
        job.run()
        if close(address):
            while not job.idle.acquire(timeout=SECONDS):
                if words[STOPPING]:
                    check()
    finally:
        settle(address)  # nothing may stand before this call: see above
    del job.work  # jobs that no thread had time for still wait in the queue
    if job.errors:
        raise job.errors[0]
    return job.results
