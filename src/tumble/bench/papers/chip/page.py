"""What fills the slots of page.md: Table 1, the cycle model, list traversal, triangle tests, the sweep."""

from tumble.bench.framework.page import Flagged, Page, Rows, race_table
from tumble.bench.framework.table import PUBLISHED, Study
from tumble.bench.papers.chip.derived import apart, gain, less_work, points_of, speedup, volumes_of, worst_speedup
from tumble.bench.papers.chip.measure import LISTS, METHODS, SWEEP, TRIANGLE_TESTS
from tumble.bench.papers.chip.published import AVERAGE, WORST
from tumble.bench.papers.chip.rotation import AS_IT_IS, CHIP, CYCLE_MODEL, RECURSIVE, ROTATION, WITHOUT
from tumble.report import Table, count, microseconds, ratio, significant
from tumble.report.chip.facts import signed
from tumble.report.chip.page import add_sweep


def table_1(page: Page) -> Rows:
    """Our rows, the published ones under theirs."""
    rotations, paper = page.study(ROTATION), page.study(PUBLISHED)
    rows = []
    for name in rotations.cases():
        rows.append(_our_row(rotations, name))
        if name in paper.cases():
            rows.append(_published_row(paper, name))
    return rows


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
        signed(apart(model, case)),
        *(model.text(case, part, "busiest unit") for part in (AS_IT_IS, WITHOUT)),
    ]
    return row if model.value(case, AS_IT_IS, "same pairs") else Flagged(row)


def gains(page: Page) -> Rows:
    """What lists gain in software; what is left out is 1, or the same as its neighbour, by theory."""
    lists = page.study(LISTS)
    work = (("moves", "stack-ahead"), ("moves", "lists"), ("tests", "lists"), ("iterations", "lists-pairs"))
    return [
        [
            volume,
            *(ratio(gain(lists, volume, method)) for method in METHODS[1:]),
            *(ratio(less_work(lists, quantity, volume, method)) for quantity, method in work),
        ]
        for volume in volumes_of(lists)
    ]


def every_time(page: Page) -> Table:
    """All races."""
    return race_table(page.study(LISTS))


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
