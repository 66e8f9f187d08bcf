"""The figures of the paper, drawn from what was found: 1, 6, 8, 9 and 10."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tumble.bench.boxtree.building import fits
from tumble.bench.boxtree.contestants import AABB, BUILDS, DEFAULT_BUILD, DOP, FCL, OBB, OVERLAPS, PACKED, called
from tumble.bench.boxtree.published import EMPTY_SHARE
from tumble.bench.boxtree.records import FIRST, TESTS, TREES, Findings, Raced, by_size, mean_ratio
from tumble.bench.boxtree.turning import series
from tumble.report import plots

INK = "#3a424a"
PALE = "#9aa3ab"
# Boxtrees are solid lines, the others dashed; the trees that store their volumes share a colour.
TREE_COLOURS = dict(zip((*BUILDS, AABB, OBB, DOP, PACKED, FCL), (0, 5, 2, 4, 1, 1, 1, 6, 3), strict=True))
DASHES: dict[str, Any] = {**dict.fromkeys(BUILDS, "-"), OBB: (0, (4, 1.5, 1, 1.5)), DOP: (0, (1, 1.2))}
OTHER_MARKERS = {OBB: "p", DOP: "*"}
DASHED = (0, (4, 1.5))


def draw_figures(findings: Findings, folder: Path) -> dict[str, str]:
    """Write the figures that there is data for, as SVG and PNG; returns the SVG text of each by its name."""
    drawers: dict[str, tuple[Callable[[Any], Any], Sequence[Any]]] = {
        "figure1": (_draw_emptiness, findings.emptiness),
        "figure6": (_draw_builds, findings.built),
        "figure8": (_draw_turns, findings.turns),
        "figure9": (_draw_tests, findings.of(TESTS, FIRST + TESTS)),
        "figure10": (_draw_trees, [one for one in findings.of(TREES) if one.kind != "real"]),
    }
    return {name: plots.save(draw(data), folder, name) for name, (draw, data) in drawers.items() if data}


def _draw_emptiness(emptiness: Sequence[Any]) -> Any:
    """Cumulative: which part of the nodes leaves at most so much empty."""
    canvas, (axes,) = plots.figure(size=(7.6, 4.4))
    percent = np.linspace(0, 100, 201)
    ends = []
    for index, one in enumerate(emptiness):
        below = 100 * np.searchsorted(np.sort(one.shares), percent / 100, side="right") / max(1, len(one.shares))
        colour, dashes = plots.COLOURS[index % 7], "-" if index < 7 else (0, (4, 1.5))
        axes.plot(percent, below, color=colour, linestyle=dashes, linewidth=1.7)
        ends.append((one.name, colour, dashes))
    axes.axvline(100 * EMPTY_SHARE, color=PALE, linewidth=1, linestyle=(0, (2, 2)), zorder=1)
    axes.plot([100 * EMPTY_SHARE], [50], marker="D", color=INK, markersize=7, linestyle="", zorder=5)
    axes.annotate(
        "the paper: half of the nodes\nleave about 10 % empty", (100 * EMPTY_SHARE, 50), (50, 22),
        color=INK, fontsize=9, va="center", arrowprops={"arrowstyle": "-", "color": PALE},
    )  # fmt: skip
    axes.set(xlim=(0, 100), ylim=(0, 101))
    plots.titled(axes, "Empty space between a node and its parent", "empty part of the parent's box, %", "nodes, %")
    _legend(
        canvas, [_line(name, colour, dashes) for name, colour, dashes in ends], columns=1, place="outside right upper"
    )
    return canvas


def _draw_builds(built: Sequence[Any]) -> Any:
    canvas, panels = plots.figure(columns=2, size=(9.0, 7.0), rows=(len(BUILDS) + 1) // 2)
    kinds = list(dict.fromkeys(one.kind for one in built))
    sizes = sorted({one.size for one in built})
    for axes, builder in zip(panels, BUILDS, strict=True):
        for index, kind in enumerate(kinds):
            group = sorted((one.triangles, one.seconds(builder) * 1e3) for one in built if one.kind == kind)
            axes.plot(
                *zip(*group, strict=True), color=plots.COLOURS[index], marker=plots.MARKERS[index], markeredgewidth=0
            )
        _draw_fit(axes, built, builder)
        title = f"{builder} (default)" if builder == DEFAULT_BUILD else builder
        plots.titled(axes, title, "triangles", "milliseconds")
        plots.plain_log_axes(axes, sizes[:: max(1, len(sizes) // 4)])
    _same_limits(panels)
    lines = [_line(kind, plots.COLOURS[i], "-", plots.MARKERS[i]) for i, kind in enumerate(kinds)]
    _legend(canvas, [*lines, _line("n log n, fitted", INK, (0, (4, 2)))])
    return canvas


def _draw_fit(axes: Any, built: Sequence[Any], builder: str) -> None:
    found = fits(built, builder).values()
    if found:
        counts = [one.triangles for one in built]
        sizes = np.geomspace(min(counts), max(counts), 50)
        factor = np.exp(np.mean([np.log(fit.factor) for fit in found]))
        axes.plot(
            sizes, 1e3 * factor * sizes * np.log2(sizes), color=INK, linewidth=1.2, linestyle=(0, (4, 2)), zorder=1
        )


def _draw_turns(turns: Sequence[Any]) -> Any:
    canvas, panels = plots.figure(columns=2, size=(10.0, 4.3))
    names = list(dict.fromkeys(one.name for one in turns))
    for axes, first in zip(panels, (False, True), strict=True):
        for index, name in enumerate(names):
            group = series(turns, name, first)
            distances = [one.distance for one in group]
            means = [one.mean * 1e6 for one in group]
            axes.plot(distances, means, color=plots.COLOURS[index], marker=plots.MARKERS[index], markeredgewidth=0)
        title = "First hit" if first else "All pairs"
        plots.titled(axes, title, "distance of the middles, in box lengths", "microseconds a query, mean of the turn")
        _plain_log(axes)
    lines = [_line(name, plots.COLOURS[i], "-", plots.MARKERS[i]) for i, name in enumerate(names)]
    _legend(canvas, lines)
    return canvas


def _draw_tests(raced: Sequence[Raced]) -> Any:
    """Left: time over size; middle: the same by SAT lite's; right: what working ahead saves each test."""
    canvas, (left, middle, right) = plots.figure(columns=3, size=(12.4, 4.3))
    kind = raced[0].kind
    pairs = [one for one in raced if one.case.query == TESTS and one.kind == kind]
    lines = []
    for index, overlap in enumerate(OVERLAPS):
        look = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "markeredgewidth": 0}
        # Two of the four nearly coincide: the one drawn first is broad enough to show under the other.
        look |= {"linewidth": 4.0, "markersize": 8, "alpha": 0.6} if index == 0 else {"linewidth": 1.6}
        left.plot(*zip(*by_size(pairs, partial(_microseconds, name=called(overlap))), strict=True), **look)
        ratios = by_size(raced, partial(mean_ratio, name=called(overlap), base=called(OVERLAPS[0])))
        middle.plot(*zip(*ratios, strict=True), **look)
        gain = mean_ratio(raced, called(overlap, False), called(overlap))
        right.barh(index, gain - 1, left=1, color=plots.COLOURS[index], height=0.55, zorder=2)
        right.annotate(
            f"{gain:.2f}×",
            (max(gain, 1), index),
            (5, 0),
            textcoords="offset points",
            va="center",
            color=INK,
            fontsize=9,
        )
        lines.append(_line(overlap, plots.COLOURS[index], "-", plots.MARKERS[index]))
    sizes = sorted({one.size for one in raced})[::2] or [1]
    plots.titled(left, f"Time of a query ({kind})", "triangles", "microseconds, all pairs")
    plots.plain_log_axes(left, sizes)
    plots.titled(middle, "Beside SAT lite, all objects", "triangles", "time, SAT lite = 1")
    middle.set(xscale="log")
    _ticks_at(middle, sizes)
    middle.axhline(1, color=PALE, linewidth=1, zorder=1)
    plots.titled(right, "Node work done for each pair", "time, done ahead = 1", "")
    right.axvline(1, color=PALE, linewidth=1.2, zorder=3)
    right.set_yticks(range(len(OVERLAPS)), OVERLAPS, color=INK)
    right.set(ylim=(len(OVERLAPS) - 0.5, -0.5))
    right.margins(x=0.18)
    right.grid(axis="y", visible=False)
    right.tick_params(axis="y", length=0)
    _legend(canvas, lines)
    return canvas


