"""The page of the rerun: Table 1, the cycle model, list traversal, triangle tests, the sweep."""

from __future__ import annotations

from tumble.bench.framework.page import Page
from tumble.bench.framework.table import PUBLISHED, Study
from tumble.bench.papers.chip.derived import apart, gain, less_work, speedup, times_by_k, volumes_of, worst_speedup
from tumble.bench.papers.chip.design_sweep import SWEEP, points_of
from tumble.bench.papers.chip.figures import draw_gains, draw_k, draw_rotations
from tumble.bench.papers.chip.measure import LISTS, METHODS, TRIANGLE_TESTS
from tumble.bench.papers.chip.published import AVERAGE, MACHINE, WORST
from tumble.bench.papers.chip.rotation import (
    AS_IT_IS,
    CHIP,
    CYCLE_MODEL,
    PASSES,
    RECURSIVE,
    ROTATION,
    WITHOUT,
)
from tumble.report import Column, Table, count, microseconds, ratio, significant
from tumble.report.chip.facts import signed
from tumble.report.chip.page import add_sweep

METHOD = (
    "**Objects.** The paper's are not published. Each has a stand-in made by code, of its size and character, and "
    "there are real meshes where their folder is at hand; the Buddha is not among them. All are scaled into a cube of "
    "length 1.",
    "**Motion.** The paper says “close proximity” and no number. Here the distance between the middles is chosen so "
    "that about a seventh of the poses touch, and half of them for the Filter, whose published counts show deep "
    "contact.",
    "**Trees.** By surface, one triangle per leaf, the same tree for chip and software.",
    f"**Times of software.** Every pose under its own clock, {PASSES} times, the quickest counts; queries are prepared "
    "beforehand. The races between traversals take turns in every round, and their ratios are taken within rounds.",
    "**Speed-ups** set a chip of 2003 at 266 MHz beside software of today on this machine: they say what the chip "
    "would be worth now, not what it was worth then.",
)


def table_1(page: Page) -> None:
    """Our rows, the published ones under theirs."""
    rotations, paper, document = page.study(ROTATION), page.study(PUBLISHED), page.document
    if not rotations:
        return
    document.heading("Table 1: the chip beside recursive software")
    steps = rotations.count(rotations.cases()[0], "", "steps")
    document.text(
        "Two equal objects close to each other, one makes a full turn "
        f"({count(steps)} poses). Aligned nodes count once for each tumbled node that they are compared with, as in "
        "the paper; the chip reads them once for two. Hardware times are by Equation 5 at 3.76 ns per cycle, which "
        "leaves out triangles; software is the recursive traversal of 24-DOP trees with its triangle tests, here on "
        f"this machine, in the paper on a {MACHINE}. The worst case is the maximum of each column by itself; speed-ups "
        "are on average / in the worst case. Where both test triangles they are far smaller: see the claims above."
    )
    names = ("aligned", "tumbled", "checks", "HW µs", "SW µs"), ("aligned", "tumbled", "HW µs", "SW µs")
    columns = [Column("object", whole=True), Column("triangles", True)]
    columns += [
        Column(name, True, group) for group, found in zip((AVERAGE, WORST), names, strict=True) for name in found
    ]
    columns.append(Column("speed-up", True))
    rows = []
    for name in rotations.cases():
        rows.append(_our_row(rotations, name))
        if name in paper.cases():
            rows.append(_published_row(paper, name))
    document.table(Table(columns, rows))
    caption = "Every pose of the rotations. Times on a logarithmic scale."
    page.figure("rotations", draw_rotations(rotations, page.study(CYCLE_MODEL)), caption)
    document.folded("The objects", _objects(rotations, paper))


def _our_row(rotations: Study, name: str) -> list[str]:
    counts = [rotations.series(name, CHIP, quantity) for quantity in ("aligned", "tumbled", "checks")]
    times = [rotations.series(name, contestant, "time") for contestant in (CHIP, RECURSIVE)]
    average = [*(count(round(float(v.mean()))) for v in counts), *(microseconds(float(v.mean())) for v in times)]
    worst = [*(count(round(float(v.max()))) for v in counts[:2]), *(microseconds(float(v.max())) for v in times)]
    # As in the paper: on average / in the worst case.
    gains = [significant(v, 2 if v < 10 else 3) for v in (speedup(rotations, name), worst_speedup(rotations, name))]
    return [name, count(rotations.count(name, "", "triangles")), *average, *worst, " / ".join(gains)]


def _published_row(paper: Study, name: str) -> list[str]:
    average = ("aligned", "tumbled", "polygon checks", "hardware", "software")
    cells = [paper.count(name, AVERAGE, quantity) for quantity in average]
    cells += [paper.count(name, WORST, quantity) for quantity in average if quantity != "polygon checks"]
    gains = [str(paper.count(name, part, "speed-up")) for part in (AVERAGE, WORST)]
    return ["… in the paper", *map(count, (paper.count(name, "", "polygons"), *cells)), " / ".join(gains)]


def _objects(rotations: Study, paper: Study) -> Table:
    columns = [Column("object", whole=True), Column("what it is"), Column("distance, box lengths", True)]
    columns += [Column("poses that touch", True), Column("in the paper", True, faint=True)]
    rows = []
    for name in rotations.cases():
        touching = f"{rotations.count(name, '', 'touching')} of {rotations.count(name, '', 'steps')}"
        size = f"{count(paper.count(name, '', 'polygons'))} polygons" if name in paper.cases() else "–"
        distance = f"{rotations.value(name, '', 'distance'):.2f}"
        rows.append([name, rotations.text(name, "", "what"), distance, touching, size])
    return Table(columns, rows)


