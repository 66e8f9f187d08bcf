"""What stays the same when bodies move a little, change places or are looked at by several threads."""

from functools import cache

import numpy as np
import pytest
from test_manifold import LARGE, SMALL, ask

import tumble
from tumble.dynamics.manifold import gather, manifold
from tumble.mesh import compose, random_pose, rotation, shapes, translation

SCENES = {
    "tilted box": lambda: (
        SMALL,
        LARGE,
        compose(translation(0.1, 0.2, 2.49), rotation("x", 0.013), rotation("y", 0.004)),
        None,
    ),
    "box askew": lambda: (SMALL, SMALL, compose(translation(0.12, 0.2, 0.99), rotation("z", 0.3)), None),
    "balls": lambda: (
        shapes.icosphere(3),
        shapes.icosphere(3),
        None,
        compose(translation(0.5, 1.0, 1.5), random_pose(5, 0.0)),
    ),
    "animals": lambda: (shapes.blob(0, 2000), shapes.blob(1, 2000), None, translation(0.3, 0.5, 0.9)),
    "knot in a bowl": lambda: (
        shapes.knot(),
        shapes.bowl(3, 0.3, 64, 48),
        compose(translation(0.05, 0.02, -1.95), rotation("z", 0.1)),
        None,
    ),
}


@cache
def scene_of(name):
    """Two bodies and their poses, made when they are first asked for."""
    return SCENES[name]()


def matched(found, other):
    """The rows of `other` nearest to those of `found`."""
    gaps = np.linalg.norm(found.points[:, None] - other.points[None], axis=2)
    return gaps.argmin(axis=1), gaps.min(axis=1)


@pytest.mark.parametrize("scene", SCENES)
def test_changing_places_turns_normals_round(scene):
    a, b, pose_a, pose_b = scene_of(scene)
    found, swapped = ask(a, b, pose_a, pose_b), ask(b, a, pose_b, pose_a)
    assert len(found) == len(swapped) > 0
    rows, gaps = matched(found, swapped)
    np.testing.assert_allclose(gaps, 0, atol=1e-9)
    np.testing.assert_allclose(found.normals, -swapped.normals[rows], atol=1e-9)
    np.testing.assert_allclose(found.depths, swapped.depths[rows], atol=1e-9)


@pytest.mark.parametrize("scene", SCENES)
def test_points_move_along_with_the_scene(scene):
    a, b, pose_a, pose_b = scene_of(scene)
    motion = random_pose(7, 5.0)
    found = ask(a, b, pose_a, pose_b)
    moved = ask(a, b, compose(motion, pose_a), compose(motion, pose_b))
    assert len(found) == len(moved)
    points = found.points @ motion[:3, :3].T + motion[:3, 3]
    gaps = np.linalg.norm(points[:, None] - moved.points[None], axis=2)
    rows = gaps.argmin(axis=1)
    np.testing.assert_allclose(gaps.min(axis=1), 0, atol=1e-9)
    np.testing.assert_allclose(found.normals @ motion[:3, :3].T, moved.normals[rows], atol=1e-9)
    np.testing.assert_allclose(found.depths, moved.depths[rows], atol=1e-9)


@pytest.mark.parametrize("scene", SCENES)
def test_a_small_motion_changes_little(scene):
    """Normals and depths follow a motion of a millionth; points are the same features, by their keys."""
    a, b, pose_a, pose_b = scene_of(scene)
    start = np.eye(4) if pose_a is None else pose_a
    found = ask(a, b, pose_a, pose_b)
    rng = np.random.default_rng(1)
    kept = 0
    for _ in range(5):
        nudge = compose(translation(*rng.uniform(-1e-6, 1e-6, 3)), rotation(rng.normal(size=3), 1e-6))
        nudged = ask(a, b, compose(nudge, start), pose_b)
        rows, gaps = matched(found, nudged)
        assert len(found) == len(nudged)
        assert gaps.max() < 1e-4
        np.testing.assert_allclose(found.normals, nudged.normals[rows], atol=1e-4)
        np.testing.assert_allclose(found.depths, nudged.depths[rows], atol=1e-5)
        kept += np.isin(found.keys, nudged.keys).sum()
    assert kept >= 0.9 * 5 * len(found)


