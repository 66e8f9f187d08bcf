"""`distance(…, signed=True)` and `distance_many`: minus where solids meet though their surfaces do not."""

import math

import numpy as np
import pytest

import tumble
from solid_forms import BOX, FORMS, HOLLOW, SMALL, box, inverted, joined, moved, soup
from tumble import Mesh, MeshError, OptionError, shapes, translation
from tumble.api import distance_sign
from tumble.mesh import random_pose

OPEN = Mesh(BOX.vertices, BOX.faces[1:])


def both_ways(a, b, pose_a=None, pose_b=None, **options):
    """The signed distance: the same the other way round and by another method; that of surfaces but for the sign."""
    found = tumble.distance(a, b, pose_a, pose_b, signed=True, **options)
    plain = tumble.distance(a, b, pose_a, pose_b, **options)
    assert abs(found.distance) == plain.distance
    assert found.pair == plain.pair
    np.testing.assert_array_equal(found.points, plain.points)
    assert tumble.distance(b, a, pose_b, pose_a, signed=True, **options).distance == found.distance
    assert tumble.distance(a, b, pose_a, pose_b, signed=True, method="stack", **options).distance == found.distance
    return found.distance


def test_concentric_boxes():
    assert both_ways(BOX, SMALL) == -0.5
    assert both_ways(BOX, SMALL, None, translation(0.25, 0.0, 0.0)) == -0.25
    assert both_ways(BOX, SMALL, None, translation(0.5, 0.0, 0.0)) == 0.0  # touches from within
    assert both_ways(BOX, SMALL, None, translation(1.0, 0.0, 0.0)) == 0.0  # crosses
    assert both_ways(BOX, SMALL, None, translation(1.5, 0.0, 0.0)) == 0.0  # touches from outside
    assert both_ways(BOX, SMALL, None, translation(2.0, 0.0, 0.0)) == 0.5
    turned = random_pose(np.random.default_rng(1), 3.0)
    assert both_ways(BOX, SMALL, turned, turned) == pytest.approx(-0.5, abs=1e-14)
    assert both_ways(soup(inverted(BOX)), SMALL) == -0.5
    assert tumble.distance(tumble.build(BOX), (SMALL.vertices, SMALL.faces), signed=True).distance == -0.5


def test_a_cube_in_the_void_of_a_hollow_cube():
    hollow = joined(shapes.box(10.0), inverted(shapes.box(6.0)))
    assert both_ways(hollow, SMALL) == 2.5  # in the void
    assert both_ways(hollow, shapes.box(8.0)) == -1.0  # within the wall all around: it takes the void as well
    assert both_ways(hollow, SMALL, None, translation(4.0, 0.0, 0.0)) == -0.5  # in the wall
    assert both_ways(joined(shapes.box(10.0), shapes.box(6.0)), SMALL) == -2.5  # no void, if both face outward


def test_a_ball_in_the_tube_of_a_torus():
    ring, ball = shapes.torus(radius=2.0, tube=0.5, segments=240, sides=120), shapes.icosphere(3, radius=0.125)
    for angle in (0.0, 0.3, 2.0):
        centre = 2.0 * math.cos(angle), 2.0 * math.sin(angle), 0.0
        assert both_ways(ring, ball, None, translation(*centre)) == pytest.approx(-0.375, abs=2e-3)
        assert both_ways(ring, ball, None, translation(*(1.4 * x for x in centre))) == pytest.approx(0.175, abs=2e-3)
    assert both_ways(ring, ball) == pytest.approx(1.375, abs=2e-3)  # in the hole


def test_a_body_of_two_parts_one_of_which_is_buried():
    pair = joined(moved(SMALL, 0, 0, 0), moved(SMALL, 1.75, 0, 0))
    assert tumble.relation(BOX, pair).relation == "crossing"
    assert both_ways(BOX, pair) == -0.25


@pytest.mark.parametrize("name", FORMS)
def test_the_sign_is_that_of_the_relation(name):
    a, b, expected = FORMS[name]
    found = tumble.distance(a, b, signed=True).distance
    touching = tumble.collides(a, b)
    assert np.sign(found) == (0 if touching else 1 if expected == "apart" else -1)


def test_many_poses():
    poses = [translation(x, 0, 0) for x in (0, 0.25, 0.5, 1, 1.5, 2)]
    found = tumble.distance_many(BOX, SMALL, poses, signed=True)
    assert found.distances.tolist() == [-0.5, -0.25, 0.0, 0.0, 0.0, 0.5]
    assert not found.distances.flags.writeable
    plain = tumble.distance_many(BOX, SMALL, poses)
    assert plain.distances.tolist() == [0.5, 0.25, 0.0, 0.0, 0.0, 0.5]
    np.testing.assert_array_equal(found.pairs, plain.pairs)
    np.testing.assert_array_equal(found.points, plain.points)
    both = tumble.distance_many(SMALL, BOX, poses[::-1], poses, signed=True)
    assert both.distances.tolist() == [0.5, 0.0, 0.0, 0.0, 0.0, 0.5]
    assert tumble.distance_many(SMALL, HOLLOW, poses[:1], signed=True).distances[0] > 0.0
    assert len(tumble.distance_many(BOX, SMALL, np.empty((0, 4, 4)), signed=True)) == 0


