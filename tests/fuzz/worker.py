"""A process that runs cases one after the other, and may die of any of them.

Compiling is the enemy: a combination of method, volume and sink takes seconds the first time. So a worker looks at a
few seeds in a row and takes the first that needs nothing new, unless new things took little of the target's time.
"""

from __future__ import annotations

import faulthandler
import time
import traceback
from collections import Counter
from multiprocessing.connection import Connection
from typing import Any

from .targets import Target, generator, load

SEEDS_TRIED = 24
SHARE_FOR_NEW_WAYS = 0.3
LONGEST_REPORT = 6000
LONGEST_CRASH = 2500
"""characters"""


class Worker:
    """Runs the cases that come through a connection; says which one it is at before it starts."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.known: set[tuple[str, str]] = set()
        self.spent: Counter[str] = Counter()
        self.spent_on_new: Counter[str] = Counter()

    def serve(self) -> None:
        """Answer until there are no more questions."""
        while (question := self.connection.recv()) is not None:
            name, target, seed, exactly = question
            self.connection.send(self.run(name, target, seed, exactly))

    def run(self, name: str, target: Target, seed: int, exactly: bool) -> tuple[str, Any]:
        """Run the case of a seed, or of one of the next seeds that needs nothing new; return what became of it."""
        try:
            module = load(target)
            if not exactly:
                seed = self.affordable(name, module, seed)
            self.connection.send(("at", seed))
            way, start = self.way(name, module, seed), time.monotonic()
            try:
                module.case(generator(name, seed))
            finally:
                seconds = time.monotonic() - start
                self.spent[name] += seconds
                if way not in self.known:
                    self.known.add(way)
                    self.spent_on_new[name] += seconds
        except BaseException as error:
            return "failed", (type(error).__name__, _told(error))
        return "passed", None

    def affordable(self, name: str, module: Any, seed: int) -> int:
        """Return the first seed from here on whose way is known, or the given one if a new way can be afforded."""
        if self.spent_on_new[name] <= SHARE_FOR_NEW_WAYS * self.spent[name]:
            return seed
        tried = range(seed, seed + SEEDS_TRIED)
        return next((each for each in tried if self.way(name, module, each) in self.known), seed)

    def way(self, name: str, module: Any, seed: int) -> tuple[str, str]:
        """Return what the case of a seed has to compile."""
        return name, module.ways(generator(name, seed)) if hasattr(module, "ways") else ""


def _told(error: BaseException) -> str:
    text = "".join(traceback.format_exception(error))
    return text if len(text) <= LONGEST_REPORT else f"{text[:1000]}\n…\n{text[-LONGEST_REPORT:]}"


def main(connection: Connection, crash_log: str) -> None:
    """Serve; what a crash leaves behind goes to the log."""
    with open(crash_log, "w") as log:
        faulthandler.enable(log)
        Worker(connection).serve()
