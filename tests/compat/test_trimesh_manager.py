"""Tumble's CollisionManager answers as trimesh's does, wherever FCL is right."""

import inspect
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
import trimesh
import trimesh.collision

import tumble
from tumble.compat.trimesh import CollisionManager, ContactData, DistanceData
from tumble.errors import InputError, MeshError, PoseError

BALL = trimesh.creation.icosphere(2)
RING = trimesh.creation.annulus(1.0, 2.0, 1.0)
BAR = trimesh.creation.box((8.0, 0.3, 0.3))
CUBE = trimesh.creation.box((1.0, 1.0, 1.0))
SHAPES = {"ball": BALL, "ring": RING, "bar": BAR}


def at(x, y=0.0, z=0.0):
    return tumble.translation(x, y, z)


def managers():
    """Tumble's and trimesh's, empty."""
    pytest.importorskip("fcl")
    from trimesh.collision import CollisionManager as TrimeshManager

    return CollisionManager(), TrimeshManager()


def filled(manager, seed=1, count=12):
    rng = np.random.default_rng(seed)
    for k in range(count):
        pose = tumble.mesh.random_pose(rng, 4.0).astype(np.float32).astype(np.float64)
        name = f"{7 * k % 12:02}"  # neither in alphabetical order nor in its reverse
        manager.add_object(name, list(SHAPES.values())[k % 3], pose)
    return manager


def test_signatures_are_those_of_trimesh():
    from trimesh.collision import CollisionManager as TrimeshManager
    from trimesh.collision import ContactData as TrimeshContact
    from trimesh.collision import DistanceData as TrimeshDistance

    kinds = (TrimeshManager, CollisionManager), (TrimeshContact, ContactData), (TrimeshDistance, DistanceData)
    for theirs, ours in kinds:
        for name, method in vars(theirs).items():
            if name.startswith("_"):
                continue
            assert hasattr(ours, name), name
            if inspect.isfunction(method):
                parameters = inspect.signature(method).parameters.values()
                own = inspect.signature(getattr(ours, name)).parameters.values()
                assert [(p.name, p.default) for p in own] == [(p.name, p.default) for p in parameters]


@pytest.mark.parametrize("seed", range(4))
def test_internal(seed):
    ours, theirs = (filled(manager, seed) for manager in managers())
    assert ours.in_collision_internal() is theirs.in_collision_internal() is True
    found, names = ours.in_collision_internal(return_names=True)
    assert (found, names) == theirs.in_collision_internal(return_names=True)
    assert 3 <= len(names) < 60
    assert all(isinstance(pair, tuple) and list(pair) == sorted(pair) for pair in names)
    found, contacts = ours.in_collision_internal(return_data=True)
    assert {tuple(sorted(contact.names)) for contact in contacts} == names
    assert ours.in_collision_internal(True, True)[:2] == (True, names)
    assert len(ours.in_collision_internal(True, True)[2]) == len(contacts)


@pytest.mark.parametrize("seed", range(4))
def test_single(seed):
    ours, theirs = (filled(manager, seed) for manager in managers())
    for mesh in SHAPES.values():
        for pose in (None, tumble.rotation("y", 0.7)):
            assert ours.in_collision_single(mesh, pose) is theirs.in_collision_single(mesh, pose)
            found, names = ours.in_collision_single(mesh, pose, return_names=True)
            assert (found, names) == theirs.in_collision_single(mesh, pose, return_names=True)
            found, again, contacts = ours.in_collision_single(mesh, pose, True, True)
            assert again == names
            assert {frozenset(contact.names) for contact in contacts} == {
                frozenset((name, "__external")) for name in names
            }


@pytest.mark.parametrize("seed", range(4))
def test_other(seed):
    ours, theirs = (filled(manager, seed, 6) for manager in managers())
    others = [filled(manager, seed + 100, 7) for manager in managers()]
    assert ours.in_collision_other(others[0]) is theirs.in_collision_other(others[1]) is True
    found, names = ours.in_collision_other(others[0], return_names=True)
    assert (found, names) == theirs.in_collision_other(others[1], return_names=True)
    contacts = ours.in_collision_other(others[0], return_data=True)[1]
    assert {frozenset(contact.names) for contact in contacts} == {frozenset(pair) for pair in names}


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
    manager = CollisionManager()
    manager.add_object("a", BALL)
    manager.add_object("b", BALL, at(1.5))
    expected = manager.in_collision_internal(return_data=True)[1]
    search = tumble.Scene.collisions

    def search_then_move(scene, **options):
        found = search(scene, **options)
        manager.set_transform("b", at(1.7))
        return found

    monkeypatch.setattr(tumble.Scene, "collisions", search_then_move)
    found = manager.in_collision_internal(return_data=True)[1]
    np.testing.assert_array_equal([c.point for c in found], [c.point for c in expected])


