"""Verdicts on what a paper claims, in words and marks that every benchmark shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

HOLDS = "holds"
PARTLY = "holds in part"
FAILS = "does not hold"
UNKNOWN = "not measured"
MARKS = {HOLDS: "✓", PARTLY: "≈", FAILS: "✗", UNKNOWN: "–"}


@dataclass(frozen=True)
class Finding:
    """A verdict and the numbers behind it."""

    verdict: str
    numbers: str


def verdict(kept: int, total: int) -> str:
    """One word for so many cases out of so many."""
    if total == 0:
        return UNKNOWN
    if kept == total:
        return HOLDS
    return PARTLY if kept else FAILS


def tally(verdicts: Iterable[str]) -> str:
    """How many claims hold, hold in part, and so on."""
    numbers = Counter(verdicts)
    words = {HOLDS: "hold", PARTLY: "in part", FAILS: "not", UNKNOWN: "not measured"}
    return ", ".join(f"{numbers[name]} {word}" for name, word in words.items() if numbers[name])
