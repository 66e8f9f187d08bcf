"""The parts of the page about traversals: binary and ordinary stack, descent rules, memory, Coal's OBB tree."""

from __future__ import annotations

from collections.abc import Mapping

from tumble.bench.binary_stack.contestants import BINARY, DEFAULT_ONE, STACK
from tumble.bench.binary_stack.obb_race import BINARY_OBB, COAL, LEAF_SIZE, OBB
from tumble.bench.binary_stack.racing import WARP, by_rule
from tumble.bench.binary_stack.records import Findings
from tumble.bench.boxtree.records import FIRST
from tumble.bench.framework.statistics import Quantiles
from tumble.report import Column, Document, Table, count, ratio, significant
from tumble.traversal.rules import DEFAULT_RULE


def traversals(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """Both stacks, all rules, the default engine; equal counts are shown as such."""
    if not findings.compared:
        return
    document.heading("Binary stack, ordinary stack, descent rules")
    document.text(
        "The same trees of turned boxes, the same recorded poses, one core. With the same rule both stacks must visit "
        "the same node pairs: for each pair of bodies all counters of the one were compared with those of the other."
    )
    if "traversals" in figures:
        document.figure(
            figures["traversals"],
            "traversals.svg",
            "Geometric means over recorded moments; dots are moments. The default engine compares boxes eight at a "
            "time, so its node pairs are not comparable.",
        )
    document.table(_rules_table(findings))
    document.folded("Ways beside each other", _ways_table(findings))
    parts = ", ".join(
        f"{one.idle:.0%} at step {one.step} (the longest walk takes {count(one.longest)} turns of "
        f"{count(one.counts[DEFAULT_RULE].node_pairs)} in all)"
        for one in findings.compared
    )
    document.text(
        f"**Waiting.** On a GPU that runs {WARP} work-items in step, one pair of bodies each in the order of the list, "
        f"this part of the turns would be spent waiting for the longest walk of the group: {parts}. The pool of work "
        "is there for that."
    )


def _rules_table(findings: Findings) -> Table:
    columns = [Column("step", whole=True), Column("rule", whole=True), Column("pairs of bodies", True)]
    columns += [Column("counted alike", True), Column("node pairs", True), Column("overlapping", True)]
    columns += [Column("leaf pairs", True), Column("ms", True), Column(f"{DEFAULT_RULE} = 1", True)]
    rows: list[list[str]] = []
    flagged = []
    for one in findings.compared:
        for rule, counts in one.counts.items():
            name, base = by_rule(BINARY, rule), by_rule(BINARY, DEFAULT_RULE)
            if one.equal[rule] != one.body_pairs:
                flagged.append(len(rows))
            cells = (one.body_pairs, one.equal[rule], counts.node_pairs, counts.overlapping, counts.leaf_pairs)
            seconds = Quantiles.of(one.rounds[name]).median
            last = (significant(1e3 * seconds), ratio(one.ratio(name, base).median))
            rows.append([count(one.step), rule, *map(count, cells), *last])
    return Table(columns, rows, flagged=flagged)


def _ways_table(findings: Findings) -> Table:
    base = by_rule(BINARY, DEFAULT_RULE)
    names = (base, by_rule(STACK, DEFAULT_RULE), DEFAULT_ONE)
    columns = [Column("step", whole=True), *(Column(name, True, "ms") for name in names)]
    columns += [Column(name, True, f"{base} = 1") for name in names[1:]]
    rows = [
        [
            count(one.step),
            *(significant(1e3 * Quantiles.of(one.rounds[name]).median) for name in names),
            *(ratio(one.ratio(name, base).median) for name in names[1:]),
        ]
        for one in findings.compared
    ]
    return Table(columns, rows)


def memory(document: Document, findings: Findings) -> None:
    """The paper's bounds and ours."""
    if not findings.memory:
        return
    document.heading("Memory of a query: bounds (1) and (2)")
    over = sum(one.seen > one.bound_1 for one in findings.memory)
    document.text(
        "Two equal trees of boxes with one triangle a leaf that touch; c children a node at most, heights h. Bound "
        "(1): k (c − 1) max(h); bound (2): k and a bit for each of the h + h steps down; k = 8 bytes for a pair of "
        "nodes. “Given” is `Query.nbytes`: room for 1 + (c − 1)(h + h) pairs, and two words of 64 bits, more of "
        "them where depths add up to over 128. “In use” is what of the ordinary stack the query wrote to. Bound (1) "
        "takes the larger height where a walk goes down in both trees: "
        f"in {over} of {len(findings.memory)} rows more is in use than it says."
    )
    columns = [Column("trees", whole=True)]
    columns += [Column(title, True) for title in ("triangles", "children", "height")]
    columns += [Column(title, True, "ordinary stack, bytes") for title in ("bound (1)", "in use", "given")]
    columns += [Column(title, True, "binary stack, bytes") for title in ("bound (2)", "given")]
    columns += [Column(title, True, "a part of") for title in ("(2) / (1)", "given / given")]
    rows = [
        [
            one.name,
            *map(count, (one.triangles, one.children, one.depth, round(one.bound_1), one.seen, one.stack)),
            f"{one.bound_2:.1f}",
            count(one.binary),
            f"{one.bound_2 / one.bound_1:.1%}" if one.bound_1 else "–",
            f"{one.binary / one.stack:.1%}",
        ]
        for one in findings.memory
    ]
    document.table(Table(columns, rows))


def coal(document: Document, findings: Findings) -> None:
    """Our OBB tree beside Coal's."""
    if not findings.obb:
        return
    document.heading("The OBB tree beside Coal's")
    document.text(
        f"Two equal objects, one of them turning. Ours: by surface, {LEAF_SIZE} triangles a leaf, queries prepared, "
        "all pairs as an array. Coal: `BVHModelOBB` and `ComputeCollision`, a new `CollisionResult` a pose, its "
        "contacts not read, which favours it."
    )
    names = (OBB, BINARY_OBB, COAL)
    columns = [Column("case", whole=True), Column("query", whole=True), Column("answer", whole=True)]
    columns += [Column(name, True, "µs a pose") for name in names]
    columns += [Column("Coal's time", True, f"{OBB} = 1")]
    rows = [
        [
            one.case.name,
            one.case.query.replace(f"{FIRST}all pairs", "first hit"),
            one.answer,
            *(significant(1e6 * one.seconds(name).median) for name in names),
            ratio(one.ratio(COAL, OBB).median),
        ]
        for one in findings.obb
    ]
    document.table(Table(columns, rows))
