"""What fills the slots of page.md: values and tables; `figures` has the rest."""

from tumble.bench.framework.page import Page, Rows
from tumble.bench.framework.table import TIME, Study
from tumble.bench.papers.bsp import races
from tumble.bench.papers.bsp.broad_phases import ELEMENTS, FACES, TWIN, WIDE, object_seconds
from tumble.bench.papers.bsp.published import GPUS, TABLE_1, title
from tumble.bench.papers.bsp.races import FORMS, TREES, called, kernel_speedups, mean, ordered, speedups
from tumble.bench.papers.bsp.sheet import CASE, QUERIES, SHEET, UPDATE
from tumble.bench.papers.bsp.sweeps import FIGURES, refused, seconds_of, study_of
from tumble.bench.papers.bsp.ways import BETWEEN, device_of, ways_of
from tumble.query.settings import FrontSettings
from tumble.report import Column, Table, count, number_columns, ratio, significant

FRONT_STEPS, FRONT_STACK = FrontSettings.steps, FrontSettings.stack
# Whose time is 1 in the races of broad phases.
BASES = {FACES: TWIN, ELEMENTS: WIDE}


def stand_ins(page: Page) -> str:
    """Which scenes are not the paper's."""
    return " ".join(note for note in page.table.notes if "stand-in" in note)


def _ms(study: Study, case: str, name: str, quantity: str = TIME) -> str:
    return significant(1e3 * study.value(case, name, quantity)) if study.has(case, name, quantity) else "–"


def leaf_pairs(page: Page) -> Rows:
    """Loads; the published ones beside ours."""
    study, rows = page.study(races.LOADS), []
    for case in study.cases():
        quantities = ("objects", "triangles", "between", "within", "within apart")
        counts = [*(study.count(case, "", quantity) for quantity in quantities), ordered(page.table, case)]
        scene = study.text(case, "", "scene")
        cells = map(count, (*counts, TABLE_1[scene].leaf_pairs))
        rows.append([title(scene), study.text(case, "", "frame"), *cells])
    return rows


def query_times(page: Page) -> Table:
    """Query times; the published ones beside ours."""
    study, ways, rows = page.study(races.QUERIES), ways_of(page.table), []
    for case in study.cases():
        scene, question = study.text(case, "", "scene"), study.text(case, "", "question")
        printed = TABLE_1[scene].milliseconds if (question == BETWEEN) != TABLE_1[scene].within else ()
        times = [_ms(study, case, way) + _kernels(study, case, way) for way in ways]
        theirs = [f"{value:g}" for value in printed] or ["–"] * len(GPUS)
        rows.append([title(scene), question, count(study.count(case, "", "leaf pairs")), *times, *theirs])
    columns = [Column("scene"), Column("pairs"), Column("leaf pairs", True)]
    columns += [Column(way, True, whole=True) for way in ways]
    return Table([*columns, *number_columns(*GPUS, group="paper", faint=True)], rows)


def _kernels(study: Study, case: str, way: str) -> str:
    return f" ({_ms(study, case, way, 'kernels')})" if study.has(case, way, "kernels") else ""


def speedup_table(page: Page) -> Rows:
    """Bulk beside streams."""
    study, rows = page.study(races.FIGURE_7), []
    for way in ways_of(page.table):
        walls, kernels = speedups(page.table, way), kernel_speedups(page.table, way)
        theirs = [called(way, method) for method in (races.STREAMS, races.REFITTED, races.AT_ROOTS)]
        for scene, wall in walls.items():
            times = [_ms(study, scene, name) for name in (way, *theirs)]
            inside = [_ms(study, scene, name, "kernels") for name in (way, theirs[0])]
            rows.append([title(scene), way, *times, *inside, ratio(wall), ratio(kernels.get(scene))])
        if walls:
            rows.append(["average", way, *[""] * 6, ratio(mean(walls)), ratio(mean(kernels) if kernels else None)])
    return rows


