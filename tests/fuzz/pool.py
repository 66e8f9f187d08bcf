"""Worker processes, each at one case: a crash or a hang is a failure of that case, and a new worker takes over."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from multiprocessing.connection import wait
from pathlib import Path
from typing import NamedTuple

from . import worker
from .targets import Target

PATIENCE = 10.0
"""seconds for a process to end when it is told to"""


class Case(NamedTuple):
    """A case to run: a seed of a target, or `exactly` this seed, not one of the next."""

    name: str
    target: Target
    seed: int
    exactly: bool = False


class Outcome(NamedTuple):
    """What became of a case; `kind` is None when it passed."""

    name: str
    seed: int
    seconds: float
    kind: str | None = None
    text: str = ""

    @property
    def id(self) -> str:
        """Return what `--replay` takes."""
        return f"{self.name}:{self.seed}"


class Seat:
    """One worker process, and the case it is at."""

    def __init__(self, folder: Path, number: int) -> None:
        self.log = folder / f"crash-{number}"
        self.case: Case | None = None
        self.before: deque[str] = deque(maxlen=5)
        self._start()

    def _start(self) -> None:
        self.before.clear()
        context = multiprocessing.get_context("spawn")  # a fork would inherit threads' locks
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=worker.main, args=(theirs, str(self.log)), daemon=False)
        self.process.start()
        theirs.close()

    def give(self, case: Case) -> None:
        """Start a case."""
        self.case, self.seed, self.began = case, case.seed, time.monotonic()
        self.connection.send(tuple(case))

    def at(self) -> str:
        """Say which case runs, and for how long it has."""
        assert self.case is not None
        return f"{self.case.name}:{self.seed} ({time.monotonic() - self.began:.0f} s)"

    def outcome(self, timeout: float) -> Outcome | None:
        """Return what became of the case, None while it runs."""
        try:
            while self.connection.poll():
                kind, content = self.connection.recv()
                if kind == "at":
                    self.seed = content
                else:
                    return self._ended(*(content or (None, "")))
        except (EOFError, ConnectionResetError):
            return self._died()
        if time.monotonic() - self.began > timeout:
            return self._hung(timeout)
        return None

    def _ended(self, kind: str | None, text: str) -> Outcome:
        assert self.case is not None
        name, self.case = self.case.name, None
        self.before.append(f"{name}:{self.seed}")
        return Outcome(name, self.seed, time.monotonic() - self.began, kind, text)

    def _died(self) -> Outcome:
        self.process.join(PATIENCE)
        code = self.process.exitcode
        name = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
        outcome = self._ended(f"crash ({name})", self._crash_text())
        self._renew()
        return outcome

    def _hung(self, timeout: float) -> Outcome:
        self._end(signal.SIGABRT)  # makes faulthandler write where every thread is
        outcome = self._ended("hang", f"no answer within {timeout:g} s\n{self._crash_text()}")
        self._renew()
        return outcome

    def _crash_text(self) -> str:
        """Return what faulthandler wrote, the thread at fault first."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        blocks = text.partition("\nExtension modules:")[0].split("\n\n")
        blocks.sort(key=lambda block: not block.startswith(("Fatal", "Current thread")))
        text = "\n\n".join(blocks)[: worker.LONGEST_CRASH]
        # what spoiled the memory may have been one of these
        return f"{text}\nbefore it in the same process: {' '.join(self.before) or 'nothing'}"

    def _renew(self) -> None:
        self.connection.close()
        self.process.close()
        self._start()

    def _end(self, number: signal.Signals) -> None:
        os.kill(self.process.pid or 0, number)
        self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()

    def close(self) -> None:
        """End the process."""
        if self.case is None:
            self.connection.send(None)
            self.process.join(PATIENCE)
        if self.process.is_alive():
            self._end(signal.SIGKILL)
        self.connection.close()


def run_cases(cases: Iterator[Case], workers: int, timeout: float) -> Iterator[list[Outcome] | str]:
    """Run cases; about every second yield what became of those that ended, and a line about those that run."""
    with tempfile.TemporaryDirectory(prefix="tumble-fuzz-", ignore_cleanup_errors=True) as folder:
        seats = [Seat(Path(folder), number) for number in range(workers)]
        try:
            yield from _run(seats, cases, timeout)
        finally:
            for seat in seats:
                seat.close()


def _run(seats: list[Seat], cases: Iterator[Case], timeout: float) -> Iterator[list[Outcome] | str]:
    while True:
        for seat in seats:
            if seat.case is None and (case := next(cases, None)) is not None:
                seat.give(case)
        busy = [seat for seat in seats if seat.case is not None]
        if not busy:
            return
        yield ", ".join(seat.at() for seat in busy)
        wait([seat.connection for seat in busy], timeout=1.0)
        yield [outcome for seat in busy if (outcome := seat.outcome(timeout)) is not None]
