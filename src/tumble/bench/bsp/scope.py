"""How much a run covers: all of the paper, or a look within a few minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tumble.bench.framework.timing import Effort


@dataclass(frozen=True)
class Scope:
    """Sizes and times of a run."""

    # Table 1, the race of broad phases, and trees: how long each race takes.
    effort: Effort
    # Figure 7: milliseconds a call, so that others disturb it more; hence more rounds.
    streams_effort: Effort
    # Figure 8: entry levels and depth steps; Figure 9: queues and groups; how often each combination is asked.
    entry_levels: Sequence[int]
    depth_steps: Sequence[int]
    queues: Sequence[int]
    groups: Sequence[int]
    sweep_rounds: int
    # The depth step of Figure 9.
    sweep_step: int
    # The sheet: cells a side, and every how many frames it is looked at.
    sheet_cells: int
    sheet_every: int
    # Stand-ins: by how much they are smaller than the scenes whose place they take.
    shrink: int


FULL = Scope(
    effort=Effort(12.0, least_rounds=5, most_rounds=15),
    streams_effort=Effort(15.0, least_rounds=9, most_rounds=60),
    entry_levels=(0, 1, 2, 3, 4, 5, 6),
    depth_steps=(1, 2, 3, 4),
    queues=(2, 8, 32, 64, 128, 512),
    groups=(2, 8, 32, 64, 256),
    sweep_rounds=3,
    sweep_step=2,
    sheet_cells=100,
    sheet_every=1,
    shrink=1,
)

QUICK = Scope(
    effort=Effort(2.0, least_rounds=3, most_rounds=7),
    streams_effort=Effort(3.0, least_rounds=5, most_rounds=25),
    entry_levels=(0, 1, 5),
    depth_steps=(1, 2, 3, 4),
    queues=(8, 64, 512),
    groups=(8, 64),
    sweep_rounds=2,
    sweep_step=2,
    sheet_cells=30,
    sheet_every=5,
    shrink=16,
)