def _draw_trees(raced: Sequence[Raced]) -> Any:
    kinds = list(dict.fromkeys(one.kind for one in raced))
    rows = (len(kinds) + 1) // 2
    canvas, panels = plots.figure(columns=min(2, len(kinds)), size=(10.0, 3.4 * rows + 0.6), rows=rows)
    names = [name for name in TREE_COLOURS if any(name in one.rounds for one in raced)]
    sizes = sorted({one.size for one in raced})
    for axes, kind in zip(panels, kinds, strict=False):
        group = [one for one in raced if one.kind == kind]
        for name in names:
            points = by_size(group, partial(_microseconds, name=name))
            axes.plot(*zip(*points, strict=True), **_look(name), linewidth=2.4 if name == DEFAULT_BUILD else 1.5)
        plots.titled(axes, kind, "triangles", "microseconds, all pairs")
        plots.plain_log_axes(axes, sizes)
    for axes in panels[len(kinds) :]:
        axes.set_visible(False)
    _same_limits(panels[: len(kinds)])
    _legend(canvas, [_line(name, **_look(name)) for name in names], columns=5)
    return canvas


def _look(name: str) -> dict[str, Any]:
    index = TREE_COLOURS[name]
    marker = OTHER_MARKERS.get(name, plots.MARKERS[index])
    dashes = DASHES.get(name, DASHED)
    return {"color": plots.COLOURS[index], "marker": marker, "linestyle": dashes, "markeredgewidth": 0}


def _microseconds(cases: Sequence[Raced], name: str) -> float:
    """The mean over distances, as the paper sums up a plot such as Figure 8."""
    return float(np.mean([one.seconds(name).median for one in cases])) * 1e6


def _line(name: str, color: str, linestyle: Any, marker: str = "", markeredgewidth: float = 0) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], color=color, linestyle=linestyle, marker=marker, markeredgewidth=markeredgewidth, label=name)


def _legend(canvas: Any, lines: Sequence[Any], columns: int = 5, place: str = "outside lower center") -> None:
    canvas.legend(handles=lines, loc=place, ncols=min(columns, len(lines)), fontsize=9, frameon=False)


def _same_limits(panels: Sequence[Any]) -> None:
    limits = [axes.get_ylim() for axes in panels]
    for axes in panels:
        axes.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))


def _plain_log(axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axes.set(yscale="log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    low, high = axes.dataLim.intervaly
    steps = [step * 10.0**power for power in range(-3, 9) for step in (1, 2, 5)]
    axes.set_ylim(max(step for step in steps if step <= low), min(step for step in steps if step >= high))


def _ticks_at(axes: Any, sizes: Sequence[int]) -> None:
    from matplotlib.ticker import NullLocator

    from tumble.report import count

    axes.set_xticks(sizes, [count(size) for size in sizes])
    axes.xaxis.set_minor_locator(NullLocator())
