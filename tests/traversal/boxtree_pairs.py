"""Boxtrees in tests: every way to ask, and the node pairs of a walk with their boxes, judged by exact arithmetic."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

import oracle
import tumble
from tumble.bench.operations import Tally, counted
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT, NODE
from tumble.traversal.boxtree.axes import TABLE_WORDS
from tumble.traversal.boxtree.frame import HEAD_BYTES, OpenNode, OverlapTest
from tumble.traversal.boxtree.intervals import MOST_PLACES, ROOTS, SETUP_WORDS
from tumble.traversal.boxtree.overlaps import OVERLAPS, PLAIN
from tumble.traversal.boxtree.plain import open_end_by_end
from tumble.traversal.boxtree.query import boxtree_collide, describe_test

FORMS = tuple(itertools.product((True, False), (False, True)))
"""pre_transformed or not, plain or not"""


def judged(a, b, pose_a=None, pose_b=None):
    return oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces, pose_a, pose_b)


def boxtree(mesh, leaf_size=2, **options):
    return tumble.build(mesh, "boxtree", leaf_size=leaf_size, **options)


def assert_exact(a, b, pose_a=None, pose_b=None, leaf_size=2, expected=None, **options):
    """Ask two meshes in every way; return the pairs, which are the judge's."""
    expected = judged(a, b, pose_a, pose_b) if expected is None else expected
    for planes in ("free", "chained"):
        trees = [boxtree(mesh, leaf_size, **{"planes": planes, **options}) for mesh in (a, b)]
        assert_trees_exact(trees, pose_a, pose_b, expected)
    return expected


def assert_trees_exact(trees, pose_a, pose_b, expected):
    """Ask two trees in every way."""
    known = set(map(tuple, expected.tolist()))
    for overlap in OVERLAPS:
        stats = set()
        for pre_transformed, plain in FORMS:
            found = boxtree_collide(*trees, pose_a, pose_b, False, overlap, pre_transformed, True, plain)
            np.testing.assert_array_equal(found.pairs, expected, err_msg=f"{overlap} {pre_transformed} {plain}")
            assert found.stats.hits == len(expected)
            stats.add(found.stats)
            first = boxtree_collide(*trees, pose_a, pose_b, True, overlap, pre_transformed, False, plain).pairs
            assert len(first) == min(1, len(expected))
            assert set(map(tuple, first.tolist())) <= known
        # the same intervals to the last bit, so the same pairs of nodes, however they are computed
        assert len(stats) == 1, (overlap, stats)
        swapped = boxtree_collide(*trees[::-1], pose_b, pose_a, False, overlap).pairs
        assert {(i, j) for j, i in swapped.tolist()} == known


class NodePair(NamedTuple):
    """Two nodes that a walk has compared."""

    a: int
    b: int
    box_a: np.ndarray
    box_b: np.ndarray
    overlap: bool


