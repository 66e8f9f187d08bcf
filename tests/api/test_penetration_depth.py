"""The shift of `tumble.penetration`: the smallest for convex bodies, one that parts them for all others."""

import numpy as np
import pytest

import tumble
from covering import sized
from solid_forms import BOX, HOLLOW, SMALL, box, joined, moved
from tumble import shapes, translation
from tumble.mesh import random_pose


def parted(a, b, found, pose_a=None, pose_b=None):
    """Whether the shift leaves two bodies apart or touching, as `relation` says."""
    pose = np.eye(4) if pose_b is None else pose_b
    return tumble.relation(a, b, pose_a, translation(*found.translation) @ pose).relation in ("apart", "touching")


def check(a, b, found, pose_a=None, pose_b=None):
    assert parted(a, b, found, pose_a, pose_b)
    assert np.linalg.norm(found.direction) == pytest.approx(1.0, abs=1e-14)
    np.testing.assert_allclose(
        found.translation, found.depth * found.direction, rtol=0, atol=1e-9 * found.depth + 1e-12
    )
    assert 0.0 <= found.least_depth <= found.depth


@pytest.mark.parametrize("shift", [(1.5, 0.25, 0), (-1.5, 0.25, 0), (0, 1.75, 0), (0.2, 0.1, -1.9)])
def test_boxes_part_along_the_axis_on_which_they_overlap_least(shift):
    found = tumble.penetration(BOX, BOX, None, translation(*shift))
    axis = int(np.argmax(np.abs(shift)))
    assert found.depth == pytest.approx(2 - abs(shift[axis]), rel=1e-14)
    expected = np.zeros(3)
    expected[axis] = np.sign(shift[axis])
    np.testing.assert_allclose(found.direction, expected, rtol=0, atol=1e-14)
    check(BOX, BOX, found, None, translation(*shift))


def test_boxes_turned_by_a_half_right_angle_part_along_edges():
    """Edge over edge: the smallest shift is along their cross product."""
    one = tumble.transformed(BOX, tumble.rotation("x", np.pi / 4))
    other = tumble.transformed(BOX, tumble.rotation("y", np.pi / 4))
    pose = translation(0, 0, 2 * np.sqrt(2) - 0.125)
    found = tumble.penetration(one, other, None, pose)
    assert found.depth == pytest.approx(0.125, rel=1e-12)
    np.testing.assert_allclose(found.direction, [0, 0, 1], rtol=0, atol=1e-12)
    assert found.least_depth == pytest.approx(found.depth, abs=1e-13)


@sized(4, 60)
def test_turned_boxes_move_the_shift_with_them(count):
    for seed in range(count):
        pose = random_pose(seed, 3.0)
        found = tumble.penetration(BOX, BOX, pose, pose @ translation(1.5, 0.25, 0.125))
        assert found.depth == pytest.approx(0.5, abs=1e-13)
        np.testing.assert_allclose(found.direction, pose[:3, 0], rtol=0, atol=1e-12)
        check(BOX, BOX, found, pose, pose @ translation(1.5, 0.25, 0.125))


def test_balls_are_as_deep_as_their_polyhedra():
    """Along an axis through two vertices of either ball, both of which are the farthest in that direction."""
    ball = shapes.icosphere(3)
    way = ball.vertices[0] / np.linalg.norm(ball.vertices[0])
    heights = np.array([way @ vertex for vertex in ball.vertices])
    pose = translation(*(1.25 * way))
    found = tumble.penetration(ball, ball, None, pose)
    assert found.depth <= heights.max() - heights.min() - 1.25 + 1e-13
    assert found.depth == pytest.approx(0.75, abs=0.01)
    assert found.least_depth == pytest.approx(found.depth, abs=1e-13)
    check(ball, ball, found, None, pose)


