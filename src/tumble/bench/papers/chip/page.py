"""What fills the slots of page.md, tables and figures; the figure of the sweep is drawn by `tumble.report.chip`."""

from typing import Any

import numpy as np

from tumble.bench.framework.page import Flagged, Page, Rows
from tumble.bench.framework.table import PUBLISHED, Study
from tumble.bench.papers.chip import measure, rotation
from tumble.bench.papers.chip.marks import LIST_MARKS, OWN, PAPERS
from tumble.bench.papers.chip.measure import LISTS, METHODS, TRIANGLE_TESTS, contestant
from tumble.bench.papers.chip.published import AVERAGE, BEST_K, MARKS, WORST
from tumble.bench.papers.chip.rotation import AS_IT_IS, CHIP, CYCLE_MODEL, LISTED, RECURSIVE, ROTATION, WITHOUT
from tumble.bench.papers.chip.speedups import BUSES, HOSTS, LEAVES, MIXED, TRIANGLES, cycles_per_check, speedups
from tumble.bench.papers.chip.swept import SWEEP, points_of
from tumble.bench.papers.chip.variants import VARIANTS
from tumble.chip.cost import answer_cycles, seconds, setup_bytes, setup_cycles
from tumble.report import count, microseconds, plots, ratio, significant
from tumble.report.chip.facts import signed
from tumble.report.chip.page import add_sweep

PANELS_PER_ROW = 3
# Software is dashed.
CURVES: dict[str, tuple[str, dict[str, Any]]] = {
    "chip, Equation 5": (CHIP, {"color": plots.COLOURS[0], "linewidth": 1.8}),
    "software, recursive": (RECURSIVE, {"color": plots.COLOURS[1], "linestyle": plots.DASHED, "linewidth": 1.4}),
    "software, lists": (LISTED, {"color": plots.COLOURS[2], "linestyle": plots.DASHED, "linewidth": 1.4}),
}
POINTS: dict[str, tuple[str, dict[str, Any]]] = {
    "chip, cycle model": (
        AS_IT_IS,
        {"color": plots.INK, "marker": "o", "markersize": 5, "linestyle": "", "markerfacecolor": "white"},
    ),
    "… without triangles": (WITHOUT, {"color": plots.INK, "marker": "x", "markersize": 5, "linestyle": ""}),
}


def table_1(page: Page) -> Rows:
    """Our rows, the published ones under theirs."""
    rotations, paper = page.study(ROTATION), page.study(PUBLISHED)
    rows = []
    for name in rotations.cases():
        rows.append(_our_row(rotations, page.study(CYCLE_MODEL), name))
        if name in paper.cases():
            rows.append(_published_row(paper, name))
    return rows


def _our_row(rotations: Study, model: Study, name: str) -> list[str]:
    counts = [rotations.series(name, CHIP, quantity) for quantity in ("aligned", "tumbled", "checks")]
    times = [rotations.series(name, contestant, "time") for contestant in (CHIP, RECURSIVE)]
    average = [*(count(round(float(v.mean()))) for v in counts), *(microseconds(float(v.mean())) for v in times)]
    worst = [*(count(round(float(v.max()))) for v in counts[:2]), *(microseconds(float(v.max())) for v in times)]
    gains = [_two_speedups(speedups(rotations, model, name, form)) for form in (MIXED, LEAVES, TRIANGLES, *HOSTS)]
    return [name, count(rotations.count(name, "", "triangles")), *average, *worst, *gains]


def _two_speedups(found: tuple[float, float] | None) -> str:
    """As in the paper: on average / in the worst case."""
    return " / ".join(significant(value, 2 if value < 10 else 3) for value in found) if found else "–"


def _published_row(paper: Study, name: str) -> list[str]:
    average = ("aligned", "tumbled", "polygon checks", "hardware", "software")
    cells = [paper.count(name, AVERAGE, quantity) for quantity in average]
    cells += [paper.count(name, WORST, quantity) for quantity in average if quantity != "polygon checks"]
    gains = [str(paper.count(name, part, "speed-up")) for part in (AVERAGE, WORST)]
    return ["… in the paper", *map(count, (paper.count(name, "", "polygons"), *cells)), " / ".join(gains), *["–"] * 4]


