"""Operations per node pair, for each overlap test, over the node pairs that a query really meets: see `operations`.

A pair of nodes costs what its own test does and its share of what is done for each node. With `ahead`, that is done
once for all pairs of a node (paper `boxtree`, Section 3.2.5).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.operations import CountingRows, Operations, PairCount, Tally, counted
from tumble.hierarchy import Tree
from tumble.hierarchy.boxtree import BoxTree
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT, NODE
from tumble.hierarchy.layout import ESCAPE, FIRST
from tumble.mesh import as_pose
from tumble.volume.relative import relative_pose

Pose = NDArray[np.float64]
MOST_OPENED = 3000
"""pairs of nodes whose children are compared; Python takes its time"""


def boxtree_operations(a: BoxTree, b: BoxTree, pose_b: Pose, overlap: str, ahead: bool) -> Operations:
    """Count the operations of a boxtree test along a query; only pairs of two nodes that both have children go down."""
    return Operations.over([PairCount(done, 4) for done in _opened_pairs(a, b, pose_b, overlap, ahead)])


def _opened_pairs(a: BoxTree, b: BoxTree, pose_b: Pose, overlap: str, ahead: bool) -> Iterator[Tally]:
    """Walk, and give what each opening of a pair of inner nodes did for the four pairs of their children."""
    from tumble.traversal.boxtree.frame import HEAD_BYTES, OpenNode, OverlapTest, open_end_by_end
    from tumble.traversal.boxtree.intervals import MOST_PLACES, ROOTS, SETUP_WORDS
    from tumble.traversal.boxtree.lookup import TABLE_WORDS
    from tumble.traversal.boxtree.overlaps import overlap_number
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
    test = OverlapTest(number, 1, int(ahead), size, setup.ctypes.data, table.ctypes.data)
    while waiting and opened < MOST_OPENED:
        i, j, state_a, state_b, _kept = waiting.pop()
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
            yield done
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
