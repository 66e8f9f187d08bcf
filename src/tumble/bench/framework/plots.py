"""What the figures of the benchmarks share beyond `tumble.report.plots`."""

from collections.abc import Sequence
from typing import Any

from tumble.report import plots

INK, PALE = "#3a424a", "#9aa3ab"
DASHED, DOTTED = (0, (4, 1.5)), (0, (1, 1.2))


def look(index: int) -> dict[str, Any]:
    """The colour and the marker of a series."""
    return {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "markeredgewidth": 0}


def note(axes: Any, text: str, at: tuple[float, float], offset: tuple[int, int], **place: str) -> None:
    """Write small text beside a point, `offset` points away."""
    axes.annotate(text, at, offset, textcoords="offset points", color=INK, fontsize=9, **place)


def line(name: str, **look: Any) -> Any:
    """An entry of a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=name, **look)


def legend_below(canvas: Any, lines: Sequence[Any], columns: int = 99) -> None:
    """One legend under all panels."""
    ncols = min(columns, len(lines))
    canvas.legend(handles=lines, loc="outside lower center", ncols=ncols, fontsize=9, frameon=False)


def name_bars(axes: Any, names: Sequence[str]) -> None:
    """Write names beside horizontal bars, the first at the top."""
    axes.set_yticks(range(len(names)), names, color=INK)
    axes.set(ylim=(len(names) - 0.5, -0.5))
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)


def dots(axes: Any, values: Sequence[float], place: float) -> None:
    """The single values behind a bar."""
    axes.plot(values, [place] * len(values), linestyle="", marker="o", markersize=2.6, color=INK, zorder=3)


def plain_log(axis: Any, unit: str = "") -> None:
    """Write the numbers 1, 2, 5, 10, ... beside an axis that is logarithmic."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}{unit}"))
    axis.set_minor_locator(NullLocator())


def same_limits(panels: Sequence[Any]) -> None:
    """Let all panels reach as far up and down."""
    limits = [axes.get_ylim() for axes in panels]
    for axes in panels:
        axes.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