def test_a_life_of_objects():
    ours, theirs = managers()
    for manager in (ours, theirs):
        manager.add_object("a", BALL)
        manager.add_object("b", BALL, at(1.5))
        manager.add_object("c", BALL, at(8))
        assert manager.in_collision_internal(return_names=True) == (True, {("a", "b")})
        manager.set_transform("c", at(3.0))
        assert manager.in_collision_internal(return_names=True)[1] == {("a", "b"), ("b", "c")}
        manager.remove_object("a")
        assert manager.in_collision_internal(return_names=True)[1] == {("b", "c")}
        manager.set_transform("b", at(-9))
        assert manager.in_collision_internal() is False
        assert manager.in_collision_internal(True) == (False, set())
        assert manager.in_collision_internal(True, True) == (False, set(), [])
        assert manager.in_collision_single(BALL, at(0, 5), True, True) == (False, set(), [])
        for call in (lambda m: m.remove_object("a"), lambda m: m.set_transform("a", at(0))):
            with pytest.raises(ValueError, match=r"a.? not in collision manager!"):
                call(manager)


def test_an_object_is_replaced():
    manager = CollisionManager()
    manager.add_object("a", BALL)
    manager.add_object("b", BALL, at(1))
    manager.add_object("a", BALL, at(20))
    assert manager.in_collision_internal() is False
    assert manager.in_collision_single(BALL, at(20), return_names=True) == (True, {"a"})
    for wrong in ({"mesh": 7}, {"transform": np.eye(3)}):
        with pytest.raises((MeshError, PoseError)):
            manager.add_object("a", **{"mesh": BALL, "transform": None, **wrong})
    assert manager.in_collision_single(BALL, at(20), return_names=True) == (True, {"a"})


def test_any_hashable_is_a_name():
    manager = CollisionManager()
    for name in (7, "7", ("arm", 3)):
        manager.add_object(name, BALL)
    assert manager.in_collision_single(BALL, at(0.5), return_names=True) == (True, {7, "7", ("arm", 3)})
    manager.remove_object(7)
    manager.set_transform(("arm", 3), at(50))
    manager.add_object(9, BALL, at(50))
    assert manager.in_collision_single(BALL, return_names=True) == (True, {"7"})


def test_transforms_stay_float64():
    """2**-40 beyond a face is apart, and on it is touching: float32 could not tell."""
    box = trimesh.creation.box()
    for gap, touches in ((0.0, True), (2.0**-40, False)):
        manager = CollisionManager()
        manager.add_object("a", box, at(1024))
        assert manager.in_collision_single(box, at(1025 + gap)) is touches
        manager.add_object("b", box, at(1025 + gap))
        assert manager.in_collision_internal() is touches


def test_only_surfaces_count():
    manager = CollisionManager()
    manager.add_object("box", trimesh.creation.box((9, 9, 9)))
    assert manager.in_collision_single(BALL) is False


def test_a_manager_and_itself():
    manager = CollisionManager()
    manager.add_object("a", BALL)
    manager.add_object("b", BALL, at(9))
    assert manager.in_collision_other(manager, return_names=True) == (True, {("a", "a"), ("b", "b")})
    with pytest.raises(InputError, match="CollisionManager"):
        manager.in_collision_other(None)


def kinds():
    """Tumble's class of managers, and trimesh's where FCL is there."""
    try:
        import fcl  # noqa: F401
    except ImportError:
        return [CollisionManager]
    return [CollisionManager, trimesh.collision.CollisionManager]


def cubes(manager, *places):
    for k, place in enumerate(places):
        manager.add_object(f"cube{k}", CUBE, at(place))
    return manager


