"""Section 3.1: a walk of restricted DOPs, which computes and compares only the sides that may have changed.

    pair      a node of each tree, A and B, whose parents overlap; it inherits their sides, and B's moved ones
    A         the parent's sides, with those replaced that differ
    B         the same; then a moved side is computed anew if one of the three that it is made of (Equation 3 of paper
              `chip`) differs: three products and three sums
    test      the sides where A's or B's moved one is new are compared; along the others the parents overlap, so do they

A side of B that differs changes several moved ones, so that more sides are computed than a node keeps. Pairs go down
level by level, in NumPy: it is the operations that count. Leaf pairs are those of whole DOPs with the same sides; sides
are rounded outward (`restricted_dops`), so that nothing is lost.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.table import Study
from tumble.bench.papers.boxtree.restricted_dops import RestrictedDops, restricted
from tumble.hierarchy import Tree
from tumble.hierarchy.layout import ESCAPE, FIRST, START
from tumble.mesh import Mesh, as_pose, compose, rotation
from tumble.scenario.tumbling import tumbling_poses
from tumble.traversal.every import prepare as prepare_query
from tumble.volume.kdop.prepare_pose import COLUMNS, prepare_pose_of
from tumble.volume.kdop.realign import COEFFICIENTS, HIGHS, LOWS
from tumble.volume.relative import SIZE, relative_pose

DOP_WALK = "restricted DOPs"
# Operations: three products and three sums for a moved side, and its comparison.
PER_MOVE, PER_SIDE = 6, 7
# Poses of a turn, tilted: no axis of one object is at right angles to one of the other.
DISTANCE, STEPS, TILT = 0.8, 8, 1.0

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
Nodes = NDArray[np.int64]


class DopTree(NamedTuple):
    """Restricted DOPs by node: which sides differ from the parent's, what they are then, and the two children."""

    differ: Flags
    sides: Numbers
    """(n, k), 0 where a side is the parent's"""
    children: Nodes
    """(n, 2); -1 for leaves"""


class Motion(NamedTuple):
    """How the sides of b's DOPs are moved: sums of three coefficients times the sides at three places, and a shift."""

    coefficients: Numbers
    places: Nodes
    shift: Numbers


class Walk(NamedTuple):
    """What a walk did, and the leaf pairs that overlap."""

    pairs: int
    kept: int
    """sides that differ from the parents', of both nodes"""
    moved: int
    compared: int
    leaves: Nodes

    @property
    def operations(self) -> int:
        """Products, sums and comparisons."""
        return PER_MOVE * self.moved + self.compared


class _Pairs(NamedTuple):
    """Node pairs to compare; sides are those of the parents until `_rebuilt`."""

    a: Nodes
    b: Nodes
    new_a: Flags
    new_b: Flags
    sides_a: Numbers
    sides_b: Numbers
    moved: Numbers

    def chosen(self, which: Flags) -> "_Pairs":
        """Some of the pairs."""
        columns: Any = [column[which] for column in self]
        return _Pairs(*columns)


def dop_tree(tree: Tree, dops: RestrictedDops) -> DopTree:
    """The restricted DOPs of a tree, ready to be walked."""
    differ = np.unpackbits(dops.differ, axis=1, count=tree.rows.shape[1]).astype(bool)
    sides = np.zeros(differ.shape)
    sides[differ] = dops.sides
    first = tree.nodes[:, FIRST].astype(np.int64)
    second = np.where(first >= 0, tree.nodes[first, ESCAPE], -1)
    return DopTree(differ, sides, np.stack([first, second], axis=1))


def motion_of(mesh: Mesh, k: int, pose: Numbers) -> Motion:
    """Equation 3 for a pose of the second of two equal meshes, with the margin of the kernels in its shift."""
    half, relative = k // 2, relative_pose(None, as_pose(pose), mesh.extent, mesh.extent)
    prepared = prepare_pose_of(k)(relative)
    rows = prepared[SIZE : SIZE + COLUMNS * half].reshape(half, COLUMNS)
    places = np.ascontiguousarray(rows[:, LOWS:]).view(np.int64)
    by_side = np.concatenate([places[:, : HIGHS - LOWS], places[:, HIGHS - LOWS :]])
    return Motion(np.tile(rows[:, COEFFICIENTS:LOWS], (2, 1)), by_side, prepared[SIZE + COLUMNS * half :])


def moved_sides(sides: Numbers, motion: Motion) -> Numbers:
    """Every side of DOPs, moved."""
    x, y, z = (motion.coefficients[:, m] * sides[:, motion.places[:, m]] for m in range(3))
    found: Numbers = x + y + z + motion.shift
    return found


def walk(tree: DopTree, motion: Motion) -> Walk:
    """Walk a tree against itself, moved."""
    k = tree.sides.shape[1]
    root, everything, nothing = np.zeros(1, np.int64), np.ones((1, k), bool), np.zeros((1, k))
    pairs = _Pairs(root, root, everything, everything, nothing, nothing, nothing)
    count = kept = moved = compared = 0
    leaves = []
    while len(pairs.a):
        pairs, again, looked_at = _rebuilt(tree, motion, pairs)
        count, kept = count + len(pairs.a), kept + int(pairs.new_a.sum() + pairs.new_b.sum())
        moved, compared = moved + int(again.sum()), compared + int(looked_at.sum())
        met = pairs.chosen(~np.any(gaps(pairs.sides_a, pairs.moved) & looked_at, axis=1))
        both = (tree.children[met.a, 0] < 0) & (tree.children[met.b, 0] < 0)
        leaves.append(np.stack([met.a[both], met.b[both]], axis=1))
        pairs = _below(tree, met.chosen(~both))
    return Walk(count, kept, moved, compared, np.concatenate(leaves))


