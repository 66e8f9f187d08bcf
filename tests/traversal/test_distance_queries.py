"""The distance of two meshes: the same from every method and volume, and what rational arithmetic says."""

import numpy as np
import pytest
from candidate_pairs import candidates
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import oracle
import tumble
from distance_oracle import distance
from matrix import ONE_VOLUME, TWO_METHODS, combinations, other_combinations
from tumble.api.ask import ask
from tumble.narrow.distance import TOLERANCE
from tumble.narrow.touch import ExactTest
from tumble.query.bodies import one_body, placed
from tumble.query.engine import DISTANCE
from tumble.query.plan import Options
from tumble.query.question import is_nearest_first
from tumble.query.questions.distance import Distance
from tumble.query.questions.touching import counting
from tumble.traversal.every import prepare
from tumble.traversal.query import new_counters

APART = tumble.translation(2.5, 1.0, 0.3) @ tumble.rotation((1.0, 2.0, 3.0), 0.7)
POSES = (None, APART, tumble.translation(0.0, 3.0, 0.0), *forest.POSES[1:])


def assert_as_by_brute(a, b, pose_a, pose_b, method, **options):
    """Compare a method with brute force, to the last bit; where meshes touch, any touching pair will do."""
    # with counters, so that all tests of distances have one kernel
    expected = prepare(mesh_of(a), mesh_of(b), pose_a, pose_b, method="brute").distance(new_counters())
    found = prepare(a, b, pose_a, pose_b, method=method, **options).distance(new_counters())
    assert found.distance == expected.distance
    touching = tumble.collide(mesh_of(a), mesh_of(b), pose_a, pose_b).pairs
    assert (found.distance == 0.0) == (len(touching) > 0)
    if found.distance > 0.0:
        assert found.pair == expected.pair
        np.testing.assert_array_equal(found.points, expected.points)
    else:
        assert list(found.pair) in touching.tolist()
        np.testing.assert_array_equal(found.points[0], found.points[1])
    return found


def mesh_of(side):
    return side.mesh if isinstance(side, tumble.Tree) else side


def assert_the_matrix_agrees(method, volume):
    apart = set()
    for seed, pose in enumerate(POSES):
        a, b = forest.soup(seed, 90), forest.soup(seed + 100, 70)
        other = tumble.translation(0.2, 0.1, 0.0) if seed == 2 else None
        apart.add(assert_as_by_brute(a, b, other, pose, method, tree=volume).distance > 0.0)
    assert apart == {True, False}
    for seed in range(8):
        trees = forest.random_tree(seed, 30, volume), forest.random_tree(seed + 50, 20, volume)
        assert_as_by_brute(
            *trees, None, tumble.translation(*(30.0, 5.0, 1.0)[: seed % 4], *(0.0,) * (3 - seed % 4)), method
        )


def is_quick(method, volume):
    """Three methods with one volume: nearest first, without a stack, in a's frame; another volume with one."""
    if volume == ONE_VOLUME:
        return method in ("stack", "stackless", "lists")
    return (method, volume) == ("lists", "kdop24")


# One method for the other volumes: bounds in both frames are compared, volume by volume, in tests/volume/test_bound.py
@pytest.mark.parametrize(
    ("method", "volume"),
    [pytest.param(*each, marks=() if is_quick(*each) else pytest.mark.slow) for each in combinations()],
)
def test_methods_and_volumes_find_the_distance(method, volume):
    assert_the_matrix_agrees(method, volume)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "volume"), other_combinations())
def test_every_method_with_every_volume_finds_the_distance(method, volume):
    assert_the_matrix_agrees(method, volume)


@pytest.mark.parametrize("pose", POSES[:4])
def test_brute_force_against_rational_arithmetic(pose):
    a, b = forest.soup(1, 12), forest.soup(2, 10)
    found = prepare(a, b, None, pose, method="brute").distance(new_counters())
    world_a, world_b = a.triangles, oracle.pose_points(b.triangles.reshape(-1, 3), pose_of(pose)).reshape(-1, 3, 3)
    exact = min(distance(p, q) for p in world_a for q in world_b)
    size = 2.0 * max(np.abs(world_a).max(), np.abs(world_b).max())
    assert abs(float(exact) - found.distance) <= TOLERANCE * size
    assert abs(float(distance(world_a[found.pair[0]], world_b[found.pair[1]])) - found.distance) <= TOLERANCE * size


def pose_of(pose):
    return None if pose is None else np.asarray(pose)[:3]


