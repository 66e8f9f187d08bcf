"""The figures of the paper, drawn from what was found: 7, 8 and 9; and those about broad phases and the sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tumble.bench.bsp.broad_phases import EMBREE, IPC
from tumble.bench.bsp.judging import mean, speedups, title
from tumble.bench.bsp.published import MEAN_SPEEDUP, TABLE_1
from tumble.bench.bsp.records import Findings, Moved, Raced, Swept
from tumble.bench.bsp.sheet import QUERIES, UPDATE
from tumble.report import plots

INK, PALE = "#3a424a", "#9aa3ab"
DASHED = (0, (4, 1.5))


def draw_figures(findings: Findings, folder: Path) -> dict[str, str]:
    """Write the figures that there is data for, as SVG and PNG; returns the SVG text of each by its name."""
    drawers: dict[str, tuple[Callable[[], Any], Any]] = {
        "figure7": (lambda: _draw_streams(findings), findings.streams),
        "figure8": (lambda: _draw_steps(_swept(findings, 8)), _swept(findings, 8)),
        "figure9": (lambda: _draw_queues(_swept(findings, 9)), _swept(findings, 9)),
        "broad-phases": (lambda: _draw_broad_phases(findings.faces), findings.faces),
        "sheet": (lambda: _draw_sheet(findings.moved), findings.moved),
    }
    return {name: plots.save(draw(), folder, name) for name, (draw, data) in drawers.items() if data}


def _swept(findings: Findings, figure: int) -> list[Swept]:
    return [one for one in findings.swept if one.figure == figure and one.seconds]


def _draw_streams(findings: Findings) -> Any:
    """Bars by scene, one for each device and the CPU; lines where the paper's two averages are."""
    scenes = [one.scene for one in findings.streams]
    canvas, (axes,) = plots.figure(size=(7.6, 4.0))
    wide = 0.84 / max(1, len(findings.ways))
    ways = [*findings.ways[1:], findings.ways[0]]  # devices first: the figure is about them
    for index, way in enumerate(ways):
        found = speedups(findings, way)
        places = [place + (index - (len(ways) - 1) / 2) * wide for place in range(len(scenes) + 1)]
        values = [found.get(scene, np.nan) for scene in scenes] + [mean(found)]
        axes.bar(places, values, 0.9 * wide, color=plots.COLOURS[index], label=way, zorder=2)
        for place, value in zip(places, values, strict=True):
            if np.isfinite(value):
                axes.annotate(f"{value:.2f}×", (place, value), (0, 3), textcoords="offset points", ha="center",
                              color=INK, fontsize=9)  # fmt: skip
    axes.axhline(1, color=PALE, linewidth=1.2, zorder=3)
    told = f"the paper's averages, {MEAN_SPEEDUP[0]:g}× and {MEAN_SPEEDUP[1]:g}×"
    axes.axhspan(*MEAN_SPEEDUP, color=PALE, alpha=0.6, linewidth=0, zorder=1, label=told)
    axes.set_xticks(range(len(scenes) + 1), [*map(title, scenes), "average"], color=INK)
    axes.set_ylim(0, 1.15 * max(MEAN_SPEEDUP[1], *(bar.get_height() for bar in axes.patches if bar.get_height() > 0)))
    axes.grid(axis="x", visible=False)
    plots.titled(axes, "Speed-up of bulk over streams, between objects", "", "time of streams, bulk = 1")
    canvas.legend(loc="outside lower center", ncols=len(ways) + 1, fontsize=9, frameon=False)
    return canvas


def _panels(swept: Sequence[Swept], size: tuple[float, float]) -> tuple[Any, list[tuple[Any, Swept]]]:
    """A row of panels for each way, a column for each scene."""
    scenes = [scene for scene in TABLE_1 if any(one.scene == scene for one in swept)]
    ways = sorted({one.way for one in swept}, key=[one.way for one in swept].index)
    canvas, axes = plots.figure(len(scenes), (size[0] * len(scenes), size[1] * len(ways)), len(ways))
    by_place = {(one.way, one.scene): one for one in swept}
    cells = [(way, scene) for way in ways for scene in scenes]
    found = []
    for panel, cell in zip(axes, cells, strict=True):
        if cell in by_place:
            found.append((panel, by_place[cell]))
        else:
            panel.set_visible(False)
    return canvas, found


