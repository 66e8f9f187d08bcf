"""Numbers that claims, goals, tables and figures share."""

from __future__ import annotations

from collections.abc import Mapping

from tumble.bench.bsp.broad_phases import EMBREE, IPC, TWIN
from tumble.bench.bsp.published import TABLE_1
from tumble.bench.bsp.records import Findings, Raced, Swept, device_of
from tumble.bench.bsp.streams import STREAMS, called
from tumble.bench.framework.statistics import geometric_mean


def speedups(findings: Findings, way: str, kernels: bool = False) -> dict[str, float]:
    """How many times as long as bulk streams take on one way, by scene; by the device's clock if wanted."""
    found = {}
    for one in findings.streams:
        streams = called(device_of(way), STREAMS)
        if streams not in one.rounds or way not in one.rounds:
            continue
        if not kernels:
            found[one.scene] = one.ratio(streams, way).median
            continue
        theirs, ours = one.kernel(streams), one.kernel(way)
        if theirs and ours:
            found[one.scene] = theirs / ours
    return found


def mean(values: Mapping[str, float]) -> float:
    """The plain mean, as the paper's average is one; NaN of nothing."""
    return sum(values.values()) / len(values) if values else float("nan")


def fastest(raced: Raced, family: str) -> str | None:
    """The fastest of a family of contestants."""
    names = [name for name in raced.rounds if name.startswith(family)]
    return min(names, key=raced.seconds, default=None)


def lead_over(raced: Raced, family: str, ours: str = TWIN) -> tuple[str, float] | None:
    """The fastest of a family, and how many times as long as ours it takes."""
    rival = fastest(raced, family)
    return None if rival is None else (rival, raced.ratio(rival, ours).median)


def step_costs(swept: Swept) -> dict[int, float]:
    """The mean time of each depth step over all entry levels, the best step being 1."""
    steps = sorted({step for _, step in swept.seconds})
    means = {step: geometric_mean([t for (_, s), t in swept.seconds.items() if s == step]) for step in steps}
    least = min(means.values())
    return {step: value / least for step, value in means.items()}


def smaller_takes(one: Swept, axis: int, good: int, good_other: int) -> float | None:
    """How many times as long settings below a good one take as the others, on average over the good of the other axis.

    `axis` is 0 for the queue and 1 for the group; None where only one side was measured.
    """
    chosen = [(at[axis], seconds) for at, seconds in one.seconds.items() if at[1 - axis] >= good_other]
    below, above = ([t for value, t in chosen if (value < good) == small] for small in (True, False))
    return geometric_mean(below) / geometric_mean(above) if below and above else None


def title(scene: str) -> str:
    """A scene's name in the paper."""
    return TABLE_1[scene].title


__all__ = ["EMBREE", "IPC", "fastest", "lead_over", "mean", "smaller_takes", "speedups", "step_costs", "title"]
