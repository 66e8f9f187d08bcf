"""The page of `tumble chip`: what came out, the timeline, each unit, Equation 5 beside the model, the sweep."""

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from tumble.chip.cost import bank_delay, opening_cycles, pair_cycles
from tumble.chip.design import Design
from tumble.chip.result import ChipRun
from tumble.chip.sweep import Point, equation_cycles
from tumble.report import plots
from tumble.report.chip.facts import difference, facts, signed, units, waits
from tumble.report.chip.sweep import draw_sweep, sweep_table
from tumble.report.chip.timeline import draw_timeline
from tumble.report.document import Document
from tumble.report.numbers import count, significant
from tumble.report.tables import Column, Table

PLOTS_LEFT_OUT = f"Plots are left out: they need Matplotlib, which is not installed ({plots.INSTALL})."


def write_page(folder: Path, names: Sequence[str], run: ChipRun, plain: ChipRun, points: Sequence[Point] = ()) -> Path:
    """Write index.md, index.html and, with Matplotlib, the pictures of a run; returns the path of the HTML page.

    `plain` is the same query with its triangles left to the host: what Equation 5 describes.
    """
    document = Document(
        f"{names[0]} and {names[1]} on the CollisionChip",
        f"{_verdict(run)} The chip answers in {significant(run.seconds * 1e6)} µs: {count(run.cycles)} cycles, of "
        f"which its busiest unit, {run.bottleneck}, works {run.utilisation.get(run.bottleneck, 0.0):.0%}.",
    )
    if not plots.have_matplotlib():
        document.text(PLOTS_LEFT_OUT)
    document.heading("The run")
    document.table(Table([Column("what"), Column("value")], [list(fact) for fact in facts(run, plain)]))
    _timeline(document, run, folder)
    _units(document, run)
    _equation(document, run, plain)
    if points:
        document.heading("What a designer can change")
        add_sweep(document, points, folder)
    _design(document, run.design)
    return document.write(folder)[1]


def _verdict(run: ChipRun) -> str:
    if not run:
        return "They do not touch."
    return f"They touch in {count(len(run.pairs))} pair{'' if len(run.pairs) == 1 else 's'} of triangles."


def _timeline(document: Document, run: ChipRun, folder: Path) -> None:
    if not run.intervals or not plots.have_matplotlib():
        return
    document.heading("The units over time")
    document.figure(
        plots.save(draw_timeline(run), folder, "timeline"),
        "timeline.svg",
        "Above: how much of each stretch of time a unit works; the numbers are its share of the whole run. Below: the "
        "beginning close up.",
    )


def _units(document: Document, run: ChipRun) -> None:
    document.heading("What each unit did")
    document.table(Table([Column("unit"), Column("busy cycles", True), Column("share", True)], units(run)))
    waited = waits(run)
    if waited:
        columns = [Column("the master controller waited for"), Column("cycles", True), Column("share", True)]
        document.table(Table(columns, waited))


def _equation(document: Document, run: ChipRun, plain: ChipRun) -> None:
    design, share = run.design, difference(plain)
    document.heading("Equation 5 beside the model")
    document.text(
        f"For this design a list of α pairs of aligned nodes takes {opening_cycles(design):g} + (α − 2) · "
        f"{pair_cycles(design):g} cycles: its tumbled nodes must be read and transformed before the first comparison, "
        f"and each pair takes {design.pair_transfers} transfers and a gap of {bank_delay(design):g} cycles on average."
    )
    if share is None:
        document.text("There was no list to process.")
        return
    document.text(
        f"For the {count(plain.lists)} lists and {count(plain.aligned_nodes)} aligned nodes of this query that makes "
        f"{count(round(equation_cycles(plain)))} cycles. Without triangles the model takes {count(plain.cycles)}, "
        f"{signed(share)}: the equation does not know how lists begin and end, counts lists shorter than two pairs "
        "below their constant part, and takes the mean gap between two reads, where the model has addresses that fall "
        f"into banks as they happen to. The {count(run.polygon_checks)} triangle pairs, which the equation leaves out, "
        f"add {count(run.cycles - plain.cycles)} cycles."
    )


def add_sweep(document: Document, points: Sequence[Point], folder: Path, query: str = "the one above") -> None:
    """The designer's sweep, below the heading of its section."""
    document.text(
        f"The query: {query}. One measure changes at a time, the others stay as in the design marked •; Equation 5 is "
        "fed with the nodes and lists that the model read. A faster clock keeps the memory chips: their nanoseconds "
        "stay, so they take more cycles. With more tumbled nodes at once, lists are shared by more of them: fewer "
        "reads, but more to transform before the first comparison."
    )
    if plots.have_matplotlib():
        document.figure(
            plots.save(draw_sweep(points), folder, "sweep"),
            "sweep.svg",
            "Bars: the cycle model without triangles, and paler what triangles add, each coloured by the unit that is "
            "the busiest; diamonds: Equation 5.",
        )
    document.table(sweep_table(points))


def _design(document: Document, design: Design) -> None:
    paper = Design()
    rows = [[field.name, str(getattr(design, field.name)), str(getattr(paper, field.name))] for field in fields(design)]
    changed = [i for i, row in enumerate(rows) if row[1] != row[2]]
    columns = [Column("measure", whole=True), Column("here", True), Column("default", True, faint=True)]
    document.folded("The design", Table(columns, rows, flagged=changed))
