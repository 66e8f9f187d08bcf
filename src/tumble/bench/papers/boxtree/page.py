"""What fills the slots of page.md: values and tables; `figures` has the rest."""

from tumble.bench.framework.answers import Difference, differences
from tumble.bench.framework.page import Flagged, Page, Rows, race_table
from tumble.bench.framework.table import PUBLISHED, TIME, Study
from tumble.bench.papers.boxtree import dop_walk, splits
from tumble.bench.papers.boxtree.builds import BUILT, fits, power_text
from tumble.bench.papers.boxtree.claims import best_build
from tumble.bench.papers.boxtree.contestants import AABB, BUILDS, FCL, LEAF_SIZE, by_arity
from tumble.bench.papers.boxtree.nodes import EMPTINESS, NODES
from tumble.bench.papers.boxtree.published import MACHINE, STEPS, TABLE_1
from tumble.bench.papers.boxtree.races import ALL, BYTES, KINDS, MORE_CHILDREN, QUERIES, TURN, WORK, both_of, race_of
from tumble.report import Column, Table, count, number_columns, ratio, significant

__all__ = ["LEAF_SIZE", "MACHINE"]

# The options of every boxtree, as they are given to `tumble.build`.
OPTIONS = {
    name: ", ".join(f'{option}="{value}"' for option, value in options.items()) for name, options in BUILDS.items()
}
BUILDERS = "; ".join(f"{name}: {options}" for name, options in OPTIONS.items())
TREES_BUILT = " ".join(f"`{name}`: {options}." for name, options in OPTIONS.items())
PAPERS_STEPS = count(STEPS)
SPLIT_STEPS = str(splits.STEPS)
DOP_STEPS = str(dop_walk.STEPS)


def best_variant(page: Page) -> str | None:
    """The boxtree whose numbers count, and its options."""
    best = best_build(page.table)
    return f"**{best}** ({OPTIONS[best]})" if best else None


def _optional(study: Study, case: str, contestant: str, quantity: str, factor: float = 1, digits: int = 3) -> str:
    found = study.has(case, contestant, quantity)
    return significant(factor * study.value(case, contestant, quantity), digits) if found else "–"


def node_costs(page: Page) -> Rows:
    """Bytes and operations, the published ones beside them."""
    study, paper, rows = page.study(NODES), page.study(PUBLISHED), []
    for name in study.contestants():
        node, triangle, worst, mean, *ahead = (
            _optional(study, TABLE_1, name, quantity)
            for quantity in ("bytes per node", "bytes per triangle", "worst", "mean", "worst ahead", "mean ahead")
        )
        printed = [
            str(paper.count(TABLE_1, name, quantity)) if paper.has(TABLE_1, name, quantity) else "–"
            for quantity in ("bytes per node", "operations")
        ]
        rows.append([name, node, printed[0], triangle, worst, mean, printed[1], *ahead])
    return rows


def empty_space(page: Page) -> Rows:
    """How empty nodes are."""
    study, parts = page.study(EMPTINESS), ("all nodes", "inner")
    cells = [(part, quantity) for quantity in ("median", "close") for part in parts] + [("all nodes", "touching")]
    return [
        [case, count(study.count(case, "", "triangles")), *(_optional(study, case, *cell, 100, 2) for cell in cells)]
        for case in study.cases()
    ]


def build_times(page: Page) -> Rows:
    """Milliseconds and rates of all builders."""
    study, rows = page.study(BUILT), []
    for case in study.cases():
        triangles, seconds = study.count(case, "", "triangles"), [study.value(case, name, TIME) for name in BUILDS]
        times = [significant(value * 1e3) for value in seconds]
        rates = [significant(triangles / value / 1e6, 2) for value in seconds]
        rows.append([case, count(triangles), *times, *rates])
    return rows


def build_fits(page: Page) -> Rows:
    """How build times grow."""
    return [
        [name, kind, significant(f.factor * 1e9, 2), ratio(f.worst), power_text(f.power), f"{f.expected_power:.2f}"]
        for name in BUILDS
        for kind, f in fits(page.study(BUILT), name).items()
    ]


