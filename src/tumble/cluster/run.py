"""A job on a cluster: chunks in flight, results in the order of the rows.

    workers are compared → items are shared → each worker warms up → chunks: send, collect, send again what was lost

Whatever ends the loop — the last row, an error, Ctrl-C, a reader that stops reading — cancels what is in flight.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import Any, NamedTuple

import numpy as np

from tumble.cluster.bundles import Bundles
from tumble.cluster.checkpoint import Checkpoint, Span
from tumble.cluster.chunks import Chunks
from tumble.cluster.cluster import Cluster
from tumble.cluster.greeting import check_workers, identity, own_facts
from tumble.cluster.job import Job, Part
from tumble.cluster.mapped import ItemsGone
from tumble.cluster.protocol import Outcome, Task
from tumble.cluster.task import Answer, Packet, run_chunk, warm_up
from tumble.core.limits import limits
from tumble.errors import ClusterError, OptionError, TumbleError

PATIENCE = 1.0
"""s without any news, after which the cluster is asked whether it is there"""
PAUSE = 0.1
"""s between two looks whether there are workers"""
WORKERS_PATIENCE = 30.0
"""s without any worker: one that is killed is back within a few"""
LOOK_SECONDS = 2.0
"""between two looks how many workers there are: some come later"""
WAITING = 8
"""chunks per thread that are on their way, or done and waiting for their turn: more are not begun"""
TRIES = 4
"""for a chunk whose items are lost with their workers"""
WARMING = "warming up workers"


class Sent(NamedTuple):
    """A chunk on its way."""

    span: Span
    handles: tuple[Any, ...]
    tries: int = 1


def parts_of(job: Job, cluster: Cluster) -> Iterator[Part]:
    """Yield the results of all rows of a job, in order; how they are cut into parts depends on the time they take."""
    if cluster.folder is not None and job.stored is None:
        raise OptionError("checkpoint= cannot be used for this call, whose results are not kept in files")
    if job.count == 0:
        return
    run = _Run(job, cluster)
    try:
        yield from run.parts()
    finally:
        cluster.connection.cancel(list(run.sent))


class _Run:
    """One job on its way."""

    def __init__(self, job: Job, cluster: Cluster) -> None:
        self.job, self.cluster, self.connection = job, cluster, cluster.connection
        self.done: queue.SimpleQueue[Task] = queue.SimpleQueue()
        self.sent: dict[Task, Sent] = {}
        self.ready: dict[int, Part] = {}
        self.alone_since: float | None = None
        """when it was found that there are no workers"""
        self.kept, self.left = self._checkpoint(), [(0, job.count)]
        if self.kept is not None:
            self.left = self.kept.gaps()
        self.rows_done = job.count - sum(stop - start for start, stop in self.left)
        bundles = cluster.known.bundles.of if job.lasting else Bundles
        self.bundles = bundles(job.items, cluster.store)
        self.chunks, self.looked = Chunks(job, 1, cluster.chunk_seconds, cluster.chunk_rows), time.monotonic()

    def _checkpoint(self) -> Checkpoint | None:
        if self.cluster.folder is None or self.job.stored is None:
            return None
        digests = {"Tumble": identity(), "the call": self.job.what, **self.job.stored.digests()}
        return Checkpoint(self.cluster.folder, self.job.count, digests)

    def parts(self) -> Iterator[Part]:
        """Yield all parts in order."""
        spans = dict([] if self.kept is None else self.kept.spans)
        if self.left:
            self.chunks.resize(self._begin())
        at = 0
        while at < self.job.count:
            if at in spans:
                yield self._from_disk((at, spans[at]))
                at = spans[at]
                continue
            self._send_more()
            if at in self.ready:
                part = self.ready.pop(at)
                at = part.stop
                yield part
            else:
                self._collect()

    def _from_disk(self, span: Span) -> Part:
        assert self.kept is not None
        assert self.job.stored is not None
        return Part(*span, self.job.stored.of_arrays(self.kept.read(span)))

    def _begin(self) -> int:
        """Compare all workers with this process and warm them up; return how many tasks they run at a time."""
        known, kind = self.cluster.known, f"{self.job.what} {self.job.kind}"
        threads = self.connection.threads()
        while not threads and known.checked:  # there were some: those that died are replaced within seconds
            self._look_around()
            time.sleep(PAUSE)
            threads = self.connection.threads()
        if not threads:
            raise ClusterError(f"there are no workers at the scheduler {self.connection.address}; start some")
        new = [worker for worker in threads if worker not in known.checked]
        if new:
            check_workers(self.connection, new)
            known.checked.update(new)
        self.bundles.share(self.connection)
        cold = [worker for worker in threads if (worker, kind) not in known.warm]
        start = self.left[0][0]
        for worker in cold:
            packet, handles = self._packet((start, start + 1))
            arguments = packet, *handles
            self.sent[self.connection.submit_to(worker, warm_up, arguments, self.done)] = Sent((start, start), handles)
        count = len(cold)
        while self.sent:
            self._report(WARMING, count - len(self.sent), count)
            self._collect()
        known.warm.update((worker, kind) for worker in cold)
        return sum(threads.values())

    def _packet(self, span: Span) -> tuple[Packet, tuple[Any, ...]]:
        job = self.job
        numbers = np.arange(len(job.items)) if job.needs is None else job.needs(*span)
        handles, places = self.bundles.needed(numbers)
        return Packet(job.work, job.part(*span), numbers.tolist(), places, own_facts(), limits.max_pairs), handles

    def _send_more(self) -> None:
        """Send chunks, the first rows first, as long as workers need them and there is room for results."""
        slots = self.chunks.slots if self.left else 0
        while self.left and len(self.sent) < self.chunks.ahead and len(self.sent) + len(self.ready) < WAITING * slots:
            start, end = self.left[0]
            stop = self.chunks.stop(start, end)
            self.left[:1] = [(stop, end)] if stop < end else []
            self._send((start, stop))

    def _send(self, span: Span, tries: int = 1) -> None:
        packet, handles = self._packet(span)
        self.sent[self.connection.submit(run_chunk, (packet, *handles), self.done)] = Sent(span, handles, tries)

    def _collect(self) -> None:
        """Wait until tasks are over, and take what came of them; or raise why none will be."""
        try:
            tasks = [self.done.get(timeout=PATIENCE)]
        except queue.Empty:
            self._look_around()
            return
        self.alone_since = None
        self._look_for_more()
        while not self.done.empty():
            tasks.append(self.done.get())
        for outcome in self.connection.outcomes([task for task in tasks if task in self.sent]):
            self._take(outcome, self.sent.pop(outcome.task))

    def _look_for_more(self) -> None:
        """Have as many chunks on their way as there are workers for by now; new ones compare themselves."""
        if time.monotonic() - self.looked >= LOOK_SECONDS:
            self.looked = time.monotonic()
            self.chunks.resize(sum(self.connection.threads().values()))

    def _look_around(self) -> None:
        """Raise if the scheduler is gone, or if there have been no workers for a while: dead ones may be replaced."""
        trouble = self.connection.trouble()
        if trouble is None and self.connection.threads():
            self.alone_since = None
            return
        self.alone_since = self.alone_since or time.monotonic()
        if trouble is None and time.monotonic() - self.alone_since < WORKERS_PATIENCE:
            return
        reason = trouble or f"there are no workers left at the scheduler {self.connection.address}"
        raise ClusterError(reason + self._hint())

    def _take(self, outcome: Outcome, sent: Sent) -> None:
        start, stop = sent.span
        gone = isinstance(outcome.error, ItemsGone) and self.bundles.are_gone(sent.handles)
        if (outcome.lost or gone) and sent.tries < TRIES:
            while not self.connection.threads():
                self._look_around()
                time.sleep(PAUSE)
            self.bundles.share_again(self.connection, sent.handles)
            if start < stop:
                self._send(sent.span, sent.tries + 1)
        elif outcome.error is not None:
            raise self._failure(outcome.error, sent.span) from outcome.error
        elif start < stop:
            answer: Answer = outcome.value
            size = 0 if self.job.result_bytes is None else self.job.result_bytes(answer.result)
            self.chunks.note(start, stop, answer.seconds, size)
            if self.kept is not None and self.job.stored is not None:
                self.kept.write(sent.span, self.job.stored.to_arrays(answer.result))
            self.ready[start] = Part(start, stop, answer.result)
            self.rows_done += stop - start
            self._report(self.job.what, self.rows_done, self.job.count)

    def _failure(self, error: BaseException, span: Span) -> TumbleError:
        """Return what a user sees of a chunk that has failed: an error of Tumble keeps its kind."""
        start, stop = span
        where = f"{self.job.what} {start} to {stop - 1}" if start < stop else "the first question to a worker"
        if isinstance(error, CancelledError):
            return ClusterError(f"{where}: workers were lost {TRIES} times with these; out of memory?{self._hint()}")
        if isinstance(error, ClusterError):
            return ClusterError(f"{error}{self._hint()}")
        if isinstance(error, TumbleError):
            return type(error)(f"{where}: {error}")
        return ClusterError(f"{where} failed on the cluster: {type(error).__name__}: {error}{self._hint()}")

    def _hint(self) -> str:
        if self.kept is not None:
            return f"; what was done is kept in {self.kept.folder}: ask again to go on"
        return "" if self.job.stored is None else "; with checkpoint=, what was done would be kept"

    def _report(self, what: str, done: int, total: int) -> None:
        if self.cluster.report is not None:
            self.cluster.report(what, done, total)
