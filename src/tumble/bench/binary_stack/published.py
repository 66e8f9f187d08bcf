"""What the paper `binary-stack` prints: Table 1, read from `published.csv`, and the numbers of its text."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

MACHINE = "Athlon 64 X2 6000+ (one core of it) and an Nvidia 8800 GTX"
CPU, GPU = "CPU", "GPU"
BODIES, STEPS = 512, 400
# The abstract: what collision detection may take of a simulation. Section 5: the kernel beside the CPU, and from step
# 100 on everything that the GPU needs beside the CPU.
SHARE = (0.80, 0.90)
SPEEDUP, SPEEDUP_WITH_COPIES = (4, 5), 2
# Section 5: triangle pairs for which each pair of bodies has room, all of them copied back.
SLOTS = 4095 + 1


class Row(NamedTuple):
    """A row of Table 1; times in seconds."""

    step: int
    processor: str
    broad: int
    narrow: int
    faces: int
    simulation: float
    contact: float
    collision: float
    copy: float | None
    kernel: float | None


@cache
def published(processor: str) -> dict[int, Row]:
    """The rows of the CPU, or of the GPU, by step."""
    text = files(__package__).joinpath("published.csv").read_text(encoding="utf-8")
    rows = [_row(record) for record in csv.DictReader(text.splitlines())]
    return {row.step: row for row in rows if row.processor == processor}


def _row(record: dict[str, str]) -> Row:
    counts = (int(record[name]) for name in ("broad", "narrow", "faces"))
    times = (float(record[name]) for name in ("simulation", "contact", "collision"))
    moved = (float(record[name]) if record[name] else None for name in ("copy", "kernel"))
    return Row(int(record["step"]), record["processor"], *counts, *times, *moved)
