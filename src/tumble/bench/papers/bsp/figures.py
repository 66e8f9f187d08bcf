"""The figures of page.md, drawn from the table: 7, 8 and 9 of the paper, broad phases and the sheet."""

from typing import Any

import numpy as np

from tumble.bench.framework.page import Page
from tumble.bench.framework.table import TIME, Study
from tumble.bench.papers.bsp.broad_phases import EMBREE, FACES, IPC
from tumble.bench.papers.bsp.counts import COUNTS, EVERY, INACTIVE, below_entry, frontiers_of
from tumble.bench.papers.bsp.published import MEAN_SPEEDUP, title
from tumble.bench.papers.bsp.races import mean
from tumble.bench.papers.bsp.sheet import CASE, QUERIES, SHEET, UPDATE, smoothed
from tumble.bench.papers.bsp.streams import FIGURE_7, speedups
from tumble.bench.papers.bsp.sweeps import Seconds, seconds_of, study_of
from tumble.bench.papers.bsp.ways import CPU, device_of, ways_of
from tumble.report import plots


def figure7(page: Page) -> Any:
    """Bars by scene, one for each device and the CPU; lines where the paper's two averages are."""
    scenes = page.study(FIGURE_7).cases()
    canvas, (axes,) = plots.figure(size=(10.4, 4.4))
    ways = sorted(ways_of(page.table), key=lambda way: device_of(way) == CPU)  # devices first: the figure is about them
    wide = 0.84 / len(ways)
    for index, way in enumerate(ways):
        found = {scene: value.value for scene, value in speedups(page.table, way).items()}
        places = [place + (index - (len(ways) - 1) / 2) * wide for place in range(len(scenes) + 1)]
        values = [found.get(scene, np.nan) for scene in scenes] + [mean(found)]
        axes.bar(places, values, 0.9 * wide, color=plots.COLOURS[index], label=way, zorder=2)
        for place, value in zip(places, values, strict=True):
            if np.isfinite(value):
                plots.note(axes, f"{value:.1f}×", (place, value), (0, 3), ha="center")
    axes.axhline(1, color=plots.PALE, linewidth=1.2, zorder=3)
    averages = f"the paper's averages, {MEAN_SPEEDUP[0]:g}× and {MEAN_SPEEDUP[1]:g}×"
    axes.axhspan(*MEAN_SPEEDUP, color=plots.PALE, alpha=0.6, linewidth=0, zorder=1, label=averages)
    axes.set_xticks(range(len(scenes) + 1), [*map(title, scenes), "average"], color=plots.INK)
    axes.set_ylim(0, 1.15 * max(MEAN_SPEEDUP[1], *(bar.get_height() for bar in axes.patches if bar.get_height() > 0)))
    axes.grid(axis="x", visible=False)
    plots.titled(axes, "Speed-up of bulk over streams, between objects", "", "time of streams, bulk = 1")
    plots.legend_below(canvas, axes.get_legend_handles_labels()[0], 3)
    return canvas


def _panels(study: Study, size: tuple[float, float]) -> tuple[Any, list[tuple[Any, str, Seconds]]]:
    """A row of panels for each way, a column for each scene: axes, title and times of those that have any."""
    scenes, ways = study.cases(), study.contestants()
    canvas, axes = plots.figure(len(scenes), (size[0] * len(scenes), size[1] * len(ways)), len(ways))
    found: list[tuple[Any, str, Seconds]] = []
    for panel, (way, scene) in zip(axes, ((way, scene) for way in ways for scene in scenes), strict=True):
        seconds = seconds_of(study, scene, way)
        panel.set_visible(bool(seconds))
        found += [(panel, f"{title(scene)}\n{way}", seconds)] if seconds else []
    return canvas, found


def figure8(page: Page) -> Any:
    """Time over the entry level, a line for each depth step."""
    canvas, panels = _panels(study_of(page.table, 8), (3.7, 3.1))
    steps = sorted({step for _, _, seconds in panels for _, step in seconds})
    for axes, name, seconds in panels:
        for index, step in enumerate(steps):
            points = sorted((entry, 1e3 * value) for (entry, s), value in seconds.items() if s == step)
            if points:
                axes.plot(*zip(*points, strict=True), **plots.look(index), label=f"µ = {step}")
        axes.set(yscale="log")
        plots.plain_log(axes.yaxis)
        axes.set_xticks(sorted({entry for entry, _ in seconds}))
        plots.titled(axes, name, "entry level", "milliseconds")
    plots.legend_below(canvas, panels[0][0].get_legend_handles_labels()[0])
    return canvas


