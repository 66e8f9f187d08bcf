"""The figures of the rerun: the fall step by step, Figure 10, and the traversals beside each other."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.page import Page
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import PUBLISHED, Study, Table
from tumble.bench.papers.binary_stack import races
from tumble.bench.papers.binary_stack.fall import FALL, SIMULATOR
from tumble.bench.papers.binary_stack.frames import FRAMES, body_of, poses_of
from tumble.bench.papers.binary_stack.measure import DEVICES
from tumble.bench.papers.binary_stack.published import BODIES, CPU, GPU
from tumble.report import plots
from tumble.report.picture import camera_for, draw_bodies
from tumble.traversal.rules import DEFAULT_RULE

Series = tuple[Sequence[int], NDArray[np.float64]]
# Pixels of a frame of Figure 1.
PICTURE = (800, 500)
# The phases of a step from the bottom: what finds touching triangles, contact points, and what moves bodies.
PHASES = {"broad phase": 5, "narrow phase": 0, "contacts": 2, "solve": 4, "integrate": 1, "sleep": 6}
# Names, our quantities, the paper's, colours.
PAIRS_OF_BODIES = (("boxes meet", "broad pairs", "broad", 5), ("meshes touch", "touching pairs", "narrow", 0))


def draw_frames(page: Page) -> Any:
    """Figure 1: the bodies at four moments, from one camera."""
    vertices, faces = body_of(page.study(FRAMES))
    frames = poses_of(page.study(FRAMES))
    camera = camera_for(list(frames.values()), float(np.abs(vertices).max()), PICTURE)
    canvas, panels = plots.figure(columns=2, size=(11.0, 7.2), rows=2)
    for axes, (name, poses) in zip(panels, frames.items(), strict=False):
        axes.imshow(draw_bodies(vertices, faces, poses, camera, PICTURE))
        axes.set_axis_off()
        plots.titled(axes, name, "", "")
    return canvas


def draw_steps(page: Page) -> Any:
    """What touches and what a step takes, step by step."""
    fall, paper = page.study(FALL), page.study(PUBLISHED)
    (what,) = fall.cases()
    ours = {name: fall.series(what, SIMULATOR, name) for name in fall.quantities(what, SIMULATOR)}
    steps = np.arange(len(ours["step"]))
    printed = paper.cases() if fall.count(what, "", "bodies") == BODIES else []  # fewer bodies compare with nothing
    printed_steps = [paper.count(case, "", "step") for case in printed]

    def theirs(name: str) -> NDArray[np.float64]:
        return np.array([paper.value(case, CPU, name) for case in printed])

    canvas, (left, middle, right) = plots.figure(columns=3, size=(11.5, 3.9))
    lines = []
    for name, quantity, column, colour in PAIRS_OF_BODIES:
        look = {"color": plots.COLOURS[colour]}
        left.plot(steps, ours[quantity], **look)
        left.plot(printed_steps, theirs(column), linestyle=plots.DASHED, **look)
        lines.append(plots.line(name, **look))
    faces = {"color": plots.COLOURS[3]}
    middle.plot(steps, ours["triangle pairs"] / 1000, **faces)
    middle.plot(printed_steps, theirs("faces") / 1000, linestyle=plots.DASHED, color=plots.COLOURS[4])
    lines.append(plots.line("triangles touch", **faces))
    leaves = {"color": plots.COLOURS[4]}
    found = _leaf_pairs(page.study(races.COLLISIONS))
    if found:
        middle.plot(list(found), [pairs / 1000 for pairs in found.values()], **leaves)
        lines.append(plots.line("leaves overlap", **leaves))
    if printed:
        lines.append(plots.line("… in the paper", color=plots.INK, linestyle=plots.DASHED))
    _draw_phases(right, steps, {name: 1e3 * ours[name] for name in PHASES if name in ours})
    plots.titled(left, "Pairs of bodies", "step", "")
    plots.titled(middle, "Pairs of triangles", "step", "thousands")
    plots.titled(right, "Time of a step here", "step", "milliseconds")
    for axes in (left, middle):
        axes.set_ylim(bottom=0)
    for axes in (left, middle, right):
        axes.set(xlim=(0, max(int(steps[-1]), 1)))
    plots.legend_below(canvas, lines)
    return canvas


def _leaf_pairs(study: Study) -> dict[int, float]:
    """Pairs of leaves at the recorded steps, where they were counted: what the paper's faces most likely are."""
    cases = [case for case in study.cases() if study.has(case, "", "leaf pairs")]
    return {study.count(case, "", "step"): study.value(case, "", "leaf pairs") for case in cases}


