"""Devices give the oracle's pairs, whichever way they walk, wherever the meshes are and however large."""

from functools import cache

import numpy as np
import pytest
from device_cases import WAYS, ask_device, assert_all_ways, needs_device, on_device
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import oracle
import tumble
from covering import sized
from pairs import touching_float_pairs
from tumble.mesh import random_pose
from tumble.narrow.triangles.exact import triangles_touch_many

pytestmark = needs_device


def judged(a, b, pose_a=None, pose_b=None):
    mesh_a, mesh_b = (side.mesh if isinstance(side, tumble.Tree) else side for side in (a, b))
    return oracle.touching_pairs(mesh_a.vertices, mesh_a.faces, mesh_b.vertices, mesh_b.faces, pose_a, pose_b)


@pytest.mark.parametrize("pose", range(len(forest.POSES)))
def test_built_trees(pose):
    a, b = forest.soup(1, 90), forest.soup(2, 70)
    other = (None, None, tumble.translation(0.2, 0.1, 0.0), None, forest.POSES[4])[pose]
    expected = judged(a, b, forest.POSES[pose], other)
    assert len(expected) > 0 or pose in (1, 2)
    assert_all_ways(a, b, forest.POSES[pose], other, expected=expected)


@pytest.mark.parametrize(("leaf_size", "arity"), [(1, 2), (2, 2), (3, 2), (1, 4), (4, 7)])
@pytest.mark.parametrize("volume", ["obb", "obb-covariance"])
def test_whatever_the_builder_does(leaf_size, arity, volume):
    mesh_a, mesh_b, expected = judged_soups()
    a = tumble.build(mesh_a, volume, "median", leaf_size, arity)
    b = tumble.build(mesh_b, volume, "sah", leaf_size, arity)
    assert_all_ways(a, b, None, forest.POSES[3], expected=expected)


@cache
def judged_soups():
    a, b = forest.soup(3, 80), forest.soup(4, 60)
    return a, b, judged(a, b, None, forest.POSES[3])


@settings(max_examples=settings().max_examples // 2)
@given(forest.trees("obb"), forest.trees("obb"), st.integers(0, len(forest.POSES) - 2), st.sampled_from(sorted(WAYS)))
def test_trees_of_any_shape(a, b, pose, way):
    expected = judged(a, b, forest.POSES[pose])
    found = on_device(a, b, forest.POSES[pose], settings=WAYS[way])
    np.testing.assert_array_equal(found.pairs, expected)


@sized(quick=150, slow=4000)
def test_triangles_that_touch_or_miss_by_a_hair(count):
    """Every kind of contact, from denormal to huge: thousands of meshes of one triangle in one launch."""
    cases = touching_float_pairs(count, seed=11)
    meshes = [[tumble.Mesh(corners, [[0, 1, 2]]) for corners in side] for side in (cases.a, cases.b)]
    poses = np.broadcast_to(np.eye(4), (len(cases.a), 4, 4)).copy()
    pairs = np.repeat(np.arange(len(cases.a))[:, None], 2, axis=1)
    expected = triangles_touch_many(cases.a, cases.b)
    assert 0.2 < expected.mean() < 0.9
    for first in (False, True):
        hit = ask_device(meshes, (poses, poses), pairs, first=first).hit
        wrong = np.flatnonzero(hit != expected)
        assert len(wrong) == 0, cases.names[wrong[:10]]


@sized(30, 60)
@pytest.mark.parametrize("offset", [0.0, 1e6, 1e9])
def test_details_far_from_the_origin(offset, count):
    """Float32 has no places left for them, nor for how they lie to each other."""
    rng = np.random.default_rng(5)
    a, b = (forest.soup(seed, count, 0.2) for seed in (7, 8))
    a, b = (tumble.Mesh(1e-3 * mesh.vertices + offset, mesh.faces) for mesh in (a, b))
    expected = judged(a, b)
    assert len(expected) > 0 or offset > 1e7
    assert_all_ways(a, b, expected=expected, ways={name: WAYS[name] for name in ("pool", "split at every step")})
    # and with large poses that bring them back together
    away = tumble.translation(-offset, offset, 0.5 * offset) @ random_pose(rng, 0.0)
    assert_all_ways(a, b, away, away, expected=judged(a, b, away, away), ways={"pool": WAYS["pool"]})


@pytest.mark.parametrize(("size_a", "size_b"), [(1e-90, 1e-90), (1e90, 1e90), (1.0, 1e6), (1e6, 1e-6), (1e60, 1e-60)])
def test_sizes_beyond_float32(size_a, size_b):
    shapes = forest.soup(9, 40), forest.soup(10, 50)
    a, b = (
        tumble.Mesh((mesh.vertices - 0.5) * size, mesh.faces)
        for mesh, size in zip(shapes, (size_a, size_b), strict=True)
    )
    assert_all_ways(a, b, expected=judged(a, b), ways={"pool": WAYS["pool"]})


def test_poses_that_are_rigid_only_within_the_tolerance():
    a, b = forest.soup(1, 90), forest.soup(2, 70)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        poses = [random_pose(rng, 0.2) for _ in range(2)]
        for pose in poses:
            pose[:3, :3] += rng.uniform(-2e-5, 2e-5, (3, 3))
        assert_all_ways(a, b, *poses, expected=judged(a, b, *poses), ways={"pool": WAYS["pool"]})


def test_one_triangle_and_none():
    one = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    point = tumble.Mesh([[0.25, 0.25, 0.0]], [[0, 0, 0]])
    empty = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    for settings_ in WAYS.values():
        assert on_device(one, one, settings=settings_).pairs.tolist() == [[0, 0]]
        assert on_device(one, point, settings=settings_).pairs.tolist() == [[0, 0]]
        assert on_device(point, point, settings=settings_).pairs.tolist() == [[0, 0]]
        assert on_device(one, point, None, tumble.translation(0, 0, 1e-12), settings=settings_).pairs.tolist() == []
        assert len(on_device(one, empty, settings=settings_)) == 0
        assert len(on_device(empty, empty, settings=settings_, stats=True)) == 0


def chain_of(mesh):
    """Return a tree as deep as there are triangles: each inner node has a leaf and another inner node."""
    inner = len(mesh) - 1
    parents = [-1, *range(inner - 1), *range(inner), inner - 1]
    leaves = [*range(inner, 2 * inner), 2 * inner]
    return tumble.Tree.from_parents(mesh, parents, leaves, "obb")


@pytest.mark.parametrize("count", [66, *(pytest.param(each, marks=pytest.mark.slow) for each in (60, 180))])
def test_trees_deeper_than_two_words_hold(count):
    a, b = (chain_of(forest.soup(seed, count, 0.2)) for seed in (21, 22))
    assert a.depth == count - 1
    expected = judged(a, b)
    assert len(expected) > count
    assert_all_ways(a, b, expected=expected)
