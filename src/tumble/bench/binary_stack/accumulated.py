"""Figure 10: collision times added up over the steps; between recorded steps they are taken to change evenly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.bench.binary_stack.contestants import BINARY, DEFAULT, EACH, called
from tumble.bench.binary_stack.published import CPU, GPU, published
from tumble.bench.binary_stack.records import Findings

Series = tuple[Sequence[int], NDArray[np.float64]]


def accumulated(steps: Sequence[int], seconds: Sequence[float]) -> NDArray[np.float64]:
    """The sum of all steps up to each recorded one."""
    every = np.arange(steps[0], steps[-1] + 1)
    sums = np.cumsum(np.interp(every, steps, seconds))
    return sums[np.asarray(steps) - steps[0]]


def published_series() -> dict[str, Series]:
    """The three lines of the figure, from Table 1."""
    cpu, gpu = published(CPU), published(GPU)
    steps = list(cpu)
    return _series(
        steps,
        {
            "CPU": [row.collision for row in cpu.values()],
            "GPU": [row.collision for row in gpu.values()],
            "GPU, results left there": [row.collision - (row.copy or 0.0) for row in gpu.values()],
        },
    )


def our_series(findings: Findings) -> dict[str, Series]:
    """The same here: the paper's method on one core, devices with and without copying back, and the default engine."""
    rows = findings.rows
    if not rows:
        return {}
    times = {f"CPU, {BINARY}": [row.seconds(BINARY) for row in rows]}
    for device in findings.devices:
        name = called(device, EACH)
        times[name] = [row.seconds(name) for row in rows]
        times[f"{device.name}, results left there"] = [row.seconds(name) - row.devices[name].copy for row in rows]
        times[f"{called(device)}, pool"] = [row.seconds(called(device)) for row in rows]
    times[f"CPU, {DEFAULT}"] = [row.seconds(DEFAULT) for row in rows]
    return _series([row.step for row in rows], times)


def _series(steps: Sequence[int], times: Mapping[str, Sequence[float]]) -> dict[str, Series]:
    return {name: (steps, accumulated(steps, seconds)) for name, seconds in times.items()}
