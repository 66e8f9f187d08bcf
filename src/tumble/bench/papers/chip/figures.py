"""The figures of the rerun: rotations, what lists gain, and k; the sweep is drawn by `tumble.report.chip`."""

from typing import Any

import numpy as np

from tumble.bench.framework.page import Page
from tumble.bench.papers.chip.derived import gain, series_by_k, times_by_k, volumes_of
from tumble.bench.papers.chip.measure import LISTS, METHODS, contestant
from tumble.bench.papers.chip.published import BEST_K
from tumble.bench.papers.chip.rotation import AS_IT_IS, CHIP, CYCLE_MODEL, LISTED, RECURSIVE, ROTATION, WITHOUT
from tumble.chip.cost import seconds
from tumble.report import plots

PANELS_PER_ROW = 3
# Software is dashed.
CURVES: dict[str, tuple[str, dict[str, Any]]] = {
    "chip, Equation 5": (CHIP, {"color": plots.COLOURS[0], "linewidth": 1.8}),
    "software, recursive": (RECURSIVE, {"color": plots.COLOURS[1], "linestyle": plots.DASHED, "linewidth": 1.4}),
    "software, lists": (LISTED, {"color": plots.COLOURS[2], "linestyle": plots.DASHED, "linewidth": 1.4}),
}
MARKS: dict[str, tuple[str, dict[str, Any]]] = {
    "chip, cycle model": (
        AS_IT_IS,
        {"color": plots.INK, "marker": "o", "markersize": 5, "linestyle": "", "markerfacecolor": "white"},
    ),
    "… without triangles": (WITHOUT, {"color": plots.INK, "marker": "x", "markersize": 5, "linestyle": ""}),
}


def draw_rotations(page: Page) -> Any:
    """Microseconds over the rotation, a panel for each object."""
    rotations, model = page.study(ROTATION), page.study(CYCLE_MODEL)
    names = rotations.cases()
    columns = min(PANELS_PER_ROW, len(names))
    rows = -(-len(names) // columns)
    canvas, panels = plots.figure(columns=columns, size=(11.0, 2.5 * rows + 0.5), rows=rows)
    for axes, name in zip(panels, names, strict=False):
        steps = rotations.count(name, "", "steps")
        angles = 360 * (np.arange(steps) + 0.5) / steps
        for contestant_name, look in CURVES.values():
            axes.plot(angles, 1e6 * rotations.series(name, contestant_name, "time"), **look)
        for case in model.cases():
            if model.text(case, "", "object") == name:
                angle = angles[model.count(case, "", "step")]
                for part, look in MARKS.values():
                    axes.plot([angle], [1e6 * seconds(model.value(case, part, "cycles"))], **look, zorder=4)
        plots.titled(axes, name, "turned by, degrees", "microseconds")
        axes.set(yscale="log", xlim=(0, 360), xticks=range(0, 361, 90))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    for axes in panels[len(names) :]:
        axes.set_visible(False)
    plots.legend_below(canvas, [plots.line(name, **look) for name, (_, look) in {**CURVES, **MARKS}.items()])
    return canvas


def draw_lists(page: Page) -> Any:
    """How many times as fast as the recursive traversal, a group of bars for each kind of volume; dots are objects."""
    lists, methods = page.study(LISTS), METHODS[1:]
    volumes = volumes_of(lists)
    canvas, (axes,) = plots.figure(size=(9.0, 0.62 * len(volumes) + 1.3))
    for group, volume in enumerate(volumes):
        for index, method in enumerate(methods):
            place = group + 0.26 * (index - 1)
            value = gain(lists, volume, method)
            axes.barh(place, value - 1, left=1, height=0.24, color=plots.COLOURS[index], zorder=2)
            found = lists.ratios(contestant(volume, RECURSIVE), contestant(volume, method))
            plots.dots(axes, list(found.values()), place)
    axes.axvline(1, color=plots.PALE, linewidth=1.2, zorder=3)
    plots.named_rows(axes, volumes)
    plots.titled(axes, "As fast as the recursive traversal, all pairs", "times (bars: means, dots: objects)", "")
    plots.legend_below(canvas, [plots.line(m, color=plots.COLOURS[i], linewidth=6) for i, m in enumerate(methods)])
    return canvas


def draw_k(page: Page) -> Any:
    """Time over the half-spaces of a DOP, where it was measured."""
    if not times_by_k(page.table, RECURSIVE):
        return None
    canvas, (axes,) = plots.figure(size=(7.0, 3.8))
    looks = {
        name: {"color": plots.COLOURS[colour], "marker": plots.MARKERS[index], "markeredgewidth": 0}
        for index, (name, colour) in enumerate(((f"software, {RECURSIVE}", 1), (f"software, {LISTED}", 2), ("chip", 0)))
    }
    series = series_by_k(page.table)
    for name, times in series.items():
        axes.plot(list(times), list(times.values()), **looks[name])
    axes.axhline(1, color=plots.PALE, linewidth=1, zorder=1)
    axes.axvline(BEST_K, color=plots.PALE, linewidth=1, linestyle=(0, (2, 2)), zorder=1)
    axes.set_xticks([6, 14, 18, 24, 26])
    axes.set_ylim(bottom=0)
    plots.titled(axes, "Half-spaces of a DOP (the paper: 24 is optimal)", "k", f"time, k = {BEST_K}: 1")
    plots.legend_below(
        canvas, [plots.line("chip, cycle model" if name == "chip" else name, **looks[name]) for name in series]
    )
    return canvas
