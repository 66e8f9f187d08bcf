"""The parts of the page about races: Figures 9 and 10, work done ahead on other trees, and whether answers agree."""

from __future__ import annotations

from tumble.bench.framework.differences import differences
from tumble.bench.framework.page import Page
from tumble.bench.framework.table import TIME, Study
from tumble.bench.papers.boxtree.contestants import AABB, DEFAULT_OVERLAP, FCL
from tumble.bench.papers.boxtree.figures import draw_tests, draw_trees
from tumble.bench.papers.boxtree.races import AHEAD, ALL, BYTES, FIRST, TESTS, TREES, WORK, both_of, race_of
from tumble.report import Column, Table, count, ratio, significant


def figure_9(page: Page) -> None:
    """The overlap tests."""
    every, first = race_of(page.table, TESTS, ALL), race_of(page.table, TESTS, FIRST)
    if not every:
        return
    page.document.heading("Figure 9: the overlap tests")
    page.figure(
        "figure9",
        draw_tests(every, first),
        "Means over distances. In the middle and on the right: geometric means over objects, distances, all pairs and "
        "first hits.",
    )
    page.document.folded("Every case: all pairs", _cases(every, DEFAULT_OVERLAP))
    page.document.folded("Every case: first hit", _cases(first, DEFAULT_OVERLAP))
    page.document.folded("Node pairs that the tests let pass", _work(every))


def figure_10(page: Page) -> None:
    """Boxtrees and other trees."""
    every, document = race_of(page.table, TREES, ALL), page.document
    if not every:
        return
    document.heading("Figure 10: boxtrees and other trees")
    document.text(
        "The paper sets boxtrees against DOP trees, and by word against OBB trees. Here: the 24-DOP tree, the OBB tree "
        "and the AABB tree, all by surface with leaves of the same size and the stack traversal, queries prepared "
        "beforehand; the fast path with its packed tree; python-fcl. The stack traversal tests triangles one by one, "
        "boxtrees and fast path four at a time: where many triangles touch, that alone is a factor. The box pairs "
        "tell what the trees are worth."
    )
    if any(every.text(case, "", "kind") != "real" for case in every.cases()):
        page.figure("figure10", draw_trees(every), "All pairs, means over distances. Both axes logarithmic.")
    document.heading("All pairs", level=3)
    document.table(_cases(every, AABB))
    document.heading("First hit", level=3)
    document.table(_cases(race_of(page.table, TREES, FIRST), AABB))
    document.folded("Box pairs and leaf pairs per query", _work(every))
    sizes = page.study(BYTES)
    columns = [Column("object", whole=True), Column("triangles", True)]
    columns += [Column(name, True, "bytes of nodes per triangle") for name in sizes.contestants()]
    rows = []
    for case in sizes.cases():
        triangles = sizes.count(case, "", "triangles")
        per_triangle = [sizes.value(case, name, "bytes") / triangles for name in sizes.contestants()]
        rows.append([case, count(triangles), *map(significant, per_triangle)])
    document.folded("Bytes of nodes", Table(columns, rows))


def work_ahead(page: Page) -> None:
    """Section 3.2.5 on trees that store their volumes."""
    every = race_of(page.table, AHEAD, ALL)
    if every:
        page.document.heading("Section 3.2.5 on other trees")
        page.document.text(
            "The stack traversal as it is, and with what concerns one node alone done once for all of its pairs."
        )
        page.document.table(_cases(every, AABB))
        page.document.folded("First hit", _cases(race_of(page.table, AHEAD, FIRST), AABB))


def answers(page: Page) -> None:
    """Whether all contestants found the same triangles."""
    studies = [study for kind in (TESTS, TREES, AHEAD) for study in both_of(page.table, kind)]
    found = [(study.name, *key, counts) for study in studies for key, counts in differences(study).items()]
    ours, fcl = [one for one in found if one[2] != FCL], [one for one in found if one[2] == FCL]
    wrong, differing = ([one for one in group if one[3].differ] for group in (ours, fcl))
    page.document.heading("Answers")
    page.document.text(
        f"{count(sum(one[3].answers for one in ours))} answers of Tumble's trees and tests were compared with the fast "
        + ("path's: all are the same." if not wrong else f"path's: **in {count(len(wrong))} cases they differ.**")
    )
    if fcl:
        missing, invented = sum(one[3].missing for one in fcl), sum(one[3].invented for one in fcl)
        page.document.text(
            f"python-fcl, which computes with tolerances, differs in {count(len(differing))} of {count(len(fcl))} "
            f"cases: {count(missing)} missing, {count(invented)} invented."
        )
    if wrong or differing:
        columns = [Column("contestant", whole=True), Column("query"), Column("case", whole=True)]
        columns += [Column(name, True) for name in ("answers", "that differ", "missing", "invented")]
        rows = [[f"`{name}`", query, case, *map(count, counts)] for query, case, name, counts in (*wrong, *differing)]
        page.document.folded("Where they differ", Table(columns, rows, flagged=range(len(wrong))))


def _cases(study: Study, base: str) -> Table:
    """Microseconds of every contestant, and its time by that of one of them."""
    names = study.contestants()
    columns = [Column("case", whole=True), Column("answer", whole=True), Column("triangles", True)]
    columns += [Column(name, True, "µs per query") for name in names]
    columns += [Column(name, True, f"time, {base} = 1") for name in names if name != base]
    rows = []
    for case in study.cases():
        times = [significant(study.value(case, name, TIME) * 1e6) for name in names]
        ratios = [ratio(study.ratio(case, name, base)) for name in names if name != base]
        rows.append([case, study.text(case, "", "answer"), count(study.count(case, "", "triangles")), *times, *ratios])
    return Table(columns, rows)


def _work(study: Study) -> Table:
    quantities = list(WORK.values())
    names = [name for name in study.contestants() if study.has(study.cases()[0], name, quantities[0])]
    columns = [Column("case", whole=True)]
    columns += [Column(name, True, title) for title in ("node pairs tested", *quantities[1:]) for name in names]
    rows = [
        [case, *(count(study.count(case, name, quantity)) for quantity in quantities for name in names)]
        for case in study.cases()
    ]
    return Table(columns, rows)
