"""The parts of the page about traversals: binary and ordinary stack, descent rules, memory, Coal's OBB tree."""

from __future__ import annotations

from tumble.bench.framework.page import Page
from tumble.bench.framework.table import Study
from tumble.bench.papers.binary_stack.contestants import BINARY, DEFAULT_ONE, STACK
from tumble.bench.papers.binary_stack.figures import draw_traversals
from tumble.bench.papers.binary_stack.memory import BOUND, GIVEN, MEMORY
from tumble.bench.papers.binary_stack.obb_race import BINARY_OBB, COAL, LEAF_SIZE, OBB, OBB_RACE
from tumble.bench.papers.binary_stack.races import COUNTED, TRAVERSALS, WARP, by_rule
from tumble.report import Column, Table, count, microseconds, ratio, significant
from tumble.traversal.rules import DEFAULT_RULE, RULES

BASE = by_rule(BINARY, DEFAULT_RULE)


def traversals(page: Page) -> None:
    """Both stacks, all rules, the default engine; equal counts are shown as such."""
    study, document = page.study(TRAVERSALS), page.document
    if not study:
        return
    document.heading("Binary stack, ordinary stack, descent rules")
    document.text(
        "The same trees of turned boxes, the same recorded poses, one core. With the same rule both stacks must visit "
        "the same node pairs: for each pair of bodies all counters of the one were compared with those of the other."
    )
    page.figure(
        "traversals",
        draw_traversals(study),
        "Geometric means over recorded moments; dots are moments. The default engine compares boxes eight at a time, "
        "so its node pairs are not comparable.",
    )
    document.table(_rules_table(study))
    document.folded("Ways beside each other", _ways_table(study))
    parts = ", ".join(
        f"{study.value(case, '', 'idle'):.0%} at {case} (the longest walk takes "
        f"{count(study.count(case, '', 'longest walk'))} turns of "
        f"{count(study.count(case, BASE, 'node pairs'))} in all)"
        for case in study.cases()
    )
    document.text(
        f"**Waiting.** On a GPU that runs {WARP} work-items in step, one pair of bodies each in the order of the list, "
        f"this part of the turns would be spent waiting for the longest walk of the group: {parts}. The pool of work "
        "is there for that."
    )


def _rules_table(study: Study) -> Table:
    columns = [Column("step", whole=True), Column("rule", whole=True), Column("pairs of bodies", True)]
    columns += [Column(name, True) for name in ("counted alike", *COUNTED, "ms", f"{DEFAULT_RULE} = 1")]
    rows: list[list[str]] = []
    flagged = []
    for case in study.cases():
        for rule in RULES:
            name, pairs = by_rule(BINARY, rule), study.count(case, "", "body pairs")
            counts = [study.count(case, name, quantity) for quantity in ("counted alike", *COUNTED)]
            if counts[0] != pairs:
                flagged.append(len(rows))
            times = [_ms(study, case, name), ratio(study.ratio(case, name, BASE))]
            rows.append([count(study.count(case, "", "step")), rule, *map(count, (pairs, *counts)), *times])
    return Table(columns, rows, flagged=flagged)


def _ms(study: Study, case: str, name: str) -> str:
    return significant(1e3 * study.value(case, name, "time"))


def _ways_table(study: Study) -> Table:
    names = (BASE, by_rule(STACK, DEFAULT_RULE), DEFAULT_ONE)
    columns = [Column("step", whole=True), *(Column(name, True, "ms") for name in names)]
    columns += [Column(name, True, f"{BASE} = 1") for name in names[1:]]
    rows = [
        [
            count(study.count(case, "", "step")),
            *(_ms(study, case, name) for name in names),
            *(ratio(study.ratio(case, name, BASE)) for name in names[1:]),
        ]
        for case in study.cases()
    ]
    return Table(columns, rows)


def memory(page: Page) -> None:
    """The paper's bounds and ours."""
    study, document = page.study(MEMORY), page.document
    if not study:
        return
    over = sum(study.value(case, STACK, "in use") > study.value(case, STACK, BOUND) for case in study.cases())
    document.heading("Memory of a query: bounds (1) and (2)")
    document.text(
        "Two equal trees of boxes with one triangle per leaf that touch; c children per node at most, heights h. Bound "
        "(1): k (c − 1) max(h); bound (2): k and a bit for each of the h + h steps down; k = 8 bytes for a pair of "
        "nodes. “Given” is `Query.nbytes`: room for 1 + (c − 1)(h + h) pairs, and two words of 64 bits, more of "
        "them where depths add up to over 128. “In use” is what of the ordinary stack the query wrote to. Bound (1) "
        "takes the larger height where a walk goes down in both trees: "
        f"in {over} of {len(study.cases())} rows more is in use than it says."
    )
    columns = [Column("trees", whole=True)]
    columns += [Column(title, True) for title in ("triangles", "children", "height")]
    columns += [Column(title, True, "ordinary stack, bytes") for title in ("bound (1)", "in use", "given")]
    columns += [Column(title, True, "binary stack, bytes") for title in ("bound (2)", "given")]
    columns += [Column(title, True, "a part of") for title in ("(2) / (1)", "given / given")]
    document.table(Table(columns, [_memory_row(study, case) for case in study.cases()]))


def _memory_row(study: Study, case: str) -> list[str]:
    bounds, given = ([study.value(case, name, what) for name in (STACK, BINARY)] for what in (BOUND, GIVEN))
    return [
        study.text(case, "", "trees"),
        *(count(study.count(case, "", name)) for name in ("triangles", "children", "height")),
        *(count(study.count(case, STACK, name)) for name in (BOUND, "in use", GIVEN)),
        f"{bounds[1]:.1f}",
        count(round(given[1])),
        f"{bounds[1] / bounds[0]:.1%}" if bounds[0] else "–",
        f"{given[1] / given[0]:.1%}",
    ]


def coal(page: Page) -> None:
    """Our OBB tree beside Coal's."""
    study, document = page.study(OBB_RACE), page.document
    if not study:
        return
    document.heading("The OBB tree beside Coal's")
    document.text(
        f"Two equal objects, one of them turning. Ours: by surface, {LEAF_SIZE} triangles per leaf, queries prepared, "
        "all pairs as an array. Coal: `BVHModelOBB` and `ComputeCollision`, a new `CollisionResult` per pose, its "
        "contacts not read, which favours it."
    )
    names = (OBB, BINARY_OBB, COAL)
    columns = [Column("case", whole=True), Column("query", whole=True), Column("answer", whole=True)]
    columns += [Column(name, True, "µs per pose") for name in names]
    columns += [Column("Coal's time", True, f"{OBB} = 1")]
    rows = [
        [
            *(study.text(case, "", name) for name in ("object", "query", "answer")),
            *(microseconds(study.value(case, name, "time")) for name in names),
            ratio(study.ratio(case, COAL, OBB)),
        ]
        for case in study.cases()
    ]
    document.table(Table(columns, rows))
