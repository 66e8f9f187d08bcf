"""Implicit trees built on a device: the order and the boxes of the CPU's, to the last bit."""

import numpy as np
import pytest
from device_cases import needs_device, read_boxes, read_order

import forest
import tumble
from tumble.errors import DeviceError, MeshError
from tumble.hierarchy.implicit import ImplicitTrees
from tumble.hierarchy.implicit.posed import posed_meshes
from tumble.mesh import random_pose

pytestmark = needs_device
EMPTY = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
SCENES = {
    "one triangle": [forest.soup(1, 1)],
    "empty ones between": [EMPTY, forest.soup(2, 5), EMPTY, forest.soup(3, 300), EMPTY],
    "many": [forest.soup(seed, 1 + 7 * seed) for seed in range(20)],
    "more than a block": [forest.soup(4, 5000), forest.soup(5, 64)],
    "equal places": [tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]] * 1500)],
}


def both(meshes, poses=None, padded=True, sort_there=True):
    from tumble.device.host.implicit_trees import DeviceTrees
    from tumble.device.opencl import open_device

    posed = posed_meshes(meshes, poses, 1)
    return DeviceTrees(open_device("opencl"), posed, padded, 1, sort_there), ImplicitTrees(posed, padded)


def assert_same(there, here):
    np.testing.assert_array_equal(read_order(there), here.order)
    np.testing.assert_array_equal(read_boxes(there), here.boxes[:, : here.layout.nodes].T)


@pytest.mark.parametrize("padded", [True, False])
@pytest.mark.parametrize("name", SCENES)
def test_built_as_on_the_cpu(name, padded):
    assert_same(*both(SCENES[name], padded=padded))


@pytest.mark.parametrize("sort_there", [True, False, None])
def test_moved_as_on_the_cpu(sort_there):
    meshes = SCENES["empty ones between"]
    there, here = both(meshes, sort_there=sort_there)
    rng = np.random.default_rng(6)
    vertices = [mesh.vertices + rng.normal(size=mesh.vertices.shape) for mesh in meshes]
    poses = [random_pose(seed, 2.0) for seed in range(len(meshes))]
    for rebuild in (False, True):
        for trees in (there, here):
            trees.move(vertices, poses, rebuild=rebuild)
        assert_same(there, here)
    np.testing.assert_array_equal(there.posed.world.vertices, here.posed.world.vertices)


def test_no_triangles():
    there, _ = both([EMPTY, EMPTY])
    there.move(poses=[None, np.eye(4)])
    assert len(there) == 2
    assert len(read_order(there)) == len(read_boxes(there)) == 0


def test_refused_vertices_change_nothing():
    there, here = both([forest.soup(7, 40)])
    with pytest.raises(MeshError, match=r"mesh 0: .*nan"):
        there.move([np.full((120, 3), np.nan)])
    assert_same(there, here)


def test_a_device_that_fails_leaves_the_trees_where_they_were(monkeypatch):
    there, here = both([forest.soup(8, 40)])

    def fail(name, *arguments, **options):
        raise opencl_error()

    import pyopencl

    def opencl_error():
        return pyopencl.RuntimeError("the device is gone")

    with monkeypatch.context() as patch:
        patch.setattr(there, "_launch", fail)
        with pytest.raises(DeviceError, match="the device is gone"):
            there.move([here.posed.bodies.vertices + 1.0])
    assert there.posed is here.posed
    there.ready()
    assert_same(there, here)


def test_a_sort_that_failed_leaves_no_order_behind(monkeypatch):
    import pyopencl

    meshes = [forest.soup(4, 800), forest.soup(5, 64)]
    there, here = both(meshes)
    launch, nth = there._launch, 0
    while True:
        nth += 1
        calls = iter(range(nth))

        def failing(name, *arguments, calls=calls):
            if next(calls, None) is None:
                raise pyopencl.RuntimeError("the device is gone")
            launch(name, *arguments)

        monkeypatch.setattr(there, "_launch", failing)
        try:
            there.move([2.0 * meshes[0].vertices[::-1], None], rebuild=True)
        except DeviceError:
            monkeypatch.setattr(there, "_launch", launch)
        else:
            break
        there.move(poses=[None, np.eye(4)])
        assert_same(there, here)
    assert nth > 12


def test_what_they_are_called():
    there, _ = both([forest.soup(1, 3), forest.soup(2, 1)])
    assert repr(there).startswith("<DeviceTrees of 8 nodes over 4 triangles of 2 meshes on opencl:")


def test_the_cpu_has_trees_of_its_own():
    from tumble.device.engines import device_trees

    with pytest.raises(DeviceError, match=r"device='cpu' has trees of its own: .*implicit_trees"):
        device_trees([forest.soup(1, 3)], device="cpu")
