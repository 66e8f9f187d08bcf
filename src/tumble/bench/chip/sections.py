"""The parts of the page that show numbers: Table 1, the cycle model, list traversal, triangle tests."""

from __future__ import annotations

from collections.abc import Mapping

from tumble.bench.chip.listing import METHODS, VOLUMES
from tumble.bench.chip.published import MACHINE, TABLE_1
from tumble.bench.chip.records import Findings, Rotation, contestant, gain, less_work
from tumble.bench.chip.rotating import RECURSIVE
from tumble.report import Column, Document, Table, count, ratio, significant
from tumble.report.chip.facts import signed


def table_1(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """Our rows, the published ones under theirs."""
    if not findings.rotations:
        return
    document.heading("Table 1: the chip beside recursive software")
    steps = len(findings.rotations[0].aligned)
    document.text(
        "Two equal objects close to each other, one makes a full turn "
        f"({count(steps)} poses). Aligned nodes count once for each tumbled node that they are compared with, as in "
        "the paper; the chip reads them once for two. Hardware times are by Equation 5 at 3.76 ns per cycle, which "
        "leaves out triangles; software is the recursive traversal of 24-DOP trees with its triangle tests, here on "
        f"this machine, in the paper on a {MACHINE}. The worst case is the maximum of each column by itself; speed-ups "
        "are on average / in the worst case. Where both test triangles they are far smaller: see the claims above."
    )
    groups = ("average", "worst case")
    names = ("aligned", "tumbled", "checks", "HW µs", "SW µs"), ("aligned", "tumbled", "HW µs", "SW µs")
    columns = [Column("object", whole=True), Column("triangles", True)]
    columns += [Column(name, True, group) for group, titles in zip(groups, names, strict=True) for name in titles]
    columns.append(Column("speed-up", True))
    rows = []
    for one in findings.rotations:
        rows.append(_our_row(one))
        if one.name in TABLE_1:
            rows.append(_published_row(one.name))
    document.table(Table(columns, rows))
    if "rotations" in figures:
        document.figure(
            figures["rotations"], "rotations.svg", "Every pose of the rotations. Times on a logarithmic scale."
        )
    columns = [Column("object", whole=True), Column("what it is"), Column("distance, box lengths", True)]
    columns += [Column("poses that touch", True), Column("in the paper", True, faint=True)]
    told = [
        [one.name, one.what, f"{one.distance:.2f}", f"{one.touching} of {len(one.aligned)}", _paper_size(one)]
        for one in findings.rotations
    ]
    document.folded("The objects", Table(columns, told))


def _paper_size(one: Rotation) -> str:
    return f"{count(TABLE_1[one.name].polygons)} polygons" if one.name in TABLE_1 else "–"


def _our_row(one: Rotation) -> list[str]:
    average = [count(round(float(values.mean()))) for values in (one.aligned, one.tumbled, one.checks)]
    average += [significant(1e6 * float(values.mean())) for values in (one.hardware, one.recursive)]
    worst = [count(round(float(values.max()))) for values in (one.aligned, one.tumbled)]
    worst += [significant(1e6 * float(values.max())) for values in (one.hardware, one.recursive)]
    return [one.name, count(one.triangles), *average, *worst, _speedups(one.speedup, one.worst_speedup)]


def _speedups(average: float, worst: float) -> str:
    """As in the paper: on average / in the worst case."""
    return " / ".join(significant(value, 2 if value < 10 else 3) for value in (average, worst))


def _published_row(name: str) -> list[str]:
    row = TABLE_1[name]
    numbers = [
        *row.average[:2],
        row.polygon_checks,
        *row.average[2:],
        *row.worst,
    ]
    return ["… in the paper", count(row.polygons), *map(count, numbers), f"{row.speedup} / {row.worst_speedup}"]


def cycle_model(document: Document, findings: Findings) -> None:
    """The poses that ran on the cycle model, beside Equation 5."""
    if not findings.samples:
        return
    document.heading("The cycle model beside Equation 5")
    document.text(
        f"{count(len(findings.samples))} poses ran on the cycle model: of each rotation the dearest that is not too "
        "long, and others spread over what the poses cost. Each ran twice, the second time with its triangles left to "
        "the host: that is what Equation 5 describes, which is fed with the lists and aligned nodes of the same run. "
        "Last, a small box stuck in each object: its few tumbled nodes meet many aligned ones, so lists are long."
    )
    columns = [Column("object", whole=True), Column("step", True), Column("lists", True), Column("pairs a list", True)]
    columns += [Column("checked", True, "triangles"), Column("left to the host", True, "triangles")]
    columns += [Column(title, True, "cycles") for title in ("as it is", "without triangles", "Equation 5", "apart")]
    columns += [Column(title, whole=True, group="busiest unit") for title in ("as it is", "without triangles")]
    rows = [
        [
            name,
            count(one.step + 1),
            count(one.lists),
            significant(one.pairs_a_list),
            count(one.polygon_checks),
            count(one.unsure),
            count(one.cycles),
            count(one.plain_cycles),
            count(round(one.equation_cycles)),
            signed(one.difference),
            one.bottleneck,
            one.plain_bottleneck,
        ]
        for name, one in findings.samples
    ]
    document.table(Table(columns, rows, flagged=[i for i, (_, one) in enumerate(findings.samples) if not one.agrees]))


def list_traversal(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """What lists gain in software."""
    if not findings.listed:
        return
    listed = findings.listed
    document.heading("List traversal in software")
    document.text(
        "The same trees, poses and outputs: `stack` is the recursive traversal, `stack-ahead` keeps a moved volume for "
        "the pairs that wait, `lists` goes through the tumbled tree alone with a list of aligned nodes for each of its "
        "nodes, `lists-pairs` takes both siblings at once. Geometric means over objects."
    )
    if "lists" in figures:
        document.figure(figures["lists"], "lists.svg", "Larger is faster.")
    others = [method for method in METHODS if method != RECURSIVE]
    # What is left out is 1, or the same as its neighbour, by theory.
    work = (("moves", "stack-ahead"), ("moves", "lists"), ("tests", "lists"), ("iterations", "lists-pairs"))
    titles = {"moves": "fewer moves", "tests": "fewer tests", "iterations": "fewer turns of the loop"}
    columns = [Column("volume", whole=True), *(Column(method, True, "times as fast") for method in others)]
    columns += [Column(method, True, titles[column]) for column, method in work]
    rows = [
        [
            volume,
            *(ratio(gain(listed, volume, method)) for method in others),
            *(ratio(less_work(listed, column, volume, method)) for column, method in work),
        ]
        for volume in VOLUMES
        if contestant(volume, RECURSIVE) in listed[0].rounds
    ]
    document.table(Table(columns, rows))
    if "k" in figures:
        document.figure(figures["k"], "k.svg", "Software: geometric means over objects. Chip: the run of the sweep.")
    names = list(listed[0].rounds)
    columns = [Column("case", whole=True), Column("answer", whole=True), Column("triangles", True)]
    columns += [Column(name, True, "µs a query") for name in names]
    rows = [
        [one.case.name, one.answer, count(one.case.faces), *(_microseconds(one.seconds(name).median) for name in names)]
        for one in listed
    ]
    document.folded("Every time", Table(columns, rows))


def _microseconds(value: float) -> str:
    return significant(1e6 * value)


def triangle_section(document: Document, findings: Findings) -> None:
    """Operations of triangle tests."""
    if not findings.triangle_tests:
        return
    document.heading("The triangle test")
    document.text(
        f"Floating-point operations a pair, means over {count(findings.triangle_tests[0].pairs)} pairs of triangles "
        "that a query meets, and the most that one pair took. Moving brings vertices from their meshes' frames to "
        "where they are compared. The matrices of the unit-triangle test are there beforehand. Undecided pairs go on "
        "to exact arithmetic, which is not counted."
    )
    columns = [Column("test", whole=True)]
    columns += [Column(name, True) for name in ("moving", "additions", "multiplications", "comparisons", "divisions")]
    columns += [Column("all", True), Column("most", True), Column("undecided", True)]
    rows = [
        [
            one.name,
            *(
                significant(value)
                for value in (one.moving, one.additions, one.multiplications, one.comparisons, one.divisions)
            ),
            *(significant(value) for value in (one.mean, one.worst)),
            f"{one.undecided:.1%}",
        ]
        for one in findings.triangle_tests
    ]
    document.table(Table(columns, rows))
