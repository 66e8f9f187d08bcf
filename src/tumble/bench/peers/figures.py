"""Two plots: how much faster Tumble is on every case, and time over distance as in Figure 8 of paper `boxtree`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.records import Findings, Timed
from tumble.report import plots, ratio

# The rows of the first plot, from the top: query, its name there, the goal and whom it is meant against (None: anyone).
ROWS = (
    ("all-pairs", "all pairs", 10.0, None),
    ("first-hit", "first hit", 3.0, None),
    ("aligned", "all pairs, aligned", None, None),
    ("far-apart", "far apart", 1.0, "fcl"),
    ("python-threads", "first hit, Python threads", None, None),
    ("batch", "motion, one thread", None, None),
    ("batch-threads", "motion, threads", 30.0, "fcl"),
    ("scattered", "scattered poses, one thread", None, "fcl"),
    ("scattered-threads", "scattered poses, threads", None, "fcl"),
    ("scene", "scene, one thread", None, None),
    ("scene-threads", "scene, threads", None, None),
    ("build", "build", 5.0, "fcl"),
)
SWEEPS = (("sweep-first-hit", "First hit"), ("sweep-all-pairs", "All pairs"))
FASTER, SLOWER, MEAN = plots.COLOURS[0], plots.COLOURS[1], "#1b232b"


def draw_figures(findings: Findings, judged: Sequence[str], folder: Path) -> dict[str, str]:
    """Write the plots that there is data for, as SVG and PNG; returns the SVG text of each by its name."""
    drawn = {}
    rows = [(title, goal, leads) for q, title, goal, rival in ROWS if (leads := _leads(findings.of(q), judged, rival))]
    if rows:
        drawn["speedups"] = _draw_speedups(rows, folder)
    sweeps = [(title, findings.of(query)) for query, title in SWEEPS if findings.of(query)]
    if sweeps:
        drawn["distance"] = _draw_sweeps(sweeps, folder)
    return drawn


def _leads(timed: Sequence[Timed], judged: Sequence[str], rival: str | None) -> list[float]:
    """How many times faster Tumble is, case by case: against one rival, or against whichever is fastest."""
    rivals = [(one, rival if rival in one.rounds else one.fastest(judged)) for one in timed]
    return [one.speedup(name).median for one, name in rivals if name is not None]


def _draw_speedups(rows: Sequence[tuple[str, float | None, list[float]]], folder: Path) -> str:
    canvas, (axes,) = plots.figure(size=(8.4, 1.5 + 0.42 * len(rows)))
    everything = [1.0, *(lead for _, _, leads in rows for lead in leads), *(goal for _, goal, _ in rows if goal)]
    axes.set(xscale="log", xlim=(min(everything) / 1.25, max(everything) * 1.25), ylim=(len(rows) - 0.5, -0.5))
    axes.axvline(1, color="#6a737c", linewidth=1.2, zorder=1)
    for row, (_, goal, leads) in enumerate(rows):
        _draw_row(axes, row, goal, leads)
    axes.set_yticks(range(len(rows)), [title for title, _, _ in rows], color=MEAN)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    _plain_ratios(axes)
    axes.spines["left"].set_visible(False)
    plots.titled(axes, "How many times faster Tumble is", "times faster (logarithmic); left of 1 it is slower", "")
    _explain_marks(axes)
    return plots.save(canvas, folder, "speedups")


def _draw_row(axes: Any, row: int, goal: float | None, leads: list[float]) -> None:
    # Dots in the order of their values, on three levels, so that equal ones do not hide each other.
    ordered = np.sort(leads)
    heights = row + 0.13 * (np.arange(len(ordered)) % 3 - 1) * (len(ordered) > 1)
    colours = [FASTER if lead >= 1 else SLOWER for lead in ordered]
    axes.scatter(ordered, heights, s=20, c=colours, alpha=0.55, linewidths=0, zorder=3)
    mean = geometric_mean(leads)
    axes.plot([mean, mean], [row - 0.3, row + 0.3], color=MEAN, linewidth=2.4, zorder=4, solid_capstyle="butt")
    axes.annotate(
        ratio(mean), (1.01, row), xycoords=("axes fraction", "data"), va="center", color=MEAN, fontweight="bold"
    )
    if goal is not None:
        axes.plot([goal, goal], [row - 0.36, row + 0.36], color="#009e73", linewidth=2, linestyle=(0, (2, 1)), zorder=2)


def _explain_marks(axes: Any) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], marker="o", linestyle="", color=FASTER, alpha=0.6, markersize=5, label="case"),
        Line2D([], [], marker="o", linestyle="", color=SLOWER, alpha=0.6, markersize=5, label="case, slower"),
        Line2D([], [], color=MEAN, linewidth=2.4, label="geometric mean"),
        Line2D([], [], color="#009e73", linewidth=2, linestyle=(0, (2, 1)), label="goal"),
    ]
    axes.figure.legend(handles=marks, loc="outside lower center", ncols=4, fontsize=9, frameon=False)


def _plain_ratios(axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}×"))
    axes.xaxis.set_minor_locator(NullLocator())


def _draw_sweeps(sweeps: Sequence[tuple[str, Sequence[Timed]]], folder: Path) -> str:
    canvas, panels = plots.figure(columns=len(sweeps), size=(5.0 * len(sweeps), 4.2))
    for axes, (title, timed) in zip(panels, sweeps, strict=True):
        _draw_sweep(axes, title, timed)
    # Names stand where the limits of the axes put them, so the layout has to settle first.
    canvas.draw_without_rendering()
    for axes, (_, timed) in zip(panels, sweeps, strict=True):
        plots.name_series_at_end(axes, [(name, colour, x[-1], y[-1]) for name, colour, x, y in _series(timed)])
    return plots.save(canvas, folder, "distance")


def _draw_sweep(axes: Any, title: str, timed: Sequence[Timed]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    for index, (name, colour, x, y) in enumerate(_series(timed)):
        width = 2.6 if name == OURS else 1.6
        axes.plot(x, y, color=colour, marker=plots.MARKERS[index], linewidth=width, markeredgewidth=0)
    axes.set(yscale="log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    plots.titled(axes, title, "distance of the middles, in box lengths", "microseconds per query")


def _series(timed: Sequence[Timed]) -> list[tuple[str, str, list[float], list[float]]]:
    """Name, colour, distances and microseconds of every contestant."""
    ordered = sorted(timed, key=lambda one: one.case.distance or 0.0)
    names = list(ordered[0].rounds)
    return [
        (
            name,
            plots.COLOURS[index],
            [one.case.distance or 0.0 for one in ordered],
            [one.seconds(name).median * 1e6 for one in ordered],
        )
        for index, name in enumerate(names)
    ]
