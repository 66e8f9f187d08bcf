"""The four overlap tests on node pairs, judged by exact arithmetic: none loses a pair, and SAT invents none."""

from fractions import Fraction

import numpy as np
import pytest
from boxtree_pairs import boxtree, compared_pairs, exact_box, exact_gap

import forest
import tumble
from covering import crossed, sized
from tumble.bench.operations import Counting, Tally, counted
from tumble.mesh import random_pose
from tumble.traversal.boxtree.axes import TABLE_WORDS, products_of
from tumble.traversal.boxtree.intervals import ROWS, SETUP_WORDS, STATE_BYTES
from tumble.traversal.boxtree.overlaps import OVERLAPS
from tumble.traversal.boxtree.query import boxtree_collide, describe_test

IDENTITY = np.eye(4)
# Trees in units of about 1; the margins are a thousandth of this at most.
CLEAR = 1e-9
# Turns that leave edges parallel, but for rounding or a little more.
PARALLEL = [1e-16, 1e-9, np.pi / 2, np.pi / 2 + 1e-15]
PARALLEL += [pytest.param(angle, marks=pytest.mark.slow) for angle in (0.0, 1e-14, 1e-6)]


def centred(seed, size):
    soup = forest.soup(seed, 40)
    return tumble.Mesh((soup.vertices - 0.5) * size, soup.faces)


MESHES = {
    "soup": lambda: (centred(1, 1.0), centred(2, 1.0)),
    "torus": lambda: (tumble.shapes.torus(segments=6, sides=4), tumble.shapes.torus(segments=5, sides=4)),
    "sizes": lambda: (centred(3, 1.0), centred(4, 0.03)),
}


def exact(pair, trees, pose):
    return exact_gap(exact_box(trees[0], pair.box_a, IDENTITY), exact_box(trees[1], pair.box_b, pose))


@sized(5, 25)
@crossed(1, meshes=[pytest.param("soup", marks=pytest.mark.slow), "torus", "sizes"], planes=["free", "chained"])
def test_sat_is_the_exact_test_and_the_others_part_less(meshes, planes, count):
    trees = [boxtree(mesh, 1, planes=planes) for mesh in MESHES[meshes]()]
    pose = random_pose(2, 0.1)
    for overlap in OVERLAPS:
        pairs = list(compared_pairs(*trees, pose, overlap, count))
        gaps = [exact(pair, trees, pose) for pair in pairs]
        assert any(gap > CLEAR for gap in gaps)
        assert any(gap < 0 for gap in gaps)
        for pair, gap in zip(pairs, gaps, strict=True):
            assert pair.overlap or gap > 0, (overlap, pair)
            if overlap == "sat":
                assert not (pair.overlap and gap > CLEAR), (pair, float(gap))
    # all pairs of nodes, now that no walk ends early
    overlapping = {name: overlaps_of(trees, pose, name) for name in OVERLAPS}
    assert meshes != "torus" or overlapping["sat"] < overlapping["sat-lite"] < overlapping["axis"]
    assert overlapping["sat"] <= overlapping["sat-lite"] <= overlapping["axis"] <= overlapping["lookup"]


def overlaps_of(trees, pose, overlap):
    return {(pair.a, pair.b) for pair in compared_pairs(*trees, pose, overlap, 10**9) if pair.overlap}


@sized(10, 200)
@crossed(1, angle=PARALLEL, overlap=OVERLAPS)
def test_nearly_parallel_edges_part_nothing_that_overlaps(angle, overlap, count):
    """Products of parallel edges are zero but for rounding: no axis at all."""
    trees = [boxtree(forest.soup(seed, 40), 1) for seed in (5, 6)]
    pose = tumble.translation(0.1, 0.05, 0.2) @ tumble.rotation((1.0, 2.0, 3.0), angle)
    some = 0
    for pair in compared_pairs(*trees, pose, overlap, count):
        if not pair.overlap:
            some += 1
            assert exact(pair, trees, pose) > 0
    assert some > count / 8


def test_each_edge_axis_parts_alone():
    """Two sticks, crossed: only the product of their long edges runs between them."""
    for i in range(3):
        for j in range(3):
            long_a, long_b = np.full(3, 0.01), np.full(3, 0.01)
            long_a[i] = long_b[j] = 1.0
            stick_a, stick_b = (stick(half) for half in (long_a, long_b))
            turn = turn_between(i, j)
            normal = np.cross(np.eye(3)[i], turn[:3, :3] @ np.eye(3)[j])
            normal /= np.linalg.norm(normal)
            reach = np.abs(normal) @ long_a + np.abs(turn[:3, :3].T @ normal) @ long_b
            trees = [boxtree(mesh, 1) for mesh in (stick_a, stick_b)]
            for gap, expected in ((1e-6, False), (-1e-6, True)):
                pose = tumble.translation(*(normal * (reach + gap))) @ turn
                boxes = [exact_box(trees[0], trees[0].box, IDENTITY), exact_box(trees[1], trees[1].box, pose)]
                assert (exact_gap(*boxes) < 0) is expected
                assert roots_overlap(trees, pose, "sat") is expected
                assert roots_overlap(trees, pose, "sat-lite")


def stick(half):
    """Two points that span a box."""
    return tumble.Mesh([-half, half], [[0, 0, 0], [1, 1, 1]])


def turn_between(i, j):
    """A rotation that makes b's axis j cross a's axis i at an angle, with no other edges in between."""
    for seed in range(200):
        turn = random_pose(seed, 0.0)
        turn[:3, 3] = 0.0
        if abs(turn[i, j]) < 0.3 and np.abs(turn[:3, :3]).max() < 0.93 and np.abs(turn[:3, :3]).min() > 0.1:
            return turn
    raise AssertionError("no such rotation")


def roots_overlap(trees, pose, overlap):
    stats = boxtree_collide(*trees, None, pose, overlap=overlap, stats=True).stats
    assert stats.tests > 0  # the balls did not part them
    return stats.overlaps > 0


def test_products_of_lookup_tables_are_never_too_large():
    """At and beside every step of a table: in exact arithmetic, what is taken off an interval is at most c |b · s|."""
    trees = [boxtree(mesh, 1) for mesh in MESHES["soup"]()]
    pose = random_pose(3, 0.1)
    setups = {name: np.zeros(SETUP_WORDS, np.int64) for name in ("axis", "lookup")}
    table = np.zeros(TABLE_WORDS, np.int64)
    for name, setup in setups.items():
        assert describe_test(trees[0].address, trees[1].address, IDENTITY, pose, OVERLAPS[name], setup, table) == 1
    find = counted(products_of, Tally())
    factors = setups["axis"].view(np.float64)[ROWS[1] // 8 :]
    for axis in range(3):
        size = trees[1].box[3 + axis] - trees[1].box[axis]
        row = factors[axis * STATE_BYTES // 8 :]
        for offset in offsets_about_steps(size):
            at = find(table.ctypes.data, axis, Counting(float(offset), Tally())) - table.ctypes.data
            products = table[at // 8 : at // 8 + 3].view(np.float64)
            for k in range(3):
                factor = max(abs(row[k]), abs(row[4 + k]))
                true = Fraction(float(offset)) * Fraction(float(factor))
                assert 0 <= Fraction(float(products[k])) <= true
                assert true - Fraction(float(products[k])) <= Fraction(float(size * factor)) / 998


def offsets_about_steps(size):
    steps = np.linspace(0.0, size, 1000)[::7]
    for step in steps:
        near = np.float32(step)
        yield from (near, np.nextafter(near, np.float32(9)), max(np.nextafter(near, np.float32(-9)), np.float32(0)))
        yield step
