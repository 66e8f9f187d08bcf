"""First hits of many rows in one call, several searches in turn: as one search after the other, by another method."""

import numpy as np
import pytest

import tumble
from tumble.mesh import random_pose
from tumble.scenario.objects import shape_duo
from tumble.scenario.tumbling import motion_poses, scattered_poses

SHAPES = {"torus": 500, "gear": 960, "knot": 1_000}
"""gears have long thin triangles, which are kept to be compared with boxes"""
POSES = {"motion": motion_poses(1_000), "scattered": scattered_poses(400), "one place": motion_poses(1).repeat(70, 0)}


def assert_right(found, a, b, poses):
    expected = tumble.collide_many(a, b, poses, method="stackless", first=False)
    np.testing.assert_array_equal(found.hit, expected.hit)
    for row in np.flatnonzero(found.hit):
        pair = found.pairs(row)
        assert pair.shape == (1, 2)
        assert (expected.pairs(row) == pair).all(axis=1).any(), row


@pytest.mark.parametrize("name", POSES)
@pytest.mark.parametrize("kind", SHAPES)
def test_hits_and_pairs_are_those_of_another_method(kind, name):
    duo, poses = shape_duo(kind, SHAPES[kind]), POSES[name]
    found = tumble.collide_many(duo.a, duo.b, poses)
    assert name == "one place" or 0.1 < found.hit.mean() < 0.9
    assert_right(found, duo.a, duo.b, poses)


def test_the_same_for_any_number_of_threads():
    duo, poses = shape_duo("torus", 500), POSES["motion"]
    one, three = (tumble.collide_many(duo.a, duo.b, poses, threads=threads) for threads in (1, 3))
    for row in range(len(poses)):
        np.testing.assert_array_equal(one.pairs(row), three.pairs(row))


@pytest.mark.parametrize("count", [0, 1, 2, 7, 8, 9, 17])
def test_few_rows(count):
    duo = shape_duo("torus", 500)
    poses = POSES["scattered"][:count]
    assert_right(tumble.collide_many(duo.a, duo.b, poses), duo.a, duo.b, poses)


def test_rows_of_different_meshes_between_each_other():
    """A pair that one row found says nothing about a row of other meshes, some of which have fewer triangles."""
    rng = np.random.default_rng(3)
    meshes = [
        tumble.shapes.torus(20, 16),
        tumble.shapes.icosphere(1),
        tumble.shapes.box(),
        tumble.Mesh([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]),
        tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int)),
        shape_duo("gear", 960).a,
    ]
    chosen = rng.integers(0, len(meshes), 90)
    scene = tumble.Scene()
    for k, which in enumerate(chosen):
        scene.add(str(k), meshes[which], random_pose(rng, 4.0))
    found = {(hit.a, hit.b): hit.pairs for hit in scene.collisions(first=True)}
    expected = {(hit.a, hit.b): hit.pairs for hit in scene.collisions(method="stackless")}
    assert len(expected) > 100
    assert found.keys() == expected.keys()
    for names, pair in found.items():
        assert len(pair) == 1
        assert (expected[names] == pair).all(axis=1).any(), names