def turn_means(page: Page) -> Table:
    """Time over distance."""
    study = page.study(TURN)
    names = dict.fromkeys(study.text(case, "", "object") for case in study.cases())
    distances = sorted({study.value(case, "", "distance") for case in study.cases()})
    rows = [
        [name, query, *(significant(study.value(f"{name} at {d:g}", query, TIME) * 1e6) for d in distances)]
        for name in names
        for query in QUERIES
    ]
    times = number_columns(*(f"{distance:g}" for distance in distances), group="µs per query at distance")
    return Table([Column("object", whole=True), Column("query", whole=True), *times], rows)


def times(page: Page, kind: str, query: str, base: str) -> Table:
    """Microseconds of every contestant of a race, and its time by that of one of them."""
    return race_table(race_of(page.table, kind, query), base)


def arity_times(page: Page, query: str) -> Table | None:
    """The same for trees of more children; None where they did not race."""
    study = race_of(page.table, MORE_CHILDREN, query)
    return race_table(study, by_arity(AABB, 2)) if study else None


def work(page: Page, kind: str) -> Table:
    """Pairs of nodes and leaves that the contestants of a race looked at."""
    study, quantities = race_of(page.table, kind, ALL), list(WORK.values())
    names = [name for name in study.contestants() if study.has(study.cases()[0], name, quantities[0])]
    rows = [
        [case, *(count(study.count(case, name, quantity)) for quantity in quantities for name in names)]
        for case in study.cases()
    ]
    titles = ("node pairs tested", *quantities[1:])
    groups = [column for title in titles for column in number_columns(*names, group=title)]
    return Table([Column("case", whole=True), *groups], rows)


def node_bytes(page: Page) -> Table:
    """Bytes of nodes per triangle."""
    study, rows = page.study(BYTES), []
    names = [name for name in study.contestants() if study.has(study.cases()[0], name, "bytes")]
    for case in study.cases():
        triangles = study.count(case, "", "triangles")
        per_triangle = [study.value(case, name, "bytes") / triangles for name in names]
        rows.append([case, count(triangles), *map(significant, per_triangle)])
    trees = number_columns(*names, group="bytes of nodes per triangle")
    return Table([Column("object", whole=True), Column("triangles", True), *trees], rows)


def _compared(page: Page, fcl: bool) -> list[tuple[str, str, str, Difference]]:
    """Query, case, contestant and difference of every comparison, of FCL or of all others."""
    studies = [study for kind in KINDS for study in both_of(page.table, kind)]
    found = [(study.name, *key, counts) for study in studies for key, counts in differences(study).items()]
    return [one for one in found if (one[2] == FCL) == fcl]


def agreement(page: Page) -> str:
    """Whether Tumble's contestants found the same triangles."""
    ours = _compared(page, fcl=False)
    wrong = sum(counts.differ > 0 for *_, counts in ours)
    return (
        f"{count(sum(counts.answers for *_, counts in ours))} answers of Tumble's trees and tests were compared with "
        f"the fast path's: {f'**in {count(wrong)} cases they differ.**' if wrong else 'all are the same.'}"
    )


def fcl(page: Page, what: str) -> str | None:
    """A number about FCL's answers; None where it did not compete."""
    found = [counts for *_, counts in _compared(page, fcl=True)]
    numbers = {"cases": len(found), "differing": sum(counts.differ > 0 for counts in found)}
    numbers |= {name: sum(getattr(counts, name) for counts in found) for name in ("missing", "invented")}
    return count(numbers[what]) if found else None


def differing_answers(page: Page) -> Rows:
    """Where answers differ, ours first."""
    return [
        (list if fcl else Flagged)([f"`{name}`", query, case, *map(count, counts)])
        for fcl in (False, True)
        for query, case, name, counts in _compared(page, fcl)
        if counts.differ
    ]
