"""The doors of the fast path tell plain poses from everything else; what they refuse is looked at in Python."""

from functools import cache

import numpy as np
import pytest

import tumble
from tumble.core.interrupts import COUNTED
from tumble.mesh import compose, rotation, shapes, translation
from tumble.traversal.packed.query import REFUSED, all_pairs, first_hit

KNOT = shapes.knot(segments=40, sides=6)
IDENTITY = np.eye(4)
POSE = np.ascontiguousarray(compose(translation(1.0, 0.2, 0.0), rotation("z", 0.4)))


@cache
def expected_pairs():
    return tumble.collide(KNOT, KNOT, None, POSE).pairs


class Labelled(np.ndarray):
    """An array of another class."""


def ask(pose, header=None):
    expected_pairs()  # with a tree
    header = KNOT._packed_header if header is None else header
    return first_hit(header, KNOT._packed_header, pose, None, IDENTITY, None)


STRANGE = {
    "a list": POSE.tolist(),
    "Fortran order": np.asfortranarray(POSE),
    "another byte order": POSE.astype(">f8"),
    "a subclass": POSE.view(Labelled),
    "a view with gaps": np.repeat(POSE, 2, axis=1)[:, ::2],
    "extended precision": POSE.astype(np.longdouble),
}


@pytest.mark.parametrize("kind", STRANGE)
def test_strange_poses_are_refused_by_the_door_and_answered_all_the_same(kind):
    assert ask(POSE) == 1
    assert ask(STRANGE[kind]) == REFUSED
    np.testing.assert_array_equal(tumble.collide(KNOT, KNOT, None, STRANGE[kind]).pairs, expected_pairs())
    assert tumble.collides(KNOT, KNOT, None, STRANGE[kind])


@pytest.mark.parametrize(
    "pose", [0, "pose", np.eye(3), np.eye(4)[:3], np.zeros(16), np.eye(4, dtype=np.int64), np.float64(1.0), object()]
)
def test_what_is_no_pose_is_refused_by_the_door(pose):
    assert ask(pose) == REFUSED
    if np.shape(pose) != (16,):  # which is what a header looks like
        assert ask(None, header=pose) == REFUSED


def test_a_mesh_without_its_tree_is_refused_by_the_door_and_answered_all_the_same():
    mesh = tumble.Mesh(KNOT.vertices, KNOT.faces)
    assert first_hit(mesh._packed_header, KNOT._packed_header, POSE, None, IDENTITY, None) == REFUSED
    np.testing.assert_array_equal(tumble.collide(mesh, KNOT, None, POSE).pairs, expected_pairs())


def test_an_integer_pose_is_taken_for_what_it_says():
    turned = np.array([[0, -1, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    expected = tumble.collide(KNOT, KNOT, None, turned.astype(float)).pairs
    np.testing.assert_array_equal(tumble.collide(KNOT, KNOT, None, turned).pairs, expected)


def test_a_full_buffer_goes_on_counting():
    small = np.empty(COUNTED + 3, np.int64)
    assert (
        all_pairs(KNOT._packed_header, KNOT._packed_header, None, POSE, IDENTITY, None, small)
        == len(expected_pairs())
        > 3
    )
