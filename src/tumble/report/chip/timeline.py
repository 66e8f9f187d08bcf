"""The timeline picture: a row for each unit, time to the right; all recorded cycles, and the first lists close up."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tumble.chip.cost import TO_REGISTERS, idle_latency, list_cycles, transformed_at
from tumble.chip.result import ChipRun, Interval
from tumble.report import plots
from tumble.report.numbers import count

# Bins of the overview: about one to two pixels on a page.
BINS = 360
# Cycles of the close-up: about the first three short lists.
CLOSE_UP = 330
# The unit whose work tells which tumbled node of a group is at hand.
LOADING = "DOP registers"
# A label must fit its bar: cycles of the close-up that a letter needs.
CYCLES_A_LETTER = CLOSE_UP / 130


def draw_timeline(run: ChipRun) -> Any:
    """Both panels, one above the other."""
    units = [unit for unit in run.busy if any(one[0] == unit for one in run.intervals)]
    height = 0.36 * len(units) + 0.9
    canvas, (overview, close_up) = plots.figure(size=(10.0, 2 * height + 0.4), rows=2)
    stop = max((one[2] for one in run.intervals), default=1)
    _draw_shares(overview, run, units, stop)
    _draw_bars(close_up, run, units, min(stop, CLOSE_UP))
    return canvas


def _draw_shares(axes: Any, run: ChipRun, units: Sequence[str], stop: int) -> None:
    edges = np.linspace(0, stop, min(BINS, stop) + 1)
    for row, unit in enumerate(units):
        shares = busy_shares([one for one in run.intervals if one[0] == unit], edges)
        low = row + 0.4
        axes.fill_between(
            np.repeat(edges, 2)[1:-1], low, low - 0.8 * np.repeat(shares, 2), color=_colour(row), linewidth=0
        )
    part = "all" if stop >= run.cycles else f"the first {count(stop)} of"
    plots.titled(axes, f"How busy each unit is: {part} {count(run.cycles)} cycles", "cycle", "")
    shares_of_run = [f"{unit}  {run.utilisation[unit]:.0%}" for unit in units]
    axes.set(xlim=(0, stop))
    plots.named_rows(axes, shares_of_run, top=-1.0)


def busy_shares(intervals: Sequence[Interval], edges: Any) -> Any:
    """The share of each bin between `edges` that lies in some intervals, which do not overlap."""
    ordered = sorted((start, stop) for _, start, stop, _ in intervals)
    starts = np.array([start for start, _ in ordered], float)
    lengths = np.array([stop - start for start, stop in ordered], float)
    before = np.concatenate([[0.0], np.cumsum(lengths)])
    index = np.searchsorted(starts, edges, side="right")
    # what ended before the edge, and the part of the last interval that did
    last = np.maximum(index - 1, 0)
    inside = np.minimum(edges - starts[last], lengths[last]) if len(starts) else np.zeros(len(edges))
    covered = np.where(index > 0, before[last] + inside, 0.0) if len(starts) else np.zeros(len(edges))
    return np.clip(np.diff(covered) / np.diff(edges), 0.0, 1.0)


def _draw_bars(axes: Any, run: ChipRun, units: Sequence[str], stop: int) -> None:
    for row, unit in enumerate(units):
        for _, start, end, what in (one for one in run.intervals if one[0] == unit and one[1] < stop):
            end = min(end, stop)
            axes.barh(row, end - start, left=start, height=0.72, color=_colour(row), edgecolor="white", linewidth=0.6)
            if len(what) * CYCLES_A_LETTER <= end - start:
                axes.text((start + end) / 2, row, what, ha="center", va="center", color="white", fontsize=7)
    for cycle, name, side in _marks(run):
        if cycle < stop:
            axes.axvline(cycle, color=plots.INK, linewidth=0.9, linestyle=(0, (3, 2)), zorder=3)
            axes.text(cycle, -0.55, name, color=plots.INK, fontsize=7.5, va="bottom", ha=side)
    dashed = "; dashed: Equation 5 on the first whole group of tumbled nodes" if _marks(run) else ""
    plots.titled(axes, f"The first {count(stop)} cycles{dashed}", "cycle", "")
    axes.set(xlim=(0, stop))
    plots.named_rows(axes, units, top=-1.0)


def _marks(run: ChipRun) -> list[tuple[float, str, str]]:
    """What Equation 5 says of the first list with a whole group; the list of the root has a single tumbled node."""
    loads = [(start, what) for unit, start, _, what in run.intervals if unit == LOADING]
    last = next((i for i, (_, what) in enumerate(loads) if what == f"node {run.design.tumbled - 1}"), None)
    if last is None:
        return []
    first = max((i for i in range(last + 1) if loads[i][1] == "node 0"), default=last)
    begun = loads[first][0] - idle_latency(run.design) - TO_REGISTERS
    return [
        (begun + transformed_at(run.design), "all transformed ", "right"),
        (begun + list_cycles(2, run.design), " two pairs compared", "left"),
    ]


def _colour(row: int) -> str:
    return plots.COLOURS[row % len(plots.COLOURS)]
