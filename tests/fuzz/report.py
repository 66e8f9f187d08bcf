"""What the fuzzer prints: a line now and then, each new kind of failure in full, a table at the end."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path

from .pool import Outcome

SECONDS_BETWEEN_LINES = 3.0
COMMAND = "python -m tests.fuzz --replay"


class Report:
    """Counts outcomes and prints them."""

    def __init__(self, saved: Path | None = None) -> None:
        self.cases: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.first: dict[tuple[str, ...], Outcome] = {}
        self.alike: Counter[tuple[str, ...]] = Counter()
        self.seconds: Counter[str] = Counter()
        self._saved = saved
        self._began = self._last = time.monotonic()

    def add(self, outcome: Outcome) -> None:
        """Count a case; print it if it failed in a way that was not seen before."""
        self.cases[outcome.name] += 1
        self.seconds[outcome.name] += outcome.seconds
        if outcome.kind is None:
            return
        self.failures[outcome.name] += 1
        key = (outcome.name, outcome.kind, *_place(outcome.text))
        self.alike[key] += 1
        if key not in self.first:
            self.first[key] = outcome
            self._print_failure(outcome)
        if self._saved is not None:
            with self._saved.open("a") as file:
                file.write(f"{outcome.id} {outcome.kind}\n")

    def tick(self, running: str) -> None:
        """Print a line if the last one was some time ago."""
        now = time.monotonic()
        if now - self._last >= SECONDS_BETWEEN_LINES:
            self._last = now
            counts = f"{self.cases.total()} cases, {self.failures.total()} failures"
            print(f"{now - self._began:6.0f} s  {counts}; at {running}", flush=True)

    def _print_failure(self, outcome: Outcome) -> None:
        print(f"\nFAILED {outcome.id} after {outcome.seconds:.1f} s: {outcome.kind}")
        print("    " + outcome.text.rstrip().replace("\n", "\n    "))
        print(f"    again: {COMMAND} {outcome.id}\n", flush=True)

    def summary(self) -> str:
        """Return the table of targets, and the kinds of failures with their first case."""
        lines = [f"{'target':12} {'cases':>8} {'failures':>9} {'seconds':>8}"]
        for name in sorted(self.cases):
            counts = f"{self.cases[name]:8} {self.failures[name]:9}"
            lines.append(f"{name:12} {counts} {self.seconds[name]:8.1f}")
        lines.append(f"{'all':12} {self.cases.total():8} {self.failures.total():9}")
        for key, outcome in self.first.items():
            lines.append(f"{self.alike[key]:6} × {outcome.kind}, first: {COMMAND} {outcome.id}")
        return "\n".join(lines)


def _place(text: str) -> tuple[str, str]:
    """Return the deepest line of a traceback and the first words of its message, which failures alike share."""
    lines = text.splitlines()
    places = [line.strip() for line in lines if line.lstrip().startswith("File ")]
    message = next((line for line in reversed(lines) if line and not line.startswith(" ")), "")
    return places[-1] if places else "", re.split(r"[\d\[(]", message)[0][:60]
