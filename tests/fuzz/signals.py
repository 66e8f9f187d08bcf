"""Signals whose handler raises, at random moments of public calls, which must then give the same answers as before."""

from __future__ import annotations

import numpy as np

from interrupting import GROUPS, interrupt_calls

Random = np.random.Generator
SECONDS = 2.0


def case(rng: Random) -> None:
    """Interrupt one call again and again."""
    group = str(rng.choice(list(GROUPS)))
    calls = GROUPS[group]() or GROUPS["collide"]()  # where there is no device
    name = str(rng.choice(list(calls)))
    interrupt_calls(rng, SECONDS, {name: calls[name]})
