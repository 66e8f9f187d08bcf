"""Paper `boxtree`: restricted DOPs, walked; boxes that meet by their edges; builds beside reading a file."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import tumble
from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.boxtree.box_overlap import SLACK, add_box_overlap, boxes_meet, compared_pairs
from tumble.bench.papers.boxtree.contestants import FREE, PRINTED, build_boxtree
from tumble.bench.papers.boxtree.dop_walk import add_dop_walk, dop_tree, gaps, motion_of, moved_sides, walk
from tumble.bench.papers.boxtree.nodes import counted_pose
from tumble.bench.papers.boxtree.restricted_dops import rebuilt, restricted, rounded_outward
from tumble.bench.papers.boxtree.startup import BINARY_FILE, FILES, TEXT_FILE, add_startup, write_files
from tumble.hierarchy.layout import FIRST
from tumble.mesh import compose, random_pose, rotation, translation
from tumble.scenario.objects import shape_duo
from tumble.traversal.every import prepare

KNOT = shape_duo("knot", 300).a
POSES = [compose(translation(0.3, 0.1, 0), random_pose(seed, 0.0)) for seed in range(3)]


def dops():
    """The DOP tree of the knot, which keeps it."""
    return tumble.build(KNOT, "kdop24", split="sah", leaf_size=1)


def leaf_pairs_of_all(rows, motion):
    """All leaf pairs whose whole DOPs overlap, one by one."""
    leaves = np.flatnonzero(dops().nodes[:, FIRST] < 0)
    moved = moved_sides(rows[leaves], motion)
    return {(int(a), int(b)) for k, a in enumerate(leaves) for b in leaves[~gaps(rows[[a]], moved).any(axis=1)]}


@pytest.mark.parametrize("pose", POSES)
def test_restricted_dops_have_the_leaf_pairs_of_whole_ones(pose):
    """With the same sides exactly the same, and all that the stack traversal has with sides that are not rounded."""
    tree, motion = dops(), motion_of(KNOT, 24, pose)
    small = restricted(tree)
    found = walk(dop_tree(tree, small), motion)
    pairs = set(map(tuple, found.leaves.tolist()))
    assert len(pairs) == len(found.leaves)
    assert pairs == leaf_pairs_of_all(rebuilt(small, 24), motion)
    tight = leaf_pairs_of_all(tree.rows, motion)
    assert len(tight) == prepare(tree, tree, None, pose, method="stack").stats().leaf_overlaps > 20
    assert tight <= pairs
    assert len(pairs) <= 1.01 * len(tight)


def test_sides_that_are_not_moved_again_are_those_of_the_parent():
    """Level by level: what the mask leaves out is equal to the last bit, what it names need not be."""
    motion = motion_of(KNOT, 24, POSES[0])
    tree, rows = dop_tree(dops(), restricted(dops())), rounded_outward(dops().rows).astype(float)
    moved = moved_sides(rows, motion)
    again = (tree.differ[:, motion.places] & (motion.coefficients != 0)).any(axis=2)
    inner = np.flatnonzero(tree.children[:, 0] >= 0)
    for child in tree.children[inner].T:
        assert np.array_equal(np.where(again[child], 0, moved[child]), np.where(again[child], 0, moved[inner]))
        assert (moved[child] != moved[inner]).sum() > 0.8 * again[child].sum()


def test_operations_of_restricted_dops():
    """A side of b that differs changes more than one moved side; a root is compared whole."""
    pose = compose(translation(9, 0, 0), rotation("y", 1.0), rotation("x", 0.5))
    apart = walk(dop_tree(dops(), restricted(dops())), motion_of(KNOT, 24, pose))
    assert (apart.pairs, apart.moved, apart.compared, apart.operations, len(apart.leaves)) == (1, 24, 24, 168, 0)
    study = Table().study("walks")
    add_dop_walk("knot", KNOT, ("kdop24",), study)
    kept, moved, compared, done = (
        study.value("knot", "kdop24", what) for what in ("sides kept", "sides moved", "comparisons", "operations")
    )
    assert kept < moved < compared < 24
    assert done == pytest.approx(6 * moved + compared)
    assert 7 * kept < done < study.value("knot", "kdop24", "whole operations") == 168
    assert study.count("knot", "kdop24", "lost") == 0 < study.count("knot", "kdop24", "touching")
    assert study.count("knot", "kdop24", "whole") <= study.count("knot", "kdop24", "leaf pairs")


def test_a_walk_that_forgets_a_side_loses_pairs(monkeypatch):
    """What the claim judges can break: with some moved sides never computed anew, touching triangles are lost."""
    honest = motion_of

    def forgetful(mesh, k, pose):
        motion = honest(mesh, k, pose)
        return motion._replace(coefficients=np.where(motion.coefficients < 0.5, 0.0, motion.coefficients))

    monkeypatch.setattr("tumble.bench.papers.boxtree.dop_walk.motion_of", forgetful)
    study = Table().study("walks")
    add_dop_walk("knot", KNOT, ("kdop24",), study)
    assert study.count("knot", "kdop24", "lost") > 0


IDENTITY = np.eye(4)


def meet(a, b, pose=IDENTITY):
    return bool(boxes_meet(np.array([a], float), np.array([b], float), pose)[0])


def test_boxes_that_meet_and_boxes_that_do_not():
    assert meet([0, 0, 0, 1, 1, 1], [0.2, 0.2, 0.2, 0.3, 0.3, 0.3])
    assert meet([0.2, 0.2, 0.2, 0.3, 0.3, 0.3], [0, 0, 0, 1, 1, 1])
    assert meet([0, 0, 0, 1, 1, 1], [1, 1, 1, 2, 2, 2])
    assert not meet([0, 0, 0, 1, 1, 1], [1.001, 0, 0, 2, 1, 1])
    # a rod through the middle of a plate, and a cross: no corner lies in the other
    assert meet([0, 0, 0.5, 1, 1, 0.6], [0.4, 0.4, 0, 0.6, 0.6, 1])
    assert meet([0, 0.4, 0.4, 1, 0.6, 0.6], [0.4, 0, 0.4, 0.6, 1, 0.6])
    # an empty box meets nothing
    assert not meet([0, 0, 0, 1, 1, 1], [0.6, 0.2, 0.2, 0.4, 0.8, 0.8])
    # edge against edge: only a product of edges parts them, which SAT lite does not look at
    turned = compose(translation(0.5, 0.5, 1.2), rotation("x", np.pi / 4), rotation("y", np.pi / 4))
    assert not meet([-9, 0.45, 0, 9, 0.55, 0.5], [-0.4, -0.4, -0.4, 0.4, 0.4, 0.4], turned)


def in_rationals(low, high, pose, other_low, other_high):
    """Whether two boxes share a point: a corner of the rational polytope of both, if there is one, satisfies all."""
    turn = [[Fraction(float(value)) for value in row[:3]] for row in pose[:3]]
    shift = [Fraction(float(row[3])) for row in pose[:3]]
    # half spaces n . y <= d in b's frame, first those of b, then those of a
    spaces = []
    for axis in range(3):
        normal = [Fraction(int(axis == k)) for k in range(3)]
        for n, least, most, offset in (
            (normal, other_low[axis], other_high[axis], Fraction(0)),
            (turn[axis], low[axis], high[axis], shift[axis]),
        ):
            spaces.append((n, Fraction(float(most)) - offset))
            spaces.append(([-value for value in n], offset - Fraction(float(least))))
    for i, j, k in product(range(12), repeat=3):
        if i < j < k:
            corner = solved([spaces[m][0] for m in (i, j, k)], [spaces[m][1] for m in (i, j, k)])
            if corner and all(dot(n, corner) <= d for n, d in spaces):
                return True
    return False


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def cross(a, b):
    return [a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3] for k in range(3)]


def solved(rows, right):
    """The point on three planes, or None where they do not meet in one."""
    first, second, third = rows
    sides = cross(second, third), cross(third, first), cross(first, second)
    determinant = dot(first, sides[0])
    return determinant and [
        sum(d * side[k] for d, side in zip(right, sides, strict=True)) / determinant for k in range(3)
    ]


def test_edges_say_what_rational_arithmetic_says():
    rng, verdicts = np.random.default_rng(2), []
    for _ in range(16):
        pose = compose(translation(*rng.uniform(-0.9, 0.9, 3)), random_pose(rng, 0.0))
        a, b = (np.concatenate([-rng.uniform(0, 0.6, 3), rng.uniform(0, 0.6, 3)]) for _ in range(2))
        verdicts.append(meet(a, b, pose))
        assert verdicts[-1] == in_rationals(a[:3], a[3:], pose, b[:3], b[3:])
    assert 3 < sum(verdicts) < 13


def test_only_sat_has_no_false_positives():
    study = Table().study("overlap")
    add_box_overlap("knot", KNOT, study, 60)
    wrong = {test: study.count("knot", test, "false positives") for test in ("sat", "sat-lite", "axis", "lookup")}
    assert 0 == wrong["sat"] < wrong["sat-lite"] < wrong["axis"] <= wrong["lookup"]
    assert {study.count("knot", test, "lost") for test in wrong} == {0}
    assert study.count("knot", "sat", "passing") > 40


def test_a_test_that_loses_a_pair_is_found(monkeypatch):
    """Boxes that overlap and are said to be apart are lost, however the test came to say so."""
    honest = compared_pairs

    def strict(tree, pose, test, opened):
        a, b, passed = honest(tree, pose, test, opened)
        return a, b, passed & (np.arange(len(passed)) % 3 > 0)

    monkeypatch.setattr("tumble.bench.papers.boxtree.box_overlap.compared_pairs", strict)
    study = Table().study("overlap")
    add_box_overlap("knot", KNOT, study, 20)
    assert study.count("knot", "sat", "lost") > 0


def test_pairs_are_chosen_by_chance_and_boxes_are_those_of_the_tree():
    tree = build_boxtree(KNOT, FREE)
    a, b, passed = compared_pairs(tree, counted_pose(), "sat", 30)
    assert len(a) == len(b) == len(passed) == 120
    assert 0 < passed.sum() < 120
    boxes = tree.boxes() / tree.scale + np.tile(tree.origin, 2)
    assert np.allclose([boxes[0, :3], boxes[0, 3:]], [KNOT.vertices.min(axis=0), KNOT.vertices.max(axis=0)], atol=1e-6)
    assert np.array_equal(boxes_meet(boxes[a] + SLACK * np.repeat([-1, 1], 3), boxes[b], counted_pose()), passed)


def test_files_hold_the_object(tmp_path):
    write_files(KNOT, tmp_path)
    for name in (TEXT_FILE, BINARY_FILE):
        read = tumble.load(tmp_path / FILES[name])
        assert np.allclose(read.vertices[read.faces], KNOT.vertices[KNOT.faces], atol=1e-6)


@pytest.mark.slow
def test_builds_beside_reading():
    study = Table().study("start-up")
    add_startup("knot", 200, Effort(0.0, 1, 1), study)
    for name in ("AABB tree", "OBB tree", "24-DOP tree", TEXT_FILE, BINARY_FILE):
        assert study.ratio("knot 200", PRINTED, name) > 0
