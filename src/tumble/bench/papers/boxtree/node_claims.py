"""Tests of the paper's claims about nodes: how tight they are, and how small. All of them are about counts."""

from tumble.bench.framework.claims import Verdict, over_cases, verdict
from tumble.bench.framework.table import PUBLISHED, Study, reads
from tumble.bench.papers.boxtree import published as paper
from tumble.bench.papers.boxtree.contestants import AABB, BUILDS, OBB, PRINTED
from tumble.bench.papers.boxtree.dop_walk import DOP_WALK
from tumble.bench.papers.boxtree.nodes import EMPTINESS, NODES, TWO_PLANES
from tumble.bench.papers.boxtree.published import TABLE_1
from tumble.bench.papers.boxtree.races import BYTES
from tumble.bench.papers.boxtree.tightness import DOPS, LOOSE, TIGHTNESS
from tumble.hierarchy.boxtree.layout import NODE_BYTES
from tumble.report import count, ratio, significant

# "About half of all nodes": anything from two fifths on; "usually": two thirds.
LEAST_SHARES = {"close": 0.4, "touching": 2 / 3}
# "Slightly less tight": a box with at most a tenth more surface than the tight one.
SLIGHTLY = 1.1
# A node of 9 bytes beside one of 28 is 32 %: a tree of at most a tenth more is that small.
AS_SMALL = 1.1
# "Considerably higher": others need a third more.
CONSIDERABLY = 0.75
# A second link would make a node larger by this part: "considerable", and "not so much a necessity".
LINK_SHARE = 1 / 3
# The numbers of a triangle's vertices, and its place in the order of a tree.
TRIANGLE_BYTES, ORDER_BYTES = 12, 4
PER_NODE, PER_TRIANGLE = "bytes per node", "bytes per triangle"


@reads(EMPTINESS)
def shares(study: Study, quantity: str, title: str) -> Verdict:
    """Which part of the nodes has a property, object by object."""
    parts = [(case, study.value(case, "all nodes", quantity)) for case in study.cases()]
    return over_cases([(part >= LEAST_SHARES[quantity], f"{name} {part:.0%}") for name, part in parts], f"{title}: ")


def is_boxtree(name: str) -> bool:
    """Whether a row of Table 1 is about boxtrees."""
    return name.startswith("boxtree")


@reads(NODES)
def nine_bytes(study: Study) -> Verdict:
    """Every boxtree; the other trees beside it."""
    sizes = {name: study.value(TABLE_1, name, PER_NODE) for name in study.contestants()}
    ours = [size for name, size in sizes.items() if is_boxtree(name)]
    others = [f"{name} {size:g}" for name, size in sizes.items() if size not in ours]
    numbers = f"{', '.join(f'{size:g}' for size in sorted(set(ours)))}; {', '.join(others)}"
    return verdict(sum(size == NODE_BYTES for size in ours), len(ours), numbers)


@reads(NODES)
def least_memory(study: Study) -> Verdict:
    """Bytes per node beside those of every other tree, that of the fast path included: fewer."""
    sizes = {name: study.value(TABLE_1, name, PER_NODE) for name in study.contestants()}
    least = max(size for name, size in sizes.items() if is_boxtree(name))
    others = {name: size for name, size in sizes.items() if not is_boxtree(name)}
    return over_cases([(least < size, f"{name} {size:g}") for name, size in others.items()], f"{least:g}; ")


@reads(NODES, PUBLISHED)
def one_link(study: Study, published: Study) -> Verdict | None:
    """What a second link would add to a node of a boxtree, and to the paper's other nodes; one link reaches all."""
    ours = "boxtree, axis"
    if not study.has(TABLE_1, ours, "link bytes"):
        return None
    link, node, reached = (study.value(TABLE_1, ours, what) for what in ("link bytes", PER_NODE, "reached"))
    outcomes = [(reached == 1, f"{reached:.0%} of the nodes by one link each"), _link(ours, link, node, True)]
    others = [name for name in published.contestants(TABLE_1) if not is_boxtree(name)]
    outcomes += [_link(name, link, published.value(TABLE_1, name, PER_NODE), False) for name in others]
    return over_cases(outcomes, "a second link adds: ")


def _link(name: str, link: float, node: float, considerable: bool) -> tuple[bool, str]:
    return (link / node >= LINK_SHARE) == considerable, f"{name} {link / node:.0%}"