def spikes(page: Page) -> Any:
    """Tests behind the first frontier over the entry level, with inactive nodes and without: a panel for each scene."""
    study = page.study(COUNTS)
    scenes = study.cases(EVERY)
    canvas, panels = plots.figure(len(scenes), (3.7 * len(scenes), 3.1))
    for axes, scene in zip(panels, scenes, strict=True):
        steps = sorted({step for _, step in frontiers_of(study, scene, EVERY)})
        for index, step in enumerate(steps):
            points = sorted(below_entry(study, scene, EVERY, step).items())
            with_them = sorted(below_entry(study, scene, INACTIVE, step).items())
            axes.plot(*zip(*points, strict=True), **plots.look(index), label=f"µ = {step}")
            if with_them:
                axes.plot(*zip(*with_them, strict=True), color=plots.COLOURS[index], linestyle=":", linewidth=2.4)
        axes.set(yscale="log")
        plots.titled(axes, title(scene), "entry level", "tests behind the first frontier")
    plots.legend_below(canvas, panels[0].get_legend_handles_labels()[0])
    return canvas


def figure9(page: Page) -> Any:
    """Time over queue and group, the fastest combination of a panel being 1."""
    from matplotlib.colors import LogNorm

    canvas, panels = _panels(study_of(page.table, 9), (3.7, 3.5))
    for axes, name, seconds in panels:
        queues, groups = sorted({q for q, _ in seconds}), sorted({g for _, g in seconds})
        best = min(seconds.values())
        field = np.array([[seconds.get((q, g), np.nan) / best for q in queues] for g in groups])
        most = float(np.nanmax(field))
        axes.imshow(field, origin="lower", aspect="auto", cmap="Blues", norm=LogNorm(1, max(1.2, most)))
        for (row, column), value in np.ndenumerate(field):
            if np.isfinite(value):
                colour = "white" if np.log(value) > 0.55 * np.log(most) else plots.INK
                text = f"{value:.2g}" if value < 10 else f"{value:.0f}"
                axes.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)
        axes.set_xticks(range(len(queues)), queues)
        axes.set_yticks(range(len(groups)), groups)
        axes.grid(visible=False)
        plots.titled(axes, f"{name}\n1 = {1e3 * best:.3g} ms", "κ, pairs of a queue", "|G|, pairs of a group")
        axes.title.set_fontsize(9.5)
    return canvas


def broad_phases(page: Page) -> Any:
    """Milliseconds of each broad phase, a panel for each scene."""
    study = page.study(FACES)
    names, scenes = study.contestants(), study.cases()
    canvas, panels = plots.figure(len(scenes), (4.1 * len(scenes) + 1.2, 0.34 * len(names) + 1.3))
    for index, (axes, scene) in enumerate(zip(panels, scenes, strict=True)):
        for place, name in enumerate(names):
            if study.has(scene, name, TIME):
                value = 1e3 * study.value(scene, name, TIME)
                colour = plots.COLOURS[1 if name.startswith(IPC) else 2 if name.startswith(EMBREE) else 0]
                axes.barh(place, value, height=0.62, color=colour, zorder=2)
                text = f"{value:.3g}" if value < 1000 else f"{value:.0f}"
                plots.note(axes, text, (value, place), (4, 0), va="center")
        axes.margins(x=0.2)
        plots.named_rows(axes, names if index == 0 else [""] * len(names))
        plots.titled(axes, title(scene), "milliseconds, from vertices to face-face candidates", "")
        axes.xaxis.label.set_fontsize(8.5)
    return canvas


def sheet(page: Page) -> Any:
    """What a frame costs, by the rule for the tree."""
    study = page.study(SHEET)
    canvas, panels = plots.figure(2, (10.6, 4.2))
    parts = {UPDATE: "New vertices", QUERIES: "Pairs with itself and with the ball"}
    rules = [rule for rule in study.contestants() if study.has(CASE, rule, f"{UPDATE}, frame by frame")]
    for axes, (what, name) in zip(panels, parts.items(), strict=True):
        for index, rule in enumerate(rules):
            values = smoothed(study.series(CASE, rule, f"{what}, frame by frame"))
            frames = np.linspace(0, 299, len(values))
            axes.plot(frames, values, color=plots.COLOURS[index], linewidth=1.2, label=rule)
        axes.set_ylim(bottom=0)
        plots.titled(axes, name, "frame", "milliseconds per frame, median of nine")
    plots.legend_below(canvas, panels[0].get_legend_handles_labels()[0], 3)
    return canvas
