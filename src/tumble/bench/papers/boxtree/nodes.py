"""Table 1, bytes per node and operations per node pair, and Figure 1, the empty space between a node and its parent.

Boxes of siblings part along one axis, and there each must leave something to the other: that side is not counted
(footnote 1 of the paper), as if the child's box reached to its parent's there. A tree keeps no record of its splits;
the axis is taken to be the one on which the middles of the two boxes are furthest apart, in lengths of the parent's
box.

Operations are counted over the node pairs that a query really meets (`tumble.bench.operations`). A pair of nodes costs
what its own test does and its share of what is done for each node. With `ahead`, that is done once for all pairs of a
node (Section 3.2.5). The pose of the counted query has no axis of one object at right angles to one of the other, as
the poses of a turn about z and x have: there, cuts move fewer ends, and the worst case is not met.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.table import Study
from tumble.bench.operations import CountingRows, Operations, PairCount, Tally, counted
from tumble.bench.papers.boxtree.contestants import FREE, LEAF_SIZE, PRINTED, STORED, WHOLE_LOOKUP, build_boxtree
from tumble.bench.papers.boxtree.published import EMPTY_SHARE, TABLE_1, TOUCHING_SIDES
from tumble.hierarchy import Tree
from tumble.hierarchy.boxtree import BoxTree
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT, NODE
from tumble.hierarchy.layout import ESCAPE, FIRST, PARENT
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh, as_pose, compose, rotation
from tumble.scenario.tumbling import tumbling_poses
from tumble.traversal.boxtree.axes import TABLE_WORDS
from tumble.traversal.boxtree.frame import HEAD_BYTES, OpenNode, OverlapTest
from tumble.traversal.boxtree.intervals import MOST_PLACES, ROOTS, SETUP_WORDS
from tumble.traversal.boxtree.overlaps import PLAIN, WHOLE, overlap_number
from tumble.traversal.boxtree.plain import open_end_by_end
from tumble.traversal.boxtree.two_planes import TwoPlanes
from tumble.traversal.boxtree.whole_offsets import WholeOffsets
from tumble.traversal.every import prepare as prepare_query
from tumble.volume.relative import relative_pose

NODES, EMPTINESS = "nodes", "emptiness"
PACKED = "packed tree (fast path)"
TWO_PLANES = "both planes in the parent"
PACKED_BOXES = 8
# Where the two objects of the counted query stand: their boxes overlap, and most pairs of nodes lie near the surface.
DISTANCE, STEPS, STEP, TILT = 0.8, 7, 2, 1.0
# Figure 1: which part of the nodes leaves at most so much empty, in percent.
PERCENTS = np.linspace(0, 100, 201)
# As in the paper: binary trees down to single triangles.
SPLIT, LEAVES = "sah", 1
Pose = NDArray[np.float64]
Boxes = BoxTree | WholeOffsets
MOST_OPENED = 3000
"""pairs of nodes whose children are compared; Python takes its time"""


def add_node_costs(mesh: Mesh, study: Study) -> None:
    """Write the rows of Table 1, measured on one mesh."""
    pose = counted_pose()
    tree = build_boxtree(mesh, FREE)  # one plane per node, as the paper counts
    tests: list[tuple[str, str, Boxes]] = [(name, name, tree) for name in ("axis", "lookup", "sat-lite", "sat")]
    tests.insert(2, (WHOLE_LOOKUP, "lookup", WholeOffsets(tree)))
    for name, overlap, other in tests:
        done = [boxtree_operations(tree, other, pose, overlap, ahead) for ahead in (False, True)]
        _add_cost(study, f"boxtree, {name}", tree.nodes.nbytes / len(tree), tree.nbytes / len(mesh), *done)
    for name, volume in STORED.items():
        tree = tumble.build(mesh, volume, split="sah", leaf_size=LEAF_SIZE)
        done = [volume_operations(tree, tree, pose, ahead) for ahead in (False, True)]
        nbytes = (tree.nodes.nbytes + tree.rows.nbytes) / len(tree)
        _add_cost(study, name, nbytes, tree.nbytes / len(mesh), *done)
    blocks = packed(mesh).blocks
    _add_cost(study, PACKED, blocks.nbytes / (PACKED_BOXES * len(blocks)), blocks.nbytes / len(mesh))
    _add_links(mesh, study)


def add_moves(mesh: Mesh, study: Study) -> None:
    """Write how many volumes a query moves in trees that store them, for each pair and one level up."""
    for name, volume in STORED.items():
        tree = tumble.build(mesh, volume, split="sah", leaf_size=LEAF_SIZE)
        for suffix, method in (("", "stack"), (" ahead", "stack-ahead")):
            query: Any = prepare_query(tree, tree, None, counted_pose(), method=method)
            study.add(TABLE_1, name, f"moves{suffix}", query.stats().moves)


def _add_links(mesh: Mesh, study: Study) -> None:
    """Write the bytes of a link, how many nodes one link each leads to, and what nodes with both planes take."""
    tree = build_boxtree(mesh, PRINTED)
    nodes = tree.nodes.view(NODE)[:, 0]
    inner = nodes["kind"] >> COUNT_SHIFT == 0
    reached = len(np.unique(nodes["link"][inner][:, None] + np.arange(2))) + 1
    study.add_values(TABLE_1, "boxtree, axis", {"link bytes": NODE["link"].itemsize, "reached": reached / len(tree)})
    both = TwoPlanes(tree).nodes
    _add_cost(study, TWO_PLANES, both.nbytes / len(both), both.nbytes / len(mesh))


def counted_pose() -> Pose:
    """A pose of the turn, tilted about y: no axis of one object is at right angles to one of the other."""
    return compose(tumbling_poses(DISTANCE, STEPS)[STEP], rotation("y", TILT))


def _add_cost(study: Study, name: str, per_node: float, per_triangle: float, *done: Operations) -> None:
    study.add_values(TABLE_1, name, {"bytes per node": per_node, "bytes per triangle": per_triangle})
    for suffix, operations in zip(("", " ahead"), done, strict=False):
        study.add_values(TABLE_1, name, {f"worst{suffix}": operations.worst, f"mean{suffix}": operations.mean})
        sums = {"additions": operations.additions, "multiplications": operations.multiplications}
        # cuts cost every pair the same; only comparisons end early
        sums["comparisons"] = operations.worst - sum(sums.values())
        if _is_boxtree(name):
            study.add_values(TABLE_1, name, {f"{kind}{suffix}": value for kind, value in sums.items()})


def _is_boxtree(name: str) -> bool:
    return name.startswith("boxtree")


def add_emptiness(name: str, mesh: Mesh, study: Study) -> None:
    """Write how much space the nodes of a mesh's AABB tree leave empty; nothing where it has one node."""
    shares, leaf, touching = emptiness(mesh)
    if not len(shares):
        return
    parts = {"all nodes": shares, "inner": shares[~leaf]}
    study.add_values(name, "", {"triangles": len(mesh), "nodes": len(shares)})
    study.add(name, "all nodes", "touching", float((touching >= TOUCHING_SIDES).mean()))
    for part, found in parts.items():
        if len(found):
            close = float((found <= EMPTY_SHARE).mean())
            study.add_values(name, part, {"median": float(np.median(found)), "close": close})
    below = np.searchsorted(np.sort(shares), PERCENTS / 100, side="right") / len(shares)
    study.add_series(name, "all nodes", "at most", below)


