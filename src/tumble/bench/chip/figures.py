"""The figures of the rerun: rotations, what lists gain, and k; the sweep is drawn by `tumble.report.chip`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tumble.bench.chip.claims import chip_times_by_k, times_by_k
from tumble.bench.chip.listing import METHODS, VOLUMES
from tumble.bench.chip.published import BEST_K
from tumble.bench.chip.records import Findings, Listed, Rotation, contestant, gain
from tumble.bench.chip.rotating import LISTED, RECURSIVE
from tumble.chip.cost import seconds
from tumble.report import plots

INK, PALE = "#3a424a", "#9aa3ab"
PANELS_A_ROW = 3
HARDWARE, MODEL, PLAIN = "chip, Equation 5", "chip, cycle model", "… without triangles"
# Software is dashed.
LOOKS: dict[str, dict[str, Any]] = {
    HARDWARE: {"color": plots.COLOURS[0], "linewidth": 1.8},
    "software, recursive": {"color": plots.COLOURS[1], "linestyle": (0, (4, 1.5)), "linewidth": 1.4},
    "software, lists": {"color": plots.COLOURS[2], "linestyle": (0, (4, 1.5)), "linewidth": 1.4},
    MODEL: {"color": INK, "marker": "o", "markersize": 5, "linestyle": "", "markerfacecolor": "white"},
    PLAIN: {"color": INK, "marker": "x", "markersize": 5, "linestyle": ""},
}


def draw_figures(findings: Findings, folder: Path) -> dict[str, str]:
    """Write the figures that there is data for, as SVG and PNG; returns the SVG text of each by its name."""
    figures = {}
    if findings.rotations:
        figures["rotations"] = plots.save(_draw_rotations(findings.rotations), folder, "rotations")
    if findings.listed:
        figures["lists"] = plots.save(_draw_gains(findings.listed), folder, "lists")
        if times_by_k(findings.listed, RECURSIVE):
            figures["k"] = plots.save(_draw_k(findings), folder, "k")
    return figures


def _draw_rotations(rotations: Sequence[Rotation]) -> Any:
    """Microseconds over the rotation, a panel for each object."""
    columns = min(PANELS_A_ROW, len(rotations))
    rows = -(-len(rotations) // columns)
    canvas, panels = plots.figure(columns=columns, size=(11.0, 2.5 * rows + 0.5), rows=rows)
    for axes, one in zip(panels, rotations, strict=False):
        angles = 360 * (np.arange(len(one.aligned)) + 0.5) / len(one.aligned)
        series = (one.hardware, one.recursive, one.listed)
        for name, values in zip(LOOKS, series, strict=False):
            axes.plot(angles, 1e6 * values, **LOOKS[name])
        for sample in one.samples:
            axes.plot([angles[sample.step]], [1e6 * sample.seconds], **LOOKS[MODEL], zorder=4)
            axes.plot([angles[sample.step]], [1e6 * seconds(sample.plain_cycles)], **LOOKS[PLAIN], zorder=4)
        plots.titled(axes, one.name, "turned by, degrees", "microseconds")
        axes.set(yscale="log", xlim=(0, 360), xticks=range(0, 361, 90))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    for axes in panels[len(rotations) :]:
        axes.set_visible(False)
    _legend(canvas, [_line(name, **look) for name, look in LOOKS.items()])
    return canvas


def _draw_gains(listed: Sequence[Listed]) -> Any:
    """How many times as fast as the recursive traversal, a group of bars for each kind of volume; dots are objects."""
    volumes = [volume for volume in VOLUMES if contestant(volume, RECURSIVE) in listed[0].rounds]
    methods = [method for method in METHODS if method != RECURSIVE]
    canvas, (axes,) = plots.figure(size=(9.0, 0.62 * len(volumes) + 1.3))
    for group, volume in enumerate(volumes):
        for index, method in enumerate(methods):
            place = group + 0.26 * (index - 1)
            value = gain(listed, volume, method)
            axes.barh(place, value - 1, left=1, height=0.24, color=plots.COLOURS[index], zorder=2)
            names = contestant(volume, RECURSIVE), contestant(volume, method)
            dots = [one.ratio(*names).median for one in listed]
            axes.plot(dots, [place] * len(dots), linestyle="", marker="o", markersize=2.6, color=INK, zorder=3)
    axes.axvline(1, color=PALE, linewidth=1.2, zorder=3)
    axes.set_yticks(range(len(volumes)), volumes, color=INK)
    axes.set(ylim=(len(volumes) - 0.5, -0.5))
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    plots.titled(axes, "As fast as the recursive traversal, all pairs", "times (bars: means, dots: objects)", "")
    _legend(canvas, [_line(m, color=plots.COLOURS[i], linewidth=6) for i, m in enumerate(methods)])
    return canvas


def _draw_k(findings: Findings) -> Any:
    canvas, (axes,) = plots.figure(size=(7.0, 3.8))
    series = {
        f"software, {RECURSIVE}": times_by_k(findings.listed, RECURSIVE),
        f"software, {LISTED}": times_by_k(findings.listed, LISTED),
        "chip, cycle model": chip_times_by_k(findings),
    }
    lines = []
    for index, (name, times) in enumerate(series.items()):
        if times:
            look = {"color": plots.COLOURS[(1, 2, 0)[index]], "marker": plots.MARKERS[index], "markeredgewidth": 0}
            axes.plot(list(times), list(times.values()), **look)
            lines.append(_line(name, **look))
    axes.axhline(1, color=PALE, linewidth=1, zorder=1)
    axes.axvline(BEST_K, color=PALE, linewidth=1, linestyle=(0, (2, 2)), zorder=1)
    axes.set_xticks([6, 14, 18, 24, 26])
    axes.set_ylim(bottom=0)
    plots.titled(axes, "Half-spaces of a DOP (the paper: 24 is optimal)", "k", f"time, k = {BEST_K}: 1")
    _legend(canvas, lines)
    return canvas


def _line(name: str, **look: Any) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], label=name, **look)


def _legend(canvas: Any, lines: Sequence[Any]) -> None:
    canvas.legend(handles=lines, loc="outside lower center", ncols=len(lines), fontsize=9, frameon=False)
