"""The page of the rerun: Table 1 and Figures 1, 6 and 8, then the races, then whether answers agree."""

from __future__ import annotations

from tumble.bench.framework.page import Page
from tumble.bench.framework.table import PUBLISHED, TIME, Study
from tumble.bench.papers.boxtree.builds import BUILT, fits
from tumble.bench.papers.boxtree.contestants import BUILDS, LEAF_SIZE
from tumble.bench.papers.boxtree.figures import draw_builds, draw_emptiness, draw_turns
from tumble.bench.papers.boxtree.goals import how_built
from tumble.bench.papers.boxtree.nodes import EMPTINESS, NODES
from tumble.bench.papers.boxtree.published import MACHINE, STEPS, TABLE_1
from tumble.bench.papers.boxtree.race_page import answers, figure_9, figure_10, work_ahead
from tumble.bench.papers.boxtree.races import QUERIES, TURN
from tumble.report import Column, Table, count, ratio, significant

METHOD = (
    "**Motion.** As in Section 5: two objects, each scaled into a cube of length 1, stand so far apart (middle to "
    "middle of their boxes: the number after “at”); one makes a full turn about z and x in equal steps. Figure 8 asks "
    "each step under its own clock; the races of Figures 9 and 10 go through fewer poses of the same turn many times.",
    "**Turns.** In every round each contestant goes through all poses once, one after the other; what slows the "
    "machine for a while slows all. Ratios are taken within each round, and the tables give their medians. Python's "
    "garbage collector is off meanwhile.",
    f"**Trees.** {LEAF_SIZE} triangles per leaf in all of them. "
    + " ".join(f"`{name}`: {how_built(name)}." for name in BUILDS)
    + " They are built before the clock starts, and so are the queries of trees that store their volumes.",
    "**Every call from Python** costs some microseconds, which is part of every time: on small objects far apart it is "
    "most of it.",
    f"**The paper's machine** was a {MACHINE}; only ratios compare. Its CAD objects are not published: ours are shapes "
    "made by code, and real meshes where their folder is at hand.",
)


def _optional(study: Study, case: str, contestant: str, quantity: str) -> str:
    return significant(study.value(case, contestant, quantity)) if study.has(case, contestant, quantity) else "–"


def table_1(page: Page) -> None:
    """Bytes and operations, the published ones beside them."""
    study, paper = page.study(NODES), page.study(PUBLISHED)
    if not study:
        return
    page.document.heading("Table 1: bytes and operations")
    page.document.text(
        "Bytes per node are those of nodes and volumes, links included; bytes per triangle are those of a whole tree "
        f"with the order of triangles, {LEAF_SIZE} in a leaf. Operations are additions, multiplications and "
        "comparisons of one node pair, counted while a query runs: in the worst case and on average, with the work of "
        "a node done for each pair, and done ahead for all pairs (Section 3.2.5). The paper's are for the worst case, "
        "without."
    )
    columns = [
        Column("tree", whole=True),
        Column("ours", True, "bytes per node"),
        Column("paper", True, "bytes per node", faint=True),
        Column("ours", True, "bytes per triangle"),
        Column("worst", True, "operations"),
        Column("mean", True, "operations"),
        Column("paper", True, "operations", faint=True),
        Column("worst", True, "operations, ahead"),
        Column("mean", True, "operations, ahead"),
    ]
    rows = []
    for name in study.contestants():
        ours = {
            quantity: _optional(study, TABLE_1, name, quantity)
            for quantity in ("bytes per node", "bytes per triangle", "worst", "mean", "worst ahead", "mean ahead")
        }
        printed = [
            str(paper.count(TABLE_1, name, quantity)) if paper.has(TABLE_1, name, quantity) else "–"
            for quantity in ("bytes per node", "operations")
        ]
        node, triangle, worst, mean, *ahead = ours.values()
        rows.append([name, node, printed[0], triangle, worst, mean, printed[1], *ahead])
    page.document.table(Table(columns, rows))


