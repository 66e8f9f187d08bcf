"""What competes: boxtrees by their variants and overlap tests, and the trees that they are measured against.

Everything is made before the clock starts: trees, and for the trees with stored volumes a prepared query per pose.
A timed run asks pose by pose and ends with arrays of triangle ids, or with a bool per pose.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tumble
from tumble.bench.peers.contract import Peer, Poses
from tumble.bench.peers.fcl_peer import FclPeer
from tumble.bench.peers.ours import TumblePeer
from tumble.hierarchy.build import BOXTREE_LEAF_SIZE
from tumble.mesh import Mesh
from tumble.query.answer import Stats
from tumble.scenario.objects import arrays
from tumble.traversal.boxtree.two_planes import TwoPlanes
from tumble.traversal.boxtree.whole_offsets import WholeOffsets
from tumble.traversal.every import prepare as prepare_query

# One leaf size for all: what is compared is the trees.
LEAF_SIZE = BOXTREE_LEAF_SIZE
OVERLAPS = ("sat-lite", "sat", "axis", "lookup")
DEFAULT_OVERLAP = OVERLAPS[0]
# The lookup test of Section 3.2.2 as it is printed: offsets are whole numbers, which a tree keeps instead of lengths.
WHOLE_LOOKUP = "lookup, whole offsets"
TESTS_RUN = (*OVERLAPS, WHOLE_LOOKUP)
# Section 3.2.5: nodes that hold the planes of both children.
BOTH_PLANES = {f"{test}, both planes": test for test in ("sat-lite", "axis")}
# How boxtrees are built, by the names in tables: by surface, with one plane per node or with chains of them, and by the
# paper's two rules.
FREE, CHAINED, LEAST_VOLUME, LONGEST_AXIS = (
    f"{name} boxtree" for name in ("free", "chained", "least-volume", "longest-axis")
)
BUILDS = {
    FREE: {"split": "sah", "planes": "free"},
    CHAINED: {"split": "sah", "planes": "chained"},
    LEAST_VOLUME: {"split": "least-volume", "planes": "coplanar"},
    LONGEST_AXIS: {"split": "longest-axis", "planes": "coplanar"},
}
# The paper's own setting: its rule, and one triangle per leaf; every other tree has `LEAF_SIZE`.
PRINTED = "printed boxtree"
PRINTED_BUILD = {"split": "least-volume", "planes": "coplanar", "leaf_size": 1}
# What `tumble.build(mesh, "boxtree")` makes.
DEFAULT_BUILD = CHAINED
AABB, OBB, DOP, PACKED, FCL = "AABB tree", "OBB tree", "24-DOP tree", "fast path", "FCL"
STORED = {"sphere tree": "sphere", AABB: "aabb", OBB: "obb", DOP: "kdop24"}
# Section 6.1: children per node.
ARITIES = (2, 3, 4, 8)

Ask = Callable[[], list[Any]]


@dataclass(frozen=True)
class Contestant:
    """A kind of tree with a way to ask it: `ask` gets two trees, poses of the second, and whether one hit is enough."""

    name: str
    prepare: Callable[[Mesh], Any]
    ask: Callable[[Any, Any, Poses, bool], Ask]
    # What a traversal does, pose by pose; None where it does not count.
    stats: Callable[[Any, Any, Poses], list[Stats]] | None = None


def build_boxtree(mesh: Mesh, build: str = DEFAULT_BUILD) -> Any:
    """The boxtree of a mesh by one of `BUILDS` or as printed, from the mesh's cache if it is there."""
    options = PRINTED_BUILD if build == PRINTED else {"leaf_size": LEAF_SIZE, **BUILDS[build]}
    return tumble.build(mesh, "boxtree", **options)


def boxtree(
    name: str, build: str = DEFAULT_BUILD, test: str = DEFAULT_OVERLAP, ahead: bool = True, plain: bool = False
) -> Contestant:
    """A boxtree of one of `BUILDS`, asked by one overlap test, with or without the optimisation of Section 3.2.5.

    `plain` computes end by end, as the paper counts, not by vectors.
    """
    overlap = test.partition(",")[0]

    def prepare(mesh: Mesh) -> Any:
        tree = build_boxtree(mesh, build)
        return TwoPlanes(tree) if test in BOTH_PLANES else tree

    def second(b: Any) -> Any:
        return WholeOffsets(b) if test == WHOLE_LOOKUP else b

    def ask(a: Any, b: Any, poses: Poses, first: bool) -> Ask:
        collide, other = boxtree_collide(), second(b)
        if first:
            return lambda: [bool(collide(a, other, None, pose, True, overlap, ahead, False, plain)) for pose in poses]
        return lambda: [collide(a, other, None, pose, False, overlap, ahead, False, plain).pairs for pose in poses]

    def stats(a: Any, b: Any, poses: Poses) -> list[Stats]:
        other = second(b)
        return [boxtree_collide()(a, other, None, pose, False, overlap, ahead, True, plain).stats for pose in poses]

    return Contestant(name, prepare, ask, stats)


