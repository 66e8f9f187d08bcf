"""What Tumble's CollisionManager says about contacts, beside what trimesh's says."""

import numpy as np
import pytest
import trimesh
from trimesh_managers import BALL, CUBE, RING, at, managers

import tumble
from tumble.compat.trimesh import CollisionManager


def test_faces_are_those_that_trimesh_names():
    """Two rings through each other, neither of them convex: then FCL tests triangles, as Tumble does."""
    ours, theirs = managers()
    for manager in (ours, theirs):
        manager.add_object("one", RING)
        manager.add_object("two", RING, tumble.rotation("x", 1.2) @ at(1.4, 0.1, 0.05))

    def faces(manager):
        contacts = manager.in_collision_internal(return_data=True)[1]
        return {(contact.index("one"), contact.index("two")) for contact in contacts}

    assert faces(ours) == faces(theirs)
    assert len(faces(ours)) > 5


def test_faces_belong_to_the_names():
    manager = CollisionManager()
    manager.add_object("ring", RING, at(1, 2, 3))
    pose = at(2.3, 2, 3)
    found = {(i, j) for i, j in tumble.collide(RING, BALL, at(1, 2, 3), pose).pairs.tolist()}
    assert len(found) > 3
    contacts = manager.in_collision_single(BALL, pose, return_data=True)[1]
    assert {(contact.index("ring"), contact.index("__external")) for contact in contacts} == found
    other = CollisionManager()
    other.add_object("ball", BALL, pose)
    for contacts in (
        manager.in_collision_other(other, return_data=True)[1],
        other.in_collision_other(manager, return_data=True)[1],
    ):
        assert {(contact.index("ring"), contact.index("ball")) for contact in contacts} == found
    with pytest.raises(KeyError):
        contacts[0].index("bar")


def beside_something_far_away(mesh):
    """The mesh as part of one that is not convex, its faces first: FCL then tests triangles, as Tumble does."""
    far = trimesh.creation.box((0.1, 0.1, 0.1), tumble.translation(0, 0, 90))
    return trimesh.util.concatenate([mesh, far])


def contacts_of(ask, manager_class, mesh, pose):
    """The contacts of a mesh, called "a", with itself in another place, called `second`; and that name."""
    manager, other = manager_class(), manager_class()
    manager.add_object("a", mesh)
    if ask == "single":
        return manager.in_collision_single(mesh, pose, return_data=True)[1], "__external"
    if ask == "other":
        other.add_object("b", mesh, pose)
        return manager.in_collision_other(other, return_data=True)[1], "b"
    manager.add_object("b", mesh, pose)
    return manager.in_collision_internal(return_data=True)[1], "b"


def from_a(contact):
    """The normal of trimesh's contact turned to point away from "a": FCL may take either object as its first."""
    return contact.normal if next(iter(contact._inds)) == "a" else -contact.normal


@pytest.mark.parametrize("ask", ["single", "other", "internal"])
@pytest.mark.parametrize("shape, pose", [("ball", at(1.9, 0.03, 0.02)), ("box", at(1.0, 0.1, 0.2))])
def test_contact_geometry_beside_that_of_trimesh(ask, shape, pose):
    """FCL tries the normals of both faces, Tumble also cross products of edges: its ways out are never longer."""
    ours, theirs = managers()
    mesh = beside_something_far_away({"ball": BALL, "box": trimesh.creation.box()}[shape])
    found, second = contacts_of(ask, type(ours), mesh, pose)
    expected = {}
    for contact in contacts_of(ask, type(theirs), mesh, pose)[0]:
        expected.setdefault((contact.index("a"), contact.index(second)), contact)
    assert {(contact.index("a"), contact.index(second)) for contact in found} == expected.keys()
    assert len(found) == len(expected) > 10
    alike = 0
    for contact in found:
        other = expected[contact.index("a"), contact.index(second)]
        for name in ("point", "normal", "depth"):
            assert type(getattr(contact, name)) is type(getattr(other, name))
        assert contact.point.shape == contact.normal.shape == (3,)
        agreement = contact.normal @ from_a(other)
        assert agreement > (-1e-9 if contact.depth < other.depth - 1e-6 else 0.5)
        assert contact.depth <= other.depth + 1e-6  # trimesh's transforms are float32
        if agreement > 1 - 1e-9:
            assert contact.depth == pytest.approx(other.depth, abs=1e-6)
            alike += 1
    assert alike >= 5


@pytest.mark.parametrize("ask", ["single", "other", "internal"])
def test_normals_have_the_direction_of_trimesh_for_convex_meshes(ask):
    """There FCL gives one contact for the two bodies: from the first to the second, as long as they overlap."""
    ours, theirs = managers()
    box, pose = trimesh.creation.box(), at(0.9, 0.125, 0.25)
    (contact,) = contacts_of(ask, type(theirs), box, pose)[0]
    np.testing.assert_allclose(from_a(contact), [1, 0, 0], atol=1e-6)
    sideways = [own for own in contacts_of(ask, type(ours), box, pose)[0] if abs(own.normal[0]) > 0.99]
    assert len(sideways) >= 4
    for own in sideways:
        np.testing.assert_allclose(own.normal, [1, 0, 0], atol=1e-9)
        assert own.depth == pytest.approx(contact.depth, abs=1e-6)


@pytest.mark.parametrize("ask", ["single", "other", "internal"])
def test_contacts_tell_the_way_out(ask):
    """The point is on both triangles; the second, moved by depth × normal and a little more, is free of the first."""
    pose = tumble.rotation("x", 1.2) @ at(1.4, 0.1, 0.05)
    contacts, second = contacts_of(ask, CollisionManager, RING, pose)
    assert len(contacts) > 5
    moved = trimesh.transform_points(RING.vertices, pose)
    for contact in contacts:
        i, j = contact.index("a"), contact.index(second)
        first, other = RING.vertices[RING.faces[i]], moved[RING.faces[j]]
        nearest = trimesh.triangles.closest_point(np.stack([first, other]), np.stack([contact.point] * 2))
        np.testing.assert_allclose(nearest, [contact.point] * 2, atol=1e-9)
        assert np.linalg.norm(contact.normal) == pytest.approx(1.0)
        way = at(*(contact.depth + 1e-9) * contact.normal)
        one, two = (first, [[0, 1, 2]]), (other, [[0, 1, 2]])
        assert tumble.collides(one, two) is True
        assert tumble.collides(one, two, pose_b=way) is False


def test_contacts_own_their_numbers():
    contacts, _ = contacts_of("internal", CollisionManager, BALL, at(1.5))
    before = [contact.point.copy() for contact in contacts]
    contacts[0].point[:] = 0
    contacts[0].normal[:] = 0
    np.testing.assert_array_equal([contact.point for contact in contacts[1:]], before[1:])


def test_contacts_are_those_of_the_moment_of_the_question(monkeypatch):
    """Another thread may move objects between the search for touching pairs and the computation of contacts."""
    from tumble.scene import solids

    manager = CollisionManager()
    manager.add_object("a", BALL)
    manager.add_object("b", BALL, at(1.5))
    manager.add_object("c", CUBE, at(0.1))
    expected = manager.in_collision_internal(return_data=True)[1]
    search = solids.colliding

    def search_then_move(*arguments):
        found = search(*arguments)
        manager.set_transform("b", at(1.7))
        manager.set_transform("c", at(9))
        return found

    monkeypatch.setattr(solids, "colliding", search_then_move)
    found = manager.in_collision_internal(return_data=True)[1]
    np.testing.assert_array_equal([c.point for c in found], [c.point for c in expected])
    assert found[-1].names == {"a", "c"}