def figure_1(page: Page) -> None:
    """Empty space."""
    study = page.study(EMPTINESS)
    if not study:
        return
    page.document.heading("Figure 1: empty space between child and parent")
    page.figure(
        "figure1",
        draw_emptiness(study),
        "AABB trees by surface, one triangle per leaf: the part of the nodes that leave at most so much of their "
        "parent's box empty, the side of the split not counted.",
    )
    columns = [Column("object", whole=True), Column("triangles", True)]
    columns += [Column(name, True, "empty at the median, %") for name in ("all nodes", "inner")]
    columns += [Column(name, True, "at most 10 % empty, %") for name in ("all nodes", "inner")]
    columns += [Column("on 3 sides or more, %", True, "touches its parent")]
    cells = [(part, quantity) for quantity in ("median", "close") for part in ("all nodes", "inner")]
    rows = []
    for case in study.cases():
        shares = [
            significant(100 * study.value(case, *cell), 2) if study.has(case, *cell) else "–"
            for cell in (*cells, ("all nodes", "touching"))
        ]
        rows.append([case, count(study.count(case, "", "triangles")), *shares])
    page.document.table(Table(columns, rows))


def figure_6(page: Page) -> None:
    """Build time, rates and fits."""
    study = page.study(BUILT)
    if not study:
        return
    page.document.heading("Figure 6: build time")
    builders = "; ".join(f"{name}: {how_built(name)}" for name in BUILDS)
    caption = f"From a mesh to its boxtree, on all cores from 16 384 triangles on. {builders}. Both axes logarithmic."
    page.figure("figure6", draw_builds(study), caption)
    columns = [Column("object", whole=True), Column("triangles", True)]
    columns += [Column(name, True, "ms") for name in BUILDS]
    columns += [Column(name, True, "million triangles per second") for name in BUILDS]
    rows = []
    for case in study.cases():
        triangles, seconds = study.count(case, "", "triangles"), [study.value(case, name, TIME) for name in BUILDS]
        times = [significant(value * 1e3) for value in seconds]
        rates = [significant(triangles / value / 1e6, 2) for value in seconds]
        rows.append([case, count(triangles), *times, *rates])
    page.document.table(Table(columns, rows))
    found = [(name, kind, fit) for name in BUILDS for kind, fit in fits(study, name).items()]
    if found:
        columns = [Column("builder", whole=True), Column("object", whole=True), Column("ns per step of n log2 n", True)]
        columns += [Column("largest deviation", True), Column("power of n", True), Column("n log n would be", True)]
        rows = [
            [name, kind, significant(f.factor * 1e9, 2), ratio(f.worst), f"{f.power:.2f}", f"{f.expected_power:.2f}"]
            for name, kind, f in found
        ]
        page.document.folded("Fits of n log n", Table(columns, rows))


def figure_8(page: Page) -> None:
    """Time over distance."""
    study = page.study(TURN)
    if not study:
        return
    steps = study.count(study.cases()[0], "", "steps")
    page.document.heading("Figure 8: time over distance")
    page.figure(
        "figure8",
        draw_turns(study),
        f"Two equal objects; one makes a full turn of {count(steps)} steps about z and x (the paper: {count(STEPS)}). "
        "Means over the turn. The default boxtree, SAT lite.",
    )
    names = list(dict.fromkeys(study.text(case, "", "object") for case in study.cases()))
    distances = sorted({study.value(case, "", "distance") for case in study.cases()})
    columns = [Column("object", whole=True), Column("query", whole=True)]
    columns += [Column(f"{distance:g}", True, "µs per query at distance") for distance in distances]
    rows = [
        [name, query, *(significant(study.value(f"{name} at {d:g}", query, TIME) * 1e6) for d in distances)]
        for name in names
        for query in QUERIES
    ]
    page.document.folded("Means of the turns", Table(columns, rows))


SECTIONS = (table_1, figure_1, figure_6, figure_8, figure_9, figure_10, work_ahead, answers)
