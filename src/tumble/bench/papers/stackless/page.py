"""What fills the slots of page.md: Figure 33, the set-up of stacks, every table with a picture of its scenes."""

from typing import Any

from tumble.bench.framework.page import Page, Rows
from tumble.bench.framework.table import PUBLISHED, TIME, Study
from tumble.bench.papers.stackless.cases import scenes, time_ratio
from tumble.bench.papers.stackless.measure import QUERIES, STACKS, new_memory
from tumble.bench.papers.stackless.pictures import picture
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
PICTURES = {
    2: ("figure27", "Figure 27: A (blue) and B (red) intersect.", [f"intersection-{n}" for n in (1, 2, 3)]),
    3: ("figure28", "Figure 28: apart.", [f"separation-{n}" for n in (1, 2, 3)]),
    4: ("figure29", "Figure 29: many boxes overlap, no triangles.", [f"close-proximity-{n}" for n in (1, 2, 3)]),
    5: ("figure30", "Figure 30: few boxes overlap, no triangles.", [f"small-proximity-{n}" for n in (1, 2, 3)]),
    6: ("figure31-32", "Figures 31 and 32: the scenes of Tables 6 to 8.", ["scalability-0", "different-sizes"]),
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


def set_up_rows(page: Page) -> Rows:
    """Nanoseconds per query of the scenes whose tables the paper explains by the set-up of its stacks."""
    study = page.study(QUERIES)
    chosen = [scene for scene in scenes(study) if study.has(scene, new_memory("stack"), TIME)]
    names = ("stackless", "stackless-post", *(way for stack in STACKS for way in (stack, new_memory(stack))))
    return [
        [
            study.text(scene, "", "title"),
            *(significant(1e9 * study.value(scene, name, TIME)) for name in names),
            *(ratio(time_ratio(study, scene, new_memory(stack), stack).value) for stack in STACKS),
        ]
        for scene in chosen
    ]


def tables(page: Page) -> None:
    """Every scene under its table."""
    ours, paper = page.study(QUERIES), page.study(PUBLISHED)
    for number, title in TABLES.items():
        chosen = [scene for scene in scenes(ours) if ours.count(scene, "", "table") == number]
        if chosen:
            page.document.heading(title)
            _add_picture(page, number)
        for scene in chosen:
            page.document.heading(ours.text(scene, "", "title"), level=3)
            page.document.table(_comparison(ours, paper, scene))
            rounds = [study.count(scene, "stack", "rounds") for study in (ours, paper)]
            summary = f"Seconds for all repetitions: {rounds[0]} rounds of ours, {rounds[1]} of the paper's"
            page.document.folded(summary, _seconds(ours, paper, scene))


def _add_picture(page: Page, number: int) -> None:
    stem, caption, names = PICTURES.get(number, ("", "", []))
    canvas = picture(page.study(QUERIES), names)
    if canvas is not None:
        page.document.figure(plots.save(canvas, page.folder, stem), f"{stem}.svg", caption)


def _rows_of(ours: Study, scene: str) -> dict[str, tuple[str, str | None]]:
    """What a table lists: whose counters each row has, and whose published row stands beside it.

    The paper makes a stack for each query: where that was measured, its times belong to that row.
    """
    rows: dict[str, tuple[str, str | None]] = {}
    for method in METHODS:
        made = new_memory(method)
        rows[method] = method, None if ours.has(scene, made, TIME) else method
        if ours.has(scene, made, TIME):
            rows[made] = method, method
    others = [name for name in ours.contestants(scene) if name not in rows]
    return {**rows, **{name: (name, None) for name in others}}


def _comparison(ours: Study, paper: Study, scene: str) -> Table:
    columns = [Column("algorithm")]
    for title in (*COUNTERS, "µs per query", "time, stack = 1"):
        columns += [Column("ours", True, title), Column("paper", True, title, faint=True)]
    rows = []
    for name, (counted, published) in _rows_of(ours, scene).items():
        cells = [f"`{name}`"]
        for quantity in COUNTERS:
            theirs = paper.count(scene, counted, quantity) if counted in METHODS else None
            cells += [count(ours.count(scene, counted, quantity)), count(theirs)]
        printed = paper.value(scene, published, TIME) if published else None
        cells += [microseconds(ours.value(scene, name, TIME)), microseconds(printed)]
        cells += [ratio(time_ratio(ours, scene, name, "stack").value)]
        cells += [ratio(time_ratio(paper, scene, published, "stack").value) if published else "–"]
        rows.append(cells)
    return Table(columns, rows)


def _seconds(ours: Study, paper: Study, scene: str) -> Table:
    columns = [Column("algorithm")]
    for group, faint in (("ours, seconds", False), ("paper, seconds", True)):
        columns += [Column(name, True, group, faint) for name in ("repetitions", *SPREAD)]
    rows = []
    for name, (_, published) in _rows_of(ours, scene).items():
        cells = [count(ours.count(scene, name, "repetitions"))]
        cells += [significant(ours.value(scene, name, part), 4) for part in SPREAD]
        if published:
            cells += [count(paper.count(scene, published, "repetitions"))]
            cells += [f"{paper.value(scene, published, part):g}" for part in SPREAD]
        rows.append([f"`{name}`", *cells, *["–"] * (2 * len(SPREAD) + 2 - len(cells))])
    return Table(columns, rows)
