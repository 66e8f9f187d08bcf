"""The figures of the rerun: the fall step by step, Figure 10, and the traversals beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tumble.bench.binary_stack.accumulated import Series, our_series, published_series
from tumble.bench.binary_stack.contestants import BINARY, DEFAULT_ONE, STACK
from tumble.bench.binary_stack.published import BODIES, CPU, published
from tumble.bench.binary_stack.racing import by_rule
from tumble.bench.binary_stack.records import Compared, Findings, Simulation
from tumble.bench.framework.statistics import geometric_mean
from tumble.report import plots
from tumble.traversal.rules import DEFAULT_RULE

INK, PALE = "#3a424a", "#9aa3ab"
DASHED, DOTTED = (0, (4, 1.5)), (0, (1, 1.2))
# The phases of a step from the bottom: what finds touching triangles, contact points, and what moves bodies.
PHASES = {"broad phase": 5, "narrow phase": 0, "contacts": 2, "solve": 4, "integrate": 1, "sleep": 6}


def draw_figures(findings: Findings, folder: Path) -> dict[str, str]:
    """Write the figures that there is data for, as SVG and PNG; returns the SVG text of each by its name."""
    figures = {}
    if findings.simulation is not None:
        figures["steps"] = plots.save(_draw_steps(findings.simulation), folder, "steps")
    if findings.rows:
        figures["figure10"] = plots.save(_draw_accumulated(our_series(findings)), folder, "figure10")
    if findings.compared:
        figures["traversals"] = plots.save(_draw_traversals(findings.compared), folder, "traversals")
    return figures


def _draw_steps(fall: Simulation) -> Any:
    canvas, (left, middle, right) = plots.figure(columns=3, size=(11.5, 3.9))
    steps = [step.step for step in fall.steps]
    paper = published(CPU) if fall.bodies == BODIES else {}  # fewer bodies compare with nothing
    counted = {"boxes meet": ("broad pairs", "broad", 5), "meshes touch": ("touching pairs", "narrow", 0)}
    lines = []
    for name, (ours, theirs, colour) in counted.items():
        look = {"color": plots.COLOURS[colour]}
        left.plot(steps, [step.counts[ours] for step in fall.steps], **look)
        left.plot(list(paper), [getattr(row, theirs) for row in paper.values()], linestyle=DASHED, **look)
        lines.append(_line(name, **look))
    faces = {"color": plots.COLOURS[3]}
    middle.plot(steps, [step.counts["triangle pairs"] / 1000 for step in fall.steps], **faces)
    middle.plot(list(paper), [row.faces / 1000 for row in paper.values()], linestyle=DASHED, **faces)
    lines.append(_line("triangles touch", **faces))
    if paper:
        lines.append(_line("… in the paper", color=INK, linestyle=DASHED))
    names = [name for name in PHASES if name in fall.steps[0].phases]
    times = [[1e3 * step.phases.get(name, 0.0) for step in fall.steps] for name in names]
    right.stackplot(steps, times, colors=[plots.COLOURS[PHASES[name]] for name in names], linewidth=0, alpha=0.9)
    right.legend(
        handles=[_line(name, color=plots.COLOURS[PHASES[name]], linewidth=6) for name in names[::-1]],
        loc="upper left", fontsize=8, handlelength=1.0, labelspacing=0.25,
    )  # fmt: skip
    plots.titled(left, "Pairs of bodies", "step", "")
    plots.titled(middle, "Pairs of triangles", "step", "thousands")
    plots.titled(right, "Time of a step here", "step", "milliseconds")
    last = max(steps[-1], 1)
    for axes in (left, middle, right):
        axes.set(xlim=(0, last))
        axes.set_ylim(bottom=0)
    right.set_ylim(top=1.3 * max(sum(column) for column in zip(*times, strict=True)))
    _legend(canvas, lines)
    return canvas


def _draw_accumulated(ours: Mapping[str, Series]) -> Any:
    canvas, panels = plots.figure(columns=2, size=(11.0, 4.0))
    told = {"In the paper": published_series(), "Here": ours}
    for axes, (title, series) in zip(panels, told.items(), strict=True):
        ends = []
        for index, (name, (steps, seconds)) in enumerate(series.items()):
            colour, dashes = _look(name, index)
            axes.plot(steps, seconds, color=colour, linestyle=dashes)
            ends.append((name, colour, steps[-1], seconds[-1]))
        axes.set(xlim=(0, max(steps[-1] for steps, _ in series.values()) or 1))
        axes.set_ylim(bottom=0)
        plots.titled(axes, title, "step", "collision time so far, s")
        plots.name_series_at_end(axes, ends)
    return canvas


def _look(name: str, index: int) -> tuple[str, Any]:
    """As in the paper, on both sides: red for its method on the CPU, green for the GPU, blue without copying back."""
    if "left there" in name:
        return plots.COLOURS[0], DASHED
    if "default" in name:
        return plots.COLOURS[6], "-"
    if "pool" in name:
        return plots.COLOURS[4], DOTTED
    return plots.COLOURS[1 if index == 0 else 2], "-"


def _draw_traversals(compared: Sequence[Compared]) -> Any:
    """Node pairs and time relative to the binary stack with the default rule; dots are recorded moments."""
    base = by_rule(BINARY, DEFAULT_RULE)
    rules = list(compared[0].counts)
    names = [by_rule(BINARY, rule) for rule in rules] + [by_rule(STACK, DEFAULT_RULE), DEFAULT_ONE]
    canvas, (left, right) = plots.figure(columns=2, size=(11.0, 0.36 * len(names) + 1.4))
    work = [[one.counts[rule].node_pairs / one.counts[DEFAULT_RULE].node_pairs for one in compared] for rule in rules]
    work.append([1.0] * len(compared))  # the ordinary stack: the same pairs
    times = [[one.ratio(name, base).median for one in compared] for name in names]
    for axes, values, title in ((left, work, "Node pairs"), (right, times, "Time")):
        for place, dots in enumerate(values):
            mean = geometric_mean(dots)
            colour = plots.COLOURS[0 if place < len(rules) else 1 if place == len(rules) else 6]
            axes.barh(place, mean, height=0.62, color=colour, zorder=2)
            axes.plot(dots, [place] * len(dots), linestyle="", marker="o", markersize=2.6, color=INK, zorder=3)
            _note(axes, f"{mean:.2f}×", max(*dots, mean), place)
        axes.axvline(1, color=PALE, linewidth=1.2, zorder=3)
        axes.set(ylim=(len(names) - 0.5, -0.5))
        axes.margins(x=0.15)
        axes.grid(axis="y", visible=False)
        axes.tick_params(axis="y", length=0)
        plots.titled(axes, title, f"{base} = 1", "")
    _note(left, "not comparable", 0.0, len(names) - 1)
    left.set_yticks(range(len(names)), names, color=INK)
    right.set_yticks(range(len(names)), [""] * len(names))
    return canvas


def _note(axes: Any, text: str, x: float, y: float) -> None:
    axes.annotate(text, (x, y), (5, 0), textcoords="offset points", va="center", color=INK, fontsize=9)


def _line(name: str, **look: Any) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], label=name, **look)


def _legend(canvas: Any, lines: Sequence[Any]) -> None:
    canvas.legend(handles=lines, loc="outside lower center", ncols=len(lines), fontsize=9, frameon=False)