def objects(page: Page) -> Rows:
    """What rotates, at what distance."""
    rotations, paper = page.study(ROTATION), page.study(PUBLISHED)
    rows = []
    for name in rotations.cases():
        touching = f"{rotations.count(name, '', 'touching')} of {rotations.count(name, '', 'steps')}"
        size = f"{count(paper.count(name, '', 'polygons'))} polygons" if name in paper.cases() else "–"
        distance = f"{rotations.value(name, '', 'distance'):.2f}"
        rows.append([name, rotations.text(name, "", "what"), distance, touching, size])
    return rows


def cycle_runs(page: Page) -> Rows:
    """The poses that ran on the cycle model, beside Equation 5."""
    return [_model_row(page.study(CYCLE_MODEL), case) for case in page.study(CYCLE_MODEL).cases()]


def _model_row(model: Study, case: str) -> list[str]:
    row = [
        model.text(case, "", "object"),
        count(model.count(case, "", "step") + 1),
        count(model.count(case, WITHOUT, "lists")),
        significant(model.value(case, WITHOUT, "pairs per list")),
        *(count(model.count(case, AS_IT_IS, name)) for name in ("polygon checks", "unsure")),
        *(count(model.count(case, part, "cycles")) for part in (AS_IT_IS, WITHOUT)),
        count(model.count(case, WITHOUT, "Equation 5")),
        signed(rotation.apart(model, case)),
        *(model.text(case, part, "busiest unit") for part in (AS_IT_IS, WITHOUT)),
    ]
    return row if model.value(case, AS_IT_IS, "same pairs") else Flagged(row)


def check_cycles(page: Page) -> str | None:
    """Cycles for a pair of triangles on the cycle model."""
    found = cycles_per_check(page.study(CYCLE_MODEL))
    return None if found is None else count(round(found))


def set_up(page: Page) -> str:
    """What the host sends before a query, over either bus."""
    cycles = {bus: setup_cycles(design) for bus, design in BUSES.items()}
    times = [f"{count(each)} cycles or {microseconds(seconds(each))} µs over {bus}" for bus, each in cycles.items()]
    return f"{count(setup_bytes())} bytes, {' and '.join(times)}"


def each_answer(page: Page) -> str:
    """What one pair takes on its way back to the host, over either bus."""
    return " or ".join(f"{answer_cycles(1, design):g}" for design in BUSES.values())


def mark_rows(page: Page) -> Rows:
    """Section 5's cycles beside those of the model."""
    study = page.study(LIST_MARKS)
    return [[mark, str(MARKS[mark]), *(_mark(study, mark, name) for name in (PAPERS, OWN))] for mark in study.cases()]


def _mark(study: Study, mark: str, name: str) -> str:
    """The cycle, or the earliest and the latest; and in how many lists it is the paper's."""
    if not study.has(mark, name, "lists"):
        return "–"
    earliest, latest, exact, lists = (
        count(study.count(mark, name, what)) for what in ("earliest", "latest", "as printed", "lists")
    )
    return f"{earliest if earliest == latest else f'{earliest} to {latest}'} ({exact} of {lists} lists)"


def variant_rows(page: Page) -> Rows:
    """The paper's chip beside ours."""
    study = page.study(VARIANTS)
    return [_variant_row(study, case, name) for case in study.cases() for name in study.contestants(case)]


def _variant_row(study: Study, case: str, name: str) -> list[str]:
    quantities = ("polygon checks", "cycles", "without triangles", "Equation 5", "bytes")
    expected = study.value(case, name, "Equation 5")
    apart = signed(study.value(case, name, "without triangles") / expected - 1 if expected else None)
    row = [case, name, *(count(study.count(case, name, quantity)) for quantity in quantities), apart]
    return row if study.value(case, name, "same pairs") else Flagged(row)


def gains(page: Page) -> Rows:
    """What lists measure.gain in software; what is left out is 1, or the same as its neighbour, by theory."""
    lists = page.study(LISTS)
    work = (("moves", "stack-ahead"), ("moves", "lists"), ("tests", "lists"), ("iterations", "lists-pairs"))
    return [
        [
            volume,
            *(ratio(measure.gain(lists, volume, method)) for method in METHODS[1:]),
            *(ratio(measure.less_work(lists, quantity, volume, method)) for quantity, method in work),
        ]
        for volume in measure.volumes_of(lists)
    ]


def pairs(page: Page) -> str:
    """Triangle pairs whose tests were counted."""
    study = page.study(TRIANGLE_TESTS)
    return count(study.count(study.cases()[0], study.contestants()[0], "pairs"))


