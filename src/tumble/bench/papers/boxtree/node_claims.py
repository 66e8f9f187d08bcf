"""Tests of the paper's claims about nodes: how tight, how small, how many operations. All of them are about counts."""

from tumble.bench.framework.claims import Verdict, over_cases, verdict
from tumble.bench.framework.table import PUBLISHED, Study, reads
from tumble.bench.papers.boxtree import published as paper
from tumble.bench.papers.boxtree.contestants import AABB, BUILDS, OBB, PRINTED
from tumble.bench.papers.boxtree.nodes import EMPTINESS, NODES
from tumble.bench.papers.boxtree.published import AXIS_AHEAD, AXIS_ALIGNMENT, TABLE_1
from tumble.bench.papers.boxtree.races import BYTES
from tumble.bench.papers.boxtree.tightness import DOPS, LOOSE, TIGHTNESS
from tumble.hierarchy.boxtree.layout import NODE_BYTES
from tumble.report import ratio, significant

# "About half of all nodes": anything from two fifths on; "usually": two thirds.
LEAST_SHARES = {"close": 0.4, "touching": 2 / 3}
# "About half of the operations", for a whole test; of the work for nodes alone, it is a half to the last operation.
FEWER_OPERATIONS, HALF = 1.5, 2.0
# "Slightly less tight": a box with at most a tenth more surface than the tight one.
SLIGHTLY = 1.1
# A node of 9 bytes beside one of 28 is 32 %: a tree of at most a tenth more is that small.
AS_SMALL = 1.1
# "Considerably higher": others need a third more.
CONSIDERABLY = 0.75
PER_NODE, PER_TRIANGLE = "bytes per node", "bytes per triangle"
KINDS = ("multiplications", "additions", "comparisons")


@reads(EMPTINESS)
def shares(study: Study, quantity: str, title: str) -> Verdict:
    """Which part of the nodes has a property, object by object."""
    parts = [(case, study.value(case, "all nodes", quantity)) for case in study.cases()]
    return over_cases([(part >= LEAST_SHARES[quantity], f"{name} {part:.0%}") for name, part in parts], f"{title}: ")


def _is_boxtree(name: str) -> bool:
    return name.startswith("boxtree")


@reads(NODES)
def nine_bytes(study: Study) -> Verdict:
    """Every boxtree; the other trees beside it."""
    sizes = {name: study.value(TABLE_1, name, PER_NODE) for name in study.contestants()}
    ours = [size for name, size in sizes.items() if _is_boxtree(name)]
    others = [f"{name} {size:g}" for name, size in sizes.items() if size not in ours]
    numbers = f"{', '.join(f'{size:g}' for size in sorted(set(ours)))}; {', '.join(others)}"
    return verdict(sum(size == NODE_BYTES for size in ours), len(ours), numbers)


@reads(NODES)
def obb_bytes(study: Study) -> Verdict | None:
    """Bytes per node and of whole trees."""
    ours = "boxtree, sat"
    if not {ours, OBB} <= set(study.contestants()):
        return None
    node, whole = (
        study.value(TABLE_1, OBB, quantity) / study.value(TABLE_1, ours, quantity)
        for quantity in (PER_NODE, PER_TRIANGLE)
    )
    return verdict(node >= paper.OBB_BYTES, 1, f"{ratio(node)} per node, {ratio(whole)} the whole tree")


@reads(BYTES, PUBLISHED)
def beside_printed(study: Study, published: Study, tree: str, how: str) -> Verdict | None:
    """Nodes of boxtrees beside as many nodes of the AABB tree of equal leaves, of the size that the paper prints.

    As small as 9 bytes beside a larger node, with a tenth to spare as trees by other rules have other leaves; or
    considerably smaller, by a quarter. The largest share over all objects counts. The printed boxtree stands beside a
    tree of as many nodes.
    """
    node = published.value(TABLE_1, tree, PER_NODE)
    limit = CONSIDERABLY if how == "considerably smaller" else AS_SMALL * NODE_BYTES / node
    outcomes = []
    for name in (PRINTED, *BUILDS):
        base = PRINTED if name == PRINTED else AABB
        cases = [case for case in study.cases(name, base) if study.has(case, base, "nodes")]
        parts = [_node_bytes(study, case, name) / (node * study.value(case, base, "nodes")) for case in cases]
        if parts:
            low, high = min(parts), max(parts)
            span = f"{low:.0%}" if round(100 * low) == round(100 * high) else f"{low:.0%} to {high:.0%}"
            outcomes.append((high < limit, f"{name} {span}"))
    return over_cases(outcomes) if outcomes else None