def _draw_phases(axes: Any, steps: NDArray[np.int64], times: Mapping[str, NDArray[np.float64]]) -> None:
    colours = [plots.COLOURS[PHASES[name]] for name in times]
    axes.stackplot(steps, list(times.values()), colors=colours, linewidth=0, alpha=0.9)
    handles = [plots.line(name, color=colour, linewidth=6) for name, colour in zip(times, colours, strict=True)]
    axes.legend(handles=handles[::-1], loc="upper left", fontsize=8, handlelength=1.0, labelspacing=0.25)
    axes.set_ylim(0, 1.3 * float(np.sum(list(times.values()), axis=0).max()))


def accumulated(steps: Sequence[int], seconds: Sequence[float]) -> NDArray[np.float64]:
    """The sum of all steps up to each recorded one; between those, times are taken to change evenly."""
    every = np.arange(steps[0], steps[-1] + 1)
    sums = np.cumsum(np.interp(every, steps, seconds))
    return sums[np.asarray(steps) - steps[0]]


def _series(study: Study, times: Mapping[str, Sequence[tuple[str, str]]]) -> dict[str, Series]:
    """Times added up; each is the first (contestant, quantity) less the others."""
    steps = [study.count(case, "", "step") for case in study.cases()]

    def seconds(case: str, parts: Sequence[tuple[str, str]]) -> float:
        first, *others = (study.value(case, *part) for part in parts)
        return first - sum(others)

    return {
        name: (steps, accumulated(steps, [seconds(case, parts) for case in study.cases()]))
        for name, parts in times.items()
    }


def published_series(table: Table) -> dict[str, Series]:
    """The three lines of the figure, from Table 1."""
    times = {
        "CPU": [(CPU, "collision")],
        "GPU": [(GPU, "collision")],
        "GPU, results left there": [(GPU, "collision"), (GPU, "copy")],
    }
    return _series(table.study(PUBLISHED), times)


def our_series(table: Table) -> dict[str, Series]:
    """The same here: the paper's method on one core, devices with and without copying back, and the default engine."""
    study = table.study(races.COLLISIONS)
    times = {f"CPU, {races.BINARY}": [(races.BINARY, "time")]}
    if study.cases(races.LEAVES):
        times["CPU, leaf pairs only"] = [(races.LEAVES, "time")]
    for device in table.study(DEVICES).cases():
        each = races.one_each(device)
        times[each] = [(each, "time")]
        times[f"{device}, results left there"] = [(each, "time"), (each, "copy")]
        times[f"{device}, pool"] = [(device, "time")]
    times[f"CPU, {races.DEFAULT}"] = [(races.DEFAULT, "time")]
    return _series(study, times)


def draw_figure10(page: Page) -> Any:
    """Accumulated time, the paper's and ours."""
    canvas, panels = plots.figure(columns=2, size=(11.0, 4.0))
    drawn = {"In the paper": published_series(page.table), "Here": our_series(page.table)}
    for axes, (title, series) in zip(panels, drawn.items(), strict=True):
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
        return plots.COLOURS[0], plots.DASHED
    if "leaf pairs" in name:
        return plots.COLOURS[1], plots.DOTTED
    if "default" in name:
        return plots.COLOURS[6], "-"
    if "pool" in name:
        return plots.COLOURS[4], plots.DOTTED
    return plots.COLOURS[1 if index == 0 else 2], "-"


def draw_traversals(page: Page) -> Any:
    """Node pairs and time relative to the binary stack with the default rule; dots are recorded moments."""
    study, base = page.study(races.TRAVERSALS), races.by_rule(races.BINARY, DEFAULT_RULE)
    cases = study.cases()
    rules = [races.by_rule(races.BINARY, rule) for rule in races.rules_of(study)]
    others = [races.by_rule(races.STACK, DEFAULT_RULE), races.PARENTS]
    others = [name for name in others if study.cases(name)]
    names = [*rules, *others, races.DEFAULT_ONE]
    work = [
        [study.value(case, name, "node pairs") / study.value(case, base, "node pairs") for case in cases]
        for name in rules
    ]
    work += [[1.0] * len(cases) for _ in others]  # the ordinary stack, and the ascent by parents: the same pairs
    times = [[study.ratio(case, name, base) for case in cases] for name in names]
    canvas, (left, right) = plots.figure(columns=2, size=(11.0, 0.36 * len(names) + 1.4))
    for axes, values, title in ((left, work, "Node pairs"), (right, times, "Time")):
        for place, found in enumerate(values):
            mean = geometric_mean(found)
            colour = plots.COLOURS[0 if place < len(rules) else 6 if place == len(names) - 1 else 1]
            axes.barh(place, mean, height=0.62, color=colour, zorder=2)
            plots.dots(axes, found, place)
            plots.note(axes, f"{mean:.2f}×", (max(*found, mean), place), (5, 0), va="center")
        axes.axvline(1, color=plots.PALE, linewidth=1.2, zorder=3)
        plots.named_rows(axes, names if axes is left else [""] * len(names))
        axes.margins(x=0.15)
        plots.titled(axes, title, f"{base} = 1", "")
    plots.note(left, "not comparable", (0.0, len(names) - 1), (5, 0), va="center")
    return canvas
