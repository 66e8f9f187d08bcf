"""A run as a list of things to do, with signs of life between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Say = Callable[[str], None]
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Task:
    """One thing to do; it says now and then what it is at."""

    label: str
    work: Callable[[Say], None]


def work_through(tasks: Sequence[Task], progress: Progress) -> None:
    """Do one after the other; `progress(done, total, label)` is told before each, and what they say."""
    for done, task in enumerate(tasks):
        progress(done, len(tasks), task.label)
        task.work(lambda label, done=done: progress(done, len(tasks), label))  # type: ignore[misc]
    progress(len(tasks), len(tasks), "writing")


def silent(done: int, total: int, label: str) -> None:
    """Progress nobody asked for."""