def test_a_resting_box_keeps_its_normal_depths_and_keys_while_it_trembles():
    """On a larger box and on an equal one, flush: what a simulator sees of a stack from step to step."""
    rng = np.random.default_rng(2)
    for lower, height in ((LARGE, 2.495), (SMALL, 0.995)):
        for _ in range(20):
            turn = rotation(rng.normal(size=3), rng.uniform(0, 1e-5))
            found = ask(SMALL, lower, compose(translation(*rng.uniform(-1e-5, 1e-5, 2), height), turn))
            assert len(found) == 4
            np.testing.assert_allclose(found.normals, [[0, 0, 1]] * 4, atol=1e-4)
            np.testing.assert_allclose(found.depths, 0.005, atol=1e-4)
            np.testing.assert_allclose(np.abs(found.points[:, :2]), 0.5, atol=1e-3)


def test_keys_differ_between_the_points_of_a_pair():
    for a, b, pose_a, pose_b in map(scene_of, SCENES):
        keys = ask(a, b, pose_a, pose_b).keys
        assert len(np.unique(keys)) == len(keys)


@cache
def animals():
    return [shapes.blob(seed, 2000) for seed in range(3)]


def heap(count, seed):
    """Animals at random in a box, and their touching triangles."""
    rng = np.random.default_rng(seed)
    meshes = animals()
    scene = tumble.Scene()
    poses = np.stack([random_pose(rng, 2.2) for _ in range(count)])
    for k, pose in enumerate(poses):
        scene.add(str(k), meshes[k % 3], pose)
    touching = scene.collisions()
    bodies = np.array([[int(a), int(b)] for a, b in touching.names])
    offsets = np.concatenate([[0], np.cumsum(touching.counts)])
    return gather(meshes), np.arange(count) % 3, poses, bodies, offsets, touching.triangles


def columns(found):
    return found.offsets, found.pairs, found.points, found.normals, found.depths, found.keys


def test_many_body_pairs_at_once_on_any_number_of_threads():
    """Bit for bit what each pair gives alone, whatever came before it in the same memory."""
    surfaces, mesh_of, poses, bodies, offsets, triangles = heap(40, 3)
    assert len(bodies) > 40
    assert len(triangles) > 3 * 4096
    whole = manifold(surfaces, mesh_of, poses, bodies, offsets, triangles, threads=1)
    assert (np.diff(whole.offsets) > 0).all()
    for threads in (2, 5):
        again = manifold(surfaces, mesh_of, poses, bodies, offsets, triangles, threads=threads)
        for one, other in zip(columns(whole), columns(again), strict=True):
            np.testing.assert_array_equal(one, other)
    for k in range(0, len(bodies), 7):
        part = triangles[offsets[k] : offsets[k + 1]]
        alone = manifold(surfaces, mesh_of, poses, bodies[k : k + 1], [0, len(part)], part)
        rows = slice(whole.offsets[k], whole.offsets[k + 1])
        for one, other in zip(columns(whole)[2:], columns(alone)[2:], strict=True):
            np.testing.assert_array_equal(one[rows], other)


def test_whatever_bodies_do_points_stay_sensible():
    """Any penetration, however deep: finite numbers, unit normals, depths within the size of the bodies."""
    surfaces, mesh_of, poses, bodies, offsets, triangles = heap(40, 4)
    found = manifold(surfaces, mesh_of, poses, bodies, offsets, triangles)
    assert np.isfinite(found.points).all()
    np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1, atol=1e-12)
    assert (found.depths >= 0).all()
    assert (found.depths < 2.5).all()
    for k, pose in enumerate(poses):  # a point is near the bodies that it belongs to
        of_body = (bodies[found.pairs] == k).any(axis=1)
        assert (np.linalg.norm(found.points[of_body] - pose[:3, 3], axis=1) < 1.8).all()


@pytest.mark.parametrize("seed", [13, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 8, 26, 27))])
def test_the_deepest_point_is_not_lost_as_bodies_go_deeper(seed):
    """Or what rests on it would fall for a step, and be caught, and fall."""
    animal, rng = animals()[0], np.random.default_rng(seed)
    below, above = random_pose(rng, 0.0), random_pose(rng, 0.0)
    apart, touching = 5.0, 0.0
    for _ in range(40):
        middle = (apart + touching) / 2
        if tumble.collides(animal, animal, below, compose(translation(0, 0, middle), above)):
            touching = middle
        else:
            apart = middle
    before = 0.0
    for k in range(1, 40):
        found = ask(animal, animal, below, compose(translation(0, 0, touching - 2e-4 * k), above))
        assert found.depths.max() > 0.6 * before
        before = found.depths.max()
