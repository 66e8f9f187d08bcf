"""What fills the slots of page.md: Figure 33, then every table, ours beside the published."""

from typing import Any

from tumble.bench.framework.page import Page
from tumble.bench.framework.table import PUBLISHED, Study
from tumble.bench.papers.stackless.claims import scenes
from tumble.bench.papers.stackless.measure import QUERIES
from tumble.bench.papers.stackless.published import COUNTERS, METHODS, SPREAD
from tumble.report import Column, Table, count, microseconds, plots, ratio, significant

TABLES = {
    2: "Table 2: intersection",
    3: "Table 3: separation",
    4: "Table 4: close proximity",
    5: "Table 5: small proximity",
    6: "Table 6: scalability",
    7: "Table 7: objects of different sizes",
    8: "Table 8: different numbers of triangles",
}
# Three of the five nearly coincide: the one drawn first is broad and pale enough to show under the others.
WIDTHS = {"stack": 2.0, "alternating": 4.5, "stackless": 2.0, "stackless-post": 1.2, "leaf": 2.0}
DASHES = {"stackless-post": (0, (4, 2))}


def figure33(page: Page) -> Any:
    """Time over triangles, ours and the paper's."""
    canvas, axes = plots.figure(columns=2, size=(10.0, 4.4))
    panels = {"Tumble, this machine": page.study(QUERIES), "Published, 2 GHz laptop": page.study(PUBLISHED)}
    for panel, (title, study) in zip(axes, panels.items(), strict=True):
        _panel(panel, study, title)
    _same_span(axes)
    # Names stand where the limits of the axes put them, so the layout has to settle first.
    canvas.draw_without_rendering()
    for panel, study in zip(axes, panels.values(), strict=True):
        ends = [(name, colour, faces[-1], times[-1]) for name, (colour, faces, times) in _series(study).items()]
        plots.name_series_at_end(panel, ends)
    return canvas


def _series(study: Study) -> dict[str, tuple[str, list[int], list[float]]]:
    """Colour, triangles and milliseconds of every method."""
    chosen = scenes(study, "scalability")
    faces = [study.count(scene, "", "faces a") for scene in chosen]
    return {
        method: (plots.COLOURS[index], faces, [1e3 * study.value(scene, method, "time") for scene in chosen])
        for index, method in enumerate(METHODS if chosen else ())
    }


def _panel(axes: Any, study: Study, title: str) -> None:
    series = _series(study)
    for index, (method, (colour, faces, times)) in enumerate(series.items()):
        axes.plot(
            faces,
            times,
            color=colour,
            marker=plots.MARKERS[index],
            linewidth=WIDTHS[method],
            linestyle=DASHES.get(method, "-"),
            alpha=0.45 if method == "alternating" else 1.0,
            markeredgewidth=0,
        )
    plots.titled(axes, title, "triangles per object", "milliseconds per query")
    plots.plain_log_axes(axes, sorted({face for _, faces, _ in series.values() for face in faces}))


def _same_span(panels: list[Any]) -> None:
    """As many decades upwards in every panel, so that equal slopes mean equal growth."""
    limits = [panel.get_ylim() for panel in panels]
    span = max(high / low for low, high in limits) ** 0.5
    for panel, (low, high) in zip(panels, limits, strict=True):
        middle = (low * high) ** 0.5
        panel.set_ylim(middle / span, middle * span)


def tables(page: Page) -> None:
    """Every scene under its table."""
    ours, paper = page.study(QUERIES), page.study(PUBLISHED)
    for number, title in TABLES.items():
        chosen = [scene for scene in scenes(ours) if ours.count(scene, "", "table") == number]
        if chosen:
            page.document.heading(title)
        for scene in chosen:
            page.document.heading(ours.text(scene, "", "title"), level=3)
            page.document.table(_comparison(ours, paper, scene))
            rounds = [study.count(scene, "stack", "rounds") for study in (ours, paper)]
            summary = f"Seconds for all repetitions: {rounds[0]} rounds of ours, {rounds[1]} of the paper's"
            page.document.folded(summary, _seconds(ours, paper, scene))


def _comparison(ours: Study, paper: Study, scene: str) -> Table:
    columns = [Column("algorithm")]
    for title in (*COUNTERS, "µs per query", "time, stack = 1"):
        columns += [Column("ours", True, title), Column("paper", True, title, faint=True)]
    rows = []
    for method in METHODS:
        cells = [f"`{method}`"]
        for name in COUNTERS:
            cells += [count(study.count(scene, method, name)) for study in (ours, paper)]
        times = [(study.value(scene, method, "time"), study.value(scene, "stack", "time")) for study in (ours, paper)]
        cells += [microseconds(time) for time, _ in times]
        cells += [ratio(time / base) for time, base in times]
        rows.append(cells)
    return Table(columns, rows)


def _seconds(ours: Study, paper: Study, scene: str) -> Table:
    columns = [Column("algorithm")]
    for group, faint in (("ours, seconds", False), ("paper, seconds", True)):
        columns += [Column(name, True, group, faint) for name in ("repetitions", *SPREAD)]
    rows = []
    for method in METHODS:
        cells = [count(ours.count(scene, method, "repetitions"))]
        cells += [significant(ours.value(scene, method, name), 4) for name in SPREAD]
        cells += [count(paper.count(scene, method, "repetitions"))]
        cells += [f"{paper.value(scene, method, name):g}" for name in SPREAD]
        rows.append([f"`{method}`", *cells])
    return Table(columns, rows)
