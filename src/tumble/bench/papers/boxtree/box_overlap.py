"""Section 3.2.3: which node pairs a test lets pass though their boxes are apart, found without separating axes.

Two boxes share a point exactly if an edge of one meets the other: corners of what they share are corners of one of them
or lie where an edge of one enters a side of the other. Edges are clipped by the three slabs of a box, in its frame.

Coordinates are those of objects of size 1, and their rounding is below 1e-14. A pair counts as a false positive only if
it is still apart once a box is larger by `SLACK` on all sides, and as lost only if it still overlaps once it is
smaller: what lies between is counted as close, and is not decided.
"""

from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.table import Study
from tumble.bench.papers.boxtree.contestants import FREE, OVERLAPS, build_boxtree
from tumble.bench.papers.boxtree.nodes import counted_pose, opened_pairs
from tumble.hierarchy.boxtree import BoxTree
from tumble.mesh import Mesh

BOX_OVERLAP = "box overlap"
SLACK = 1e-9
OPENED, SEED = 500, 5
"""pairs of nodes that are opened, by chance, for each test; where the sequence of numbers begins"""
CORNERS = np.array(list(product((0, 1), repeat=3)), bool)
EDGES = np.array([(i, j) for i in range(8) for j in range(i) if (CORNERS[i] != CORNERS[j]).sum() == 1])

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


def boxes_meet(a: Numbers, b: Numbers, pose: Numbers) -> Flags:
    """Whether boxes of two frames share a point, pair by pair: rows of low and high; b's frame is posed in a's.

    A box with a low side above its high one is empty.
    """
    turn, shift = pose[:3, :3], pose[:3, 3]
    there = edges_meet(edges_of(b) @ turn.T + shift, a)
    back = edges_meet((edges_of(a) - shift) @ turn, b)
    solid = np.all(a[:, :3] <= a[:, 3:], axis=1) & np.all(b[:, :3] <= b[:, 3:], axis=1)
    return (there | back) & solid


def edges_of(boxes: Numbers) -> Numbers:
    """The ends of the twelve edges of boxes: (n, 12, 2, 3)."""
    corners = np.where(CORNERS, boxes[:, None, 3:], boxes[:, None, :3])
    return corners[:, EDGES]


def edges_meet(edges: Numbers, boxes: Numbers) -> Flags:
    """Whether one of the twelve segments of each row meets the box of that row."""
    start, way = edges[:, :, 0], edges[:, :, 1] - edges[:, :, 0]
    low, high = boxes[:, None, :3] - start, boxes[:, None, 3:] - start
    flat = way == 0
    safe = np.where(flat, 1.0, way)
    enter, leave = np.minimum(low / safe, high / safe), np.maximum(low / safe, high / safe)
    # along an axis on which a segment does not move, it is inside all the way or never
    inside = (low <= 0) & (high >= 0)
    enter = np.where(flat, np.where(inside, -np.inf, np.inf), enter)
    leave = np.where(flat, np.where(inside, np.inf, -np.inf), leave)
    met: Flags = (np.maximum(enter.max(axis=2), 0) <= np.minimum(leave.min(axis=2), 1)).any(axis=1)
    return met


def add_box_overlap(name: str, mesh: Mesh, study: Study, opened: int = OPENED) -> None:
    """Write for each test how many node pairs it let pass that are apart, and kept apart that overlap."""
    tree, pose = build_boxtree(mesh, FREE), counted_pose()
    boxes = tree.boxes() / tree.scale + np.tile(tree.origin, 2)
    study.add(name, "", "triangles", len(mesh))
    for test in OVERLAPS:
        a, b, passed = compared_pairs(tree, pose, test, opened)
        larger, smaller = (boxes_meet(_wider(boxes[a], by), boxes[b], pose) for by in (SLACK, -SLACK))
        counts = {"node pairs": len(a), "passing": int(passed.sum()), "false positives": int((passed & ~larger).sum())}
        counts |= {"lost": int((~passed & smaller).sum()), "close": int((larger & ~smaller).sum())}
        study.add_values(name, test, dict(counts))


def compared_pairs(
    tree: BoxTree, pose: Numbers, test: str, opened: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Flags]:
    """Node pairs that a query compares, chosen by chance, and which of them the test lets pass."""
    found = islice(opened_pairs(tree, tree, pose, test, True, np.random.default_rng(SEED)), opened)
    rows = [
        (each.first_a + (bit & 1), each.first_b + (bit >> 1), each.overlapping >> bit & 1)
        for each in found
        for bit in range(4)
    ]
    a, b, passed = np.array(rows, np.int64).reshape(-1, 3).T
    return a, b, passed.astype(bool)


def _wider(boxes: Numbers, by: float) -> Numbers:
    return boxes + by * np.array([-1, -1, -1, 1, 1, 1])
