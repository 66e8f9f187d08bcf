"""Which corners of a body touch a plane, and which eight are kept of many."""

import numpy as np
import pytest

import tumble
from tumble import shapes
from tumble.dynamics import World
from tumble.dynamics.hull import hull_vertices
from tumble.dynamics.plane_contacts import plane_contacts
from tumble.mesh import random_pose


def contacts_with_planes(world):
    """Those of the next step."""
    time = world.time_step
    fall = time * np.linalg.norm(world.gravity)
    return plane_contacts(world.conditions, world.bodies, world.moving, time, fall)


def contacts_at(mesh, pose, normal=(0, 0, 1), offset=0.0, **options):
    world = World(**options)
    world.add_plane(normal, offset)
    world.add_body(mesh, pose)
    return contacts_with_planes(world)


def test_a_box_on_its_face_touches_with_four_corners():
    found = contacts_at(shapes.box(), tumble.translation(0, 0, 0.49))
    assert len(found.keys) == 4
    np.testing.assert_allclose(found.depths, 0.01)
    np.testing.assert_allclose(found.normals, [[0, 0, 1]] * 4)
    assert sorted(map(tuple, found.points.round(9)[:, :2])) == [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)]
    assert (found.body_b == -1).all()


def test_above_by_more_than_it_falls_it_does_not_touch():
    assert len(contacts_at(shapes.box(), tumble.translation(0, 0, 0.51)).keys) == 0
    assert len(contacts_at(shapes.box(), tumble.translation(0, 0, 0.5005)).keys) == 4


@pytest.mark.parametrize("seed", range(10))
def test_many_corners_are_reduced_to_eight_with_the_deepest(seed):
    rng = np.random.default_rng(seed)
    mesh, pose = shapes.icosphere(3), random_pose(rng, 0.3)
    normal = rng.standard_normal(3)
    found = contacts_at(mesh, pose, normal, 0.1 * np.linalg.norm(normal))
    heights = (mesh.vertices @ pose[:3, :3].T + pose[:3, 3]) @ (normal / np.linalg.norm(normal)) - 0.1
    assert 4 <= len(found.keys) <= 8
    assert found.depths.max() == pytest.approx(-heights.min())
    np.testing.assert_allclose(heights[found.keys], -found.depths, atol=1e-12)
    assert len(set(found.keys.tolist())) == len(found.keys)


def test_hulls_keep_what_a_plane_can_touch_first():
    mesh = shapes.knot()
    kept = mesh.vertices[hull_vertices(mesh)]
    assert len(kept) < len(mesh.vertices)
    for direction in np.random.default_rng(0).standard_normal((50, 3)):
        assert (kept @ direction).min() == pytest.approx((mesh.vertices @ direction).min(), abs=1e-12)


def test_two_planes_give_different_keys():
    world = World()
    world.add_plane((0, 0, 1), 0)
    world.add_plane((1, 0, 0), 0)
    world.add_body(shapes.box(), tumble.translation(0.5, 0, 0.5))
    found = contacts_with_planes(world)
    assert len(found.keys) == 8
    assert len(set(found.keys.tolist())) == 8