def compared_pairs(tree_a: Any, tree_b: Any, pose_b: np.ndarray, overlap: str, most: int = 400) -> Iterator[NodePair]:
    """Walk as the kernels do and give each pair of nodes that is compared, with its boxes, rebuilt in float64."""
    open_pair = counted(open_end_by_end, Tally())
    setup, table = np.zeros(SETUP_WORDS, np.int64), np.zeros(TABLE_WORDS, np.int64)
    number = OVERLAPS[overlap]
    assert describe_test(tree_a.address, tree_b.address, np.eye(4), pose_b, number, setup, table) == 1
    size = 8 * MOST_PLACES
    test = OverlapTest(number, PLAIN, 1, size, setup.ctypes.data, table.ctypes.data)
    nodes = [tree.nodes.view(NODE)[:, 0] for tree in (tree_a, tree_b)]
    roots = [setup.ctypes.data + root for root in ROOTS]
    waiting = [((0, 0), tuple(roots), (tree_a.box, tree_b.box), setup)]
    while waiting and most > 0:
        pair, states, boxes, kept = waiting.pop(0)
        down = [int(nodes[side][pair[side]]["kind"]) >> COUNT_SHIFT == 0 for side in (0, 1)]
        if not any(down):
            continue
        most -= 1
        frame = np.zeros((HEAD_BYTES + 4 * size) // 8, np.int64)
        first = [int(nodes[side][pair[side]]["link"]) for side in (0, 1)]
        opened = [
            OpenNode(tree.nodes.ctypes.data, down[side], first[side], states[side])
            for side, tree in enumerate((tree_a, tree_b))
        ]
        found = open_pair(test, *opened, frame.ctypes.data)
        for j, i in itertools.product(range(1 + down[1]), range(1 + down[0])):
            child = tuple(first[side] + k if down[side] else pair[side] for side, k in ((0, i), (1, j)))
            rebuilt = tuple(
                cut_box(boxes[side], nodes[side], child[side]) if down[side] else boxes[side] for side in (0, 1)
            )
            child = tuple(last_of_chain(nodes[side], child[side]) for side in (0, 1))
            overlapping = bool(found >> (i + 2 * j) & 1)
            yield NodePair(*child, *rebuilt, overlapping)
            if overlapping:
                places = frame.ctypes.data + HEAD_BYTES
                own = (places + i * size if down[0] else states[0], places + (2 + j) * size if down[1] else states[1])
                waiting.append((child, own, rebuilt, (frame, kept)))


def last_of_chain(nodes, node):
    while nodes[node]["link"] < 0:
        node = ~int(nodes[node]["link"])
    return node


def cut_box(box, nodes, node):
    result = box.copy()
    while True:
        kind, offset = int(nodes[node]["kind"]), np.float64(nodes[node]["offset"])
        axis = kind & 3
        if kind & 4:
            result[axis] = result[axis] + offset
        else:
            result[3 + axis] = result[3 + axis] - offset
        if nodes[node]["link"] >= 0:
            return result
        node = ~int(nodes[node]["link"])


# --- exact boxes in the world: a corner and three edges, all rational


def exact_box(tree, box, pose):
    scale = Fraction(tree.scale)
    low, high = ([Fraction(float(x)) / scale + Fraction(float(o)) for x, o in zip(side, tree.origin, strict=True)]
                 for side in (box[:3], box[3:]))  # fmt: skip
    turn = [[Fraction(float(x)) for x in row[:3]] for row in pose[:3]]
    corner = [sum(r * x for r, x in zip(row, low, strict=True)) + Fraction(float(p[3]))
              for row, p in zip(turn, pose, strict=False)]  # fmt: skip
    edges = [[turn[row][k] * (high[k] - low[k]) for row in range(3)] for k in range(3)]
    return corner, edges


def cross(u, v):
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def dot(u, v):
    return sum(x * y for x, y in zip(u, v, strict=True))


def exact_gap(one, other):
    """The widest gap between two boxes over 15 axes of the lengths of the edges' products; negative: they overlap."""
    widest = None
    for axis in _axes(one[1], other[1]):
        spans = []
        for corner, edges in (one, other):
            along = [dot(edge, axis) for edge in edges]
            low = dot(corner, axis) + sum(x for x in along if x < 0)
            spans.append((low, low + sum(abs(x) for x in along)))
        length = Fraction(float(np.sqrt(float(dot(axis, axis)))))
        gap = max(spans[0][0] - spans[1][1], spans[1][0] - spans[0][1])
        gap = gap / length if length > 0 else Fraction(-1)
        widest = gap if widest is None else max(widest, gap)
    return widest


def _axes(ours, theirs):
    for edges in (ours, theirs):
        for k in range(3):
            yield cross(edges[(k + 1) % 3], edges[(k + 2) % 3])
    for u in ours:
        for v in theirs:
            axis = cross(u, v)
            if any(axis):
                yield axis
