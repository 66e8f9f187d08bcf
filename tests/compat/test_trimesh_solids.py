"""What is inside a convex object collides with it, as trimesh's users know it."""

import numpy as np
import pytest
import trimesh
from trimesh_managers import BALL, CUBE, RING, at, kinds, managers

import tumble
from tumble import Mesh
from tumble.compat.trimesh import CollisionManager
from tumble.errors import OptionError
from tumble.mesh.convexity import is_convex

BLOCK = trimesh.creation.box((9.0, 9.0, 9.0))
WIDE_RING = trimesh.creation.annulus(5.0, 9.0, 9.0)
PAIR = trimesh.util.concatenate([CUBE, CUBE.copy().apply_translation((20, 0, 0))])
TURNED = CUBE.copy().apply_transform(tumble.rotation("x", 0.3) @ tumble.rotation("z", 1.1))
BURIED = {
    "box in box": (BLOCK, CUBE, at(1, 0.25, 0.5), True),
    "ball in box": (BLOCK, BALL, at(-1.5, 0.25, 0.5), True),
    "ring in box": (BLOCK, RING, at(1, 0.25, -0.5), True),
    "box around box": (CUBE, BLOCK, at(0.5, 0.25, 0), True),
    "a part of an object in a box": (BLOCK, PAIR, at(0.25, 0, 0), True),
    "ball in the wall of a ring": (WIDE_RING, BALL, at(7), False),
    "ring in the wall of a ring": (WIDE_RING, trimesh.creation.annulus(0.2, 0.4, 0.2), at(7), False),
    "beside": (BLOCK, BALL, at(6, 0, 0), False),
    "boxes overlap, bodies do not": (BALL, CUBE, at(1.1, 1.1, 1.1), False),
}


@pytest.mark.parametrize("name", BURIED)
def test_as_in_trimesh(name):
    """Names and answers of all three questions, of Tumble's manager and, where FCL is there, of trimesh's."""
    outer, inner, pose, expected = BURIED[name]
    for kind in kinds():
        manager, other = kind(), kind()
        manager.add_object("outer", outer)
        other.add_object("inner", inner, pose)
        assert manager.in_collision_single(inner, pose) is expected
        assert manager.in_collision_single(inner, pose, return_names=True)[1] == ({"outer"} if expected else set())
        assert manager.in_collision_other(other) is expected
        pair = {("outer", "inner")} if expected else set()
        assert manager.in_collision_other(other, return_names=True) == (expected, pair)
        distances = [manager.min_distance_single(inner, pose), manager.min_distance_other(other)]
        manager.add_object("inner", inner, pose)
        distances.append(manager.min_distance_internal())
        assert all(distance <= 0 if expected else distance > 0 for distance in distances)
        assert manager.in_collision_internal() is expected
        found, names, contacts = manager.in_collision_internal(return_names=True, return_data=True)
        assert (found, names) == (expected, {("inner", "outer")} if expected else set())
        assert {frozenset(contact.names) for contact in contacts} == set(map(frozenset, names))
        if kind is CollisionManager:
            assert len(contacts) == expected


@pytest.mark.parametrize("name", [name for name, case in BURIED.items() if case[3]])
@pytest.mark.parametrize("ask", ["single", "other", "internal"])
def test_the_contact_of_a_buried_object_tells_the_way_out(name, ask):
    """The point is inside both; the second, moved by depth × normal and a little more, is free of the first."""
    outer, inner, pose, _ = BURIED[name]
    first, second = CollisionManager(), CollisionManager()
    first.add_object("first", outer)
    second.add_object("second", inner, pose)
    if ask == "single":
        ((contact,), last) = first.in_collision_single(inner, pose, return_data=True)[1], "__external"
    elif ask == "other":
        ((contact,), last) = first.in_collision_other(second, return_data=True)[1], "second"
    else:
        first.add_object("second", inner, pose)
        ((contact,), last) = first.in_collision_internal(return_data=True)[1], "second"
    assert contact.names == {"first", last}
    assert 0 <= contact.index("first") < len(outer.faces)
    assert 0 <= contact.index(last) < len(inner.faces)
    assert np.linalg.norm(contact.normal) == pytest.approx(1.0)
    assert tumble.contains(outer, [contact.point]).outside.sum() == 0
    nearest = tumble.closest_points(inner, [contact.point], pose).distances[0]
    assert nearest < 1e-9 or tumble.contains(inner, [contact.point], pose).inside.all()
    for way, free in ((contact.depth + 1e-9, True), (contact.depth - 1e-3, False)):
        moved = at(*way * contact.normal) @ pose
        collides = tumble.relation(outer, inner, None, moved).relation != "apart"
        assert collides is not free
    assert contact.depth > 0


