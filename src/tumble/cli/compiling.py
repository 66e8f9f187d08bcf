"""What a command says while kernels are compiled: on its progress bar, or in plain lines where there is none."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from tumble.cli.output import amount
from tumble.core import compile_notices

BEGIN = "compiling kernels: the first use of each method does, which takes about a minute"


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
            self._say(BEGIN)
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
