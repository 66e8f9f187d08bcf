"""Every kernel once, on meshes so small that a simulator of devices can run them: see `tests/drivers.py`."""

import numpy as np
import pytest
from device_cases import WAYS, needs_device, on_device, read_order

import forest
import tumble
from tumble.api.ask import ask
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.walk_kinds import WALK_KINDS
from tumble.device.opencl import open_device
from tumble.dynamics.manifold import gather, manifold
from tumble.dynamics.manifold.manifolds import manifold_of_curves
from tumble.hierarchy.implicit import implicit_trees
from tumble.hierarchy.implicit.posed import posed_meshes
from tumble.mesh import random_pose
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.query.settings import BULK_AS_IN_PAPER, BULK_ON_DEVICES, BulkSettings, FrontSettings

pytestmark = needs_device

A = tumble.shapes.torus(segments=10, sides=6)
B = tumble.shapes.torus(segments=8, sides=6)
POSE = random_pose(3, 0.5)
BULK = {
    "tested": BULK_ON_DEVICES,
    "groups": BulkSettings(queue=16, group=8, depth_step=2),
    "no room": BulkSettings(queue=16, group=4, depth_step=1, first_capacity=1),
    "paper": BULK_AS_IN_PAPER,
}
FRONT = {"plain": FrontSettings(), "no room": FrontSettings(stack=2, steps=3, group=4, segments=3, first_capacity=1)}


def assert_same(found):
    expected = tumble.collide(A, B, POSE, contacts=True)
    assert len(expected) > 20
    np.testing.assert_array_equal(found.pairs, expected.pairs)
    if found.contacts is not None:
        np.testing.assert_array_equal(found.contacts.depths, expected.contacts.depths)


@pytest.mark.parametrize("way", ["one work-item a pair", "pool", "split at every step"])
def test_binary_stack(way):
    assert_same(on_device(A, B, POSE, settings=WAYS[way], stats=True, contacts=True))
    assert on_device(A, B, POSE, settings=WAYS[way], first=True)


@pytest.mark.parametrize("method", [method for method in WALK_KINDS if method != "binary-stack"])
def test_walks(method):
    for way in ("one work-item a pair", "split at every step"):
        assert_same(on_device(A, B, POSE, settings=WAYS[way], method=method, stats=True))
        assert on_device(A, B, POSE, settings=WAYS[way], method=method, first=True)


def test_curves():
    bodies = Bodies([A, B], np.arange(2), np.array([POSE, np.eye(4)]))
    table = ask(TOUCHING, bodies, bodies, np.array([[0, 1]]), Options(device="opencl"), curves=True)
    given = gather([A, B]), np.arange(2), bodies.poses, [[0, 1]], table.offsets, table.triangles
    np.testing.assert_array_equal(manifold_of_curves(*given, table.curves).points, manifold(*given).points)


@pytest.mark.parametrize("way", BULK)
def test_bulk(way):
    assert_same(tumble.collide(A, B, POSE, method="bulk", device="opencl", settings=BULK[way], stats=True))


@pytest.mark.parametrize("way", FRONT)
def test_front(way):
    assert_same(tumble.collide(A, B, POSE, method="front", device="opencl", settings=FRONT[way], stats=True))


@pytest.mark.parametrize("sort_there", [True, False])
def test_trees(sort_there):
    meshes = [A, forest.soup(1, 300)]
    there = DeviceTrees(open_device("opencl"), posed_meshes(meshes, None, 1), sort_there=sort_there)
    np.testing.assert_array_equal(read_order(there), implicit_trees(meshes).order)
