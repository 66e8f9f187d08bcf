"""The box of a posed body contains every posed vertex, to the last bit, and is no larger than it has to be."""

import numpy as np
import pytest

import tumble
from covering import crossed
from tumble.mesh import Mesh, apply_pose, as_pose, random_pose
from tumble.scene import Scene


def world_box(mesh, pose):
    scene = Scene()
    scene.add("it", mesh, pose)
    return scene.bounds("it")


def posed_bounds(mesh, pose):
    points = apply_pose(as_pose(pose), mesh.vertices[np.unique(mesh.faces)])
    return np.stack((points.min(axis=0), points.max(axis=0)))


def assert_contains(box, bounds):
    assert (box[0] <= bounds[0]).all()
    assert (bounds[1] <= box[1]).all()


def soup(rng, scale, offset):
    vertices = rng.normal(size=(12, 3)) * scale + offset
    return Mesh(vertices, rng.integers(0, 12, (9, 3)))


@crossed(1, scale=[5e-324, 1e-310, 1e-160, 1e-3, 1.0, 1e90], far=[0.0, 1.0, 1e9, 1e14])
def test_every_posed_vertex_is_inside(scale, far):
    rng = np.random.default_rng(5)
    for seed in range(30):
        mesh = soup(rng, scale, min(scale * far, 1e98) * rng.normal(size=3))
        pose = random_pose(seed)
        pose[:3, 3] *= min(scale * rng.choice([0.0, 1.0, far]), 1e98)
        assert_contains(world_box(mesh, pose), posed_bounds(mesh, pose))


def test_poses_at_the_edge_of_rigidity():
    """A pose may stretch by what the tolerance allows; the ball around the body must allow for it."""
    rng = np.random.default_rng(6)
    for seed in range(200):
        direction = rng.normal(size=3)
        direction /= np.linalg.norm(direction)
        stretch = np.eye(3) + 4.9e-5 * np.outer(direction, direction)
        pose = random_pose(seed)
        pose[:3, :3] = pose[:3, :3] @ stretch
        needle = Mesh([direction, -direction, direction * 0.5], [[0, 1, 2]])
        assert_contains(world_box(needle, pose), posed_bounds(needle, pose))


def test_a_uniform_stretch_that_points_along_an_axis():
    """A vertex of a ball, turned onto the x axis and stretched: the ball's reach must cover it."""
    ball = tumble.shapes.icosphere(2)
    pose = np.eye(4)
    for vertex in ball.vertices[:40]:
        x = vertex / np.linalg.norm(vertex)
        y = np.cross(x, [0.3, -0.5, 0.8])
        y /= np.linalg.norm(y)
        pose[:3, :3] = (1 + 4.9e-5) * np.stack((x, y, np.cross(x, y)))
        assert_contains(world_box(ball, pose), posed_bounds(ball, pose))


def test_a_ball_so_far_away_that_rounding_counts():
    """Where neighbouring numbers are a hundredth of the radius apart, posed vertices leave the ball around the rest."""
    ball = tumble.shapes.icosphere(3)
    rng = np.random.default_rng(8)
    for seed in range(40):
        far = Mesh(ball.vertices + 6e13 * rng.normal(size=3), ball.faces)
        pose = random_pose(seed)
        pose[:3, 3] = -pose[:3, :3] @ far.bounds.mean(axis=0) if seed % 2 else 1e13 * rng.normal(size=3)
        assert_contains(world_box(far, pose), posed_bounds(far, pose))


@pytest.mark.parametrize("shift", [(0, 0, 0), (0.1, -7.3, 1e6), (1e-320, 1e100, -0.3)])
def test_bodies_that_are_not_turned_have_exact_bounds(shift):
    rng = np.random.default_rng(7)
    for scale in (1e-300, 1.0, 1e50):
        mesh = soup(rng, scale, 0.1)
        pose = tumble.translation(*shift)
        np.testing.assert_array_equal(world_box(mesh, pose), posed_bounds(mesh, pose))
    np.testing.assert_array_equal(world_box(mesh, None), mesh.bounds)


def test_a_turned_ball_is_not_a_turned_cube():
    ball = tumble.shapes.icosphere(3)
    for seed in range(20):
        box = world_box(ball, random_pose(seed, 100.0))
        assert (box[1] - box[0]).max() < 2.001


def test_a_quarter_turn_is_tight():
    box = world_box(tumble.shapes.box(), tumble.rotation("z", np.pi / 2))
    np.testing.assert_allclose(box, tumble.shapes.box().bounds, atol=1e-15)


def test_unused_vertices_do_not_count():
    ball = tumble.shapes.icosphere(2)
    stray = Mesh(np.vstack([ball.vertices, [[50.0, 0, 0]]]), ball.faces)
    for pose in (None, random_pose(1)):
        np.testing.assert_array_equal(world_box(stray, pose), world_box(ball, pose))


def test_an_empty_mesh_has_no_box():
    assert world_box(Mesh(np.empty((0, 3)), np.empty((0, 3), int)), random_pose(3)) is None


def test_a_point_is_its_own_box():
    point = Mesh([[1.0, 2.0, 3.0]], [[0, 0, 0]])
    np.testing.assert_array_equal(world_box(point, None), [[1, 2, 3]] * 2)
    pose = random_pose(4)
    np.testing.assert_array_equal(world_box(point, pose), posed_bounds(point, pose))
