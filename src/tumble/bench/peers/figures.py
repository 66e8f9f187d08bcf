"""Two plots: how much faster Tumble is on every case, and time over distance as in Figure 8 of paper `boxtree`."""

from typing import Any

import numpy as np

from tumble.bench.framework.page import Page
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import TIME, Study, Table
from tumble.bench.peers.goals import judged_of, leads, timed
from tumble.bench.peers.ours import OURS
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
GOAL: dict[str, Any] = {"color": "#009e73", "linewidth": 2, "linestyle": (0, (2, 1))}
DOT: dict[str, Any] = {"marker": "o", "linestyle": "", "alpha": 0.6, "markersize": 5}


def rows_of(table: Table) -> list[tuple[str, float | None, list[float]]]:
    """Title, goal and leads of each query that was measured: against one rival, or against whichever is fastest."""
    found = []
    for query, title, goal, rival in ROWS:
        study = table.study(query)
        values = {**leads(study, judged_of(table)), **(study.ratios(rival, OURS) if rival else {})}
        if values:
            found.append((title, goal, list(values.values())))
    return found


def draw_speedups(page: Page) -> Any:
    """A row of dots for each query, one per case."""
    rows = rows_of(page.table)
    if not rows:
        return None
    canvas, (axes,) = plots.figure(size=(8.4, 1.5 + 0.42 * len(rows)))
    everything = [1.0, *(lead for _, _, found in rows for lead in found), *(goal for _, goal, _ in rows if goal)]
    axes.set(xscale="log", xlim=(min(everything) / 1.25, max(everything) * 1.25), ylim=(len(rows) - 0.5, -0.5))
    axes.axvline(1, color="#6a737c", linewidth=1.2, zorder=1)
    for row, (_, goal, found) in enumerate(rows):
        _draw_row(axes, row, goal, found)
    axes.set_yticks(range(len(rows)), [title for title, _, _ in rows], color=MEAN)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    plots.plain_log(axes.xaxis, "×")
    axes.spines["left"].set_visible(False)
    plots.titled(axes, "How many times faster Tumble is", "times faster (logarithmic); left of 1 it is slower", "")
    marks = [plots.line("case", color=FASTER, **DOT), plots.line("case, slower", color=SLOWER, **DOT)]
    plots.legend_below(
        canvas, [*marks, plots.line("geometric mean", color=MEAN, linewidth=2.4), plots.line("goal", **GOAL)]
    )
    return canvas


def _draw_row(axes: Any, row: int, goal: float | None, found: list[float]) -> None:
    # Dots in the order of their values, on three levels, so that equal ones do not hide each other.
    ordered = np.sort(found)
    heights = row + 0.13 * (np.arange(len(ordered)) % 3 - 1) * (len(ordered) > 1)
    colours = [FASTER if lead >= 1 else SLOWER for lead in ordered]
    axes.scatter(ordered, heights, s=20, c=colours, alpha=0.55, linewidths=0, zorder=3)
    mean = geometric_mean(found)
    axes.plot([mean, mean], [row - 0.3, row + 0.3], color=MEAN, linewidth=2.4, zorder=4, solid_capstyle="butt")
    place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "va": "center"}
    axes.annotate(ratio(mean), (1.01, row), **place, color=MEAN, fontweight="bold")
    if goal is not None:
        axes.plot([goal, goal], [row - 0.36, row + 0.36], **GOAL, zorder=2)


def draw_distance(page: Page) -> Any:
    """Microseconds over distance, a panel per query."""
    sweeps = [(title, page.study(query)) for query, title in SWEEPS if page.study(query)]
    if not sweeps:
        return None
    canvas, panels = plots.figure(columns=len(sweeps), size=(5.0 * len(sweeps), 4.2))
    for axes, (title, study) in zip(panels, sweeps, strict=True):
        for index, (name, colour, x, y) in enumerate(_series(study)):
            width = 2.6 if name == OURS else 1.6
            axes.plot(x, y, color=colour, marker=plots.MARKERS[index], linewidth=width, markeredgewidth=0)
        axes.set(yscale="log")
        plots.plain_log(axes.yaxis)
        plots.titled(axes, title, "distance of the middles, in box lengths", "microseconds per query")
    # Names stand where the limits of the axes put them, so the layout has to settle first.
    canvas.draw_without_rendering()
    for axes, (_, study) in zip(panels, sweeps, strict=True):
        plots.name_series_at_end(axes, [(name, colour, x[-1], y[-1]) for name, colour, x, y in _series(study)])
    return canvas


def _series(study: Study) -> list[tuple[str, str, list[float], list[float]]]:
    """Name, colour, distances and microseconds of every contestant."""
    cases = sorted(study.cases(), key=lambda case: study.value(case, "", "distance"))
    distances = [study.value(case, "", "distance") for case in cases]
    return [
        (name, plots.COLOURS[index], distances, [1e6 * study.value(case, name, TIME) for case in cases])
        for index, name in enumerate(timed(study, cases[0]))
    ]
