"""Signs of life on stderr, and work that Ctrl-C can end even while a kernel runs."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from tumble.cli.output import amount
from tumble.core import compile_notices

T = TypeVar("T")

SECONDS_BETWEEN_UPDATES = 0.05
COMPILING = "compiling kernels: the first use of each method does, which takes about a minute"


class Compiling:
    """A listener of `compile_notices` that keeps count; what changes is shown by a bar, if there is one."""

    def __init__(self, redraw: Callable[[], None] | None) -> None:
        self._redraw = redraw
        self._before: int | None = None
        self._since = 0.0
        self._seconds = 0.0
        self.kernel: str | None = None
        """the one that is being compiled"""
        self.kernels = 0
        """how many were compiled"""

    def __call__(self, kernel: str | None, compiled: int) -> None:
        """Note that a kernel is being compiled, or that all are done."""
        if self._before is None:
            self._before = compiled
            self._say(COMPILING)
        if self.kernel is None:
            self._since = time.monotonic()
        elif kernel is None:
            self._seconds += time.monotonic() - self._since
        self.kernel, self.kernels = kernel, compiled - self._before
        if self._redraw:
            self._redraw()

    def sum_up(self) -> None:
        """Say what was compiled, if anything was."""
        if self.kernels:
            self._say(f"compiled {amount(self.kernels, 'kernel')} in {self._seconds:.0f} s")

    def _say(self, line: str) -> None:
        if self._redraw is None and not compile_notices.is_quiet():
            sys.stderr.write(line + "\n")
            sys.stderr.flush()


class Bar:
    """A progress bar that removes itself when done, and that says so while kernels are being compiled.

    Where stderr is not a terminal, only compiling is mentioned: it takes long for no reason that a user could see.
    TUMBLE_QUIET=1 leaves that out too.
    """

    def __init__(self, label: str) -> None:
        self._progress = _rich_progress() if sys.stderr.isatty() else None
        self._shown: dict[str, Any] = {"description": label, "total": None, "numbers": ""}
        self._task: Any = self._progress.add_task(**self._shown) if self._progress else None
        self._next_update = 0.0
        self._compiling = Compiling(self._redraw if self._progress else None)
        self._listening = compile_notices.show_in(self._compiling)

    @property
    def compiled(self) -> int:
        """How many kernels had to be compiled."""
        return self._compiling.kernels

    def __enter__(self) -> "Bar":
        self._listening.__enter__()
        if self._progress:
            self._progress.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._listening.__exit__(None, None, None)
        if self._progress:
            self._progress.stop()
        if error is None:
            self._compiling.sum_up()

    def update(self, done: int, total: int | None, label: str) -> None:
        """Show how far the work is, of a total if known; cheap enough to be called thousands of times a second."""
        now = time.monotonic()
        if self._progress is None or (now < self._next_update and 0 < done < (total or done + 1)):
            return
        self._next_update = now + SECONDS_BETWEEN_UPDATES
        numbers = f"{done:,}/{total:,}" if total is not None else f"{done:,}" if done else ""
        self._shown = {"description": label, "completed": done, "total": total, "numbers": numbers}
        self._redraw()

    def _redraw(self) -> None:
        shown = self._shown
        if self._compiling.kernel is not None:  # their names would change the bar's width several times a second
            done = f"{amount(self._compiling.kernels, 'kernel')} done"
            shown = {"description": "compiling, this first time", "numbers": done}
        if self._progress:
            self._progress.update(self._task, **shown)


def _rich_progress() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[numbers]}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def run_interruptibly(work: Callable[[], T]) -> T:
    """Do the work in a thread and wait for it here, where Ctrl-C arrives at once.

    Python raises KeyboardInterrupt only between two of its own instructions, and a kernel can take minutes.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def target() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.2)  # a wait without limit cannot be interrupted everywhere
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def first_interrupt_sets(stop: threading.Event) -> Iterator[None]:
    """Let the first Ctrl-C set an event, for work that looks there and ends in good order; the second interrupts."""

    def handle(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            signal.default_int_handler(number, frame)
        stop.set()
        sys.stderr.write("stopping after this step; Ctrl-C again leaves at once\n")

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C has another handler already
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
