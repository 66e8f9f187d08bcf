"""How far one surface reaches into another body: closed forms, sampled points, and where it is not known."""

import numpy as np
import pytest

import tumble
from tumble.mesh import shapes, transformed, translation
from tumble.scenario.assembly import tube

MOST = 1.01
"""by the docs, the bound is at most one per cent above what was found"""


def local(a, b, **options):
    return tumble.penetration(a, b, depth=False, local_depth=True, **options).local


def within_a_percent(found, expected, size=100.0):
    """Whether the answer is at most the truth, and the truth at most the bound, up to rounding of the coordinates."""
    rounding = 2.0**-46 * size
    return found.depth - rounding <= expected <= found.bound + rounding


@pytest.mark.parametrize("overlap", [20.0, 0.5, 1e-4, 1e-7])
def test_flush_blocks_that_overlap_by_a_slab(overlap):
    a, b = shapes.box((100.0, 80.0, 60.0)), shapes.box((100.0, 80.0, 60.0))
    found = local(a, b, pose_b=translation(100.0 - overlap, 0.0, 0.0))
    assert within_a_percent(found, 100.0 - (100.0 - overlap))
    assert found.bound <= MOST * found.depth
    if overlap < 1.0:  # otherwise a point may be as near to the side of a block
        np.testing.assert_allclose(found.direction, [1.0, 0.0, 0.0], atol=1e-6)


def test_a_shaft_in_a_bore_is_as_deep_as_it_is_thicker():
    gear, shaft = tube(20.0, 3.0, 0.0, 8.0, 24), tube(3.03125, 1.0, -20.0, 20.0, 24)
    found = tumble.penetration(gear, shaft, local_depth=True)
    # corners of the bore are between parallel facets, and facets are nearer to each other than corners
    between = 0.03125 * np.cos(np.pi / 24)
    assert within_a_percent(found.local, between) or within_a_percent(found.local, 0.03125)
    assert found.local.bound <= 0.04
    assert found.depth > 1.0  # a shift that parts them is far longer


def test_a_ball_in_a_block_reaches_to_the_nearest_face():
    ball, block = shapes.icosphere(2, 1.0), shapes.box((10.0, 10.0, 10.0))
    found = local(ball, block, pose_a=translation(0.0, 0.0, 2.0))
    corners = np.asarray(ball.vertices) + np.array([0.0, 0.0, 2.0])
    deepest = (5.0 - np.abs(corners).max(axis=1)).max()
    assert found.depth <= deepest * (1 + 1e-12)
    assert found.bound >= deepest
    assert found.bound <= MOST * found.depth


def test_a_pin_through_a_plate():
    pin, plate = shapes.box((2.0, 2.0, 40.0)), shapes.box((30.0, 30.0, 6.0))
    # the top of the plate is up to 1 from a side of the pin, a side of the pin up to 3 from top and bottom
    assert within_a_percent(local(pin, plate), 3.0)
    assert within_a_percent(local(plate, pin), 3.0)


@pytest.mark.parametrize("seed", range(4))
def test_no_sampled_point_of_the_surface_is_deeper(seed):
    rng = np.random.default_rng(seed)
    a, b = shapes.torus(1.0, 0.4, 24, 12), shapes.icosphere(2, 0.7)
    pose = translation(*rng.uniform(-0.9, 0.9, 3))
    while not tumble.collides(a, b, pose_b=pose):
        pose = translation(*rng.uniform(-0.9, 0.9, 3))
    found = local(a, b, pose_b=pose)
    deepest = max(
        _deepest_sample(a, None, b, pose, rng),
        _deepest_sample(b, pose, a, None, rng),
    )
    assert deepest <= found.bound
    assert found.depth <= found.bound <= MOST * found.depth
    signed = [tumble.signed_distance(mesh, [found.point], at).distances[0] for mesh, at in ((a, None), (b, pose))]
    assert min(signed) == pytest.approx(-found.depth, rel=1e-9)
    assert max(signed) == pytest.approx(0.0, abs=1e-9)


def _deepest_sample(mesh, pose, solid, at, rng):
    vertices = np.asarray(transformed(mesh, np.eye(4) if pose is None else pose).vertices)
    corners = vertices[np.asarray(mesh.faces)[rng.integers(0, len(mesh), 4000)]]
    shares = rng.dirichlet([1.0, 1.0, 1.0], len(corners))
    points = (corners * shares[:, :, None]).sum(axis=1)
    return -tumble.signed_distance(solid, points, at).distances.min()


def test_apart_and_touching_are_not_deep():
    block = shapes.box((1.0, 1.0, 1.0))
    for shift in (1.0, 3.0):
        found = local(block, block, pose_b=translation(shift, 0.0, 0.0))
        assert (found.depth, found.bound) == (0.0, 0.0)
        assert np.isnan(found.point).all()


def test_equal_bodies_do_not_reach_into_each_other():
    ball = shapes.icosphere(3, 1.0)
    found = local(ball, ball)
    assert found.depth <= 1e-12
    assert found.bound <= 1e-12


def test_it_is_none_unless_asked_for_and_for_surfaces():
    block, sheet = shapes.box((1.0, 1.0, 1.0)), tumble.Mesh([[-2, -2, 0], [2, -2, 0], [0, 2, 0]], [[0, 1, 2]])
    assert tumble.penetration(block, block).local is None
    assert local(block, sheet, solid=None) is None


def test_scenes_say_it_too():
    scene = tumble.Scene()
    scene.add("a", shapes.box((10.0, 10.0, 10.0)))
    scene.add("b", shapes.box((10.0, 10.0, 10.0)), translation(9.0, 0.0, 0.0))
    (found,) = scene.penetrations(depth=False, local_depth=True)
    assert within_a_percent(found.local, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 60))
def test_no_sampled_point_is_deeper_in_many_places(seed):
    test_no_sampled_point_of_the_surface_is_deeper(seed)
