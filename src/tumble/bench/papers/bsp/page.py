"""The page of the rerun: Table 1 and Figures 7, 8 and 9, then what is around the paper."""

from __future__ import annotations

from tumble.bench.framework.page import Page
from tumble.bench.framework.table import TIME, Study
from tumble.bench.papers.bsp.derived import kernel_speedups, mean, ordered, speedups
from tumble.bench.papers.bsp.figures import draw_queues, draw_steps, draw_streams
from tumble.bench.papers.bsp.other_page import broad_phases, sheet, trees
from tumble.bench.papers.bsp.published import GPUS, TABLE_1, title
from tumble.bench.papers.bsp.queries import AT_ROOTS, FIGURE_7, LOADS, QUERIES, REFITTED, STREAMS, called
from tumble.bench.papers.bsp.sweeps import FIGURES, refused, seconds_of, study_of
from tumble.bench.papers.bsp.ways import BETWEEN, ways_of
from tumble.query.settings import FrontSettings as FRONT
from tumble.report import Column, Table, count, ratio, significant

METHOD = (
    "**Scenes.** The UNC dynamic scenes as the Scalable CCD dataset has them, two frames each; the second is measured, "
    "the first gives the front of Figure 7. An object is a connected component by vertex numbers.",
    "**Turns.** In every round each way answers once, one after the other; what slows the machine for a while slows "
    "all. Ratios are taken within rounds, tables give medians. The settings of Figures 8 and 9 take turns too, and the "
    "fastest of their few rounds is shown.",
    "**Answers.** Every way and every setting is compared with the leaf pairs of the CPU twin, pair by pair; broad "
    "phases of others by their number.",
)


def leaf_pairs(page: Page) -> None:
    """Loads; the published ones beside ours."""
    study = page.study(LOADS)
    if not study:
        return
    page.document.heading("Table 1: leaf pairs")
    page.document.text(
        "A leaf pair is two triangles whose boxes share a point, one triangle per leaf. Between objects, and within "
        "them with triangles that share a vertex and without. The paper's loads fit if both orders of a pair are "
        "counted and neighbours are among them; within objects of NBody the paper does not look."
    )
    names = ("objects", "triangles", "between", "within", "of those no neighbours", "as in the paper, both orders")
    columns = [Column("scene"), Column("frame", whole=True), *(Column(name, True) for name in names)]
    rows = []
    for case in study.cases():
        quantities = ("objects", "triangles", "between", "within", "within apart")
        counts = [*(study.count(case, "", quantity) for quantity in quantities), ordered(page.table, case)]
        scene = study.text(case, "", "scene")
        cells = map(count, (*counts, TABLE_1[scene].leaf_pairs))
        rows.append([title(scene), study.text(case, "", "frame"), *cells])
    page.document.table(Table([*columns, Column("paper, heaviest frame", True, faint=True)], rows))


def query_times(page: Page) -> None:
    """Query times; the published ones beside ours."""
    study, ways = page.study(QUERIES), ways_of(page.table)
    if not study:
        return
    page.document.heading("Table 1: query times")
    page.document.text(
        "Milliseconds from trees that are there to leaf pairs that are here, median; in brackets, what of it kernels "
        "take by the device's clock. Which objects' boxes overlap is found by a sweep along x before the clock starts, "
        "here and in all figures: only those pairs of objects enter the traversal, where the paper enters with all. "
        "The last columns are the published times of two GPUs, which compare with another GPU, not with a CPU."
    )
    columns = [Column("scene"), Column("pairs"), Column("leaf pairs", True)]
    columns += [Column(way, True, whole=True) for way in ways]
    columns += [Column(name, True, group="paper", faint=True) for name in GPUS]
    rows = []
    for case in study.cases():
        scene, question = study.text(case, "", "scene"), study.text(case, "", "question")
        printed = TABLE_1[scene].milliseconds if (question == BETWEEN) != TABLE_1[scene].within else ()
        times = [_ms(study, case, way) + _kernels(study, case, way) for way in ways]
        theirs = [f"{value:g}" for value in printed] or ["–"] * len(GPUS)
        rows.append([title(scene), question, count(study.count(case, "", "leaf pairs")), *times, *theirs])
    page.document.table(Table(columns, rows))


def _ms(study: Study, case: str, name: str, quantity: str = TIME) -> str:
    return significant(1e3 * study.value(case, name, quantity)) if study.has(case, name, quantity) else "–"