def boxtree_collide() -> Any:
    """The walk of two boxtrees, loaded when needed: `(a, b, pose_a, pose_b, first, overlap, ahead, stats, plain)`."""
    from tumble.traversal.boxtree import query

    return query.boxtree_collide


def stored(name: str, volume: str, method: str = "stack", **options: Any) -> Contestant:
    """A tree that stores its volumes, walked by a traversal; queries are prepared beforehand.

    By surface and with `LEAF_SIZE` triangles per leaf, unless the options of `tumble.build` say otherwise.
    """

    def prepare(mesh: Mesh) -> Any:
        return tumble.build(mesh, volume, **{"split": "sah", "leaf_size": LEAF_SIZE, **options})

    def queries(a: Any, b: Any, poses: Poses) -> list[Any]:
        return [prepare_query(a, b, None, pose, method=method) for pose in poses]

    def ask(a: Any, b: Any, poses: Poses, first: bool) -> Ask:
        ready = queries(a, b, poses)
        if first:
            return lambda: [len(query.first()) > 0 for query in ready]
        return lambda: [query.collect() for query in ready]

    def stats(a: Any, b: Any, poses: Poses) -> list[Stats]:
        return [query.stats() for query in queries(a, b, poses)]

    return Contestant(name, prepare, ask, stats)


def of_peer(name: str, peer: Peer) -> Contestant:
    """A library as it competes in `tumble bench peers`; the fast path is Tumble itself there."""

    def prepare(mesh: Mesh) -> Any:
        return peer.prepare(*arrays(mesh))

    def ask(a: Any, b: Any, poses: Poses, first: bool) -> Ask:
        pair = peer.pair(a, b)
        native = pair.native(poses)
        return (lambda: pair.first_hits(native)) if first else (lambda: pair.all_pairs(native))

    return Contestant(name, prepare, ask)


def overlap_tests(build: str = DEFAULT_BUILD, plain: bool = False) -> list[Contestant]:
    """Figure 9: the four tests and the printed form of one, with and without the work that is done ahead."""
    return [boxtree(called(test, ahead), build, test, ahead, plain) for ahead in (True, False) for test in TESTS_RUN]


def printed_tests() -> list[Contestant]:
    """Figure 9 in the paper's own setting, and two tests with the planes of both children in their parent."""
    both = [boxtree(name, PRINTED, name, True, True) for name in BOTH_PLANES]
    return [*overlap_tests(PRINTED, plain=True), *both]


def called(overlap: str, ahead: bool = True) -> str:
    """How a test is called in tables."""
    return overlap if ahead else f"{overlap}, each pair"


def trees() -> tuple[list[Contestant], list[str]]:
    """Figure 10: boxtrees, trees that store boxes or DOPs, the fast path and FCL; and a sentence on what is missing."""
    others = [stored(name, STORED[name]) for name in (AABB, OBB, DOP)]
    found = [*(boxtree(name, name) for name in BUILDS), *others, of_peer(PACKED, TumblePeer())]
    try:
        return [*found, of_peer(FCL, FclPeer())], []
    except ImportError as error:
        return found, [f'`{FCL}` did not compete: {error}. Install it with `pip install "tumble[bench]"`.']


def printed_trees() -> list[Contestant]:
    """Figure 10 in the paper's own setting: the same rule and one triangle per leaf for all, nothing by vectors."""
    others = [stored(name, STORED[name], split="least-volume", leaf_size=1) for name in (AABB, OBB, DOP)]
    return [boxtree(PRINTED, PRINTED, plain=True), *others]


def arities() -> list[Contestant]:
    """Section 6.1: AABB trees of two and more children per node, one triangle per leaf."""
    return [stored(by_arity(AABB, arity), STORED[AABB], leaf_size=1, arity=arity) for arity in ARITIES]


def by_arity(tree: str, arity: int) -> str:
    """How a tree by surface with so many children per node is called."""
    return f"{tree}, {arity} children"


def ahead_elsewhere() -> list[Contestant]:
    """Section 3.2.5 on other trees: for each volume the plain stack and the one that works ahead."""
    pairs = [(stored(name, volume), stored(ahead(name), volume, "stack-ahead")) for name, volume in STORED.items()]
    return [one for pair in pairs for one in pair]


def ahead(name: str) -> str:
    """How a tree is called that is walked by the stack that works ahead."""
    return f"{name}, ahead"
