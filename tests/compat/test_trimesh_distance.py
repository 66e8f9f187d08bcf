"""Tumble's CollisionManager measures distances as trimesh's does, wherever objects do not overlap."""

import math

import numpy as np
import pytest
from trimesh_managers import CUBE, at, cubes, kinds

from tumble.compat.trimesh import CollisionManager
from tumble.errors import InputError


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
