"""Tumble's CollisionManager answers as trimesh's does, wherever FCL is right."""

import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest
import trimesh
from trimesh_managers import BALL, SHAPES, at, filled, managers

import tumble
from tumble.compat.trimesh import CollisionManager, ContactData, DistanceData
from tumble.errors import InputError, MeshError, PoseError


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


def test_a_manager_and_itself():
    manager = CollisionManager()
    manager.add_object("a", BALL)
    manager.add_object("b", BALL, at(9))
    assert manager.in_collision_other(manager, return_names=True) == (True, {("a", "a"), ("b", "b")})
    with pytest.raises(InputError, match="CollisionManager"):
        manager.in_collision_other(None)


def test_a_manager_pickles():
    manager = filled(CollisionManager())
    again = pickle.loads(pickle.dumps(manager))
    assert again.in_collision_internal(True) == manager.in_collision_internal(True)


TRIMESH_AFTER_IT = """
import trimesh
assert trimesh.__name__ == "trimesh" and hasattr(trimesh, "Trimesh")
"""


@pytest.mark.parametrize("then", ["", pytest.param(TRIMESH_AFTER_IT, marks=pytest.mark.slow)], ids=["", "trimesh"])
@pytest.mark.process
def test_importing_does_not_import_trimesh_nor_hide_it(then):
    code = """
import importlib, sys
for module in ("tumble", "tumble.compat.trimesh"):
    importlib.import_module(module)
    assert "trimesh" not in sys.modules, module
    assert "numba" not in sys.modules, module
"""
    subprocess.run([sys.executable, "-c", code + then], check=True, timeout=120)
