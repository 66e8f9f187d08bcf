"""Signs of life on stderr, and work that Ctrl-C can end even while a kernel runs."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType
from typing import Any, TypeVar

from tumble.cli.output import amount
from tumble.core import compile_notices

T = TypeVar("T")

SECONDS_BETWEEN_UPDATES = 0.05
FIRST_LINE, LINES_APART = 0.5, 1.8
"""seconds until the first line about what is going on, and between two, where stderr is not a terminal"""
COMPILING = "compiling kernels: the first use of each method does, which takes about a minute"


class Bar:
    """A progress bar that removes itself when done, and that says so while kernels are being compiled.

    Where stderr is not a terminal, compiling is mentioned, which takes long for no reason that a user could see; and
    with `lines`, a line says now and then what is going on. TUMBLE_QUIET=1 leaves all of that out.
    """

    def __init__(self, label: str, lines: bool = False) -> None:
        self.progress = _rich_progress() if sys.stderr.isatty() else None
        self._shown: dict[str, Any] = {"description": label, "total": None, "numbers": ""}
        self._task: Any = self.progress.add_task(**self._shown) if self.progress else None
        self._next_update = 0.0
        self._compiled_before: int | None = None
        self._compiling_since: float | None = None
        self._compiling_seconds = 0.0
        self.compiled = 0
        """how many kernels had to be compiled"""
        self._over = threading.Event()
        if lines and self.progress is None and not compile_notices.is_quiet():
            threading.Thread(target=self._say_now_and_then, daemon=True).start()

    def end(self) -> None:
        """Stop saying what is going on."""
        self._over.set()

    def _say_now_and_then(self) -> None:
        started = time.monotonic()
        pause = FIRST_LINE
        while not self._over.wait(pause):
            pause = LINES_APART
            if self._compiling_since is not None:
                what = f"compiling, {amount(self.compiled, 'kernel')} done"
            else:
                what = " ".join(filter(None, [self._shown["description"], self._shown["numbers"]]))
            with suppress(OSError, ValueError):  # whoever has closed stderr does not want to know
                self._say(f"{what} ({time.monotonic() - started:.0f} s)")

    def note_kernel(self, kernel: str | None, compiled: int) -> None:
        """Note that a kernel is being compiled, or that all are done: a listener of `compile_notices`."""
        if self._compiled_before is None:
            self._compiled_before = compiled
            self._say(COMPILING)
        if kernel is not None:
            self._compiling_since = self._compiling_since or time.monotonic()
        elif self._compiling_since is not None:
            self._compiling_seconds += time.monotonic() - self._compiling_since
            self._compiling_since = None
        self.compiled = compiled - self._compiled_before
        self._redraw()

    def sum_up(self) -> None:
        """Say what was compiled, if anything was."""
        if self.compiled:
            self._say(f"compiled {amount(self.compiled, 'kernel')} in {self._compiling_seconds:.0f} s")

    def _say(self, line: str) -> None:
        if self.progress is None and not compile_notices.is_quiet():
            sys.stderr.write(line + "\n")
            sys.stderr.flush()

    def update(self, done: int, total: int | None, label: str) -> None:
        """Show how far the work is, of a total if known; cheap enough to be called thousands of times a second."""
        now = time.monotonic()
        if now < self._next_update and 0 < done < (total or done + 1):
            return
        self._next_update = now + SECONDS_BETWEEN_UPDATES
        numbers = f"{done:,}/{total:,}" if total is not None else f"{done:,}" if done else ""
        self._shown = {"description": label, "completed": done, "total": total, "numbers": numbers}
        self._redraw()

    def _redraw(self) -> None:
        shown = self._shown
        if self._compiling_since is not None:  # kernels' names would change the bar's width several times a second
            done = f"{amount(self.compiled, 'kernel')} done"
            shown = {"description": "compiling, this first time", "numbers": done}
        if self.progress:
            self.progress.update(self._task, **shown)


@contextmanager
def progress_bar(label: str, lines: bool = False) -> Iterator[Bar]:
    """Show a bar during the work; where there is none, say after it what was compiled, and with `lines`, go on."""
    bar = Bar(label, lines)
    try:
        with compile_notices.show_in(bar.note_kernel), bar.progress or nullcontext():
            yield bar
    finally:
        bar.end()
    bar.sum_up()


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
