"""The parts of the page about races: Figures 9 and 10, work done ahead on other trees, and whether answers agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tumble.bench.boxtree.contestants import AABB
from tumble.bench.boxtree.records import AHEAD, FIRST, TESTS, TREES, Findings, Raced
from tumble.report import Column, Document, Table, count, ratio, significant


def figure_9(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """The overlap tests."""
    if "figure9" not in figures:
        return
    document.heading("Figure 9: the overlap tests")
    document.figure(
        figures["figure9"],
        "figure9.svg",
        "Means over distances. In the middle and on the right: geometric means over objects, distances, all pairs and "
        "first hits.",
    )
    document.folded("Every case: all pairs", _cases(findings.of(TESTS), "sat-lite"))
    document.folded("Every case: first hit", _cases(findings.of(FIRST + TESTS), "sat-lite"))
    document.folded("Node pairs that the tests let pass", _work(findings.of(TESTS)))


def figure_10(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """Boxtrees and other trees."""
    raced = findings.of(TREES)
    if not raced:
        return
    document.heading("Figure 10: boxtrees and other trees")
    document.text(
        "The paper sets boxtrees against DOP trees, and by word against OBB trees. Here: the 24-DOP tree, the OBB tree "
        "and the AABB tree, all by surface with leaves of the same size and the stack traversal, queries prepared "
        "beforehand; the fast path with its packed tree; python-fcl. The stack traversal tests triangles one by one, "
        "boxtrees and fast path four at a time: where many triangles touch, that alone is a factor. The box pairs "
        "tell what the trees are worth."
    )
    if "figure10" in figures:
        document.figure(figures["figure10"], "figure10.svg", "All pairs, means over distances. Both axes logarithmic.")
    document.heading("All pairs", level=3)
    document.table(_cases(raced, AABB))
    document.heading("First hit", level=3)
    document.table(_cases(findings.of(FIRST + TREES), AABB))
    document.folded("Box pairs and leaf pairs a query", _work(raced))
    names = list(dict.fromkeys(name for one in findings.tree_bytes for name in one.node_bytes))
    columns = [Column("object", whole=True), Column("triangles", True)]
    columns += [Column(name, True, "bytes of nodes a triangle") for name in names]
    rows = [
        [one.name, count(one.triangles), *(significant(one.node_bytes[name] / one.triangles) for name in names)]
        for one in findings.tree_bytes
    ]
    document.folded("Bytes of nodes", Table(columns, rows))


def work_ahead(document: Document, findings: Findings) -> None:
    """Section 3.2.5 on trees that store their volumes."""
    if findings.of(AHEAD):
        document.heading("Section 3.2.5 on other trees")
        document.text(
            "The stack traversal as it is, and with what concerns one node alone done once for all of its pairs."
        )
        document.table(_cases(findings.of(AHEAD), AABB))
        document.folded("First hit", _cases(findings.of(FIRST + AHEAD), AABB))


def answers(document: Document, findings: Findings) -> None:
    """Whether everybody found the same triangles."""
    document.heading("Answers")
    wrong = [one for one in findings.own_differences if one.differ]
    asked = sum(one.asked for one in findings.own_differences)
    document.text(
        f"{count(asked)} answers of Tumble's trees and tests were compared with the fast path's: "
        + ("all are the same." if not wrong else f"**in {count(len(wrong))} cases they differ.**")
    )
    fcl = [one for one in findings.fcl_differences if one.differ]
    if findings.fcl_differences:
        sums = [count(sum(getattr(one, name) for one in fcl)) for name in ("missing", "extra")]
        document.text(
            f"python-fcl, which computes with tolerances, differs in {count(len(fcl))} of "
            f"{count(len(findings.fcl_differences))} cases: {sums[0]} missing, {sums[1]} invented."
        )
    if wrong or fcl:
        columns = [Column("who", whole=True), Column("query"), Column("case", whole=True)]
        columns += [Column(name, True) for name in ("answers", "that differ", "missing", "invented")]
        rows = [
            [f"`{one.peer}`", one.query, one.case, *map(count, (one.asked, one.differ, one.missing, one.extra))]
            for one in (*wrong, *fcl)
        ]
        document.folded("Where they differ", Table(columns, rows, flagged=range(len(wrong))))


def _cases(raced: Sequence[Raced], base: str) -> Table:
    """Microseconds of every contestant, and its time by that of one of them."""
    names = list(dict.fromkeys(name for one in raced for name in one.rounds))
    columns = [Column("case", whole=True), Column("answer", whole=True), Column("triangles", True)]
    columns += [Column(name, True, "µs a query") for name in names]
    columns += [Column(name, True, f"time, {base} = 1") for name in names if name != base]
    rows = []
    for one in raced:
        times = [significant(one.seconds(name).median * 1e6) for name in names]
        ratios = [ratio(one.ratio(name, base).median) for name in names if name != base]
        rows.append([one.case.name, one.answer, count(one.case.faces), *times, *ratios])
    return Table(columns, rows)


def _work(raced: Sequence[Raced]) -> Table:
    names = list(dict.fromkeys(name for one in raced for name in one.work))
    columns = [Column("case", whole=True)]
    for title in ("node pairs tested", "overlapping", "leaf pairs"):
        columns += [Column(name, True, title) for name in names]
    rows = []
    for one in raced:
        work = [one.work[name] for name in names]
        values = (
            [each.box_pairs for each in work] + [each.overlapping for each in work] + [each.leaf_pairs for each in work]
        )
        rows.append([one.case.name, *(count(round(value)) for value in values)])
    return Table(columns, rows)
