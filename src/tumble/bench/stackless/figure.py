"""Figure 33 of the paper: time over the number of triangles on the scalability scenes, ours and its."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tumble.bench.stackless.rows import METHODS, Results
from tumble.report import plots

# Three of the five nearly coincide: the one drawn first is broad and pale enough to show under the others.
WIDTHS = {"stack": 2.0, "alternating": 4.5, "stackless": 2.0, "stackless-post": 1.2, "leaf": 2.0}
DASHES = {"stackless-post": (0, (4, 2))}


def draw_figure_33(ours: Results, paper: Results, folder: Path) -> str:
    """Write figure33.svg and figure33.png; returns the SVG text."""
    canvas, axes = plots.figure(columns=2, size=(10.0, 4.4))
    for panel, results, title in zip(
        axes, (ours, paper), ("Tumble, this machine", "Published, 2 GHz laptop"), strict=True
    ):
        _panel(panel, results, title)
    _same_span(axes)
    # Names stand where the limits of the axes put them, so the layout has to settle first.
    canvas.draw_without_rendering()
    for panel, results in zip(axes, (ours, paper), strict=True):
        plots.name_series_at_end(panel, _ends(results))
    return plots.save(canvas, folder, "figure33")


def _panel(axes: Any, results: Results, title: str) -> None:
    for method, (faces, times) in _series(results).items():
        index = METHODS.index(method)
        axes.plot(
            faces,
            times,
            color=plots.COLOURS[index],
            marker=plots.MARKERS[index],
            linewidth=WIDTHS[method],
            linestyle=DASHES.get(method, "-"),
            alpha=0.45 if method == "alternating" else 1.0,
            markeredgewidth=0,
        )
    plots.titled(axes, title, "triangles per object", "milliseconds per query")
    plots.plain_log_axes(axes, sorted({face for faces, _ in _series(results).values() for face in faces}))


def _same_span(panels: list[Any]) -> None:
    """As many decades upwards in every panel, so that equal slopes mean equal growth."""
    limits = [panel.get_ylim() for panel in panels]
    span = max(high / low for low, high in limits) ** 0.5
    for panel, (low, high) in zip(panels, limits, strict=True):
        middle = (low * high) ** 0.5
        panel.set_ylim(middle / span, middle * span)


def _series(results: Results) -> dict[str, tuple[list[int], list[float]]]:
    scenes = results.scenes("scalability")
    return {
        method: (
            [results[scene, method].faces_a for scene in scenes],
            [results[scene, method].seconds_per_query * 1e3 for scene in scenes],
        )
        for method in METHODS
        if scenes
    }


def _ends(results: Results) -> list[tuple[str, str, float, float]]:
    return [
        (method, plots.COLOURS[METHODS.index(method)], faces[-1], times[-1])
        for method, (faces, times) in _series(results).items()
    ]