def _node_bytes(study: Study, case: str, name: str) -> float:
    return NODE_BYTES * study.value(case, name, "nodes")


@reads(BYTES)
def two_n_minus_one(study: Study) -> Verdict | None:
    """Nodes of trees with one triangle per leaf."""
    counts = [
        (study.count(case, "", "triangles"), study.count(case, PRINTED, "nodes")) for case in study.cases(PRINTED)
    ]
    right = sum(nodes == 2 * triangles - 1 for triangles, nodes in counts)
    return verdict(right, len(counts), f"{right} of {len(counts)} trees") if counts else None


@reads(NODES, PUBLISHED)
def operations(study: Study, published: Study) -> Verdict:
    """No more than printed, for boxtrees; the others for comparison."""
    names = [name for name in published.contestants(TABLE_1) if study.has(TABLE_1, name, "worst")]
    worst = {name: study.value(TABLE_1, name, "worst") for name in names}
    printed = {name: published.count(TABLE_1, name, "operations") for name in names}
    kept = [worst[name] <= printed[name] for name in names if _is_boxtree(name)]
    numbers = ", ".join(f"{name} {significant(worst[name])} ({printed[name]})" for name in names)
    return verdict(sum(kept), len(kept), numbers)


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
    names = [name for name in study.contestants() if _is_boxtree(name) and study.has(TABLE_1, name, "mean ahead")]
    saved = {name: study.value(TABLE_1, name, "mean") / study.value(TABLE_1, name, "mean ahead") for name in names}
    return over_cases([(saved[name] >= FEWER_OPERATIONS, f"{name} {ratio(saved[name])}") for name in names])


@reads(NODES)
def ahead_node_work(study: Study, least: str) -> Verdict:
    """What cuts cost (additions and multiplications) without and with it, by at least so many times.

    The paper's 10 c1 + 5 c2 against 2 c1 + 5 c2 is a factor of five in c1; four children share eight cuts in four
    pairs, which is two, as its 1.5 multiplications and 2 additions say, too.
    """
    names = [name for name in study.contestants() if _is_boxtree(name) and study.has(TABLE_1, name, "additions ahead")]
    work = {
        name: [sum(study.value(TABLE_1, name, f"{kind}{way}") for kind in KINDS[:2]) for way in ("", " ahead")]
        for name in names
    }
    outcomes = [
        (alone >= float(least) * ahead, f"{name} {ratio(alone / ahead)}") for name, (alone, ahead) in work.items()
    ]
    return over_cases(outcomes)


@reads(TIGHTNESS)
def slightly_looser(study: Study) -> Verdict:
    """The median surface of a node's box by its tight box, object by object; every build must stay below the limit."""
    outcomes = []
    for name in LOOSE:
        medians = [study.value(case, name, "median") for case in study.cases(name)]
        outcomes.append((max(medians) <= SLIGHTLY, f"{name} {ratio(min(medians))} to {ratio(max(medians))}"))
    return over_cases(outcomes)


@reads(TIGHTNESS)
def dop_sides(study: Study) -> Verdict:
    """Half of the sides at the median node, for every DOP and object."""
    outcomes = []
    for name in DOPS:
        found = [study.value(case, name, "shared") for case in study.cases(name)]
        outcomes.append((min(found) >= 0.5, f"{name} {min(found):.0%} to {max(found):.0%}"))
    return over_cases(outcomes, "sides of the median node that are its parent's: ")


@reads(TIGHTNESS)
def robust(study: Study) -> Verdict:
    """Trees that the validator refuses: none."""
    found = [study.count(case, name, "faults") for case in study.cases() for name in LOOSE]
    return verdict(sum(not faults for faults in found), len(found), f"{sum(found)} of {len(found)} trees have faults")
