"""The figures of page.md, drawn from the table: 1, 6, 8, 9 and 10 of the paper."""

from typing import Any

import numpy as np

from tumble.bench.framework.page import Page
from tumble.bench.framework.table import TIME, Study
from tumble.bench.papers.boxtree.builds import BUILT, fits, kinds, times_of
from tumble.bench.papers.boxtree.contestants import (
    AABB,
    BUILDS,
    DEFAULT_BUILD,
    DEFAULT_OVERLAP,
    DOP,
    FCL,
    OBB,
    PACKED,
    PRINTED,
    TESTS_RUN,
    called,
)
from tumble.bench.papers.boxtree.criterion import CRITERION, EQUATION_4, EQUATION_6
from tumble.bench.papers.boxtree.nodes import EMPTINESS, PERCENTS
from tumble.bench.papers.boxtree.published import EMPTY_SHARE
from tumble.bench.papers.boxtree.races import (
    ALL,
    AS_PRINTED,
    PRINTED_TESTS,
    PRINTED_TREES,
    QUERIES,
    TESTS,
    TREES,
    TURN,
    both_of,
    mean_ratio,
    race_of,
    sizes_of,
)
from tumble.report import count, plots

# Boxtrees are solid lines, the others dashed; the trees that store their volumes share a colour.
TREE_COLOURS = dict(zip((*BUILDS, AABB, OBB, DOP, PACKED, FCL, PRINTED), (0, 5, 2, 4, 1, 1, 1, 6, 3, 2), strict=True))
DASHES: dict[str, Any] = {**dict.fromkeys((*BUILDS, PRINTED), "-"), OBB: (0, (4, 1.5, 1, 1.5)), DOP: plots.DOTTED}
OTHER_MARKERS = {OBB: "p", DOP: "*"}
FIT: dict[str, Any] = {"color": plots.INK, "linestyle": (0, (4, 2))}


def figure1(page: Page) -> Any:
    """Cumulative: which part of the nodes leaves at most so much empty."""
    study = page.study(EMPTINESS)
    canvas, (axes,) = plots.figure(size=(7.6, 4.4))
    lines = []
    for index, case in enumerate(study.cases()):
        style = {"color": plots.COLOURS[index % 7], "linestyle": "-" if index < 7 else plots.DASHED}
        axes.plot(PERCENTS, 100 * study.series(case, "all nodes", "at most"), **style, linewidth=1.7)
        lines.append(plots.line(case, **style))
    axes.axvline(100 * EMPTY_SHARE, color=plots.PALE, linewidth=1, linestyle=(0, (2, 2)), zorder=1)
    axes.plot([100 * EMPTY_SHARE], [50], marker="D", color=plots.INK, markersize=7, linestyle="", zorder=5)
    axes.annotate(
        "the paper: half of the nodes\nleave about 10 % empty", (100 * EMPTY_SHARE, 50), (50, 22),
        color=plots.INK, fontsize=9, va="center", arrowprops={"arrowstyle": "-", "color": plots.PALE},
    )  # fmt: skip
    axes.set(xlim=(0, 100), ylim=(0, 101))
    plots.titled(axes, "Empty space between a node and its parent", "empty part of the parent's box, %", "nodes, %")
    canvas.legend(handles=lines, loc="outside right upper", fontsize=9, frameon=False)
    return canvas


