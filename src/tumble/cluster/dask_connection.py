"""A Dask client as a connection: this file and `dask_start` are the only ones that know Dask."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tumble.cluster.protocol import Connection, Outcome, Task
from tumble.errors import ClusterError, OptionError, TumbleError

if TYPE_CHECKING:
    from distributed import Client, Future

ANSWER_SECONDS = 15
"""to wait for a scheduler that should answer at once"""
NEWS_SECONDS = 5
"""to wait for what takes its time, as large results do, between two looks whether the scheduler answers"""
CLOSE_SECONDS = 5


class DaskConnection(Connection):
    """The cluster of a Dask client."""

    def __init__(self, client: Client, started: Sequence[Any] = ()) -> None:
        if getattr(client, "asynchronous", False):
            raise OptionError("client= must be a Dask client for blocking calls, made with asynchronous=False")
        self.client, self._started = client, tuple(started)
        scheduler = getattr(client, "scheduler", None)
        self.address = str(getattr(scheduler, "address", "of a client that is closed"))

    def threads(self) -> dict[str, int]:
        """Return how many tasks each worker runs at a time, by the address of the worker."""
        with self._explained():
            found = self.client.sync(self._scheduler().ncores, callback_timeout=ANSWER_SECONDS)
        return {str(address): int(count) for address, count in found.items()}

    def everywhere(self, function: Callable[[], Any], workers: Sequence[str]) -> dict[str, Any]:
        """Call a function on some workers; return what it returned, or the error that it raised, by address."""
        with self._explained():
            asked = functools.partial(self.client.run, function, workers=list(workers), on_error="return")
            return dict(asked())

    def share(self, item: Any) -> Any:
        """Send an item to all workers and return a handle, which stands for it among the arguments of tasks."""
        with self._explained():
            return self._wait(self.client.scatter(item, broadcast=True, hash=False, asynchronous=True))

    def submit(self, function: Callable[..., Any], arguments: tuple[Any, ...], done: SimpleQueue[Task]) -> Task:
        """Have a worker call a function that does not return None; its task is put into the queue at its end."""
        return self._submit(function, arguments, done)

    def submit_to(
        self, worker: str, function: Callable[..., Any], arguments: tuple[Any, ...], done: SimpleQueue[Task]
    ) -> Task:
        """Have one worker call a function; another one if that is gone."""
        return self._submit(function, arguments, done, workers=[worker], allow_other_workers=True)

    def _submit(self, function: Any, arguments: Any, done: SimpleQueue[Task], **where: Any) -> Task:
        with self._explained():
            key = f"tumble-{function.__name__}-{uuid4().hex}"
            future = self.client.submit(function, *arguments, key=key, pure=False, **where)
            future.add_done_callback(done.put)
            return future

    def outcomes(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Return what came of tasks that are over, and forget them."""
        futures: list[Future] = list(tasks)  # type: ignore[arg-type]
        good = {each.key: each for each in futures if each.status == "finished"}
        with self._explained():
            values = self._wait(self.client.gather(good, errors="skip", asynchronous=True)) if good else {}
        answers = [(each, values.get(each.key)) for each in futures]  # None: lost since it was finished
        return [self._failed(each) if value is None else Outcome(each, value) for each, value in answers]

    def _failed(self, future: Future) -> Outcome:
        if future.status in ("cancelled", "lost", "pending"):
            trouble = self.trouble()
            error = ClusterError(trouble) if trouble else CancelledError(str(future.key))
            return Outcome(future, error=error, lost=trouble is None)
        error = future.exception(timeout=ANSWER_SECONDS) or ClusterError(f"a task ended as {future.status!r}")
        return Outcome(future, error=error, lost=isinstance(error, CancelledError))

    def cancel(self, tasks: Sequence[Task]) -> None:
        """Give tasks up; those that run go on to their end, and nobody hears of them. Never raises."""
        if tasks and self.client.status == "running":
            with contextlib.suppress(Exception):
                self._begun(self.client.cancel(list(tasks), asynchronous=True, force=True)).result(CLOSE_SECONDS)

    def trouble(self) -> str | None:
        """Return why nothing more can be expected of the scheduler, or None."""
        if self.client.status != "running":
            return f"the scheduler {self.address} is gone"
        try:
            self.threads()
        except ClusterError as error:
            return str(error)
        return None

    def close(self) -> None:
        """Leave the cluster; what was started with the connection ends. Never raises."""
        with contextlib.suppress(Exception):
            self.client.close(timeout=CLOSE_SECONDS)
        for each in self._started:
            with contextlib.suppress(Exception):
                each.close(timeout=CLOSE_SECONDS)

    def _wait(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Wait for something of Dask as long as the scheduler answers."""
        waiting = self._begun(coroutine)
        try:
            while True:
                with contextlib.suppress(concurrent.futures.TimeoutError):
                    return waiting.result(NEWS_SECONDS)
                if waiting.done():
                    return waiting.result()
                self.threads()
        finally:
            waiting.cancel()

    def _begun(self, coroutine: Coroutine[Any, Any, Any]) -> concurrent.futures.Future[Any]:
        loop: Any = self.client.loop
        return asyncio.run_coroutine_threadsafe(coroutine, loop.asyncio_loop)

    def _scheduler(self) -> Any:
        if self.client.status == "closed":
            raise ClusterError("the client of the cluster is closed; make a new one")
        if self.client.status != "running" or self.client.scheduler is None:
            raise ClusterError(f"the scheduler {self.address} is gone")
        return self.client.scheduler

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say what it means when Dask cannot reach its scheduler."""
        try:
            yield
        except TumbleError:
            raise
        except Exception as error:
            if self.client.status == "running" and not isinstance(error, OSError):  # TimeoutError is one
                raise ClusterError(f"the scheduler {self.address} refuses: {error or type(error).__name__}") from error
            reason = str(error) or type(error).__name__
            raise ClusterError(f"the scheduler {self.address} does not answer any more: {reason}") from error


def is_dask_client(given: Any) -> bool:
    """Tell whether something is a Dask client, without importing Dask."""
    kinds = type(given).__mro__
    return any(kind.__name__ == "Client" and (kind.__module__ or "").startswith("distributed.") for kind in kinds)
