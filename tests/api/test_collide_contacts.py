"""`collide(contacts=True)`: rows for the pairs, whatever the method, tree or form of the input."""

import numpy as np
import pytest

import tumble
from triangle_distance import distances
from tumble.mesh import apply_pose, as_pose, compose, random_pose, rotation, translation

A, B = tumble.shapes.torus(1.0, 0.4, 24, 12), tumble.shapes.icosphere(2)
POSE_A, POSE_B = random_pose(1, 0.2), compose(translation(0.9, 0.3, 0.1), random_pose(2, 0.1))


def arrays(contacts):
    return contacts.segments, contacts.points, contacts.normals, contacts.depths


def test_none_unless_asked_for():
    assert tumble.collide(A, B, POSE_A, POSE_B).contacts is None


def test_rows_belong_to_the_pairs_and_lie_in_the_world():
    collision = tumble.collide(A, B, POSE_A, POSE_B, contacts=True)
    contacts = collision.contacts
    assert len(contacts) == len(collision) > 50
    np.testing.assert_array_equal(collision.pairs, tumble.collide(A, B, POSE_A, POSE_B).pairs)
    for mesh, pose, column in ((A, POSE_A, 0), (B, POSE_B, 1)):
        triangles = apply_pose(as_pose(pose), mesh.vertices)[mesh.faces[collision.pairs[:, column]]]
        for points in (contacts.segments[:, 0], contacts.segments[:, 1], contacts.points):
            assert distances(points, triangles).max() < 1e-12
    np.testing.assert_allclose(contacts.points, contacts.segments.mean(axis=1), atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(contacts.normals, axis=1), 1, atol=1e-12)
    assert (contacts.depths >= 0).all()


@pytest.mark.parametrize("method", ["brute", "stack", "stackless"])
def test_every_method_gives_the_same(method):
    one = tumble.collide(A, B, POSE_A, POSE_B, contacts=True)
    other = tumble.collide(A, B, POSE_A, POSE_B, method=method, contacts=True, stats=True)
    assert other.stats is not None
    for left, right in zip(arrays(one.contacts), arrays(other.contacts), strict=True):
        np.testing.assert_array_equal(left, right)


def test_trees_boxtrees_and_arrays_as_input():
    one = arrays(tumble.collide(A, B, POSE_A, POSE_B, contacts=True).contacts)
    inputs = [
        (tumble.build(A), tumble.build(B)),
        (tumble.build(A, volume="boxtree"), tumble.build(B, volume="boxtree")),
        ((A.vertices, A.faces), (B.vertices, B.faces)),
    ]
    for a, b in inputs:
        other = arrays(tumble.collide(a, b, POSE_A.tolist(), POSE_B, contacts=True).contacts)
        for left, right in zip(one, other, strict=True):
            np.testing.assert_array_equal(left, right)


def test_changing_places_turns_the_normals():
    one, other = (
        tumble.collide(A, B, POSE_A, POSE_B, contacts=True),
        tumble.collide(B, A, POSE_B, POSE_A, contacts=True),
    )
    order = np.lexsort(one.pairs.T)
    np.testing.assert_array_equal(one.pairs[order][:, ::-1], other.pairs)
    np.testing.assert_array_equal(one.contacts.normals[order], -other.contacts.normals)
    np.testing.assert_array_equal(one.contacts.depths[order], other.contacts.depths)


def test_a_box_on_a_box_goes_up():
    small, large = tumble.shapes.box(1.0), tumble.shapes.box(3.0)
    contacts = tumble.collide(small, large, translation(0.25, 0.125, 1.99), contacts=True).contacts
    np.testing.assert_allclose(contacts.normals, np.tile([0, 0, 1], (len(contacts), 1)), atol=1e-12)
    np.testing.assert_allclose(contacts.depths, 0.01, atol=1e-12)
    np.testing.assert_allclose(contacts.points[:, 2], 1.5, atol=1e-12)
    below = tumble.collide(small, large, compose(rotation("x", np.pi), translation(0.25, 0.125, 1.99)), contacts=True)
    np.testing.assert_allclose(below.contacts.normals, np.tile([0, 0, -1], (len(below), 1)), atol=1e-12)


def test_first_and_nothing():
    assert len(tumble.collide(A, B, POSE_A, POSE_B, first=True, contacts=True).contacts) == 1
    apart = tumble.collide(A, B, None, translation(9, 0, 0), contacts=True)
    assert not apart
    assert apart.contacts.segments.shape == (0, 2, 3)
    assert tumble.collide(A, B, None, translation(9, 0, 0)).contacts is None


def test_answers_cannot_be_written_into():
    for array in arrays(tumble.collide(A, B, POSE_A, POSE_B, contacts=True).contacts):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