def figure6(page: Page) -> Any:
    """Build time over triangles, one panel per builder."""
    study = page.study(BUILT)
    canvas, panels = plots.figure(columns=2, size=(9.0, 7.0), rows=(len(BUILDS) + 1) // 2)
    sizes = sizes_of([study])
    for axes, builder in zip(panels, BUILDS, strict=True):
        for index, kind in enumerate(kinds(study)):
            triangles, seconds = zip(*times_of(study, kind, builder), strict=True)
            axes.plot(triangles, [1e3 * each.value for each in seconds], **plots.look(index))
        _draw_fit(axes, study, builder)
        title = f"{builder} (default)" if builder == DEFAULT_BUILD else builder
        plots.titled(axes, title, "triangles", "milliseconds")
        plots.plain_log_axes(axes, sizes[:: max(1, len(sizes) // 4)])
    plots.same_limits(panels)
    lines = [plots.line(kind, **plots.look(index)) for index, kind in enumerate(kinds(study))]
    plots.legend_below(canvas, [*lines, plots.line("n log n, fitted", **FIT)], 5)
    return canvas


def _draw_fit(axes: Any, study: Study, builder: str) -> None:
    found = fits(study, builder).values()
    if found:
        counts = [study.count(case, "", "triangles") for case in study.cases()]
        sizes = np.geomspace(min(counts), max(counts), 50)
        factor = np.exp(np.mean([np.log(fit.factor) for fit in found]))
        axes.plot(sizes, 1e3 * factor * sizes * np.log2(sizes), **FIT, linewidth=1.2, zorder=1)


def figure8(page: Page) -> Any:
    """Time over distance, all pairs on the left, first hits on the right."""
    study = page.study(TURN)
    canvas, panels = plots.figure(columns=2, size=(10.0, 4.3))
    names = list(dict.fromkeys(study.text(case, "", "object") for case in study.cases()))
    # in the paper's setting an object keeps its colour, and its line is dashed
    looks = {name: _turn_look(name, names) for name in names}
    for axes, query in zip(panels, QUERIES, strict=True):
        for name in names:
            cases = [case for case in study.cases() if study.text(case, "", "object") == name]
            points = sorted((study.value(case, "", "distance"), 1e6 * study.value(case, query, TIME)) for case in cases)
            axes.plot(*zip(*points, strict=True), **looks[name])
        title = query.capitalize()
        plots.titled(axes, title, "distance of the middles, in box lengths", "microseconds per query, mean of the turn")
        _log_in_steps(axes)
    plots.legend_below(canvas, [plots.line(name, **looks[name]) for name in names], 5)
    return canvas


def _turn_look(name: str, names: list[str]) -> dict[str, Any]:
    plain = name.removesuffix(f", {AS_PRINTED}")
    look = plots.look(names.index(plain) if plain in names else names.index(name))
    return look if plain == name else {**look, "linestyle": plots.DASHED}


def _log_in_steps(axes: Any) -> None:
    """A logarithmic axis that begins and ends at 1, 2 or 5."""
    axes.set(yscale="log")
    plots.plain_log(axes.yaxis)
    low, high = axes.dataLim.intervaly
    steps = [step * 10.0**power for power in range(-3, 9) for step in (1, 2, 5)]
    axes.set_ylim(max(step for step in steps if step <= low), min(step for step in steps if step >= high))


def figure9(page: Page) -> Any:
    """Left: time over size; middle: the same by SAT lite's; right: what working ahead saves each test."""
    return _overlap_tests(page, TESTS)


def figure9_printed(page: Page) -> Any:
    """The same in the paper's own setting."""
    return _overlap_tests(page, PRINTED_TESTS)


def _overlap_tests(page: Page, race: str) -> Any:
    canvas, (left, middle, right) = plots.figure(columns=3, size=(12.4, 4.3))
    every, studies = race_of(page.table, race, ALL), both_of(page.table, race)
    kind = every.text(every.cases()[0], "", "kind")
    sizes, tests = sizes_of(studies), [test for test in TESTS_RUN if called(test) in every.contestants()]
    for index, test in enumerate(tests):
        # Two of them nearly coincide: the one drawn first is broad enough to show under the other.
        width = {"linewidth": 4.0, "markersize": 8, "alpha": 0.6} if index == 0 else {"linewidth": 1.6}
        _plot_times(left, every, kind, called(test), **plots.look(index), **width)
        ratios = [mean_ratio(studies, called(test), DEFAULT_OVERLAP, size).value for size in sizes]
        middle.plot(sizes, ratios, **plots.look(index), **width)
        gain = mean_ratio(studies, called(test, False), called(test)).value
        right.barh(index, gain - 1, left=1, color=plots.COLOURS[index], height=0.55, zorder=2)
        plots.note(right, f"{gain:.2f}×", (max(gain, 1), index), (5, 0), va="center")
    ticks = sizes[::2]
    plots.titled(left, f"Time of a query ({kind})", "triangles", "microseconds, all pairs")
    plots.plain_log_axes(left, ticks)
    plots.titled(middle, "Beside SAT lite, all objects", "triangles", "time, SAT lite = 1")
    middle.set(xscale="log")
    middle.set_xticks(ticks, [count(size) for size in ticks])
    middle.minorticks_off()
    middle.axhline(1, color=plots.PALE, linewidth=1, zorder=1)
    plots.titled(right, "Node work done for each pair", "time, done ahead = 1", "")
    right.axvline(1, color=plots.PALE, linewidth=1.2, zorder=3)
    plots.named_rows(right, tests)
    right.margins(x=0.18)
    plots.legend_below(canvas, [plots.line(test, **plots.look(index)) for index, test in enumerate(tests)], 5)
    return canvas


def estimates(page: Page) -> Any:
    """How often children overlap over what Equations 4 and 6 estimate, by tenths of the pairs."""
    study = page.study(CRITERION)
    canvas, panels = plots.figure(columns=2, size=(9.0, 4.3))
    for axes, equation in zip(panels, (EQUATION_4, EQUATION_6), strict=True):
        for index, case in enumerate(study.cases(equation)):
            points = (study.series(case, equation, f"{what} in a tenth") for what in ("estimated", "overlapping"))
            axes.plot(*points, **plots.look(index % 7))
        axes.plot([0, 1], [0, 1], **FIT, linewidth=1.2, zorder=1)
        axes.set(xlim=(0, 1), ylim=(0, 1))
        plots.titled(axes, equation, "estimated probability", "part that overlaps")
    lines = [plots.line(case, **plots.look(index % 7)) for index, case in enumerate(study.cases(EQUATION_4))]
    plots.legend_below(canvas, lines, 5)
    return canvas


def figure10(page: Page) -> Any:
    """Time over size, one panel per kind of object; None where all are real meshes."""
    return _trees(page, TREES)


def figure10_printed(page: Page) -> Any:
    """The same in the paper's own setting."""
    return _trees(page, PRINTED_TREES)


def _trees(page: Page, race: str) -> Any:
    study = race_of(page.table, race, ALL)
    made = [case for case in study.cases() if study.text(case, "", "kind") != "real"]
    if not made:
        return None
    names = list(dict.fromkeys(study.text(case, "", "kind") for case in made))
    rows = (len(names) + 1) // 2
    canvas, panels = plots.figure(columns=min(2, len(names)), size=(10.0, 3.4 * rows + 0.6), rows=rows)
    trees = [name for name in TREE_COLOURS if name in study.contestants()]
    sizes = sorted({study.count(case, "", "size") for case in made})
    for axes, kind in zip(panels, names, strict=False):
        for name in trees:
            _plot_times(axes, study, kind, name, **_tree_look(name), linewidth=2.4 if name == DEFAULT_BUILD else 1.5)
        plots.titled(axes, kind, "triangles", "microseconds, all pairs")
        plots.plain_log_axes(axes, sizes)
    for axes in panels[len(names) :]:
        axes.set_visible(False)
    plots.same_limits(panels[: len(names)])
    plots.legend_below(canvas, [plots.line(name, **_tree_look(name)) for name in trees], 5)
    return canvas


def _tree_look(name: str) -> dict[str, Any]:
    marker = {"marker": OTHER_MARKERS[name]} if name in OTHER_MARKERS else {}
    return {**plots.look(TREE_COLOURS[name]), **marker, "linestyle": DASHES.get(name, plots.DASHED)}


def _plot_times(axes: Any, study: Study, kind: str, name: str, **style: Any) -> None:
    """Microseconds over size: means over distances, as the paper sums up a plot such as Figure 8."""
    times: dict[int, list[float]] = {}
    for case in study.cases():
        if study.text(case, "", "kind") == kind:
            times.setdefault(study.count(case, "", "size"), []).append(1e6 * study.value(case, name, TIME))
    sizes = sorted(times)
    axes.plot(sizes, [np.mean(times[size]) for size in sizes], **style)
