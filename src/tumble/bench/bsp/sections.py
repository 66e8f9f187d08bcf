"""The parts of the page about the paper: Table 1 and Figures 7, 8 and 9."""

from __future__ import annotations

from collections.abc import Mapping

from tumble.bench.bsp.judging import mean, speedups, title
from tumble.bench.bsp.published import GPUS, TABLE_1
from tumble.bench.bsp.records import BETWEEN, Findings, device_of
from tumble.bench.bsp.streams import AT_ROOTS, REFITTED, STREAMS, called
from tumble.query.settings import FrontSettings as FRONT
from tumble.report import Column, Document, Table, count, ratio, significant


def table_1(document: Document, findings: Findings) -> None:
    """Loads, then query times; the published ones beside ours."""
    document.heading("Table 1: leaf pairs")
    document.text(
        "A leaf pair is two triangles whose boxes share a point, one triangle a leaf. Between objects, and within them "
        "with triangles that share a vertex and without. The paper's loads fit if both orders of a pair are counted "
        "and neighbours are among them; within objects of NBody the paper does not look."
    )
    columns = [
        Column("scene"), Column("frame", whole=True), Column("objects", True), Column("triangles", True),
        Column("between", True), Column("within", True), Column("of those no neighbours", True),
        Column("as in the paper, both orders", True), Column("paper, heaviest frame", True, faint=True),
    ]  # fmt: skip
    rows = [
        [
            title(one.scene), one.frame if one.real else "stand-in", count(one.objects), count(one.triangles),
            count(one.between), count(one.within), count(one.within_apart), count(one.ordered),
            count(TABLE_1[one.scene].leaf_pairs),
        ]
        for one in findings.loads
    ]  # fmt: skip
    document.table(Table(columns, rows))
    document.heading("Table 1: query times")
    document.text(
        "Milliseconds from trees that are there to leaf pairs that are here, median; in brackets, what of it kernels "
        "take by the device's clock. Which objects' boxes overlap is found by a sweep along x before the clock starts, "
        "here and in all figures: only those pairs of objects enter the traversal, where the paper enters with all. "
        "The last columns are the published times of two GPUs, which compare with another GPU, not with a CPU."
    )
    columns = [Column("scene"), Column("pairs"), Column("leaf pairs", True)]
    columns += [Column(way, True, whole=True) for way in findings.ways]
    columns += [Column(name, True, group="paper", faint=True) for name in GPUS]
    table = []
    for one in findings.table:
        printed = TABLE_1[one.scene]
        asked_there = (one.question == BETWEEN) != printed.itself
        cells = [title(one.scene), one.question, count(next(iter(one.counts.values())))]
        for way in findings.ways:
            kernel = one.kernel(way)
            cells.append(_ms(one.seconds(way)) + (f" ({_ms(kernel)})" if kernel is not None else ""))
        table.append([*cells, *(f"{value:g}" if asked_there else "–" for value in printed.milliseconds)])
    document.table(Table(columns, table))


def figure_7(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """Bulk beside streams."""
    document.heading("Figure 7: speed-up over streams")
    document.text(
        "Streams: every work-item takes a pair of nodes of the front in which the traversal of the frame before ended, "
        "and walks down with a stack of its own. As in the paper, trees are built for both frames, only pairs of "
        "different objects are asked for, and front and trees are there before the clock starts. Work is redistributed "
        f"here, which the paper leaves out: after {FRONT.steps} pairs, or when its stack of {FRONT.stack} is full, a "
        "work-item hands over what is left to another round. Two kinder variants stand beside it: trees that are only "
        "refitted, so that the front fits better, and a traversal without a front, from the roots. Bulk tests "
        "descendants before it writes them; “as in the paper” it writes all of them, and tests them when they are read."
    )
    if "figure7" in figures:
        document.figure(figures["figure7"], "figure7.svg", "How many times as long as bulk streams take.")
    columns = [Column("scene"), Column("bulk on"), Column("bulk", True, group="ms")]
    columns += [Column(name, True, group="ms") for name in ("streams", "… refitted trees", "… from the roots")]
    columns += [Column(name, True, group="kernels, ms") for name in ("bulk", "streams")]
    columns += [Column(name, True, group="speed-up") for name in ("all in all", "in kernels")]
    rows = []
    for way in findings.ways:
        walls, kernels = speedups(findings, way), speedups(findings, way, kernels=True)
        for one in (one for one in findings.streams if one.scene in walls):
            theirs = [called(device_of(way), method) for method in (STREAMS, REFITTED, AT_ROOTS)]
            times = [_ms(one.seconds(name)) for name in (way, *theirs)]
            inside = [_ms(one.kernel(name)) for name in (way, theirs[0])]
            rows.append(
                [title(one.scene), way, *times, *inside, ratio(walls[one.scene]), ratio(kernels.get(one.scene))]
            )
        if walls:
            shares = ratio(mean(walls)), ratio(mean(kernels) if kernels else None)
            rows.append(["average", way, *[""] * 6, *shares])
    document.table(Table(columns, rows))


def figure_8(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """Entry level and depth step."""
    document.heading("Figure 8: entry level and depth step")
    document.text(
        "Milliseconds of a query, as Table 1 asks it (within objects too for Cloth-Ball and Funnel). Only pairs of "
        "objects whose boxes overlap are entered at the entry level: a sweep along x has found them before, so that a "
        "deep level costs little where most of many objects are apart. An entry level deeper than a tree is its "
        "leaves; a first frontier that would be too large is entered in parts, or higher up."
    )
    if "figure8" in figures:
        document.figure(figures["figure8"], "figure8.svg", "Time by entry level, a line for each depth step µ.")
    _best(document, findings, 8, ("entry level", "µ"))


def figure_9(document: Document, findings: Findings, figures: Mapping[str, str], step: int) -> None:
    """Queue and group."""
    document.heading("Figure 9: queue and group")
    document.text(
        f"The same over the capacity κ of a queue and the size |G| of a group, with µ = {step} and entry level 0. On "
        "the CPU, a group is what a thread takes at a time."
    )
    if "figure9" in figures:
        document.figure(figures["figure9"], "figure9.svg", "Time, the fastest combination of a panel being 1.")
    _best(document, findings, 9, ("κ", "|G|"))


def _best(document: Document, findings: Findings, figure: int, names: tuple[str, str]) -> None:
    rows = []
    for one in (one for one in findings.swept if one.figure == figure and one.seconds):
        (first, second), least = one.best()
        worst = max(one.seconds.values())
        rows.append(
            [
                title(one.scene),
                one.way,
                str(first),
                str(second),
                _ms(least),
                ratio(worst / least),
                str(len(one.refused)),
            ]
        )
    columns = [Column("scene"), Column("on"), *(Column(name, True, group="fastest") for name in names)]
    columns += [Column("ms", True, group="fastest"), Column("slowest", True), Column("refused", True)]
    document.table(Table(columns, rows))


def _ms(seconds: float | None) -> str:
    return significant(None if seconds is None else 1e3 * seconds)