def _kernels(study: Study, case: str, way: str) -> str:
    return f" ({_ms(study, case, way, 'kernels')})" if study.has(case, way, "kernels") else ""


def figure_7(page: Page) -> None:
    """Bulk beside streams."""
    study, ways = page.study(FIGURE_7), ways_of(page.table)
    if not study:
        return
    page.document.heading("Figure 7: speed-up over streams")
    page.document.text(
        "Streams: every work-item takes a pair of nodes of the front in which the traversal of the frame before ended, "
        "and walks down with a stack of its own. As in the paper, trees are built for both frames, only pairs of "
        "different objects are asked for, and front and trees are there before the clock starts. Work is redistributed "
        f"here, which the paper leaves out: after {FRONT.steps} pairs, or when its stack of {FRONT.stack} is full, a "
        "work-item hands over what is left to another round. Two kinder variants stand beside it: trees that are only "
        "refitted, so that the front fits better, and a traversal without a front, from the roots. Bulk tests "
        "descendants before it writes them; “as in the paper” it writes all of them, and tests them when they are read."
    )
    page.figure("figure7", draw_streams(page.table), "How many times as long as bulk streams take.")
    columns = [Column("scene"), Column("bulk on"), Column("bulk", True, group="ms")]
    columns += [Column(name, True, group="ms") for name in ("streams", "… refitted trees", "… from the roots")]
    columns += [Column(name, True, group="kernels, ms") for name in ("bulk", "streams")]
    columns += [Column(name, True, group="speed-up") for name in ("all in all", "in kernels")]
    rows = []
    for way in ways:
        walls, kernels = speedups(page.table, way), kernel_speedups(page.table, way)
        theirs = [called(way, method) for method in (STREAMS, REFITTED, AT_ROOTS)]
        for scene, wall in walls.items():
            times = [_ms(study, scene, name) for name in (way, *theirs)]
            inside = [_ms(study, scene, name, "kernels") for name in (way, theirs[0])]
            rows.append([title(scene), way, *times, *inside, ratio(wall), ratio(kernels.get(scene))])
        if walls:
            rows.append(["average", way, *[""] * 6, ratio(mean(walls)), ratio(mean(kernels) if kernels else None)])
    page.document.table(Table(columns, rows))


def figure_8(page: Page) -> None:
    """Entry level and depth step."""
    study = study_of(page.table, 8)
    if not study:
        return
    page.document.heading("Figure 8: entry level and depth step")
    page.document.text(
        "Milliseconds of a query, as Table 1 asks it (within objects too for Cloth-Ball and Funnel). Only pairs of "
        "objects whose boxes overlap are entered at the entry level: a sweep along x has found them before, so that a "
        "deep level costs little where most of many objects are apart. An entry level deeper than a tree is its "
        "leaves; a first frontier that would be too large is entered in parts, or higher up."
    )
    page.figure("figure8", draw_steps(study), "Time by entry level, a line for each depth step µ.")
    page.document.table(_fastest(study, 8))


def figure_9(page: Page) -> None:
    """Queue and group."""
    study = study_of(page.table, 9)
    if not study:
        return
    page.document.heading("Figure 9: queue and group")
    step = study.count(study.cases()[0], "", "depth step")
    page.document.text(
        f"The same over the capacity κ of a queue and the size |G| of a group, with µ = {step} and entry level 0. On "
        "the CPU, a group is what a thread takes at a time."
    )
    page.figure("figure9", draw_queues(study), "Time, the fastest combination of a panel being 1.")
    page.document.table(_fastest(study, 9))


def _fastest(study: Study, figure: int) -> Table:
    rows = []
    for scene, way in [(case, one) for case in study.cases() for one in study.contestants(case)]:
        seconds = seconds_of(study, scene, way)
        if seconds:
            best = min(seconds, key=lambda at: seconds[at])
            least, most = seconds[best], max(seconds.values())
            cells = [*map(str, best), significant(1e3 * least), ratio(most / least), str(refused(study, scene, way))]
            rows.append([title(scene), way, *cells])
    columns = [Column("scene"), Column("on"), *(Column(name, True, group="fastest") for name in FIGURES[figure])]
    return Table(
        [*columns, Column("ms", True, group="fastest"), Column("slowest", True), Column("refused", True)], rows
    )


SECTIONS = (leaf_pairs, query_times, figure_7, figure_8, figure_9, broad_phases, trees, sheet)