@reads(BYTES, NODES)
def leaf_bytes(study: Study, nodes: Study) -> Verdict | None:
    """Bytes per triangle of trees with their triangles: a plane in each node, and both planes in the parent.

    The first has the vertices of triangles beside the tree, and the order of triangles; the second has the vertices in
    its leaves, if they are large enough for them.
    """
    if not nodes.has(TABLE_1, TWO_PLANES, PER_NODE):
        return None
    record, outcomes = nodes.value(TABLE_1, TWO_PLANES, PER_NODE), []
    for case in study.cases(PRINTED):
        triangles = study.value(case, "", "triangles")
        own = _node_bytes(study, case, PRINTED) / triangles + ORDER_BYTES + TRIANGLE_BYTES
        both = record * study.value(case, PRINTED, "nodes") / triangles
        outcomes.append((record > TRIANGLE_BYTES and both < own, f"{case} {significant(both)} ({significant(own)})"))
    return over_cases(outcomes, "bytes per triangle, own planes in brackets: ") if outcomes else None


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
    binary tree of one triangle per leaf.
    """
    node = published.value(TABLE_1, tree, PER_NODE)
    limit = CONSIDERABLY if how == "considerably smaller" else AS_SMALL * NODE_BYTES / node
    outcomes = []
    for name in (PRINTED, *BUILDS):
        nodes = _single_nodes if name == PRINTED else _aabb_nodes
        cases = [case for case in study.cases(name, AABB) if study.has(case, AABB, "nodes")]
        parts = [_node_bytes(study, case, name) / (node * nodes(study, case)) for case in cases]
        if parts:
            low, high = min(parts), max(parts)
            span = f"{low:.0%}" if round(100 * low) == round(100 * high) else f"{low:.0%} to {high:.0%}"
            outcomes.append((high < limit, f"{name} {span}"))
    return over_cases(outcomes) if outcomes else None


def _single_nodes(study: Study, case: str) -> int:
    """The nodes of a binary tree with one triangle per leaf."""
    return 2 * study.count(case, "", "triangles") - 1


def _aabb_nodes(study: Study, case: str) -> float:
    return study.value(case, AABB, "nodes")


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
def restricted_bytes(study: Study) -> Verdict:
    """Bytes per node of restricted DOPs beside whole ones, the largest share over all objects: fewer."""
    outcomes = []
    for name in DOPS:
        parts = [
            study.value(case, name, "bytes") / study.value(case, name, "whole bytes") for case in study.cases(name)
        ]
        outcomes.append((max(parts) < 1, f"{name} {min(parts):.0%} to {max(parts):.0%}"))
    return over_cases(outcomes, "of a whole DOP's bytes: ")


@reads(DOP_WALK)
def restricted_operations(study: Study) -> Verdict:
    """Operations per node pair of restricted DOPs beside whole ones on the same pairs, over all objects: fewer."""
    outcomes = []
    for name in DOPS:
        cases = study.cases(name)
        found = [study.value(case, name, "operations") for case in cases]
        parts = [value / study.value(case, name, "whole operations") for case, value in zip(cases, found, strict=True)]
        whole = study.value(cases[0], name, "whole operations")
        span = f"{significant(min(found))} to {significant(max(found))}"
        outcomes.append((max(parts) < 1, f"{name} {span} ({whole:g} whole)"))
    return over_cases(outcomes)


@reads(DOP_WALK)
def restricted_answers(study: Study) -> Verdict:
    """Touching triangles that the walk of restricted DOPs does not come to, and leaf pairs beside whole DOPs'."""
    keys = [(case, name) for name in DOPS for case in study.cases(name)]
    lost, touching, leaves, whole = (
        [study.count(*key, what) for key in keys] for what in ("lost", "touching", "leaf pairs", "whole")
    )
    kept = sum(not gone and ours >= least for gone, ours, least in zip(lost, leaves, whole, strict=True))
    pairs = f"{count(sum(leaves))} leaf pairs, {count(sum(whole))} with whole DOPs"
    return verdict(kept, len(keys), f"{count(sum(lost))} of {count(sum(touching))} lost; {pairs}")


@reads(TIGHTNESS)
def robust(study: Study) -> Verdict:
    """Trees that the validator refuses: none."""
    found = [study.count(case, name, "faults") for case in study.cases() for name in LOOSE]
    return verdict(sum(not faults for faults in found), len(found), f"{sum(found)} of {len(found)} trees have faults")