def cycle_model(page: Page) -> None:
    """The poses that ran on the cycle model, beside Equation 5."""
    model, document = page.study(CYCLE_MODEL), page.document
    if not model:
        return
    document.heading("The cycle model beside Equation 5")
    document.text(
        f"{count(len(model.cases()))} poses ran on the cycle model: of each rotation the most expensive that is not "
        "too long, and others spread over what the poses cost. Each ran twice, the second time with its triangles left "
        "to the host: that is what Equation 5 describes, which is fed with the lists and aligned nodes of the same "
        "run. Last, a small box stuck in each object: its few tumbled nodes meet many aligned ones, so lists are long."
    )
    columns = [
        Column("object", whole=True),
        Column("step", True),
        Column("lists", True),
        Column("pairs per list", True),
    ]
    columns += [Column("checked", True, "triangles"), Column("left to the host", True, "triangles")]
    columns += [Column(title, True, "cycles") for title in (AS_IT_IS, WITHOUT, "Equation 5", "apart")]
    columns += [Column(title, whole=True, group="busiest unit") for title in (AS_IT_IS, WITHOUT)]
    wrong = [i for i, case in enumerate(model.cases()) if not model.value(case, AS_IT_IS, "same pairs")]
    document.table(Table(columns, [_model_row(model, case) for case in model.cases()], flagged=wrong))


def _model_row(model: Study, case: str) -> list[str]:
    return [
        model.text(case, "", "object"),
        count(model.count(case, "", "step") + 1),
        count(model.count(case, WITHOUT, "lists")),
        significant(model.value(case, WITHOUT, "pairs per list")),
        *(count(model.count(case, AS_IT_IS, name)) for name in ("polygon checks", "unsure")),
        *(count(model.count(case, part, "cycles")) for part in (AS_IT_IS, WITHOUT)),
        count(model.count(case, WITHOUT, "Equation 5")),
        signed(apart(model, case)),
        *(model.text(case, part, "busiest unit") for part in (AS_IT_IS, WITHOUT)),
    ]


def list_traversal(page: Page) -> None:
    """What lists gain in software."""
    lists, document = page.study(LISTS), page.document
    if not lists:
        return
    document.heading("List traversal in software")
    document.text(
        "The same trees, poses and outputs: `stack` is the recursive traversal, `stack-ahead` keeps a moved volume for "
        "the pairs that wait, `lists` goes through the tumbled tree alone with a list of aligned nodes for each of its "
        "nodes, `lists-pairs` takes both siblings at once. Geometric means over objects."
    )
    page.figure("lists", draw_gains(lists), "Larger is faster.")
    document.table(_gains(lists))
    if times_by_k(page.table, RECURSIVE):
        caption = "Software: geometric means over objects. Chip: the run of the sweep."
        page.figure("k", draw_k(page.table), caption)
    document.folded("Every time", _every_time(lists))


def _gains(lists: Study) -> Table:
    # What is left out is 1, or the same as its neighbour, by theory.
    work = (("moves", "stack-ahead"), ("moves", "lists"), ("tests", "lists"), ("iterations", "lists-pairs"))
    titles = {"moves": "fewer moves", "tests": "fewer tests", "iterations": "fewer turns of the loop"}
    columns = [Column("volume", whole=True), *(Column(method, True, "times as fast") for method in METHODS[1:])]
    columns += [Column(method, True, titles[quantity]) for quantity, method in work]
    rows = [
        [
            volume,
            *(ratio(gain(lists, volume, method)) for method in METHODS[1:]),
            *(ratio(less_work(lists, quantity, volume, method)) for quantity, method in work),
        ]
        for volume in volumes_of(lists)
    ]
    return Table(columns, rows)


def _every_time(lists: Study) -> Table:
    names = lists.contestants()
    columns = [Column("case", whole=True), Column("answer", whole=True), Column("triangles", True)]
    columns += [Column(name, True, "µs per query") for name in names]
    rows = []
    for case in lists.cases():
        times = [microseconds(lists.value(case, name, "time")) for name in names]
        rows.append([case, lists.text(case, "", "answer"), count(lists.count(case, "", "triangles")), *times])
    return Table(columns, rows)


def triangle_tests(page: Page) -> None:
    """Operations of triangle tests."""
    study, document = page.study(TRIANGLE_TESTS), page.document
    if not study:
        return
    (case,) = study.cases()
    parts = ("moving", "additions", "multiplications", "comparisons", "divisions")
    document.heading("The triangle test")
    pairs = study.count(case, study.contestants()[0], "pairs")
    document.text(
        f"Floating-point operations per pair, means over {count(pairs)} pairs of triangles that a query meets, and the "
        "most that one pair took. Moving brings vertices from their meshes' frames to where they are compared. The "
        "matrices of the unit-triangle test are there beforehand. Undecided pairs go on to exact arithmetic, which is "
        "not counted."
    )
    columns = [Column("test", whole=True), *(Column(name, True) for name in parts)]
    columns += [Column("all", True), Column("most", True), Column("undecided", True)]
    rows = []
    for name in study.contestants():
        values = [study.value(case, name, part) for part in parts]
        cells = [*values, sum(values), study.value(case, name, "worst")]
        rows.append([name, *map(significant, cells), f"{study.value(case, name, 'undecided'):.1%}"])
    document.table(Table(columns, rows))


def sweep(page: Page) -> None:
    """What a designer can change."""
    study = page.study(SWEEP)
    points = points_of(study)
    if points:
        add_sweep(page.document, points, page.folder, study.text("query", "", "what"))


SECTIONS = (table_1, cycle_model, list_traversal, triangle_tests, sweep)