def emptiness(mesh: Mesh) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
    """Of all nodes of a mesh's AABB tree but the root: the empty part, whether it is a leaf, and shared sides."""
    tree = tumble.build(mesh, "aabb", split=SPLIT, leaf_size=LEAVES)
    nodes, boxes = tree.nodes, tree.rows
    children = np.arange(1, len(nodes))
    parents = nodes[children, PARENT]
    is_first = nodes[parents, FIRST] == children
    siblings = np.where(is_first, nodes[children, ESCAPE], nodes[parents, FIRST])
    shares = empty_shares(boxes[children], boxes[siblings], boxes[parents])
    return shares, nodes[children, FIRST] < 0, (boxes[children] == boxes[parents]).sum(axis=1)


def empty_shares(
    boxes: NDArray[np.float64], siblings: NDArray[np.float64], parents: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The empty part of each parent's box beside a child's, the side of the split not counted; rows of low, high."""
    low, high = parents[:, :3], parents[:, 3:]
    lengths = high - low
    flat = lengths <= 0  # neither empty nor full: such an axis does not count
    safe = np.where(flat, 1.0, lengths)
    middles = (boxes[:, :3] + boxes[:, 3:]) / 2
    apart = ((siblings[:, :3] + siblings[:, 3:]) / 2 - middles) / safe
    apart[flat] = 0.0
    rows, axes = np.arange(len(boxes)), np.abs(apart).argmax(axis=1)
    reach = boxes.copy()
    # A child with its sibling above it was cut off at its upper side; with equal middles any side will do.
    above = apart[rows, axes] >= 0
    reach[rows[above], 3 + axes[above]] = high[rows[above], axes[above]]
    reach[rows[~above], axes[~above]] = low[rows[~above], axes[~above]]
    filled = np.where(flat, 1.0, (reach[:, 3:] - reach[:, :3]) / safe)
    shares: NDArray[np.float64] = np.clip(1.0 - filled.prod(axis=1), 0.0, 1.0)
    return shares


def boxtree_operations(a: BoxTree, b: Boxes, pose_b: Pose, overlap: str, ahead: bool) -> Operations:
    """Count the operations of a boxtree test along a query; only pairs of two nodes that both have children go down."""
    return Operations.over([PairCount(each.done, 4) for each in opened_pairs(a, b, pose_b, overlap, ahead)])


class Opening(NamedTuple):
    """A pair of inner nodes is opened: the first of the two children of each, and which of their pairs overlap."""

    first_a: int
    first_b: int
    overlapping: int
    """a bit for each pair: number of a's child, plus twice that of b's"""
    done: Tally


def opened_pairs(
    a: BoxTree, b: Boxes, pose_b: Pose, overlap: str, ahead: bool, rng: np.random.Generator | None = None
) -> Iterator[Opening]:
    """Walk, and give each opening of a pair of inner nodes; from the deepest pair on, or by chance."""
    from tumble.traversal.boxtree.query import describe_test

    tally = Tally()
    open_pair = counted(open_end_by_end, tally)
    setup, table = np.zeros(SETUP_WORDS, np.int64), np.zeros(TABLE_WORDS, np.int64)
    number = overlap_number(overlap)
    if describe_test(a.address, b.address, np.eye(4), pose_b, number, setup, table) != 1:
        return
    nodes = [tree.nodes.view(NODE)[:, 0] for tree in (a, b)]
    addresses = [tree.nodes.ctypes.data for tree in (a, b)]
    roots = [setup.ctypes.data + root for root in ROOTS]
    # the root's state is finished by nobody here: it is no chain in trees of the builders
    waiting: list[tuple[int, int, int, int, Any]] = [(0, 0, roots[0], roots[1], setup)]
    size, opened = 8 * MOST_PLACES, 0
    flags = PLAIN | (WHOLE if isinstance(b, WholeOffsets) else 0)
    test = OverlapTest(number, flags, int(ahead), size, setup.ctypes.data, table.ctypes.data)
    while waiting and opened < MOST_OPENED:
        i, j, state_a, state_b, _kept = waiting.pop(-1 if rng is None else int(rng.integers(len(waiting))))
        down = [int(nodes[side][node]["kind"]) >> COUNT_SHIFT == 0 for side, node in ((0, i), (1, j))]
        if not any(down):
            continue
        frame = np.zeros((HEAD_BYTES + 4 * size) // 8, np.int64)
        first = [int(nodes[side][node]["link"]) for side, node in ((0, i), (1, j))]
        both = map(OpenNode, addresses, down, first, (state_a, state_b))
        pairs = open_pair(test, *both, frame.ctypes.data)
        done = tally.taken()
        if all(down):
            opened += 1
            yield Opening(first[0], first[1], pairs, done)
        places = frame.ctypes.data + HEAD_BYTES
        for bit in range(4):
            if pairs >> bit & 1:
                m, n = bit & 1, bit >> 1
                child_a, child_b = (first[0] + m if down[0] else i), (first[1] + n if down[1] else j)
                place_a = places + m * size if down[0] else state_a
                place_b = places + (2 + n) * size if down[1] else state_b
                waiting.append((_last(nodes[0], child_a), _last(nodes[1], child_b), place_a, place_b, (frame, _kept)))


def _last(nodes: Any, node: int) -> int:
    """Return the last node of a chain, or a node that is no chain."""
    while nodes[node]["link"] < 0:
        node = ~int(nodes[node]["link"])
    return node


def volume_operations(a: Tree, b: Tree, pose_b: Pose, ahead: bool) -> Operations:
    """Count the operations of a stored volume's test along the stack traversal, or along stack-ahead."""
    tally = Tally()
    kind = a.kind
    sides = [kind.record(CountingRows(tree.rows, tally)) for tree in (a, b)]
    relative = relative_pose(None, as_pose(pose_b), a.mesh.extent, b.mesh.extent)
    relative = relative if kind.prepare_pose is None else kind.prepare_pose(relative)
    there = kind.in_frame_of_a
    test, write, test_there = (counted(one, tally) for one in (kind.overlap, there.write, there.overlap))
    rows = CountingRows(np.zeros((len(b), there.width)), tally)
    done: dict[int, Tally] = {}  # ahead, by node of b: a's children share what was done for it
    waiting = [(0, 0)]
    counts: list[PairCount] = []
    while waiting and len(counts) < MOST_OPENED:
        i, j = waiting.pop()
        if ahead and j not in done:
            write(sides[1], j, relative, rows, j)
            done[j] = tally.taken()
        meet = test_there(sides[0], i, rows, j, relative) if ahead else test(sides[0], i, sides[1], j, relative)
        own = tally.taken()
        counts.append(PairCount(own + own + done.get(j, Tally()), 2))
        ours, theirs = (_children(a, i), _children(b, j)) if meet else ([], [])
        if ours or theirs:
            waiting += [(m, n) for m in ours or [i] for n in theirs or [j]]
    return Operations.over(counts)


def _children(tree: Tree, node: int) -> list[int]:
    children, child = [], int(tree.nodes[node, FIRST])
    while child >= 0 and child != tree.nodes[node, ESCAPE]:
        children.append(child)
        child = int(tree.nodes[child, ESCAPE])
    return children