def test_beyond_the_upper_bound_the_sign_stays():
    assert tumble.distance(BOX, SMALL, upper_bound=0.25, signed=True).distance == -math.inf
    assert tumble.distance(BOX, SMALL, None, translation(9, 0, 0), upper_bound=0.25, signed=True).distance == math.inf
    assert both_ways(BOX, SMALL, upper_bound=0.5) == -0.5
    many = tumble.distance_many(BOX, SMALL, [np.eye(4), translation(9, 0, 0)], upper_bound=0.25, signed=True)
    assert many.distances.tolist() == [-math.inf, math.inf]
    assert many.pairs.tolist() == [[-1, -1], [-1, -1]]


def test_an_empty_mesh_is_infinitely_far():
    empty = Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    assert tumble.distance(BOX, empty, signed=True).distance == math.inf
    assert tumble.distance_many(empty, BOX, [np.eye(4)], signed=True).distances.tolist() == [math.inf]


def test_open_meshes_are_refused():
    said = "has 3 open edges .*, such as .* signed=True needs closed meshes.* leave it out"
    with pytest.raises(MeshError, match=f"mesh a {said}"):
        tumble.distance(OPEN, BOX, signed=True)
    with pytest.raises(MeshError, match=f"mesh b {said}"):
        tumble.distance(tumble.build(BOX), tumble.build(OPEN), signed=True)
    with pytest.raises(MeshError, match=f"mesh b {said}"):
        tumble.distance_many(BOX, OPEN, [np.eye(4)], signed=True)
    assert tumble.distance(OPEN, SMALL).distance == 0.5
    for wrong in (np.eye(2), np.empty((0, 4, 4))):
        with pytest.raises(OptionError, match="signed"):
            tumble.distance(BOX, BOX, signed=wrong)
        with pytest.raises(OptionError, match="signed"):
            tumble.distance_many(BOX, BOX, [np.eye(4)], signed=wrong)


def test_a_thin_wall_between():
    wall = box((1.0 + 1e-12, -3.0, -3.0), (2.0, 3.0, 3.0))
    assert both_ways(BOX, wall) == pytest.approx(1e-12, rel=1e-3)
    assert both_ways(joined(BOX, shapes.box(4.0)), SMALL) == -0.5


def test_where_no_ray_is_certain(monkeypatch):
    # outside counts as not known, so that exact arithmetic has to tell
    monkeypatch.setattr("tumble.traversal.rays.winding.UNSURE", 0)
    turned = random_pose(np.random.default_rng(2), 2.0)
    for a, b, expected in ((BOX, SMALL, -1), (SMALL, BOX, -1), (SMALL, HOLLOW, 1), (BOX, moved(BOX, 9, 0, 0), 1)):
        assert np.sign(tumble.distance(a, b, signed=True).distance) == expected
        assert np.sign(tumble.distance(a, b, turned, turned.tolist(), signed=True).distance) == expected
        assert np.sign(tumble.distance_many(a, b, [turned], turned, signed=True).distances).tolist() == [expected]


def test_a_second_question_goes_straight_into_the_kernel(monkeypatch):
    a, b = Mesh(BOX.vertices, BOX.faces), Mesh(SMALL.vertices, SMALL.faces)
    assert tumble.distance(a, b, signed=True).distance == -0.5
    monkeypatch.setattr("tumble.api.distance._carefully", None)
    assert tumble.distance(a, b, signed=True).distance == -0.5
    assert tumble.distance(b, a, None, np.eye(4), signed=True).distance == -0.5
    assert tumble.distance(a, b, None, translation(2.0, 0.0, 0.0), signed=True).distance == 0.5
    assert tumble.distance(a, b, upper_bound=0.25, signed=True).distance == -math.inf


def test_the_distance_of_surfaces_is_known_before_the_sign():
    a, b = Mesh(BOX.vertices, BOX.faces), Mesh(SMALL.vertices, SMALL.faces)
    assert tumble.distance(a, b).distance == 0.5
    assert tumble.distance(a, b, signed=True).distance == -0.5
    assert tumble.distance(a, b).distance == 0.5


def test_vertices_too_far_away_for_their_coordinates(monkeypatch):
    # posed, they are beyond what kernels take: exact arithmetic has to tell
    asked = []
    exactly = distance_sign._exactly
    monkeypatch.setattr(distance_sign, "_exactly", lambda *given: asked.append(given) or exactly(*given))
    block, void = (Mesh(size * shapes.box().vertices, shapes.box().faces) for size in (1.8e100, 1.7e100))
    far = translation(9e99, 0.0, 0.0)
    pin = moved(shapes.box(1e98), 8e99, 0.0, 0.0)
    found = tumble.distance(block, pin, far, far.tolist(), signed=True)
    assert found.distance == -tumble.distance(block, pin, far, far).distance < 0.0
    assert tumble.distance(pin, block, far, far, upper_bound=1.0, signed=True).distance == -math.inf
    many = tumble.distance_many(block, pin, [far, far], far, signed=True)
    assert many.distances.tolist() == [found.distance] * 2
    assert len(asked) == 4
    ring = joined(block, inverted(void))  # the pin is in its void
    assert tumble.distance(ring, moved(pin, -1e99, 0.0, 0.0), far, far, signed=True).distance > 0.0
    assert len(asked) == 5


def test_poses_of_many_threads_have_their_own_signs():
    poses = [translation(x, 0.0, 0.0) for x in np.linspace(0.0, 2.5, 200)]
    found = tumble.distance_many(BOX, SMALL, poses, signed=True, threads=4).distances
    one_by_one = [tumble.distance(BOX, SMALL, None, pose, signed=True).distance for pose in poses]
    assert found.tolist() == one_by_one
    assert {-1.0, 0.0, 1.0} == set(np.sign(found))
