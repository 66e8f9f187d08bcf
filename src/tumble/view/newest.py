"""Work for the newest request only: while one is answered, newer ones replace each other, and none queues up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Newest(Generic[T]):
    """A thread that answers requests; of those that come while it is busy, it answers the last one alone.

    work   called with a request, in the thread of this object; an exception ends up in `failed`
    rest   seconds without a new request before one is answered
    failed called with what `work` raised
    """

    def __init__(
        self, work: Callable[[T], None], *, rest: float = 0.0, failed: Callable[[Exception], None] | None = None
    ) -> None:
        self._work, self._rest, self._failed = work, rest, failed
        self._changed = threading.Condition()
        self._waiting: list[T] = []
        self._due = 0.0
        self._busy = self._stopped = False
        self._thread = threading.Thread(target=self._run, daemon=True, name="tumble-view")
        self._thread.start()

    def put(self, request: T) -> None:
        """Ask; what was asked before and is not being answered yet is forgotten."""
        with self._changed:
            self._waiting = [request]
            self._due = time.monotonic() + self._rest
            self._changed.notify_all()

    def forget(self) -> None:
        """Drop what was asked and is not being answered yet."""
        with self._changed:
            self._waiting = []
            self._changed.notify_all()

    def is_stale(self) -> bool:
        """Tell whether something newer waits: the answer at hand is not wanted any more."""
        with self._changed:
            return bool(self._waiting)

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is left to do, and tell whether that is so; for tests and measurements."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._busy or self._waiting), seconds)

    def stop(self) -> None:
        """End the thread, after what it does just now."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._stopped or self._waiting)
                while not self._stopped and self._waiting and (left := self._due - time.monotonic()) > 0.0:
                    self._changed.wait(left)
                if self._stopped:
                    return
                if not self._waiting:
                    continue
                request, self._waiting, self._busy = self._waiting[0], [], True
            try:
                self._work(request)
            except Exception as error:  # the next request may well have an answer
                if self._failed is not None:
                    self._failed(error)