def _draw_steps(swept: Sequence[Swept]) -> Any:
    canvas, panels = _panels(swept, (3.7, 2.9))
    steps = sorted({step for one in swept for _, step in one.seconds})
    for axes, one in panels:
        for index, step in enumerate(steps):
            points = sorted((entry, 1e3 * value) for (entry, s), value in one.seconds.items() if s == step)
            if points:
                axes.plot(*zip(*points, strict=True), color=plots.COLOURS[index], marker=plots.MARKERS[index],
                          markeredgewidth=0, label=f"µ = {step}")  # fmt: skip
        axes.set(yscale="log")
        _plain_numbers(axes)
        axes.set_xticks(sorted({entry for entry, _ in one.seconds}))
        plots.titled(axes, f"{title(one.scene)}, {one.way}", "entry level", "milliseconds")
    handles, labels = panels[0][0].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside lower center", ncols=len(steps), fontsize=9, frameon=False)
    return canvas


def _draw_queues(swept: Sequence[Swept]) -> Any:
    canvas, panels = _panels(swept, (3.7, 3.2))
    for axes, one in panels:
        queues, groups = sorted({q for q, _ in one.seconds}), sorted({g for _, g in one.seconds})
        best = one.best()[1]
        field = np.array([[one.seconds.get((q, g), np.nan) / best for q in queues] for g in groups])
        axes.imshow(field, origin="lower", aspect="auto", cmap="Blues", norm=_log_norm(field))
        for (row, column), value in np.ndenumerate(field):
            if np.isfinite(value):
                dark = np.log(value) > 0.55 * np.log(np.nanmax(field))
                axes.text(column, row, f"{value:.2g}" if value < 10 else f"{value:.0f}", ha="center", va="center",
                          fontsize=8, color="white" if dark else INK)  # fmt: skip
        axes.set_xticks(range(len(queues)), queues)
        axes.set_yticks(range(len(groups)), groups)
        axes.grid(visible=False)
        named = f"{title(one.scene)}, {one.way}\n1 = {1e3 * best:.3g} ms"
        plots.titled(axes, named, "κ, pairs of a queue", "|G|, pairs of a group")
        axes.title.set_fontsize(9.5)
    return canvas


def _log_norm(field: Any) -> Any:
    from matplotlib.colors import LogNorm

    return LogNorm(1, max(1.2, float(np.nanmax(field))))


def _draw_broad_phases(raced: Sequence[Raced]) -> Any:
    names = list(dict.fromkeys(name for one in raced for name in one.rounds))
    canvas, panels = plots.figure(len(raced), (4.1 * len(raced) + 1.2, 0.34 * len(names) + 1.3))
    for index, (axes, one) in enumerate(zip(panels, raced, strict=True)):
        for place, name in enumerate(names):
            if name in one.rounds:
                value = 1e3 * one.seconds(name)
                colour = plots.COLOURS[1 if name.startswith(IPC) else 2 if name.startswith(EMBREE) else 0]
                axes.barh(place, value, height=0.62, color=colour, zorder=2)
                text = f"{value:.3g}" if value < 1000 else f"{value:.0f}"
                axes.annotate(text, (value, place), (4, 0), textcoords="offset points", va="center", color=INK,
                              fontsize=9)  # fmt: skip
        axes.set(ylim=(len(names) - 0.5, -0.5))
        axes.margins(x=0.2)
        axes.grid(axis="y", visible=False)
        axes.tick_params(axis="y", length=0)
        axes.set_yticks(range(len(names)), names if index == 0 else [""] * len(names), color=INK)
        plots.titled(axes, title(one.scene), "milliseconds, from vertices to face-face candidates", "")
        axes.xaxis.label.set_fontsize(8.5)
    return canvas


def _draw_sheet(moved: Sequence[Moved]) -> Any:
    canvas, (left, right) = plots.figure(2, (10.6, 4.2))
    for index, one in enumerate(moved):
        look = {"color": plots.COLOURS[index], "linewidth": 1.2, "label": one.rule}
        updates, queries = (np.array(one.milliseconds[name]) for name in (UPDATE, QUERIES))
        frames = np.linspace(0, 299, len(updates))
        left.plot(frames, _smooth(updates), **look)
        right.plot(frames, _smooth(queries), **look)
    for axes, what in ((left, "New vertices"), (right, "Pairs with itself and with the ball")):
        axes.set_ylim(bottom=0)
        plots.titled(axes, what, "frame", "milliseconds a frame, median of nine")
    handles, labels = left.get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=9, frameon=False)
    return canvas


def _smooth(values: Any, width: int = 9) -> Any:
    """Medians of neighbouring frames: what happened to run beside the benchmark is no part of it."""
    half = width // 2
    return [float(np.median(values[max(0, at - half) : at + half + 1])) for at in range(len(values))]


def _plain_numbers(axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
