"""The designer's sweep as a table and as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from tumble.chip.sweep import KNOBS, Point
from tumble.report import plots
from tumble.report.chip.facts import bus_share, difference, signed
from tumble.report.numbers import ratio, significant
from tumble.report.tables import Column, Table

TITLES = {knob.name: knob.title for knob in KNOBS}
INK = "#3a424a"
# What triangles add.
PALENESS = 0.35


def sweep_rows(points: Sequence[Point]) -> list[list[str]]:
    """A row for each point: knob, setting, busiest unit, µs by the model and by Equation 5, speed, bus."""
    base = next(point for point in points if point.is_base).run
    rows = []
    for point in points:
        run = point.run
        rows.append(
            [
                TITLES[point.knob],
                f"{point.label} •" if point.is_base else point.label,
                f"{run.bottleneck} {run.utilisation.get(run.bottleneck, 0.0):.0%}",
                f"{point.plain.bottleneck} {point.plain.utilisation.get(point.plain.bottleneck, 0.0):.0%}",
                significant(run.seconds * 1e6),
                significant(point.plain.seconds * 1e6),
                significant(point.equation_seconds * 1e6),
                signed(difference(point.plain)),
                ratio(base.seconds / run.seconds) if run.cycles else "–",
                f"{bus_share(run):.0%}",
            ]
        )
    return rows


COLUMNS = (
    Column("measure", whole=True),
    Column("setting", whole=True),
    Column("as it is", whole=True, group="busiest unit"),
    Column("without triangles", whole=True, group="busiest unit"),
    Column("as it is", True, "µs"),
    Column("without triangles", True, "µs"),
    Column("Equation 5", True, "µs"),
    Column("apart from it", True, "µs"),
    Column("speed, • = 1", True),
    Column("bus in use", True),
)


def sweep_table(points: Sequence[Point]) -> Table:
    """The table of the page; • marks the design that the sweep starts from."""
    rows = sweep_rows(points)
    shown = [[row[0] if i == 0 or rows[i - 1][0] != row[0] else "", *row[1:]] for i, row in enumerate(rows)]
    return Table(COLUMNS, shown)


def draw_sweep(points: Sequence[Point]) -> Any:
    """A panel for each knob: microseconds of every setting by the model (bars) and by Equation 5 (marks)."""
    groups = [(name, list(group)) for name, group in groupby(points, key=lambda point: point.knob)]
    rows = (len(groups) + 2) // 3
    canvas, panels = plots.figure(columns=min(3, len(groups)), size=(11.0, 2.6 * rows + 0.5), rows=rows)
    units = list(dict.fromkeys(run.bottleneck for point in points for run in (point.plain, point.run)))
    colours = {unit: plots.COLOURS[i % len(plots.COLOURS)] for i, unit in enumerate(units)}
    most = max(max(point.run.seconds, point.equation_seconds) for point in points) * 1e6
    for axes, (name, group) in zip(panels, groups, strict=False):
        _draw_knob(axes, TITLES[name], group, colours, most)
    for axes in panels[len(groups) :]:
        axes.set_visible(False)
    _legend(canvas, colours)
    return canvas


def _draw_knob(axes: Any, title: str, group: Sequence[Point], colours: dict[str, str], most: float) -> None:
    for row, point in enumerate(group):
        microseconds, plain = point.run.seconds * 1e6, point.plain.seconds * 1e6
        colour = colours[point.run.bottleneck]
        axes.barh(row, microseconds - plain, left=plain, height=0.62, color=colour, alpha=PALENESS, zorder=2)
        axes.barh(row, plain, height=0.62, color=colours[point.plain.bottleneck], zorder=2)
        axes.plot([point.equation_seconds * 1e6], [row], marker="D", color=INK, markersize=5, linestyle="", zorder=3)
        axes.annotate(
            significant(microseconds),
            (max(microseconds, point.equation_seconds * 1e6), row),
            (6, 0),
            textcoords="offset points",
            va="center",
            color=INK,
            fontsize=8,
        )
    labels = [f"{point.label} •" if point.is_base else point.label for point in group]
    axes.set_yticks(range(len(group)), labels, color=INK)
    axes.set(xlim=(0, 1.18 * most), ylim=(len(group) - 0.5, -0.5))
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    plots.titled(axes, title, "microseconds", "")


def _legend(canvas: Any, colours: dict[str, str]) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [Patch(color=colour, label=f"{unit} the busiest") for unit, colour in colours.items()]
    handles.append(Line2D([], [], color=INK, marker="D", markersize=5, linestyle="", label="Equation 5"))
    canvas.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=9, frameon=False)
