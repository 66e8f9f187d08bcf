"""One question at one size, in a process of its own: seconds of each round, and bytes.

A process that has asked larger questions before has memory to spare and would hide what this one takes.
"""

from __future__ import annotations

import gc
from pathlib import Path
from typing import NamedTuple

from tumble.bench.framework.timing import Effort, race
from tumble.bench.growth.questions import asked
from tumble.bench.peers.ours import OURS

LEAST = 3
"""rounds"""
STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class Once(NamedTuple):
    """What became of one question at one size."""

    seconds: list[float]
    answer: int
    """how much the answer holds"""
    peak: float | None
    """bytes that the process holds at most while it asks; None where the system does not tell"""


def measure(contestant: str, name: str, size: int, budget: float) -> Once:
    """Ask a question again and again for about `budget` seconds."""
    question, ask = asked(contestant, name, size)
    gc.collect()
    reset = _reset_peak()
    found = ask()  # what is made at the first time is part of the memory, not of the time
    answer = question.answer(found) if contestant == OURS else 0
    del found
    rounds = race({contestant: ask}, Effort(budget, least_rounds=LEAST))
    return Once(rounds[contestant], answer, _peak() if reset else None)


def _reset_peak() -> bool:
    try:
        RESET.write_text("5", encoding="ascii")
    except OSError:
        return False
    return True


def _peak() -> float | None:
    try:
        lines = STATUS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    sizes = [line.split() for line in lines if line.startswith("VmHWM")]
    return 1024.0 * float(sizes[0][1]) if sizes else None
