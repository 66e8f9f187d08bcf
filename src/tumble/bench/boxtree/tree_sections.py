"""The parts of the page about nodes, builders and turns: Table 1 and Figures 1, 6 and 8."""

from __future__ import annotations

from collections.abc import Mapping

from tumble.bench.boxtree.building import fits
from tumble.bench.boxtree.contestants import BUILDS, LEAF_SIZE
from tumble.bench.boxtree.entries import entries
from tumble.bench.boxtree.published import STEPS, TABLE_1
from tumble.bench.boxtree.records import Findings
from tumble.report import Column, Document, Table, count, ratio, significant


def how_built(name: str) -> str:
    """The options of a boxtree, as they are given to `tumble.build`."""
    return ", ".join(f'{option}="{value}"' for option, value in BUILDS[name].items())


def table_1(document: Document, findings: Findings) -> None:
    """Bytes and operations, the published ones beside them."""
    document.heading("Table 1: bytes and operations")
    document.text(
        "Bytes a node are those of nodes and volumes, links included; bytes a triangle are those of a whole tree with "
        f"the order of triangles, {LEAF_SIZE} in a leaf. Operations are additions, multiplications and comparisons of "
        "one node pair, counted while a query runs: in the worst case and on average, with the work of a node done for "
        "each pair, and done ahead for all pairs (Section 3.2.5). The paper's are for the worst case, without."
    )
    columns = [
        Column("tree", whole=True),
        Column("ours", True, "bytes a node"),
        Column("paper", True, "bytes a node", faint=True),
        Column("ours", True, "bytes a triangle"),
        Column("worst", True, "operations"),
        Column("mean", True, "operations"),
        Column("paper", True, "operations", faint=True),
        Column("worst", True, "operations, ahead"),
        Column("mean", True, "operations, ahead"),
    ]
    rows = []
    for cost in findings.nodes:
        paper = TABLE_1.get(cost.name)
        ours = [significant(value) for value in (cost.worst, cost.mean)]
        ahead = [significant(value) for value in (cost.worst_ahead, cost.mean_ahead)]
        published = ["–", "–"] if paper is None else [str(paper.nbytes), str(paper.operations)]
        nbytes = [significant(cost.nbytes), published[0], significant(cost.nbytes_a_triangle)]
        rows.append([cost.name, *nbytes, *ours, published[1], *ahead])
    document.table(Table(columns, rows))


def figure_1(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """Empty space."""
    if "figure1" not in figures:
        return
    document.heading("Figure 1: empty space between child and parent")
    document.figure(
        figures["figure1"],
        "figure1.svg",
        "AABB trees by surface, one triangle a leaf: the part of the nodes that leave at most so much of their "
        "parent's box empty, the side of the split not counted.",
    )
    columns = [Column("object", whole=True), Column("triangles", True)]
    columns += [Column(name, True, "empty at the median, %") for name in ("all nodes", "inner")]
    columns += [Column(name, True, "at most 10 % empty, %") for name in ("all nodes", "inner")]
    columns += [Column("on 3 sides or more, %", True, "touches its parent")]
    rows = []
    for one in entries(findings)["emptiness"]:
        shares = [one[name] for name in ("median", "median_of_inner", "close", "close_of_inner", "touching")]
        percents = [significant(None if share is None else 100 * share, 2) for share in shares]
        rows.append([one["object"], count(one["triangles"]), *percents])
    document.table(Table(columns, rows))


def figure_6(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """Build time, rates and fits."""
    if "figure6" not in figures:
        return
    document.heading("Figure 6: build time")
    builders = "; ".join(f"{name}: {how_built(name)}" for name in BUILDS)
    document.figure(
        figures["figure6"],
        "figure6.svg",
        f"From a mesh to its boxtree, on all cores from 16 384 triangles on. {builders}. Both axes logarithmic.",
    )
    columns = [Column("object", whole=True), Column("triangles", True)]
    columns += [Column(name, True, "ms") for name in BUILDS]
    columns += [Column(name, True, "million triangles a second") for name in BUILDS]
    rows = []
    for one in findings.built:
        seconds = [one.seconds(name) for name in BUILDS]
        times = [significant(value * 1e3) for value in seconds]
        rates = [significant(one.triangles / value / 1e6, 2) for value in seconds]
        rows.append([one.name, count(one.triangles), *times, *rates])
    document.table(Table(columns, rows))
    found = [(name, kind, fit) for name in BUILDS for kind, fit in fits(findings.built, name).items()]
    if found:
        columns = [Column("builder", whole=True), Column("object", whole=True), Column("ns a step of n log2 n", True)]
        columns += [Column("largest deviation", True), Column("power of n", True), Column("n log n would be", True)]
        rows = [
            [
                name,
                kind,
                significant(fit.factor * 1e9, 2),
                ratio(fit.worst),
                f"{fit.power:.2f}",
                f"{fit.expected_power:.2f}",
            ]
            for name, kind, fit in found
        ]
        document.folded("Fits of n log n", Table(columns, rows))


def figure_8(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """Time over distance."""
    if "figure8" not in figures:
        return
    steps = len(findings.turns[0].seconds)
    document.heading("Figure 8: time over distance")
    document.figure(
        figures["figure8"],
        "figure8.svg",
        f"Two equal objects; one makes a full turn of {count(steps)} steps about z and x (the paper: {count(STEPS)}). "
        "Means over the turn. The default boxtree, SAT lite.",
    )
    names = list(dict.fromkeys(one.name for one in findings.turns))
    distances = sorted({one.distance for one in findings.turns})
    times = {(one.name, one.distance, one.first): one.mean for one in findings.turns}
    columns = [Column("object", whole=True), Column("query", whole=True)]
    columns += [Column(f"{distance:g}", True, "µs a query at distance") for distance in distances]
    rows = [
        [name, "first hit" if first else "all pairs"]
        + [significant(times[name, distance, first] * 1e6) for distance in distances]
        for name in names
        for first in (False, True)
    ]
    document.folded("Means of the turns", Table(columns, rows))