def test_distances_of_trimesh_s_own_cases():
    """Cubes shifted by 5, -5, 2 …: what trimesh tests of its own manager, and what trimesh says where FCL is there."""
    for kind in kinds():
        manager = cubes(kind(), 0, 5)
        assert manager.min_distance_internal() == pytest.approx(4.0)
        assert manager.min_distance_internal(return_names=True) == (pytest.approx(4.0), ("cube0", "cube1"))
        assert manager.min_distance_internal(name="cube1", return_names=True)[1] == ("cube0", "cube1")
        manager.set_transform("cube0", at(2))
        assert manager.min_distance_internal() == pytest.approx(2.0)
        manager.set_transform("cube0", at(-5))
        assert manager.min_distance_internal() == pytest.approx(9.0)
        manager.set_transform("cube0", at(0))
        assert manager.min_distance_single(CUBE, at(12)) == pytest.approx(6.0)
        assert manager.min_distance_single(CUBE, at(-2), return_name=True) == (pytest.approx(1.0), "cube0")
        other = kind()
        other.add_object("far", CUBE, at(-7))
        other.add_object("near", CUBE, at(6.5))
        assert manager.min_distance_other(other) == pytest.approx(0.5)
        assert manager.min_distance_other(other, return_names=True) == (pytest.approx(0.5), ("cube1", "near"))


def test_distance_data():
    for kind in kinds():
        manager = cubes(kind(), 0, 5)
        distance, names, data = manager.min_distance_internal(return_names=True, return_data=True)
        assert (distance, names, data.names, data.distance) == (4.0, ("cube0", "cube1"), {"cube0", "cube1"}, 4.0)
        assert data.point("cube0")[0] == pytest.approx(0.5)
        assert data.point("cube1")[0] == pytest.approx(4.5)
        distance, name, data = manager.min_distance_single(CUBE, at(-3), return_name=True, return_data=True)
        assert (distance, name, data.names) == (2.0, "cube0", {"cube0", "__external"})
        assert data.point("__external")[0] == pytest.approx(-2.5)
        assert data.point("cube0")[0] == pytest.approx(-0.5)
        distance, data = manager.min_distance_single(CUBE, at(-3), return_data=True)
        assert data.distance == distance == 2.0
        distance, data = manager.min_distance_other(cubes(kind(), 7), return_data=True)
        assert (distance, data.names) == (1.0, {"cube1", "cube0"})
    ours = cubes(CollisionManager(), 0, 5).min_distance_internal(return_data=True)[1]
    face = CUBE.faces[ours.index("cube1")]
    assert (CUBE.vertices[face][:, 0] == -0.5).any()
    assert repr(ours).startswith("<DistanceData of {'cube0': ")


def test_distances_where_there_is_nothing_to_compare():
    manager = CollisionManager()
    assert manager.min_distance_internal() == math.inf
    assert manager.min_distance_single(CUBE, return_name=True) == (math.inf, None)
    assert manager.min_distance_other(CollisionManager(), return_names=True) == (math.inf, (None, None))
    data = manager.min_distance_single(CUBE, return_data=True)[1]
    assert data.distance == math.inf
    cubes(manager, 0)
    assert manager.min_distance_internal(return_names=True) == (math.inf, (None, None))
    with pytest.raises(InputError, match="not in collision manager"):
        manager.min_distance_internal(name="else")
    with pytest.raises(InputError, match="CollisionManager"):
        manager.min_distance_other(None)


def test_the_distance_of_touching_objects_is_zero():
    manager = cubes(CollisionManager(), 0, 0.5)
    distance, data = manager.min_distance_internal(return_data=True)
    assert distance == 0.0
    np.testing.assert_array_equal(data.point("cube0"), data.point("cube1"))
    assert manager.min_distance_other(manager) == 0.0


def test_a_manager_pickles():
    manager = filled(CollisionManager())
    again = pickle.loads(pickle.dumps(manager))
    assert again.in_collision_internal(True) == manager.in_collision_internal(True)


TRIMESH_AFTER_IT = """
import trimesh
assert trimesh.__name__ == "trimesh" and hasattr(trimesh, "Trimesh")
"""


@pytest.mark.parametrize("then", ["", pytest.param(TRIMESH_AFTER_IT, marks=pytest.mark.slow)], ids=["", "trimesh"])
def test_importing_does_not_import_trimesh_nor_hide_it(then):
    code = """
import importlib, sys
for module in ("tumble", "tumble.compat.trimesh"):
    importlib.import_module(module)
    assert "trimesh" not in sys.modules, module
    assert "numba" not in sys.modules, module
"""
    subprocess.run([sys.executable, "-c", code + then], check=True, timeout=120)
