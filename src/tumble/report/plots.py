"""One look for every plot: quiet axes, colours for the colour-blind too, series named at their ends.

Matplotlib is optional: everything here loads it when called, and says what to install where it is missing.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tumble.errors import MissingDependencyError
from tumble.report.numbers import count

INSTALL = 'pip install "tumble[plot]"'

# Okabe and Ito's palette without its yellow, which a white page swallows.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444")
INK, PALE = "#3a424a", "#9aa3ab"
DASHED, DOTTED = (0, (4, 1.5)), (0, (1, 1.2))
MARKERS = ("o", "s", "^", "v", "D", "P", "X")

_STYLE = Path(__file__).with_name("plots.mplstyle")


def figure(columns: int = 1, size: tuple[float, float] = (7.0, 4.2), rows: int = 1) -> tuple[Any, list[Any]]:
    """A figure of panels, row by row from the top left, in the common style: `(figure, axes)`."""
    matplotlib, figure_class = require_matplotlib()
    with matplotlib.rc_context(fname=_STYLE):
        canvas = figure_class(figsize=size, layout="constrained")
        canvas.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
        axes = canvas.subplots(rows, columns, squeeze=False)
    return canvas, list(axes.flat)


def save(canvas: Any, folder: Path, stem: str) -> str:
    """Save a figure as `stem`.svg and `stem`.png; returns the SVG text for a page."""
    matplotlib, _ = require_matplotlib()
    buffer = io.StringIO()
    with matplotlib.rc_context(fname=_STYLE):
        canvas.savefig(buffer, format="svg", metadata={"Date": None})
        canvas.savefig(folder / f"{stem}.png", dpi=160)
    (folder / f"{stem}.svg").write_text(buffer.getvalue(), encoding="utf-8")
    return buffer.getvalue()


def name_series_at_end(axes: Any, ends: Sequence[tuple[str, str, float, float]], gap: float = 0.055) -> None:
    """Write each series' name beside its last point, `(name, colour, x, y)`, without overlaps.

    Call it once the limits of the axes are final: names stand in fractions of the axes, `gap` apart.
    """
    to_fraction = axes.transData + axes.transAxes.inverted()
    wanted = sorted((to_fraction.transform((x, y))[1], name, colour) for name, colour, x, y in ends)
    heights = spread([height for height, _, _ in wanted], gap)
    for height, (_, name, colour) in zip(heights, wanted, strict=True):
        axes.text(1.02, height, name, color=colour, transform=axes.transAxes, va="center", fontsize=9)


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Ascending heights moved as little as a simple sweep can, so that neighbours stand `gap` apart."""
    placed = list(heights)
    for _ in range(200):
        for low in range(len(placed) - 1):
            overlap = gap - (placed[low + 1] - placed[low])
            if overlap > 1e-9:
                placed[low] -= overlap / 2
                placed[low + 1] += overlap / 2
    return placed


def plain_log_axes(axes: Any, positions: Sequence[float]) -> None:
    """Two logarithmic axes in plain numbers: x at the measured positions only, y at 1, 2, 5, 10, ..."""
    axes.set(xscale="log", yscale="log")
    axes.set_xticks(positions, [count(int(position)) for position in positions])
    axes.minorticks_off()
    plain_log(axes.yaxis)


def plain_log(axis: Any, unit: str = "") -> None:
    """Write the numbers 1, 2, 5, 10, ... beside an axis that is logarithmic."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}{unit}"))
    axis.set_minor_locator(NullLocator())


def titled(axes: Any, title: str, x: str, y: str) -> None:
    """A title on the left and the names of both axes."""
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold")
    axes.set(xlabel=x, ylabel=y)


def named_rows(axes: Any, names: Sequence[str], top: float = -0.5) -> None:
    """Rows of bars, the first at the top, with their names at the left."""
    axes.set_yticks(range(len(names)), names, color=INK)
    axes.set(ylim=(len(names) - 0.5, top))
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)


def look(index: int) -> dict[str, Any]:
    """The colour and the marker of a series."""
    return {"color": COLOURS[index], "marker": MARKERS[index], "markeredgewidth": 0}


def note(axes: Any, text: str, at: tuple[float, float], offset: tuple[int, int], **look: Any) -> None:
    """Write small text beside a point, `offset` points away."""
    axes.annotate(text, at, offset, textcoords="offset points", **{"color": INK, "fontsize": 9, **look})


def line(name: str, **look: Any) -> Any:
    """An entry of a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=name, **look)


def legend_below(canvas: Any, lines: Sequence[Any], columns: int = 99) -> None:
    """One legend under all panels."""
    ncols = min(columns, len(lines))
    canvas.legend(handles=lines, loc="outside lower center", ncols=ncols, fontsize=9, frameon=False)


def dots(axes: Any, values: Sequence[float], place: float) -> None:
    """The single values behind a bar."""
    axes.plot(values, [place] * len(values), linestyle="", marker="o", markersize=2.6, color=INK, zorder=3)


def same_limits(panels: Sequence[Any]) -> None:
    """Let all panels reach as far up and down."""
    limits = [axes.get_ylim() for axes in panels]
    for axes in panels:
        axes.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))


def have_matplotlib() -> bool:
    """Whether plots can be drawn."""
    try:
        require_matplotlib()
    except MissingDependencyError:
        return False
    return True


def require_matplotlib() -> tuple[Any, Any]:
    """Return the module and its class of figures, or say that it is missing: now, not after long work."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependencyError(f"plots need Matplotlib, which is not installed: {INSTALL}") from error
    return matplotlib, Figure