@given(forest.trees(), forest.trees(), st.sampled_from(POSES), st.sampled_from(POSES))
@settings(max_examples=30, deadline=None)
def test_random_trees_over_grids_with_many_equally_near_pairs(a, b, pose_a, pose_b):
    for method in ("stack", "stackless"):
        assert_as_by_brute(a, b, pose_a, pose_b, method)


@pytest.mark.parametrize("method", ["stack", pytest.param("alternating", marks=pytest.mark.slow)])
def test_near_pairs_come_first(method):
    """The order saves half of the triangle pairs that a fixed one compares before it comes to the nearest."""
    a, b = tumble.shapes.icosphere(3), tumble.shapes.icosphere(3)
    counters, ordered = new_counters(), new_counters()
    query = prepare(a, b, None, APART, method=method)
    found = query.distance(ordered)
    stackless = prepare(a, b, None, APART, method="stackless")
    assert stackless.distance(counters).distance == found.distance
    assert 2 * ordered.values[-1] < counters.values[-1] < len(a) * len(b) / 100


def test_only_questions_by_distance_are_nearest_first():
    nothing = np.zeros(1), np.zeros(2, np.int64), np.zeros((2, 6)), 0.0, np.inf
    assert is_nearest_first(Distance(*nothing))
    assert not is_nearest_first(counting(ExactTest()))


def test_distances_come_along_the_road_of_all_questions():
    """Many poses in one request, as a column of the table of pairs; methods that cannot are refused by name."""
    a, b = forest.soup(1, 40), forest.soup(2, 30)
    poses = np.array([np.eye(4), APART, tumble.translation(0.0, 3.0, 0.0)])
    pairs = np.array([[0, 0], [0, 1], [0, 2], [0, 1]])
    ways = (
        Options(),
        Options(stats=True),
        Options(method="stackless", tree="aabb", stats=True),
        Options(method="brute", stats=True),
    )
    for options in ways:
        table = ask(DISTANCE, one_body(a), placed(b, poses), pairs, options)
        assert table.counts.tolist() == [1, 1, 1, 1]
        for row, (_, pose) in enumerate(pairs.tolist()):
            expected = prepare(a, b, None, poses[pose], method="brute").distance(new_counters())
            assert table.distances.distances[row] == expected.distance
            if expected.distance > 0.0:
                assert tuple(table.triangles[row]) == expected.pair
                np.testing.assert_array_equal(table.distances.points[row], expected.points)
        assert (table.stats is not None) == options.stats
    empty = ask(DISTANCE, one_body(tumble.Mesh([], [])), one_body(b), pairs[:1], Options())
    assert empty.counts.tolist() == [0]
    with pytest.raises(tumble.OptionError, match=r"method='bulk' .*distances.*packed.*stack"):
        ask(DISTANCE, one_body(a), one_body(b), pairs[:1], Options(method="bulk"))


def test_fcl_finds_the_same_distance():
    fcl = pytest.importorskip("fcl")
    a, b = tumble.shapes.icosphere(2), tumble.shapes.torus()
    models = []
    for mesh in (a, b):
        model = fcl.BVHModel()
        model.beginModel(len(mesh.vertices), len(mesh.faces))
        model.addSubModel(mesh.vertices, mesh.faces)
        model.endModel()
        models.append(model)
    for seed in range(20):
        pose = tumble.mesh.random_pose(seed, 1.0)
        pose[:3, 3] *= 4.0 / np.linalg.norm(pose[:3, 3])
        request, result = fcl.DistanceRequest(), fcl.DistanceResult()
        objects = [
            fcl.CollisionObject(models[0]),
            fcl.CollisionObject(models[1], fcl.Transform(pose[:3, :3], pose[:3, 3])),
        ]
        theirs = fcl.distance(*objects, request, result)
        found = prepare(a, b, None, pose).distance(new_counters())
        if found.distance > 0.0:
            assert theirs == pytest.approx(found.distance, abs=1e-13)


@pytest.mark.parametrize("method", ["leaf", *(pytest.param(name, marks=pytest.mark.slow) for name in TWO_METHODS)])
def test_candidates_are_the_pairs_that_reach_the_triangle_test(method):
    a, b = tumble.build(forest.soup(1, 90), leaf_size=3), tumble.build(forest.soup(2, 70), leaf_size=2)
    counters = new_counters()
    query = prepare(a, b, None, forest.POSES[3], method=method)
    found = candidates(query, 90 * 70)
    touching = query.collect(counters)
    assert len(found) == counters.values[-1] > len(touching) > 0
    assert {tuple(pair) for pair in touching.tolist()} < {tuple(pair) for pair in found.tolist()}
