"""The page of growth: curves of time and memory, and the exponents that were fitted to them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tumble.bench.framework.page import Page
from tumble.bench.framework.table import TIME, Study
from tumble.bench.growth.fit import LARGER, bytes_each, curve, exponent
from tumble.bench.growth.measure import ANSWER, KIND, PEAK
from tumble.bench.growth.once import LEAST
from tumble.bench.growth.questions import (
    BODIES,
    IN_ALL,
    IN_LARGE,
    IN_SCENE,
    POINTS,
    POSES,
    QUESTIONS,
    SPACING,
    TRIANGLES,
)
from tumble.bench.peers.ours import OURS
from tumble.report import count, plots, significant

COLUMNS = 3
MEGABYTE = 1e6

DECADES = 2
"""that a panel shows at least, so that what hardly grows looks so"""

__all__ = ["IN_LARGE", "IN_SCENE", "LARGER", "LEAST", "SPACING"]
"""constants that page.md names"""


def poses(page: Page) -> str:
    """How many poses are asked about at once."""
    return count(POSES)


def points(page: Page) -> str:
    """How many points, or rays."""
    return count(POINTS)


def kind_of(study: Study) -> str:
    """What the sizes of a question count: triangles or bodies."""
    return study.text(study.cases()[0], "", KIND)


def rows_of(page: Page, kind: str) -> list[list[str]]:
    """Every question with its exponents, and what it takes at its largest size."""
    found = []
    for question in QUESTIONS:
        study = page.study(question.name)
        if not study or kind_of(study) != kind:
            continue
        for contestant in study.contestants():
            sizes, seconds = curve(study, contestant)
            peaks = curve(study, contestant, PEAK)[1]
            answers = curve(study, contestant, ANSWER)[1]
            found.append(
                [
                    *(question.name if contestant == OURS else "", contestant),
                    *(_power(exponent(sizes, seconds)), _power(exponent(sizes, answers) if any(answers) else math.nan)),
                    *(count(round(sizes[-1])), significant(1e3 * seconds[-1])),
                    significant(peaks[-1] / MEGABYTE) if peaks else "–",
                    _number(bytes_each(study, contestant)),
                ]
            )
    return found


def exponents(page: Page) -> list[list[str]]:
    """The rows about triangles."""
    return rows_of(page, TRIANGLES)


def exponents_of_scenes(page: Page) -> list[list[str]]:
    """The rows about bodies."""
    return rows_of(page, BODIES)


def exponents_of_large_scenes(page: Page) -> list[list[str]]:
    """The rows about triangles of whole scenes."""
    return rows_of(page, IN_ALL)


def draw_times(page: Page) -> Any:
    """A panel for every question: milliseconds over size."""
    return _panels(page, TIME, 1e3, "ms")


def draw_memory(page: Page) -> Any:
    """A panel for every question: megabytes over size."""
    return _panels(page, PEAK, 1 / MEGABYTE, "MB")


def measured_values(page: Page) -> list[list[str]]:
    """Every number of the curves."""
    found = []
    for question in QUESTIONS:
        study = page.study(question.name)
        for contestant in study.contestants():
            for case in study.cases(contestant):
                peak = study.value(case, contestant, PEAK, math.nan)
                found.append(
                    [
                        *(question.name, contestant, count(int(case))),
                        *(
                            significant(1e3 * study.value(case, contestant, name))
                            for name in (TIME, f"{TIME}, low", f"{TIME}, high")
                        ),
                        *(
                            _number(peak / MEGABYTE),
                            count(study.count(case, contestant, ANSWER)) if contestant == OURS else "",
                        ),
                    ]
                )
    return found


def _panels(page: Page, quantity: str, factor: float, unit: str) -> Any:
    asked = [each for each in QUESTIONS if curve(page.study(each.name), OURS, quantity)[0]]
    if not asked:
        return None
    rows = math.ceil(len(asked) / COLUMNS)
    canvas, axes = plots.figure(COLUMNS, (11.0, 2.7 * rows), rows)
    for question, panel in zip(asked, axes, strict=False):
        study = page.study(question.name)
        ends = []
        for index, contestant in enumerate(study.contestants()):
            sizes, values = curve(study, contestant, quantity)
            if not sizes:
                continue
            scaled = [factor * value for value in values]
            panel.plot(sizes, scaled, **plots.look(index))
            ends.append((contestant, plots.COLOURS[index], sizes[-1], scaled[-1]))
        plots.titled(panel, question.name, kind_of(study), unit)
        _in_decades(panel)
        if len(ends) > 1:
            plots.name_series_at_end(panel, ends, gap=0.11)
    for panel in axes[len(asked) :]:
        panel.set_visible(False)
    return canvas


def _in_decades(panel: Any) -> None:
    """Make both axes logarithmic, with plain numbers at powers of ten, and the upright one long enough."""
    from matplotlib.ticker import FuncFormatter, LogLocator

    panel.set(xscale="log", yscale="log")
    low, high = np.log10(panel.get_ylim())
    lacking = max(0.0, DECADES - (high - low)) / 2
    panel.set_ylim(10 ** (low - lacking), 10 ** (high + lacking))
    panel.minorticks_off()
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_locator(LogLocator(numticks=6))
        axis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))


def short(value: float) -> str:
    """Return a power of ten as a short number: 10k, 1M, 0.01."""
    for limit, letter in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:g}{letter}"
    return f"{value:g}"


def _power(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"


def _number(value: float) -> str:
    return "–" if math.isnan(value) else significant(value)