@pytest.mark.parametrize("place", [(1, 0.25, 0.5), (-2.5, 0, 1), (0.5, 3, -0.25)])
def test_the_depth_is_fcl_s_where_the_nearest_face_is_the_best(place):
    ours, theirs = managers()
    for manager in (ours, theirs):
        manager.add_object("block", BLOCK)
    (own,), (other,) = (m.in_collision_single(BALL, at(*place), return_data=True)[1] for m in (ours, theirs))
    assert own.depth == pytest.approx(other.depth, rel=1e-3)
    turned = other.normal if next(iter(other._inds)) == "block" else -other.normal
    np.testing.assert_allclose(own.normal, turned, atol=1e-2)


def test_the_distance_of_a_buried_object_is_zero():
    manager = CollisionManager()
    manager.add_object("near", CUBE, at(5.5))
    manager.add_object("block", BLOCK)
    distance, name, data = manager.min_distance_single(BALL, at(1), return_name=True, return_data=True)
    assert (distance, name, data.distance, data.names) == (0.0, "block", 0.0, {"block", "__external"})
    np.testing.assert_array_equal(data.point("block"), data.point("__external"))
    assert tumble.contains(BLOCK, [data.point("block")]).inside.all()
    assert manager.min_distance_internal(return_names=True) == (0.5, ("block", "near"))
    manager.add_object("ball", BALL, at(1))
    assert manager.min_distance_internal(return_names=True) == (0.0, ("ball", "block"))
    assert manager.min_distance_internal("near", return_names=True) == (0.5, ("block", "near"))
    other = CollisionManager()
    other.add_object("pin", CUBE)
    assert manager.min_distance_other(other, return_names=True)[0] == 0.0


def test_which_objects_are_solid_can_be_chosen():
    for solid, expected in ((None, {"block"}), (True, {"block", "ring"}), (False, set())):
        manager = CollisionManager(solid=solid)
        manager.add_object("block", BLOCK, at(7))
        manager.add_object("ring", WIDE_RING)
        manager.add_object("lidless", Mesh(BLOCK.vertices, BLOCK.faces[1:]), at(7, 0.1))
        found = manager.in_collision_single(trimesh.creation.icosphere(1, 0.5), at(7), return_names=True)
        assert found == (bool(expected), expected)
    hollow = CollisionManager(solid=False)
    hollow.add_object("pin", CUBE)
    solid = CollisionManager()
    solid.add_object("block", BLOCK)
    assert solid.in_collision_other(hollow) is True  # each manager speaks for its own objects
    assert CollisionManager(solid=False).in_collision_other(hollow) is False
    with pytest.raises(OptionError, match="solid must be"):
        CollisionManager(solid="convex")


def test_convexity_is_that_of_trimesh():
    """Turned boxes, whose faces are bent by rounding; also in pieces, open, inside out, degenerate, of any size."""
    dented = BALL.copy()
    dented.vertices[0] *= 0.9
    barely = BALL.copy()
    barely.vertices[0] *= 1 - 1e-7
    shapes = {
        "block": (BLOCK, True),
        "ball": (BALL, True),
        "ring": (RING, False),
        "turned": (TURNED, True),
        "far": (TURNED.copy().apply_translation((1e6, 2e6, 0)), True),
        "two": (PAIR, False),
        "dented": (dented, False),
        "barely": (barely, True),
        "cylinder": (trimesh.creation.cylinder(1.0, 3.0), True),
        "inverted": (trimesh.Trimesh(CUBE.vertices, CUBE.faces[:, ::-1], process=False), False),
        "open": (trimesh.Trimesh(CUBE.vertices, CUBE.faces[1:], process=False), False),
    }
    for name, (mesh, expected) in shapes.items():
        assert is_convex(Mesh(mesh.vertices, mesh.faces)) is expected, name
        assert mesh.is_convex is expected, name
    for exponent in (-900, -300, 300):
        assert is_convex(Mesh(np.ldexp(TURNED.vertices, exponent), TURNED.faces)) is True
    flat = Mesh(CUBE.vertices * [1, 1, 0], CUBE.faces)
    assert is_convex(Mesh(np.zeros((3, 3)), [[0, 1, 2]])) is False
    assert is_convex(Mesh(np.empty((0, 3)), np.empty((0, 3), int))) is False
    assert isinstance(is_convex(flat), bool)