def gaps(a: Numbers, moved: Numbers) -> Flags:
    """Where two DOPs are apart: lower sides of the moved one above upper ones of a, and the other way round."""
    half = a.shape[1] // 2
    return np.concatenate([moved[:, :half] > a[:, half:], a[:, :half] > moved[:, half:]], axis=1)


def _rebuilt(tree: DopTree, motion: Motion, pairs: _Pairs) -> tuple[_Pairs, Flags, Flags]:
    """The sides of the nodes themselves, which moved ones are computed anew, and which gaps are looked at."""
    half = tree.sides.shape[1] // 2
    sides_a = np.where(pairs.new_a, tree.sides[pairs.a], pairs.sides_a)
    sides_b = np.where(pairs.new_b, tree.sides[pairs.b], pairs.sides_b)
    again = (pairs.new_b[:, motion.places] & (motion.coefficients != 0)).any(axis=2)
    moved = np.where(again, moved_sides(sides_b, motion), pairs.moved)
    looked_at = again | np.roll(pairs.new_a, half, axis=1)
    return pairs._replace(sides_a=sides_a, sides_b=sides_b, moved=moved), again, looked_at


def _below(tree: DopTree, pairs: _Pairs) -> _Pairs:
    """All pairs of children; a leaf stands for itself, and none of its sides is new."""
    a, b = (_or_itself(tree, nodes) for nodes in (pairs.a, pairs.b))
    index = np.repeat(np.arange(len(pairs.a)), 4)
    next_a, next_b = np.repeat(a, 2, axis=1).ravel(), np.tile(b, 2).ravel()
    there = (next_a >= 0) & (next_b >= 0)
    index, next_a, next_b = index[there], next_a[there], next_b[there]
    new_a = tree.differ[next_a] & (next_a != pairs.a[index])[:, None]
    new_b = tree.differ[next_b] & (next_b != pairs.b[index])[:, None]
    return _Pairs(next_a, next_b, new_a, new_b, pairs.sides_a[index], pairs.sides_b[index], pairs.moved[index])


def _or_itself(tree: DopTree, nodes: Nodes) -> Nodes:
    """The two children of nodes; of a leaf, itself and -1."""
    found = tree.children[nodes].copy()
    found[:, 0] = np.where(found[:, 0] < 0, nodes, found[:, 0])
    return found


def add_dop_walk(name: str, mesh: Mesh, volumes: Sequence[str], study: Study) -> None:
    """Write what walks of restricted DOPs cost, beside whole ones, and whether they lose a pair of triangles."""
    poses = [compose(pose, rotation("y", TILT)) for pose in tumbling_poses(DISTANCE, STEPS)]
    touching = [tumble.collide(mesh, mesh, None, pose).pairs for pose in poses]
    study.add(name, "", "triangles", len(mesh))
    for volume in volumes:
        tree, k = tumble.build(mesh, volume, split="sah", leaf_size=1), int(volume.removeprefix("kdop"))
        small = dop_tree(tree, restricted(tree))
        walks = [walk(small, motion_of(mesh, k, pose)) for pose in poses]
        _add_means(study, name, volume, walks)
        study.add(name, volume, "whole operations", PER_SIDE * k)
        queries: list[Any] = [prepare_query(tree, tree, None, pose, method="stack") for pose in poses]
        whole = sum(query.stats().leaf_overlaps for query in queries)
        lost = sum(_lost(tree, each.leaves, found) for each, found in zip(walks, touching, strict=True))
        leaves = sum(len(each.leaves) for each in walks)
        counts = {"leaf pairs": leaves, "whole": whole, "touching": sum(map(len, touching)), "lost": lost}
        study.add_values(name, volume, dict(counts))


def _add_means(study: Study, name: str, volume: str, walks: Sequence[Walk]) -> None:
    """Write sides and operations per node pair; sides that are kept, per node."""
    pairs = sum(each.pairs for each in walks)
    sums = {"sides kept": sum(each.kept for each in walks) / 2, "sides moved": sum(each.moved for each in walks)}
    sums |= {"comparisons": sum(each.compared for each in walks), "operations": sum(each.operations for each in walks)}
    study.add(name, volume, "node pairs", pairs)
    study.add_values(name, volume, {what: value / pairs for what, value in sums.items()})


def _lost(tree: Tree, leaves: Nodes, touching: Nodes) -> int:
    """How many touching pairs of triangles are not among the leaf pairs; leaves have one triangle each."""
    triangles = tree.order[tree.nodes[leaves, START]].astype(np.int64)
    codes = triangles[:, 0] * len(tree.mesh) + triangles[:, 1]
    return int((~np.isin(touching[:, 0].astype(np.int64) * len(tree.mesh) + touching[:, 1], codes)).sum())