def operations(page: Page) -> Rows:
    """Operations of triangle tests."""
    study, parts = page.study(TRIANGLE_TESTS), ("moving", "additions", "multiplications", "comparisons", "divisions")
    (case,) = study.cases()
    rows = []
    for name in study.contestants():
        values = [study.value(case, name, part) for part in parts]
        cells = [*values, sum(values), study.value(case, name, "worst")]
        rows.append([name, *map(significant, cells), f"{study.value(case, name, 'undecided'):.1%}"])
    return rows


def designs(page: Page) -> None:
    """Write what a designer can change."""
    study = page.study(SWEEP)
    add_sweep(page.document, points_of(study), page.folder, study.text("query", "", "what"))


def draw_rotations(page: Page) -> Any:
    """Microseconds over the rotation, a panel for each object."""
    rotations, model = page.study(ROTATION), page.study(CYCLE_MODEL)
    names = rotations.cases()
    columns = min(PANELS_PER_ROW, len(names))
    rows = -(-len(names) // columns)
    canvas, panels = plots.figure(columns=columns, size=(11.0, 2.5 * rows + 0.5), rows=rows)
    for axes, name in zip(panels, names, strict=False):
        steps = rotations.count(name, "", "steps")
        angles = 360 * (np.arange(steps) + 0.5) / steps
        for contestant_name, look in CURVES.values():
            axes.plot(angles, 1e6 * rotations.series(name, contestant_name, "time"), **look)
        for case in model.cases():
            if model.text(case, "", "object") == name:
                angle = angles[model.count(case, "", "step")]
                for part, look in POINTS.values():
                    axes.plot([angle], [1e6 * seconds(model.value(case, part, "cycles"))], **look, zorder=4)
        plots.titled(axes, name, "turned by, degrees", "microseconds")
        axes.set(yscale="log", xlim=(0, 360), xticks=range(0, 361, 90))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    for axes in panels[len(names) :]:
        axes.set_visible(False)
    plots.legend_below(canvas, [plots.line(name, **look) for name, (_, look) in {**CURVES, **POINTS}.items()])
    return canvas


def draw_lists(page: Page) -> Any:
    """How many times as fast as the recursive traversal, a group of bars for each kind of volume; dots are objects."""
    lists, methods = page.study(LISTS), METHODS[1:]
    volumes = measure.volumes_of(lists)
    canvas, (axes,) = plots.figure(size=(9.0, 0.62 * len(volumes) + 1.3))
    for group, volume in enumerate(volumes):
        for index, method in enumerate(methods):
            place = group + 0.26 * (index - 1)
            value = measure.gain(lists, volume, method)
            axes.barh(place, value - 1, left=1, height=0.24, color=plots.COLOURS[index], zorder=2)
            found = lists.ratios(contestant(volume, RECURSIVE), contestant(volume, method))
            plots.dots(axes, list(found.values()), place)
    axes.axvline(1, color=plots.PALE, linewidth=1.2, zorder=3)
    plots.named_rows(axes, volumes)
    plots.titled(axes, "As fast as the recursive traversal, all pairs", "times (bars: means, dots: objects)", "")
    plots.legend_below(canvas, [plots.line(m, color=plots.COLOURS[i], linewidth=6) for i, m in enumerate(methods)])
    return canvas


def draw_k(page: Page) -> Any:
    """Time over the half-spaces of a DOP, where it was measured."""
    series = measure.series_by_k(page.table)
    if not series:
        return None
    canvas, (axes,) = plots.figure(size=(7.0, 3.8))
    colours = {f"software, {RECURSIVE}": 1, f"software, {LISTED}": 2, "chip": 0}
    looks = {name: {**plots.look(i), "color": plots.COLOURS[colours[name]]} for i, name in enumerate(colours)}
    for name, times in series.items():
        axes.plot(list(times), [time.value for time in times.values()], **looks[name])
    axes.axhline(1, color=plots.PALE, linewidth=1, zorder=1)
    axes.axvline(BEST_K, color=plots.PALE, linewidth=1, linestyle=(0, (2, 2)), zorder=1)
    axes.set_xticks([6, 14, 18, 24, 26])
    axes.set_ylim(bottom=0)
    plots.titled(axes, "Half-spaces of a DOP (the paper: 24 is optimal)", "k", f"time, k = {BEST_K}: 1")
    plots.legend_below(
        canvas, [plots.line("chip, cycle model" if name == "chip" else name, **looks[name]) for name in series]
    )
    return canvas
