"""The page of the rerun: claims first, then Figure 33, then every table, ours beside the published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tumble.bench.results import WHAT_IS_KEPT
from tumble.bench.stackless.claims import Judged
from tumble.bench.stackless.count_claims import COUNT_CLAIMS
from tumble.bench.stackless.published import MACHINE, UNPRINTED_REPETITIONS
from tumble.bench.stackless.rows import METHODS, Results
from tumble.bench.verdicts import MARKS, tally
from tumble.report import Column, Document, Table, count, microseconds, ratio, significant
from tumble.scenario import pair_scene

TABLES = {
    2: "Table 2: intersection",
    3: "Table 3: separation",
    4: "Table 4: close proximity",
    5: "Table 5: small proximity",
    6: "Table 6: scalability",
    7: "Table 7: objects of different sizes",
    8: "Table 8: different numbers of triangles",
}
COUNTERS = ("iterations", "overlaps", "leaf_overlaps", "geometry_overlaps")


def build_document(
    ours: Results, paper: Results, claims: Sequence[Judged], summary: dict[str, Any], figure: str
) -> Document:
    """The whole page, ready to write."""
    machine = summary["machine"]
    document = Document(
        "BVH traversal without a stack: the paper, rerun",
        "Five traversals of two bounding volume hierarchies on the scenes of the paper `stackless`, "
        f"its published figures beside ours. Measured on {machine['processor']}, {machine['cores']} cores"
        + (", with few repetitions (quick run)." if summary["quick"] else "."),
    )
    _claims(document, claims)
    document.heading("Figure 33: time over triangles")
    document.figure(figure, "figure33.svg", "Scalability scenes, both objects subdivided alike. Both axes logarithmic.")
    for number, title in TABLES.items():
        scenes = [name for name in ours.scenes() if ours[name, "stack"].table == number]
        if scenes:
            document.heading(title)
        for scene in scenes:
            _scene(document, ours, paper, scene)
    _method(document, summary)
    return document


def _claims(document: Document, claims: Sequence[Judged]) -> None:
    document.heading("What the paper claims and what we found")
    broken = [judged for judged in claims if judged.broken]
    if broken:
        names = ", ".join(judged.claim.name for judged in broken)
        document.text(f"**Something is wrong with this build: counts that theory fixes came out otherwise ({names}).**")
    document.text(
        f"Of {len(claims)} claims, {tally(judged.ours.verdict for judged in claims)}. Claims marked • follow from the "
        "algorithms and must hold; the others depend on object, machine and compiler."
    )
    document.heading("Counts, the same on every machine", level=3)
    document.table(_claims_table([judged for judged in claims if judged.claim in COUNT_CLAIMS]))
    document.heading("Times, as ratios between algorithms", level=3)
    document.table(_claims_table([judged for judged in claims if judged.claim not in COUNT_CLAIMS]))


def _claims_table(claims: Sequence[Judged]) -> Table:
    columns = [
        Column("claim"),
        Column("in", whole=True),
        Column("paper's figures", faint=True),
        Column("ours"),
        Column("verdict", whole=True),
    ]
    rows = [
        [
            f"{'• ' if judged.claim.certain else ''}{judged.claim.statement}",
            judged.claim.source,
            judged.paper.numbers,
            judged.ours.numbers,
            f"{MARKS[judged.ours.verdict]} {judged.ours.verdict}",
        ]
        for judged in claims
    ]
    return Table(columns, rows, flagged=[i for i, judged in enumerate(claims) if judged.broken])


def _scene(document: Document, ours: Results, paper: Results, scene: str) -> None:
    document.heading(pair_scene(scene).title, level=3)
    document.table(_comparison(ours, paper, scene))
    rounds = f"{ours[scene, 'stack'].rounds} rounds of ours, {paper[scene, 'stack'].rounds} of the paper's"
    document.folded(f"Seconds for all repetitions: {rounds}", _seconds(ours, paper, scene))


def _comparison(ours: Results, paper: Results, scene: str) -> Table:
    titles = [name.replace("_", " ") for name in COUNTERS] + ["µs per query", "time, stack = 1"]
    columns = [Column("algorithm")]
    for title in titles:
        columns += [Column("ours", True, title), Column("paper", True, title, faint=True)]
    return Table(columns, [_comparison_row(ours, paper, scene, method) for method in METHODS])


def _comparison_row(ours: Results, paper: Results, scene: str, method: str) -> list[str]:
    cells = [f"`{method}`"]
    for name in COUNTERS:
        cells += [count(getattr(results[scene, method], name)) for results in (ours, paper)]
    cells += [microseconds(results[scene, method].seconds_per_query) for results in (ours, paper)]
    cells += [ratio(results.time_ratio(scene, method, "stack")) for results in (ours, paper)]
    return cells


def _seconds(ours: Results, paper: Results, scene: str) -> Table:
    names = ("min", "max", "mean", "deviation")
    columns = [Column("algorithm")]
    for group, faint in (("ours, seconds", False), ("paper, seconds", True)):
        columns += [Column(name, True, group, faint) for name in ("repetitions", *names)]
    rows = []
    for method in METHODS:
        own, published = ours[scene, method], paper[scene, method]
        cells = [count(own.repetitions), *(significant(getattr(own, name), 4) for name in names)]
        cells += [count(published.repetitions), *(f"{getattr(published, name):g}" for name in names)]
        rows.append([f"`{method}`", *cells])
    return Table(columns, rows)


def _method(document: Document, summary: dict[str, Any]) -> None:
    document.heading("How it was measured")
    machine, versions = summary["machine"], summary["versions"]
    packages = ", ".join(f"{name} {version}" for name, version in versions.items())
    document.items(
        [
            "**Objects.** The paper's mesh is not published. Ours is a thick-walled bowl of as many "
            "triangles, closed and not convex, posed so that each scene has the property it is named for. "
            "Counts are therefore of the same order as the paper's, not equal to them.",
            "**Trees.** Axis-aligned boxes; half of the triangles to each side along the longest axis; one "
            "triangle a leaf.",
            "**Time.** All repetitions run inside one compiled call and one timer; the five algorithms take "
            "turns in every round. The exact test of triangles is part of it; making trees and the memory "
            "of a stack is not. Time per query and ratios come from the median round, because a busy machine "
            "moves the mean (the paper prints no median: its means are used). Minimum, maximum, mean and "
            "standard deviation are folded under each table.",
            f"**Ratios** are what carries over between machines. The paper's was {MACHINE}, and its timer "
            "ticked in hundredths of a second. It prints no repetitions for Tables 7 and 8; its times fit "
            f"{UNPRINTED_REPETITIONS}, which is assumed here.",
            f"**Machine.** {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
            f"Python {machine['python']}, {packages}. Finished {summary['finished']}.",
            WHAT_IS_KEPT,
        ]
    )
