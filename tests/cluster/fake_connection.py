"""A cluster without Dask: tasks run in threads of this process, in any order, and fail on demand.

What travels is pickled, so that a worker never shares an array with whoever asks.
"""

from __future__ import annotations

import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tumble.cluster.protocol import Connection, Outcome
from tumble.cluster.task import run_chunk, warm_up


class Lost:
    """A handle of items that nobody has any more."""


class FakeConnection(Connection):
    """Two workers, of two tasks each."""

    def __init__(self, workers=2, seed=0):
        self.address = "fake://scheduler"
        self.workers = {f"fake://{k}": 2 for k in range(workers)}
        self.pool, self.rng, self.lock = ThreadPoolExecutor(3), np.random.default_rng(seed), threading.Lock()
        self.results, self.chunks, self.shared, self.cancelled = {}, [], [], []
        self.facts, self.gone, self.closed = None, None, False
        self.before_chunk = lambda number, rows: None
        """called on a worker before a chunk"""

    def threads(self):
        return dict(self.workers)

    def everywhere(self, function, workers):
        return {worker: function() if self.facts is None else self.facts(function) for worker in workers}

    def share(self, item):
        self.shared.append(pickle.dumps(item))
        return [pickle.loads(self.shared[-1])]

    def submit(self, function, arguments, done):
        task = object()
        sent = pickle.dumps((function, arguments[0]))
        with self.lock:
            pause = self.rng.uniform(0.0, 0.004)
            number = len(self.chunks)
            if function is run_chunk:
                self.chunks.append(task)
        self.pool.submit(self._run, task, sent, arguments[1:], pause, number, done)
        return task

    def submit_to(self, worker, function, arguments, done):
        assert function is warm_up
        return self.submit(function, arguments, done)

    def _run(self, task, sent, handles, pause, number, done):
        time.sleep(pause)
        function, packet = pickle.loads(sent)
        lost = any(isinstance(handle[0], Lost) for handle in handles)
        try:
            if lost:
                raise RuntimeError("items are lost")
            if function is run_chunk:
                self.before_chunk(number, packet.rows)
            outcome = Outcome(task, pickle.loads(pickle.dumps(function(packet, *(handle[0] for handle in handles)))))
        except BaseException as error:
            outcome = Outcome(task, error=error, lost=lost)
        self.results[task] = outcome
        if self.gone is None:
            done.put(task)

    def outcomes(self, tasks):
        return [self.results.pop(task) for task in tasks]

    def cancel(self, tasks):
        self.cancelled += tasks

    def trouble(self):
        return self.gone

    def close(self):
        self.closed = True
        self.pool.shutdown()


def handles_of(cluster):
    """The handles of everything that a cluster has shared."""
    return [handle for bundles in cluster.known.bundles._known.values() for handle in bundles._handles]
