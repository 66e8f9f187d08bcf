"""`clearance`, and the option of other calls: what rational arithmetic says, the same from all engines."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import forest
import tumble
from covering import sized
from distance_oracle import squared_distance
from matrix import ONE_VOLUME, combinations, other_combinations
from near_rows import nearer_than_many
from solid_forms import BOX, SMALL
from triangle_rows import triangle_distances
from tumble.api.ask import load_every_engine
from tumble.mesh import apply_pose, as_pose, random_pose
from tumble.query.engine import CLEARANCE, engines
from tumble.scenario.objects import shape_duo
from tumble.scenario.tumbling import tumbling_poses

ENGINES = ("packed", "brute", "stack", pytest.param("lists", marks=pytest.mark.slow))
QUARTER_TURN = np.array([[0.0, -1.0, 0.0, 4.0], [1.0, 0.0, 0.0, -2.0], [0.0, 0.0, 1.0, 3.0], [0.0, 0.0, 0.0, 1.0]])
EMPTY = tumble.Mesh([], [])
APART = tumble.translation(2.5, 1.0, 0.3) @ tumble.rotation((1.0, 2.0, 3.0), 0.7)
WRONG = [-1.0, -5e-324, math.nan, math.inf, -math.inf, "far", None, True, [1.0], np.ones(2), 10**400, b"1", 1j]


def world_of(mesh, pose):
    triangles = mesh.triangles
    return triangles if pose is None else apply_pose(as_pose(pose), triangles.reshape(-1, 3)).reshape(-1, 3, 3)


def by_brute_force(a, b, d, pose_a=None, pose_b=None):
    """All pairs by the test of two triangles, and their distances."""
    world_a, world_b = world_of(a, pose_a), world_of(b, pose_b)
    i, j = np.indices((len(a), len(b))).reshape(2, -1)
    near = nearer_than_many(world_a[i], world_b[j], np.full(len(i), float(d)))
    distances, points = triangle_distances(world_a[i[near]], world_b[j[near]])
    return np.stack([i[near], j[near]], axis=1), distances, points


def squares_of(a, b, pose_a=None, pose_b=None):
    """The squared distances of all pairs by arithmetic that shares nothing with the kernels."""
    world_a, world_b = world_of(a, pose_a), world_of(b, pose_b)
    return {(i, j): squared_distance(p, q) for i, p in enumerate(world_a) for j, q in enumerate(world_b)}


def nearer_than(squares, d):
    """The pairs that touch or are nearer than d."""
    limit = Fraction(float(d)) ** 2
    return [list(pair) for pair, square in squares.items() if square == 0 or square < limit]


def assert_right(a, b, d, pose_a=None, pose_b=None, **options):
    found = tumble.clearance(a, b, d, pose_a, pose_b, **options)
    pairs, distances, points = by_brute_force(a, b, d, pose_a, pose_b)
    np.testing.assert_array_equal(found.pairs, pairs)
    np.testing.assert_array_equal(found.distances, np.minimum(distances, np.nextafter(d, 0.0)))
    np.testing.assert_array_equal(found.points, points)
    assert tumble.collides(a, b, pose_a, pose_b, clearance=d) == (len(pairs) > 0)
    return found


def test_two_boxes():
    box = tumble.shapes.box(2.0)
    pose = tumble.translation(3.0, 0.0, 0.0)
    none = tumble.clearance(box, box, 1.0, None, pose)  # exactly 1 apart
    assert (len(none), bool(none), none.distances.shape, none.points.shape) == (0, False, (0,), (0, 2, 3))
    assert repr(none) == "<Clearance 1.0: 0 triangle pairs are nearer>"
    above = float(np.nextafter(1.0, 2.0))
    some = tumble.clearance(box, box, above, None, pose)
    assert (some.distances == 1.0).all()
    assert len(some) == len(nearer_than(squares_of(box, box, None, pose), above)) > 0
    assert some
    assert repr(some) == f"<Clearance {above!r}: {len(some)} triangle pairs are nearer, the nearest at 1.0>"
    assert some.clearance == above
    for array in (some.pairs, some.distances, some.points):
        assert not array.flags.writeable
    again = pickle.loads(pickle.dumps(some))
    np.testing.assert_array_equal(again.pairs, some.pairs)
    assert not again.distances.flags.writeable
    with pytest.raises(AttributeError):
        some.pairs = None


@cache
def judged_soups():
    """Small soups, poses and squared distances, which are the same for all engines."""
    found = []
    for seed, pose in enumerate([None, APART, *forest.POSES[1:4]]):
        a, b = forest.soup(seed, 8), forest.soup(seed + 50, 7)
        found.append((a, b, pose, squares_of(a, b, None, pose)))
    return found


@pytest.mark.parametrize("method", ENGINES)
def test_small_soups_against_rational_arithmetic(method):
    for a, b, pose, squares in judged_soups():
        nearest = float(tumble.distance(a, b, None, pose))
        for d in (0.0, nearest, np.nextafter(nearest, 9.0), 1.25 * nearest + 0.05):
            found = tumble.clearance(a, b, d, None, pose, method=method, stats=True)
            assert found.pairs.tolist() == nearer_than(squares, d)
            assert found.stats.hits == len(found)


@sized(30, 300)
def test_soups_against_brute_force(count):
    rng, sizes = np.random.default_rng(1), set()
    for seed in range(count):
        a, b = forest.soup(seed, 40), forest.soup(seed + 1000, 30)
        pose_a, pose_b = random_pose(rng, 0.5), random_pose(rng, 2.0 if seed % 2 else 0.2)
        sizes.add(len(assert_right(a, b, rng.choice([0.0, 0.02, 0.2, 1.0, 3.0]), pose_a, pose_b)))
    assert len(sizes) > min(count / 3, 50)  # numbers of pairs, which repeat themselves in many soups


@pytest.mark.parametrize("pose", [None, QUARTER_TURN, tumble.translation(2.0, 3.0, 6.0)])
def test_grids_have_many_pairs_at_exactly_d(pose):
    """Whole coordinates and quarter turns: thousands of pairs are exactly 1, 2, 3 or 5 apart."""
    rng = np.random.default_rng(3)
    a, b = forest.random_mesh(rng, 60), forest.random_mesh(rng, 50)
    for d in (0.0, 1.0, 2.0, 3.0, 5.0):
        for limit in (d, np.nextafter(d, 9.0), max(np.nextafter(d, 0.0), 0.0)):
            found = assert_right(a, b, limit, None, pose)
            other = tumble.clearance(b, a, limit, pose, None)
            np.testing.assert_array_equal(np.sort(other.pairs[:, 0]), np.sort(found.pairs[:, 1]))
    assert len(tumble.clearance(a, b, np.nextafter(1.0, 2), None, pose)) > len(tumble.clearance(a, b, 1, None, pose))


@pytest.mark.parametrize("kind", ["torus", "knot", "gear", "bowl"])
def test_zero_gives_the_pairs_of_collide(kind):
    duo, seen = shape_duo(kind, 1000), set()
    for pose in tumbling_poses(0.8, 8):
        found = tumble.clearance(duo.a, duo.b, 0, None, pose)
        np.testing.assert_array_equal(found.pairs, tumble.collide(duo.a, duo.b, None, pose).pairs)
        assert (found.distances == 0.0).all()
        seen.add(len(found) > 0)
        near = tumble.clearance(duo.a, duo.b, 0.05, None, pose)
        other = tumble.clearance(duo.a, duo.b, 0.05, None, pose, method="stack", stats=True)
        np.testing.assert_array_equal(near.pairs, other.pairs)
        np.testing.assert_array_equal(near.distances, other.distances)
        assert ((near.distances == 0.0) == np.isin(near.pairs @ [10**6, 1], found.pairs @ [10**6, 1])).all()
        nearest = float(tumble.distance(duo.a, duo.b, None, pose))
        assert len(near) == 0 or near.distances.min() == nearest
        assert (len(near) > 0) == (nearest < 0.05)
    assert seen == {True, False}


@pytest.mark.parametrize("size", [1e-315, 1e-250, 1e-165, 1e-100, 1e-20, 1e40, 1e80, 1e97])
def test_scales(size):
    rng = np.random.default_rng(4)
    for _ in range(2):
        corners = rng.normal(size=(2, 10, 1, 3)) + 0.3 * rng.normal(size=(2, 10, 3, 3))
        a, b = (tumble.Mesh(each.reshape(-1, 3) * size, np.arange(30).reshape(-1, 3)) for each in corners)
        pose = random_pose(rng, 1.0)
        pose[:3, 3] *= 2.0 * size
        nearest = float(tumble.distance(a, b, None, pose))
        for d in (nearest, np.nextafter(nearest, np.inf), 0.5 * size, 3.0 * size):
            assert_right(a, b, d, None, pose)


@pytest.mark.parametrize("far", [1e15, 1e30, 1e38, 1e39, 1e60, 1e90])
def test_meshes_as_far_apart_as_float32_cannot_say(far):
    a, b, pose = tumble.shapes.icosphere(1), tumble.shapes.box(), tumble.translation(far, 0.0, 0.5 * far)
    nearest = float(tumble.distance(a, b, None, pose))
    assert not tumble.collides(a, b, None, pose, clearance=0.999 * nearest)
    assert tumble.collides(a, b, None, pose, clearance=1.001 * nearest)
    assert len(tumble.clearance(a, b, 1.001 * nearest, None, pose)) == len(a) * len(b)
    assert len(tumble.clearance(a, b, 1e300, None, pose)) == len(a) * len(b)
    assert not tumble.clearance(a, b, 0.999 * nearest, None, pose)


def test_points_and_segments():
    point, segment = tumble.Mesh([[0.0, 0, 0]], [[0, 0, 0]]), tumble.Mesh([[3.0, -1, 4], [3, 1, 4]], [[0, 1, 0]])
    assert not tumble.clearance(point, segment, 5)
    assert tumble.clearance(point, segment, np.nextafter(5.0, 6.0)).distances.tolist() == [5.0]
    assert tumble.clearance(point, point, 0).distances.tolist() == [0.0]
    assert tumble.clearance(point, segment, 6.0, tumble.translation(3, 0, 0)).distances.tolist() == [4.0]


@pytest.mark.parametrize("method", ENGINES)
def test_an_empty_mesh_is_near_nothing(method):
    box = tumble.shapes.box()
    for sides in ((EMPTY, box), (box, EMPTY), (EMPTY, EMPTY)):
        found = tumble.clearance(*sides, 1e6, method=method)
        assert (found.pairs.shape, found.distances.shape) == ((0, 2), (0,))
        assert not tumble.collide_many(*sides, [np.eye(4)] * 3, method=method, clearance=1.0)
        assert not tumble.collides(*sides, clearance=3.0)


@pytest.mark.parametrize("d", WRONG, ids=repr)
def test_what_is_no_clearance_is_refused(d):
    box = tumble.shapes.box()
    with pytest.raises(tumble.OptionError, match=r"d must be a finite number from 0, not .+"):
        tumble.clearance(box, box, d)
    if d is not None:
        with pytest.raises(tumble.OptionError, match=r"clearance must be a finite number from 0, not .+"):
            tumble.collides(box, box, clearance=d)
        with pytest.raises(tumble.OptionError, match=r"clearance.*"):
            tumble.collide_many(box, box, [np.eye(4)] * 3, clearance=d)


def test_numbers_of_other_kinds():
    box, pose = tumble.shapes.box(2.0), tumble.translation(3.0, 0.0, 0.0)
    for d in (2, np.float32(2.0), np.int8(2), Fraction(2), np.array(2.0), -0.0):
        assert len(tumble.clearance(box, box, d, None, pose)) == (0 if d == 0 else 66)


def test_what_cannot_be_combined_is_refused_from_the_table():
    load_every_engine()
    box = tumble.shapes.box()
    assert {"packed", "brute", "stack"} < {each.method for each in engines() if CLEARANCE in each.questions}
    for options in ({"method": "bulk"}, {"tree": "boxtree"}, {"settings": tumble.BulkSettings()}):
        with pytest.raises(tumble.OptionError, match=r"cannot be used for clearances; \w+= can be: "):
            tumble.clearance(box, box, 1.0, **options)
    with pytest.raises(tumble.OptionError, match="contacts=True cannot be used with a clearance"):
        tumble.collide_many(box, box, [np.eye(4)], clearance=1.0, contacts=True)
    with pytest.raises(tumble.OptionError, match="for clearances"):
        tumble.collide_many(box, box, [np.eye(4)], clearance=1.0, device="opencl")


def is_quick(method, volume):
    return (method, volume) in {("stack", ONE_VOLUME)}


@pytest.mark.parametrize(
    ("method", "volume"),
    [
        pytest.param(*each, marks=() if is_quick(*each) else pytest.mark.slow)
        for each in [*combinations(), *other_combinations()]
    ],
)
def test_every_method_with_every_volume(method, volume):
    for seed, pose in enumerate([None, APART, *forest.POSES[1:]]):
        a, b = forest.soup(seed, 60), forest.soup(seed + 100, 50)
        for d in (0.0, 0.1, 1.5):
            expected = tumble.clearance(a, b, d, None, pose)
            found = tumble.clearance(a, b, d, None, pose, method=method, tree=volume, stats=True)
            np.testing.assert_array_equal(found.pairs, expected.pairs)
            np.testing.assert_array_equal(found.distances, expected.distances)
    for seed in range(4):
        trees = forest.random_tree(seed, 30, volume), forest.random_tree(seed + 50, 20, volume)
        pose = tumble.translation(4.0, seed, 0.0)
        for d in (1.0, np.nextafter(2.0, 3.0)):
            found = tumble.clearance(*trees, d, None, pose, method=method, stats=True)
            np.testing.assert_array_equal(found.pairs, by_brute_force(trees[0].mesh, trees[1].mesh, d, None, pose)[0])


def test_threads_and_buffers_change_nothing():
    a, b = tumble.shapes.torus(), tumble.shapes.knot()
    one, other = (tumble.clearance(a, b, 0.5, None, APART, threads=threads) for threads in (1, 2))
    assert len(one) > 1 << 14
    np.testing.assert_array_equal(one.pairs, other.pairs)
    np.testing.assert_array_equal(one.distances, other.distances)
    assert (one.distances < 0.5).all()


def test_a_limit_on_pairs():
    a, before = tumble.shapes.torus(), tumble.limits.max_pairs
    tumble.limits.max_pairs = 1 << 16
    try:
        for method in ("packed", "stack"):
            with pytest.raises(tumble.LimitError):
                tumble.clearance(a, a, 10.0, method=method, stats=True)
        assert tumble.collides(a, a, None, tumble.translation(5, 0, 0), clearance=10.0)
    finally:
        tumble.limits.max_pairs = before


class TestMany:
    A, B = tumble.shapes.torus(segments=20, sides=8), tumble.shapes.knot(segments=40, sides=6)
    POSES = np.stack([tumble.translation(3.0 - 0.05 * k, 0.1, 0.0) @ tumble.rotation("z", 0.05 * k) for k in range(60)])

    @sized(15, 60)
    @pytest.mark.parametrize("threads", [1, 2])
    def test_each_is_the_answer_of_clearance(self, threads, count):
        found = tumble.collide_many(self.A, self.B, self.POSES, clearance=0.3, first=False, threads=threads)
        first = tumble.collide_many(self.A, self.B, self.POSES, clearance=0.3, threads=threads)
        np.testing.assert_array_equal(first.hit, found.hit)
        assert 0 < found.hit.sum() < len(found)
        assert first.distances is None
        for k in range(0, len(self.POSES), len(self.POSES) // count):
            pose = self.POSES[k]
            one = tumble.clearance(self.A, self.B, 0.3, None, pose)
            np.testing.assert_array_equal(found.pairs(k), one.pairs)
            np.testing.assert_array_equal(found.distances.distances[found.rows(k)], one.distances)
            assert first.counts[k] == bool(one)
            assert first.pairs(k).tolist() == [] or first.pairs(k)[0].tolist() in one.pairs.tolist()
            assert tumble.collides(self.A, self.B, None, pose, clearance=0.3) == bool(one)

    @pytest.mark.parametrize("method", ["auto", "stack"])
    def test_a_clearance_for_each_pose(self, method):
        nearest = tumble.distance_many(self.A, self.B, self.POSES).distances
        for limits, expected in ((nearest, nearest == 0), (np.nextafter(nearest, 9), nearest >= 0)):
            # distances are rounded: what is rounded up is nearer than it seems
            limits = limits + np.where(expected, 1e-14, -1e-14)
            found = tumble.collide_many(self.A, self.B, self.POSES, clearance=np.maximum(limits, 0), method=method)
            np.testing.assert_array_equal(found.hit, expected)

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ([0.1, 0.2], r"one for each of 60 poses; found \(2,\)"),
            ([0.1] * 59 + [math.nan], r"clearance\[59\] must be a finite number from 0, not nan"),
            ([-1.0] * 60, r"clearance\[0\] .*not -1.0"),
            (np.ones((60, 1)), "found"),
            (["a"] * 60, "must be real numbers"),
        ],
    )
    def test_wrong_ones_are_named(self, given, words):
        with pytest.raises(tumble.OptionError, match=words):
            tumble.collide_many(self.A, self.B, self.POSES, clearance=given)


class TestSolids:
    def test_buried_near_and_far(self):
        """A box of half size 1 and a small one of half size 0.5."""
        for x, d, expected in (
            (0, None, True),
            (0, 0.0, True),
            (1.75, 0.25, False),
            (1.75, 0.5, True),
            (9, 0.5, False),
        ):
            pose = tumble.translation(x, 0, 0)
            assert tumble.collides(BOX, SMALL, None, pose, solid=True, clearance=d) is expected
        assert not tumble.collides(BOX, SMALL, clearance=0.4)
        assert tumble.collides(BOX, SMALL, clearance=0.6)
        with pytest.raises(tumble.MeshError, match="open edges"):
            tumble.collides(tumble.Mesh(BOX.vertices, BOX.faces[1:]), BOX, solid=True, clearance=1.0)

    def test_many(self):
        poses = [tumble.translation(x, 0, 0) for x in (0, 0.25, 0.5, 1.5, 1.75, 2.5)]
        for first in (True, False):
            found = tumble.collide_many(BOX, SMALL, poses, solid=True, clearance=0.4, first=first)
            assert found.buried.tolist() == [True, True, False, False, False, False]
            assert found.hit.tolist() == [True, True, True, True, True, False]
            assert (found.counts > 0).tolist() == [False, True, True, True, True, False]
