"""How a quantity grows with size: the exponent of the power law through its larger values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tumble.bench.framework.table import TIME, Study
from tumble.bench.growth.measure import PEAK, SIZE

LARGER = 100
"""sizes within this factor of the largest are fitted: below, what every call costs shows as well"""


def curve(study: Study, contestant: str, quantity: str = TIME) -> tuple[list[float], list[float]]:
    """Return sizes and values of what one library takes."""
    cases = [case for case in study.cases(contestant) if study.has(case, contestant, quantity)]
    found = sorted((study.value(case, "", SIZE), study.value(case, contestant, quantity)) for case in cases)
    return [size for size, _ in found], [value for _, value in found]


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return e of value = c · size^e, by least squares over the larger sizes; NaN of fewer than three positive values.

    sizes   ascending
    """
    chosen = [(s, value) for s, value in zip(sizes, values, strict=True) if LARGER * s >= sizes[-1] and value > 0.0]
    if len(chosen) < 3:
        return math.nan
    logs = np.log(np.array(chosen))
    x, y = logs.T - logs.mean(axis=0)[:, None]
    return float((x * y).sum() / (x * x).sum())


def bytes_each(study: Study, contestant: str) -> float:
    """Return by how much the peak grows per triangle or body, between the two largest sizes; NaN where not known."""
    sizes, peaks = curve(study, contestant, PEAK)
    if len(sizes) < 2:
        return math.nan
    return (peaks[-1] - peaks[-2]) / (sizes[-1] - sizes[-2])