def fastest(page: Page, figure: str) -> Table:
    """The fastest combination of every way on every scene."""
    study, rows = study_of(page.table, int(figure)), []
    for scene, way in [(case, one) for case in study.cases() for one in study.contestants(case)]:
        seconds = seconds_of(study, scene, way)
        if seconds:
            best = min(seconds, key=lambda at: seconds[at])
            least, most = seconds[best], max(seconds.values())
            cells = [*map(str, best), significant(1e3 * least), ratio(most / least), str(refused(study, scene, way))]
            rows.append([title(scene), way, *cells])
    columns = [Column("scene"), Column("on"), *number_columns(*FIGURES[int(figure)], "ms", group="fastest")]
    return Table([*columns, *number_columns("slowest", "refused")], rows)


def object_nanoseconds(page: Page) -> str | None:
    """What a candidate costs as a Python object."""
    each = object_seconds(page.table)
    return None if each is None else f"{1e9 * each:.0f}"


def candidates(page: Page, question: str) -> Rows:
    """Times of broad phases, and how many candidates they list."""
    study, base, rows = page.study(question), BASES[question], []
    for scene, name in [(case, one) for case in study.cases() for one in study.contestants(case)]:
        found = count(study.count(scene, name, "candidates"))
        rows.append([title(scene), name, _ms(study, scene, name), ratio(study.ratio(scene, name, base)), found])
    return rows


def other_numbers(page: Page, question: str) -> str | None:
    """Which broad phases list more or fewer candidates."""
    study, others = page.study(question), []
    for scene, name in [(case, one) for case in study.cases() for one in study.contestants(case)]:
        more = study.count(scene, name, "candidates") - study.count(scene, BASES[question], "candidates")
        if more:
            others.append(f"{name} lists {count(abs(more))} {'more' if more > 0 else 'fewer'} on {title(scene)}")
    if not others:
        return None
    return (
        f"Not all list the same: {'; '.join(others)}. IPC Toolkit's LBVH keeps its boxes in float32, and "
        "`tumble.candidates`, as IPC Toolkit does, makes boxes one float64 step larger."
    )


def tree_sizes(page: Page) -> Rows:
    """Nodes and bytes, with padding and without."""
    study, rows = page.study(TREES), []
    for scene in study.cases():
        nodes, sizes = ([study.value(scene, form, what) for form in FORMS] for what in ("nodes", "bytes"))
        megabytes = [f"{size / 1e6:.2f}" for size in sizes]
        rows.append([title(scene), *(count(round(n)) for n in nodes), *megabytes, f"{sizes[1] / sizes[0]:.0%}"])
    return rows


def tree_times(page: Page) -> Rows:
    """Rebuilding, refitting and asking."""
    study, ways = page.study(TREES), dict.fromkeys(map(device_of, ways_of(page.table)))
    parts = [(what, form) for what in races.STEPS for form in FORMS]
    return [
        [title(scene), way, *(_ms(study, scene, called(way, *part)) for part in parts)]
        for scene in study.cases()
        for way in ways
    ]


def sheet_rules(page: Page) -> list[str]:
    """The rules by which the tree of the sheet was kept."""
    return page.study(SHEET).contestants()


def sheet_times(page: Page) -> Rows:
    """What a frame costs by every rule."""
    study, rows = page.study(SHEET), []
    for rule in study.contestants():
        times = [study.value(CASE, rule, what) for what in (UPDATE, QUERIES)]
        counts = [count(study.count(CASE, rule, what)) for what in ("rebuilt", "pairs")]
        rows.append([rule, *map(significant, (*times, sum(times))), *counts])
    return rows


def megabytes(page: Page, when: str) -> str | None:
    """What the process held after a third of the frames, or after the last; None where the system does not tell."""
    study = page.study(SHEET)
    return f"{study.value(CASE, '', f'megabytes, {when}'):.0f}" if study.has(CASE, "", f"megabytes, {when}") else None
