"""`distance` and `distance_many`: what rational arithmetic says, the same from all engines, whatever the way there."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import oracle
import tumble
from covering import crossed, sized
from distance_oracle import distance as exact_distance
from triangle_rows import triangle_distances
from tumble.api.ask import load_every_engine
from tumble.mesh import apply_pose, as_pose, random_pose
from tumble.narrow.distance import TOLERANCE
from tumble.query.engine import DISTANCE, engines
from tumble.scenario.objects import shape_duo
from tumble.scenario.tumbling import tumbling_poses

# the other methods are in tests/traversal/test_distance_queries.py
ENGINES = ("packed", "brute", "stackless", *(pytest.param(each, marks=pytest.mark.slow) for each in ("stack", "lists")))


def counting(method):
    """Options for a method; one that walks trees counts, as in those tests, for which there is a kernel then."""
    return {"method": method, "stats": method != "packed"}


APART = tumble.translation(2.5, 1.0, 0.3) @ tumble.rotation((1.0, 2.0, 3.0), 0.7)


def world_of(mesh, pose):
    return (
        mesh.triangles if pose is None else apply_pose(as_pose(pose), mesh.triangles.reshape(-1, 3)).reshape(-1, 3, 3)
    )


def by_brute_force(a, b, pose_a, pose_b):
    """The least distance of all pairs of triangles, and the first of the nearest pairs."""
    world_a, world_b = world_of(a, pose_a), world_of(b, pose_b)
    i, j = np.indices((len(a), len(b))).reshape(2, -1)
    apart, points = triangle_distances(world_a[i], world_b[j])
    at = int(np.argmin(apart))
    return float(apart[at]), (int(i[at]), int(j[at])), points[at]


def assert_right(a, b, pose_a=None, pose_b=None):
    """Compare with brute force, to the last bit, with `collides`, and with the same question turned round."""
    found = tumble.distance(a, b, pose_a, pose_b)
    value, pair, points = by_brute_force(a, b, pose_a, pose_b)
    assert found.distance == float(found) == value
    assert (value == 0.0) == tumble.collides(a, b, pose_a, pose_b)
    if value > 0.0:
        assert found.pair == pair
        np.testing.assert_array_equal(found.points, points)
    else:
        assert list(found.pair) in tumble.collide(a, b, pose_a, pose_b).pairs.tolist()
        np.testing.assert_array_equal(found.points[0], found.points[1])
    other = tumble.distance(b, a, pose_b, pose_a)
    assert other.distance == value
    return found


def test_two_boxes():
    box = tumble.shapes.box()
    found = tumble.distance(box, box, None, tumble.translation(3.0, 0.0, 0.0))
    assert found.distance == 2.0
    assert found.points[1, 0] - found.points[0, 0] == 2.0
    assert repr(found) == f"<Nearest: 2.0, triangles {found.pair}>"
    assert found.stats is None
    assert not found.points.flags.writeable
    assert tumble.distance(box, box, None, tumble.translation(1.0, 0.0, 0.0)).distance == 0.0  # face on face
    assert tumble.distance(box, tumble.shapes.box(3.0)).distance == 1.0  # inside: surfaces count


def test_interlocked_rings():
    ring = tumble.shapes.torus(radius=1.0, tube=0.2, segments=28, sides=14)
    found = assert_right(ring, ring, None, tumble.translation(1.0, 0.0, 0.0) @ tumble.rotation("x", math.pi / 2))
    assert found.distance == pytest.approx(0.6, abs=0.01)


@sized(40, 400)
def test_soups_against_brute_force(count):
    rng, touching = np.random.default_rng(1), 0
    for seed in range(count):
        a, b = forest.soup(seed, 40), forest.soup(seed + 1000, 30)
        pose_a, pose_b = random_pose(rng, 0.5), random_pose(rng, 3.0 if seed % 2 else 0.2)
        touching += assert_right(a, b, pose_a, pose_b).distance == 0.0
    assert 0 < touching < count


@given(forest.trees(), forest.trees(), st.sampled_from([None, APART, *forest.POSES[1:]]))
@settings(max_examples=30, deadline=None)
def test_grids_with_many_equally_near_pairs(a, b, pose):
    assert_right(a.mesh, b.mesh, None, pose)
    assert tumble.distance(a, b, None, pose).distance == tumble.distance(a.mesh, b.mesh, None, pose).distance


@pytest.mark.parametrize("kind", ["torus", "knot", "gear", "bowl"])
def test_engines_agree_on_tumbling_shapes(kind):
    duo = shape_duo(kind, 1000)
    seen = set()
    for place in (1.5, 1.0, 0.8):
        for pose in tumbling_poses(place, 8):
            one = tumble.distance(duo.a, duo.b, None, pose)
            other = tumble.distance(duo.a, duo.b, None, pose, method="stack")
            assert one.distance == other.distance
            if one.distance > 0.0:
                assert one.pair == other.pair
                np.testing.assert_array_equal(one.points, other.points)
            assert (one.distance == 0.0) == tumble.collides(duo.a, duo.b, None, pose)
            seen.add(one.distance == 0.0)
    assert seen == {True, False}


@pytest.mark.parametrize("pose", [None, APART, tumble.translation(0.0, 3.0, 0.0), *forest.POSES[1:3]])
def test_against_rational_arithmetic(pose):
    a, b = forest.soup(1, 12), forest.soup(2, 10)
    found = tumble.distance(a, b, None, pose)
    matrix = None if pose is None else np.asarray(pose)[:3]
    world_b = oracle.pose_points(b.triangles.reshape(-1, 3), matrix).reshape(-1, 3, 3)
    exact = min(exact_distance(p, q) for p in a.triangles for q in world_b)
    size = 2.0 * max(np.abs(a.triangles).max(), np.abs(world_b).max())
    assert abs(float(exact) - found.distance) <= TOLERANCE * size
    apart = float(np.linalg.norm(found.points[0] - found.points[1]))
    assert abs(apart - found.distance) <= 1e-14 * size


@sized(60, 600)
@crossed(1, size=[1e-100, 1e-70, 1e-30, 1.0, 1e30, 1e70, 1e98], other=[1.0, 1e-3, 1e6])
def test_scales(size, other, count):
    """All sizes within the range of docs/exactness.md, the two meshes of different ones."""
    rng = np.random.default_rng(4)
    for _ in range(count // 20):
        corners = rng.normal(size=(2, 14, 1, 3)) + 0.3 * rng.normal(size=(2, 14, 3, 3))
        a, b = (
            tumble.Mesh(each.reshape(-1, 3) * scale, np.arange(42).reshape(-1, 3))
            for each, scale in zip(corners, (size, size * min(other, 1e99 / size)), strict=True)
        )
        pose = random_pose(rng, 1.0)
        pose[:3, 3] *= 4.0 * size
        assert_right(a, b, None, pose)


@pytest.mark.parametrize("size", [1e-165, 1e-200, 1e-280, 1e-315])
def test_sizes_whose_squares_underflow(size):
    rng = np.random.default_rng(8)
    for _ in range(20):
        corners = 0.5 * rng.normal(size=(2, 6, 1, 3)) + 0.3 * rng.normal(size=(2, 6, 3, 3))
        a, b = (
            tumble.Mesh((each.reshape(-1, 3) + middle) * size, np.arange(18).reshape(-1, 3))
            for each, middle in zip(corners, (-1.5, 1.0), strict=True)
        )
        assert_right(a, b)


def test_a_common_motion_changes_the_value_by_rounding_only():
    rng = np.random.default_rng(6)
    a, b = tumble.shapes.knot(segments=60, sides=8), tumble.shapes.torus(segments=24, sides=12)
    for _ in range(30):
        pose, both = random_pose(rng, 4.0), random_pose(rng, 10.0)
        one, other = tumble.distance(a, b, None, pose), tumble.distance(a, b, both, both @ pose)
        assert other.distance == pytest.approx(one.distance, abs=2e-13)


def test_points_and_segments_and_needles():
    point, segment = tumble.Mesh([[0.0, 0, 0]], [[0, 0, 0]]), tumble.Mesh([[1.0, -1, 1], [1, 1, 1]], [[0, 1, 0]])
    assert tumble.distance(point, segment).distance == math.sqrt(2.0)
    assert tumble.distance(point, point).distance == 0.0
    needle = tumble.Mesh([[0.0, 0, 0], [1, 0, 0], [0.5, 1e-17, 0]], [[0, 1, 2]])
    assert tumble.distance(needle, segment).distance == 1.0
    assert_right(needle, segment)


class TestUpperBound:
    A, B = tumble.shapes.icosphere(2), tumble.shapes.torus()
    SMALL = tumble.shapes.icosphere(1), tumble.shapes.torus(segments=12, sides=6)

    @pytest.mark.parametrize("method", ENGINES)
    def test_at_the_distance(self, method):
        found = tumble.distance(*self.SMALL, None, APART, **counting(method))
        assert found.distance > 0.0
        same = tumble.distance(*self.SMALL, None, APART, upper_bound=found.distance, **counting(method))
        assert (same.distance, same.pair) == (found.distance, found.pair)
        below = float(np.nextafter(found.distance, 0.0))
        none = tumble.distance(*self.SMALL, None, APART, upper_bound=below, method=method, stats=True)
        assert none.distance == math.inf
        assert none.pair is none.points is None
        assert none.stats.hits == 0

    @pytest.mark.parametrize("method", ENGINES)
    def test_zero_asks_whether_they_touch(self, method):
        assert tumble.distance(*self.SMALL, None, APART, upper_bound=0, **counting(method)).distance == math.inf
        assert tumble.distance(*self.SMALL, upper_bound=0, **counting(method)).distance == 0.0

    @pytest.mark.parametrize("bound", [-1.0, math.nan, -math.inf, "far", None, True, [1.0, 2.0]])
    def test_what_is_no_bound_is_refused(self, bound):
        for call in (tumble.distance, lambda *sides, **given: tumble.distance_many(*sides, [np.eye(4)], **given)):
            with pytest.raises(tumble.OptionError, match="upper_bound must be a number"):
                call(self.A, self.B, upper_bound=bound)

    def test_zero_keeps_nothing_that_only_nearly_touches(self):
        """A corner next to an edge, whose distance is zero but for the last word of the exact test."""
        a = tumble.Mesh([[19.25, -6.0, 49.75], [22.25, 11.0, 75.75], [19.75, -6.25, 49.75]], [[0, 1, 2]])
        corner = [20.750000000000014, 2.5000000000000018, 62.75]
        b = tumble.Mesh([corner, [100.0, -10.0, 4.0], [491.0, 1363.0, -1851.0]], [[0, 1, 2]])
        assert not tumble.collides(a, b)
        assert 0.0 < tumble.distance(a, b).distance < 1e-300
        assert tumble.distance(a, b, upper_bound=0).distance == math.inf

    @pytest.mark.parametrize("far", [1e15, 1e30, 1e39, 1e60, 1e90])
    def test_meshes_as_far_apart_as_float32_cannot_say(self, far):
        # few triangles: at such a distance all pairs are equally near, and each is tested exactly
        a, b, pose = tumble.shapes.icosphere(1), tumble.shapes.box(), tumble.translation(far, 0.0, 0.5 * far)
        found = tumble.distance(a, b, None, pose)
        assert found.distance == pytest.approx(far * math.sqrt(1.25), rel=1e-12)
        for bound in (found.distance, 2.0 * found.distance):
            assert tumble.distance(a, b, None, pose, upper_bound=bound).distance == found.distance
        below = float(np.nextafter(found.distance, 0.0))
        assert tumble.distance(a, b, None, pose, upper_bound=below).distance == math.inf

    def test_it_saves_work(self):
        all_of_it = tumble.distance(self.A, self.B, None, APART, stats=True).stats
        some = tumble.distance(self.A, self.B, None, APART, upper_bound=0.05, stats=True).stats
        assert 4 * some.iterations < all_of_it.iterations


@pytest.mark.parametrize("method", ENGINES)
def test_an_empty_mesh_is_infinitely_far(method):
    empty, box = tumble.Mesh([], []), tumble.shapes.box()
    for sides in ((empty, box), (box, empty), (empty, empty)):
        found = tumble.distance(*sides, method=method)
        assert found.distance == math.inf
        assert found.pair is found.points is None
        many = tumble.distance_many(*sides, [np.eye(4)] * 3, method=method)
        assert many.distances.tolist() == [math.inf] * 3
        assert (many.pairs == -1).all()
        assert np.isnan(many.points).all()


def test_what_cannot_be_combined_is_refused_from_the_table():
    load_every_engine()
    box = tumble.shapes.box()
    able = [engine.method for engine in engines() if DISTANCE in engine.questions]
    assert "packed" in able
    for options in ({"method": "bulk"}, {"tree": "boxtree"}, {"settings": tumble.BulkSettings()}):
        with pytest.raises(tumble.OptionError, match=r"cannot be used for distances; \w+= can be: "):
            tumble.distance(box, box, **options)
    with pytest.raises(tumble.OptionError, match="prepared trees can be: aabb"):
        tumble.distance(tumble.build(box, "boxtree"), box)
    with pytest.raises(tumble.OptionError, match="method='packed'"):
        tumble.distance(box, box, method="packed", tree="sphere")
    with pytest.raises(tumble.OptionError, match="threads"):
        tumble.distance(box, box, threads=0)
    with pytest.raises(tumble.PoseError):
        tumble.distance(box, box, np.diag([2.0, 2, 2, 1]))
    with pytest.raises(tumble.MeshError):
        tumble.distance(box, "box")


def test_stats():
    a, b = tumble.shapes.torus(), tumble.shapes.knot()
    apart = tumble.distance(a, b, None, APART, stats=True)
    assert apart.stats.hits == 0
    assert 0 < apart.stats.leaf_overlaps < apart.stats.overlaps < apart.stats.tests
    assert apart.stats.triangle_tests < len(a) + len(b)
    assert tumble.distance(a, a, stats=True).stats.hits == 1


def motion(count):
    return np.stack(
        [tumble.translation(3.0 - 0.02 * k, 0.1, 0.0) @ tumble.rotation("z", 0.05 * k) for k in range(count)]
    )


class TestMany:
    A, B = tumble.shapes.torus(segments=30, sides=12), tumble.shapes.knot(segments=60, sides=6)

    @pytest.mark.parametrize("threads", [1, 2, None])
    def test_each_is_the_answer_of_distance(self, threads):
        poses = motion(150)
        found = tumble.distance_many(self.A, self.B, poses, threads=threads)
        assert len(found) == 150
        one_by_one = [tumble.distance(self.A, self.B, None, pose) for pose in poses]
        assert found.distances.tolist() == [each.distance for each in one_by_one]
        assert 0 < (found.distances == 0.0).sum() < 150
        assert [tuple(pair) for pair in found.pairs.tolist()] == [each.pair for each in one_by_one]
        np.testing.assert_array_equal(found.points, [each.points for each in one_by_one])
        assert found.stats is None
        assert not found.distances.flags.writeable

    def test_the_order_of_the_poses_does_not_matter(self):
        poses = motion(100)
        order = np.random.default_rng(3).permutation(100)
        found, shuffled = (tumble.distance_many(self.A, self.B, some) for some in (poses, poses[order]))
        np.testing.assert_array_equal(found.distances[order], shuffled.distances)
        np.testing.assert_array_equal(found.pairs[order], shuffled.pairs)

    def test_the_last_pair_saves_work(self):
        poses = motion(48)
        fresh = sum(tumble.distance(self.A, self.B, None, pose, stats=True).stats.iterations for pose in poses)
        assert tumble.distance_many(self.A, self.B, poses, stats=True).stats.iterations < fresh

    @pytest.mark.parametrize("method", ENGINES)
    def test_poses_of_both_and_a_bound(self, method):
        poses = motion(20)
        inverse = np.linalg.inv(poses[:, :3, :3])
        fixed = np.tile(np.eye(4), (20, 1, 1))
        fixed[:, :3, :3] = inverse
        small = tumble.shapes.box(), tumble.shapes.icosphere(1)
        found = tumble.distance_many(*small, poses, fixed, upper_bound=0.9, **counting(method))
        expected = [tumble.distance(*small, pose_a, pose_b) for pose_a, pose_b in zip(fixed, poses, strict=True)]
        assert found.distances.tolist() == [each.distance if each.distance <= 0.9 else math.inf for each in expected]
        assert np.isinf(found.distances).any()
        one = tumble.distance_many(*small, poses, fixed[3], **counting(method))
        assert one.distances[5] == tumble.distance(*small, fixed[3], poses[5]).distance

    def test_no_poses(self):
        found = tumble.distance_many(self.A, self.B, np.empty((0, 4, 4)))
        assert (found.distances.shape, found.pairs.shape, found.points.shape) == ((0,), (0, 2), (0, 2, 3))

    def test_wrong_poses_are_named(self):
        poses = motion(3)
        poses[1, 0, 0] = 7.0
        with pytest.raises(tumble.PoseError, match=r"poses_b\[1\]"):
            tumble.distance_many(self.A, self.B, poses)
        with pytest.raises(tumble.PoseError, match="poses_a holds 2 poses and poses_b 3"):
            tumble.distance_many(self.A, self.B, motion(3), motion(2))


def test_the_answer_cannot_be_changed():
    found = tumble.distance(tumble.shapes.box(), tumble.shapes.torus(), None, APART)
    for name in ("distance", "pair", "points", "stats"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(found, name, None)
        with pytest.raises(AttributeError):
            delattr(found, name)
    with pytest.raises(ValueError, match="read-only"):
        found.points[0, 0] = 1.0
    same = pickle.loads(pickle.dumps(found))
    assert (same.distance, same.pair, same.stats) == (found.distance, found.pair, None)
    np.testing.assert_array_equal(same.points, found.points)


def test_the_words_of_an_answer():
    """The public half knows them without loading the kernels."""
    from tumble.query import nearest
    from tumble.traversal.packed import nearest_query as kernels

    words = nearest.POINTS.start, nearest.PAIR.start, nearest.PAIR.stop
    assert words == (kernels.POINTS, kernels.PAIR, kernels.COUNTS)
    assert nearest.NUMBERS == kernels.NUMBERS
