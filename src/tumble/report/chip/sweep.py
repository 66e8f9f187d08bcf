"""The designer's sweep as a table and as a figure."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from tumble.chip.sweep import KNOBS, Point
from tumble.report import plots
from tumble.report.chip.facts import bus_share, difference, signed
from tumble.report.numbers import ratio, significant
from tumble.report.tables import Column, Table

TITLES = {knob.name: knob.title for knob in KNOBS}
# What triangles add.
PALENESS = 0.35
EQUATION: dict[str, Any] = {"color": plots.INK, "marker": "D", "markersize": 5, "linestyle": ""}


def sweep_rows(points: Sequence[Point]) -> list[list[str]]:
    """A row for each point: knob, setting, busiest unit, µs by the model and by Equation 5, speed, bus."""
    base = next(point for point in points if point.is_base).run
    return [
        [
            TITLES[point.knob],
            _label(point),
            *(f"{run.bottleneck} {run.utilisation.get(run.bottleneck, 0.0):.0%}" for run in (point.run, point.plain)),
            *(significant(1e6 * each) for each in (point.run.seconds, point.plain.seconds, point.equation_seconds)),
            signed(difference(point.plain)),
            ratio(base.seconds / point.run.seconds) if point.run.cycles else "–",
            f"{bus_share(point.run):.0%}",
        ]
        for point in points
    ]


def _label(point: Point) -> str:
    return f"{point.label} •" if point.is_base else point.label


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
    from matplotlib.patches import Patch

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
    units_named = [Patch(color=colour, label=f"{unit} the busiest") for unit, colour in colours.items()]
    plots.legend_below(canvas, [*units_named, plots.line("Equation 5", **EQUATION)])
    return canvas


def _draw_knob(axes: Any, title: str, group: Sequence[Point], colours: dict[str, str], most: float) -> None:
    for row, point in enumerate(group):
        seconds = (point.run.seconds, point.plain.seconds, point.equation_seconds)
        microseconds, plain, equation = (1e6 * each for each in seconds)
        colour = colours[point.run.bottleneck]
        axes.barh(row, microseconds - plain, left=plain, height=0.62, color=colour, alpha=PALENESS, zorder=2)
        axes.barh(row, plain, height=0.62, color=colours[point.plain.bottleneck], zorder=2)
        axes.plot([equation], [row], **EQUATION, zorder=3)
        plots.note(axes, significant(microseconds), (max(microseconds, equation), row), (6, 0), va="center", fontsize=8)
    axes.set(xlim=(0, 1.18 * most))
    plots.named_rows(axes, [_label(point) for point in group])
    plots.titled(axes, title, "microseconds", "")
