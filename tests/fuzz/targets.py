"""What can be fuzzed, by name: a module with a function `case(rng)` each, and its share of the time.

A case raises when an answer is wrong. It is made from its random generator alone, so that target and seed are all that
it takes to repeat it. A module may also have `ways(rng)`, which names what the case would have to compile: see
`worker.py`.
"""

from __future__ import annotations

import importlib
import zlib
from types import ModuleType
from typing import NamedTuple

import numpy as np


class Target(NamedTuple):
    """A target of the fuzzer."""

    module: str
    share: float = 1.0
    """of the time, relative to the others"""
    cases: float = 1.0
    """of the cases, where they are counted"""


TARGETS: dict[str, Target] = {
    "pairs": Target(f"{__package__}.pairs", 6.0, 0.3),
    "engines": Target(f"{__package__}.engines", 2.0, 0.2),
    "bodies": Target(f"{__package__}.bodies", 3.0),
    "histories": Target(f"{__package__}.histories"),
    "parts": Target(f"{__package__}.parts"),
    "itself": Target(f"{__package__}.itself"),
    "contacts": Target(f"{__package__}.contacts"),
    "distances": Target(f"{__package__}.distances", 2.0),
    "clearances": Target(f"{__package__}.clearances", 2.0),
    "candidates": Target(f"{__package__}.candidates"),
    "impacts": Target(f"{__package__}.impacts", 2.0),
    "motions": Target(f"{__package__}.motions", 2.0),
    "overlaps": Target(f"{__package__}.overlaps", 2.0),
    "rays": Target(f"{__package__}.rays"),
    "points": Target(f"{__package__}.points", 2.0),
    "frusta": Target(f"{__package__}.frusta"),
    "solids": Target(f"{__package__}.solids", 2.0),
    "forms": Target(f"{__package__}.forms"),
    "options": Target(f"{__package__}.options"),
    "garbage": Target(f"{__package__}.garbage", 0.5),
    "trees": Target(f"{__package__}.trees"),
    "threads": Target(f"{__package__}.threads"),
    "files": Target(f"{__package__}.files", 2.0),
    "robots": Target(f"{__package__}.robots"),
    "chip": Target(f"{__package__}.chip"),
    "signals": Target(f"{__package__}.signals", 2.0, 0.1),
}


def load(target: Target) -> ModuleType:
    """Import the module of a target."""
    return importlib.import_module(target.module)


def generator(name: str, seed: int) -> np.random.Generator:
    """Return the random numbers of a case."""
    return np.random.default_rng([zlib.crc32(name.encode()), seed])
