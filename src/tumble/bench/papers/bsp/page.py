"""What fills the slots of page.md: values and tables; `figures` has the rest."""

from tumble.bench.framework.claims import interval
from tumble.bench.framework.page import Page, Rows
from tumble.bench.framework.table import TIME, Study
from tumble.bench.papers.bsp import races, streams
from tumble.bench.papers.bsp.broad_phases import ELEMENTS, FACES, TWIN, WIDE, object_seconds
from tumble.bench.papers.bsp.counts import COUNTS, EVERY, LOCKSTEP, OVERLAPPING, tests_of
from tumble.bench.papers.bsp.device_work import LOCAL, VARIANTS
from tumble.bench.papers.bsp.published import BEST_SPEEDUP, GPUS, MEAN_SPEEDUP, TABLE_1, title
from tumble.bench.papers.bsp.races import FORMS, TREES, mean, ordered
from tumble.bench.papers.bsp.sequences import RULES, SEQUENCES
from tumble.bench.papers.bsp.sheet import CASE, QUERIES, SHEET, UPDATE
from tumble.bench.papers.bsp.streams import called, kernel_speedups, opponent, speedups
from tumble.bench.papers.bsp.sweeps import FIGURES, refused, seconds_of, study_of
from tumble.bench.papers.bsp.time_claims import mean_speedup
from tumble.bench.papers.bsp.ways import BETWEEN, device_of, ways_of
from tumble.report import Column, Table, count, number_columns, ratio, significant

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
    """Bulk beside streams that enter with the same pairs; what the paper prints beside devices in its way."""
    study, rows = page.study(streams.FIGURE_7), []
    for way in ways_of(page.table):
        walls, kernels = speedups(page.table, way), kernel_speedups(page.table, way)
        theirs = [
            opponent(way),
            *(called(way, name) for name in (streams.BY_DEFAULT, streams.REFITTED, streams.AT_ROOTS)),
        ]
        for scene, wall in walls.items():
            times = [_ms(study, scene, name) for name in (way, *theirs)]
            inside = [_ms(study, scene, name, "kernels") for name in (way, theirs[0])]
            printed = _printed(TABLE_1[scene].speedups)
            rows.append([title(scene), way, *times, *inside, interval(wall), ratio(kernels.get(scene)), *printed])
        if walls:
            means = interval(mean_speedup(walls)), ratio(mean(kernels) if kernels else None)
            rows.append(["average", way, *[""] * 7, *means, *_printed(MEAN_SPEEDUP)])
    return rows


def _printed(values: tuple[float, ...]) -> list[str]:
    return [f"{value:g}×" for value in values] or ["–"] * len(GPUS)


def other_scenes(page: Page) -> str:
    """What the paper's averages leave for Cloth-Ball and Funnel."""
    rest = [(3 * average - best) / 2 for average, best in zip(MEAN_SPEEDUP, BEST_SPEEDUP, strict=True)]
    return " and ".join(f"{value:.1f}×" for value in rest)


def streams_settings(page: Page) -> Rows:
    """The settings with which streams were fastest, and how the default and the slowest compare."""
    study, rows = page.study(streams.SETTINGS), []
    for case in study.cases():
        best, tried = study.text(case, "", "chosen"), study.contestants(case)
        beside = {name: study.ratio(case, name, best) for name in tried}
        default = beside.get(streams.label(streams.FrontSettings()))
        numbers = [_ms(study, case, best), ratio(default), ratio(max(beside.values())), str(len(tried))]
        rows.append([title(study.text(case, "", "scene")), study.text(case, "", "way"), best, *numbers])
    return rows


def counted(page: Page) -> Rows:
    """Rounds and tests of Figure 8 by µ and entry level, all pairs of objects beside overlapping ones."""
    study, rows = page.study(COUNTS), []
    levels = count_levels(page)
    for scene, name in [(scene, name) for scene in study.cases() for name in (EVERY, OVERLAPPING)]:
        tests = tests_of(study, scene, name)
        for step in sorted({step for _, step in tests}):
            cells = [_count_cell(study, scene, name, level, step) for level in levels]
            rows.append([title(scene), name, str(step), *cells])
    return rows


def _count_cell(study: Study, scene: str, name: str, level: int, step: int) -> str:
    quantity = f"frontiers: {level} {step}"
    if not study.has(scene, name, quantity):
        return "–"
    sizes = study.series(scene, name, quantity)
    return f"{significant(sizes.sum() / 1e6)} ({len(sizes)})"


def count_levels(page: Page) -> list[int]:
    """The entry levels that were counted."""
    study = page.study(COUNTS)
    return sorted({level for scene in study.cases() for level, _ in tests_of(study, scene, OVERLAPPING)})


def counts_table(page: Page) -> Table:
    """The same with one column for each entry level."""
    columns = [Column("scene"), Column("enter with"), *number_columns("µ")]
    names = [str(level) for level in count_levels(page)]
    return Table([*columns, *number_columns(*names, group="million tests (rounds) at entry level")], counted(page))


def fronts_table(page: Page) -> Rows:
    """What streams and bulk keep and move, in pairs."""
    study, rows = page.study(COUNTS), []
    for scene in study.cases():
        for name in study.contestants(scene):
            if study.has(scene, name, "front after"):
                what = ("front before", "front after", "bulk at once", "bulk", "bulk, tested first")
                cells = [count(study.count(scene, name, each)) for each in what]
                rows.append([title(scene), name.partition(", ")[2], *cells])
    return rows


def busy_table(page: Page) -> Rows:
    """How much of the time work-items in lockstep are busy."""
    study, rows = page.study(COUNTS), []
    for scene in study.cases(LOCKSTEP):
        what = ("bulk busy", "streams busy", "mean walk", "longest walk", "bulk lines", "streams lines")
        bulk, walks, mean_walk, longest, lines, their_lines = (study.value(scene, LOCKSTEP, each) for each in what)
        cells = [f"{bulk:.0%}", f"{walks:.0%}", f"{mean_walk:.1f}", count(round(longest))]
        rows.append([title(scene), *cells, f"{lines:.2f}", f"{their_lines:.2f}"])
    return rows


def variants_table(page: Page) -> Rows:
    """Times of all variants, beside the search of the paper."""
    study, rows = page.study(VARIANTS), []
    for scene in study.cases():
        for name in study.contestants(scene):
            base = f"{name.partition(', ')[0]}, {LOCAL}"
            beside = "1" if name == base else interval(study.interval(scene, name, base))
            rows.append([title(scene), name, _ms(study, scene, name), beside])
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


def frame_times(page: Page) -> Rows:
    """A frame of a sequence over compressed trees, rebuilt and refitted: to move and to ask."""
    study, rows = page.study(SEQUENCES), []
    for case in study.cases():
        for way in dict.fromkeys(map(device_of, ways_of(page.table))):
            names = [called(way, rule) for rule in RULES]
            if case in study.cases(*names):
                parts = [_ms(study, case, name, what) for name in names for what in (UPDATE, QUERIES)]
                numbers = [str(study.count(case, "", "frames")), *parts, interval(study.interval(case, *names))]
                rows.append([TABLE_1[case].title if case in TABLE_1 else case, way, *numbers])
    return rows


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