@pytest.mark.parametrize(
    ("a", "b", "most"),
    [
        (HOLLOW, moved(SMALL, 0.75, 0, 0), 0.25),  # from the wall back into the void
        (
            joined(box((-3, -1, -1), (3, 1, 0)), box((-3, -1, 0), (-2, 1, 2))),
            box((-1, -0.5, -0.125), (0, 0.5, 1)),
            0.125,
        ),
        (shapes.torus(1.0, 0.25, 32, 16), shapes.box((0.5, 0.5, 4.0)), 0.0),  # through the hole
        (shapes.torus(1.0, 0.25, 32, 16), moved(shapes.box((0.5, 0.5, 4.0)), 0.6, 0, 0), 0.15),
    ],
    ids=["into the void", "on a step", "hole", "hole touched"],
)
def test_bodies_that_are_not_convex_part_by_a_short_shift(a, b, most):
    found = tumble.penetration(a, b)
    assert found.depth <= most + 1e-9
    if most:
        check(a, b, found)
        assert found.least_depth == 0.0


@sized(3, 40)
@pytest.mark.parametrize("name", ["torus", "knot", "gear", "bowl"])
def test_every_shift_parts_the_bodies(name, count):
    mesh = getattr(shapes, name)()
    for seed in range(count):
        pose = random_pose(seed, 0.6)
        found = tumble.penetration(mesh, mesh, None, pose)
        if found:
            check(mesh, mesh, found, None, pose)


def test_a_closed_mesh_without_a_volume_comes_out_of_a_box():
    """A triangle with two sides: their crossings with the box cancel each other."""
    leaf = tumble.Mesh([(0.0, 0.0, 0.0), (0.5, 0.0, 3.0), (0.0, 0.25, 3.0)], [(0, 1, 2), (0, 2, 1)])
    found = tumble.penetration(BOX, leaf)
    assert (found.relation, found.volume) == ("crossing", 0.0)
    check(BOX, leaf, found)
    assert found.depth == pytest.approx(1.0)
    check(leaf, BOX, tumble.penetration(leaf, BOX))


def test_bodies_that_touch_or_are_apart_have_no_depth():
    for shift, relation in ((2.0, "touching"), (3.0, "apart")):
        found = tumble.penetration(BOX, BOX, None, translation(shift, 0, 0))
        assert (found.relation, found.depth, found.least_depth, found.volume) == (relation, 0.0, 0.0, 0.0)
        assert not found.translation.any()
        assert not found.direction.any()
        assert found.curves == []


def test_many_poses_and_scenes_say_the_same():
    poses = np.stack([translation(x, 0.25, 0) for x in (1.25, 1.5, 9.0)])
    single = [tumble.penetration(BOX, SMALL, None, pose) for pose in poses]
    for one, other in zip(single, tumble.penetration_many(BOX, SMALL, poses), strict=True):
        assert repr(one) == repr(other)
    scene = tumble.Scene()
    scene.add("block", BOX)
    for k, pose in enumerate(poses):
        scene.add(f"pin {k}", SMALL, pose)
    scene.add("buried", shapes.box(0.25))
    found = {(each.a, each.b): each for each in scene.penetrations()}
    assert ("block", "pin 0") in found
    assert found["block", "pin 1"].relation == "touching"
    assert ("block", "pin 2") not in found
    assert found["block", "buried"].relation == "b_inside_a"
    assert found["block", "buried"].volume == 0.25**3
    assert repr(single[1]).removeprefix("<Penetration") == repr(found["block", "pin 1"]).removeprefix(
        "<BodyPenetration"
    )
    assert np.isnan(scene.penetrations(depth=False)[0].depth)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [5e-324, 1e-322, 1e-310, 1e-200])
@pytest.mark.parametrize("shift", [0.0, 0.25])
def test_bodies_smaller_than_any_product_are_parted(size, shift):
    """The smallest of these bodies is one point at the origin."""
    a = tumble.Mesh(BOX.vertices * size, BOX.faces)
    for form in (BOX, HOLLOW):
        b = tumble.Mesh((form.vertices + shift) * size, form.faces)
        found = tumble.penetration(a, b)
        assert (found.depth > 0.0) == (found.relation not in ("apart", "touching"))
        assert parted(a, b, found)
