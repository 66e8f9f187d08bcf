"""What the figures of the benchmarks share beyond `tumble.report.plots`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

INK, PALE = "#3a424a", "#9aa3ab"
DASHED, DOTTED = (0, (4, 1.5)), (0, (1, 1.2))


def line(name: str, **look: Any) -> Any:
    """An entry of a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=name, **look)


def legend_below(canvas: Any, lines: Sequence[Any]) -> None:
    """One legend under all panels."""
    canvas.legend(handles=lines, loc="outside lower center", ncols=len(lines), fontsize=9, frameon=False)


def name_bars(axes: Any, names: Sequence[str]) -> None:
    """Write names beside horizontal bars, the first at the top."""
    axes.set_yticks(range(len(names)), names, color=INK)
    axes.set(ylim=(len(names) - 0.5, -0.5))
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)


def dots(axes: Any, values: Sequence[float], place: float) -> None:
    """The single values behind a bar."""
    axes.plot(values, [place] * len(values), linestyle="", marker="o", markersize=2.6, color=INK, zorder=3)
