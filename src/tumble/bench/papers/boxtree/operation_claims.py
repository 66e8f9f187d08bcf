"""Tests of the paper's claims about operations, and about what passes the overlap tests. All are about counts."""

from tumble.bench.framework.claims import Verdict, over_cases, verdict
from tumble.bench.framework.table import PUBLISHED, Study, reads
from tumble.bench.papers.boxtree.box_overlap import BOX_OVERLAP
from tumble.bench.papers.boxtree.contestants import OBB, OVERLAPS, STORED
from tumble.bench.papers.boxtree.node_claims import is_boxtree
from tumble.bench.papers.boxtree.nodes import NODES
from tumble.bench.papers.boxtree.published import AXIS_AHEAD, AXIS_ALIGNMENT, TABLE_1
from tumble.report import count, ratio, significant

# "About half of the operations", for a whole test.
FEWER_OPERATIONS = 1.5
# Printed counts of other trees: within a tenth, as tests are written in more than one way.
APART = 0.1
KINDS = ("multiplications", "additions", "comparisons")


@reads(NODES, PUBLISHED)
def operations(study: Study, published: Study) -> Verdict:
    """No more than printed, for boxtrees; the others for comparison."""
    names = [name for name in published.contestants(TABLE_1) if study.has(TABLE_1, name, "worst")]
    worst = {name: study.value(TABLE_1, name, "worst") for name in names}
    printed = {name: published.count(TABLE_1, name, "operations") for name in names}
    kept = [worst[name] <= printed[name] for name in names if is_boxtree(name)]
    numbers = ", ".join(f"{name} {significant(worst[name])} ({printed[name]})" for name in names)
    return verdict(sum(kept), len(kept), numbers)


@reads(NODES, PUBLISHED)
def operations_elsewhere(study: Study, published: Study) -> Verdict:
    """Operations of the other trees in the worst case, beside the printed ones: at most a tenth apart, either way."""
    names = [name for name in published.contestants(TABLE_1) if study.has(TABLE_1, name, "worst")]
    outcomes = []
    for name in names:
        ours, printed = study.value(TABLE_1, name, "worst"), published.value(TABLE_1, name, "operations")
        if not is_boxtree(name):
            outcomes.append((abs(ours - printed) <= APART * printed, f"{name} {significant(ours)} ({printed:g})"))
    return over_cases(outcomes)


@reads(NODES)
def sat_lite_twice(study: Study) -> Verdict | None:
    """Operations of SAT lite in the worst case, beside those of axis alignment: twice as many."""
    names = ("boxtree, sat-lite", "boxtree, axis")
    if not set(names) <= set(study.contestants()):
        return None
    lite, axis = (study.value(TABLE_1, name, "worst") for name in names)
    return verdict(lite == 2 * axis, 1, f"{significant(lite)} and {significant(axis)}")


@reads(BOX_OVERLAP)
def sat_exact(study: Study) -> Verdict:
    """Node pairs that pass though their boxes are apart, as clipped edges say: none by SAT; and no test loses one."""
    outcomes = []
    for test in OVERLAPS:
        cases = study.cases(test)
        passing, wrong, lost = (
            sum(study.count(case, test, what) for case in cases) for what in ("passing", "false positives", "lost")
        )
        kept = lost == 0 and passing > 0 and (test != "sat" or wrong == 0)
        outcomes.append((kept, f"{test} {count(wrong)} of {count(passing)}{f', {count(lost)} lost' if lost else ''}"))
    return over_cases(outcomes, "apart, of those that pass: ")


@reads(NODES)
def sat_below_obb(study: Study) -> Verdict | None:
    """Operations of the full separating axis test on boxtrees and on OBB trees, in the worst case."""
    ours = "boxtree, sat"
    if not {ours, OBB} <= set(study.contestants()):
        return None
    sat, obb = (study.value(TABLE_1, name, "worst") for name in (ours, OBB))
    return verdict(sat < obb, 1, f"{significant(sat)} and {significant(obb)}")


@reads(NODES, PUBLISHED)
def by_kind(study: Study, published: Study, where: str) -> Verdict | None:
    """Multiplications, additions and comparisons of axis alignment: none more than printed."""
    name, suffix = "boxtree, axis", {AXIS_ALIGNMENT: "", AXIS_AHEAD: " ahead"}[where]
    if not (study.has(TABLE_1, name, f"{KINDS[0]}{suffix}") and published.has(where, name, KINDS[0])):
        return None
    ours = {kind: study.value(TABLE_1, name, f"{kind}{suffix}") for kind in KINDS}
    printed = {kind: published.value(where, name, kind) for kind in KINDS}
    return over_cases([(ours[kind] <= printed[kind], f"{kind} {ours[kind]:g} ({printed[kind]:g})") for kind in KINDS])


@reads(NODES)
def ahead_halves_operations(study: Study) -> Verdict:
    """Mean operations without and with it."""
    names = [name for name in study.contestants() if is_boxtree(name) and study.has(TABLE_1, name, "mean ahead")]
    saved = {name: study.value(TABLE_1, name, "mean") / study.value(TABLE_1, name, "mean ahead") for name in names}
    return over_cases([(saved[name] >= FEWER_OPERATIONS, f"{name} {ratio(saved[name])}") for name in names])


@reads(NODES)
def ahead_node_work(study: Study, least: str) -> Verdict:
    """What cuts cost (additions and multiplications) without and with it, by at least so many times.

    The paper's 10 c1 + 5 c2 against 2 c1 + 5 c2 is a factor of five in c1; four children share eight cuts in four
    pairs, which is two, as its 1.5 multiplications and 2 additions say, too.
    """
    names = [name for name in study.contestants() if is_boxtree(name) and study.has(TABLE_1, name, "additions ahead")]
    work = {
        name: [sum(study.value(TABLE_1, name, f"{kind}{way}") for kind in KINDS[:2]) for way in ("", " ahead")]
        for name in names
    }
    outcomes = [
        (alone >= float(least) * ahead, f"{name} {ratio(alone / ahead)}") for name, (alone, ahead) in work.items()
    ]
    return over_cases(outcomes)


@reads(NODES)
def ahead_operations_elsewhere(study: Study, which: str) -> Verdict:
    """Operations of trees that store their volumes, without and with it, in the worst case or on average: fewer."""
    names = [name for name in STORED if study.has(TABLE_1, name, f"{which} ahead")]
    done = {name: [study.value(TABLE_1, name, f"{which}{way}") for way in ("", " ahead")] for name in names}
    return over_cases(
        [
            (ahead < alone, f"{name} {significant(ahead)} ({significant(alone)})")
            for name, (alone, ahead) in done.items()
        ]
    )


@reads(NODES)
def ahead_one_hierarchy(study: Study, least: str) -> Verdict | None:
    """Volumes of b that a query moves, without and with it: only these are node work, none of a's is moved.

    The paper's 9 c1 against 1 c1 is a factor of nine. Of four pairs of children each of b's two is in two: that is two.
    """
    names = [name for name in STORED if study.has(TABLE_1, name, "moves ahead")]
    moves = {name: [study.value(TABLE_1, name, f"moves{way}") for way in ("", " ahead")] for name in names}
    outcomes = [
        (alone >= float(least) * ahead, f"{name} {ratio(alone / ahead)}") for name, (alone, ahead) in moves.items()
    ]
    return over_cases(outcomes) if outcomes else None
