"""Devices that fail or have no memory in the middle of a traversal: a clear error, and everything is as before."""

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from device_cases import needs_device

import forest
import tumble
from covering import crossed
from tumble.errors import DeviceError
from tumble.query.settings import BULK_AS_IN_PAPER, BULK_ON_DEVICES

pyopencl = pytest.importorskip("pyopencl")
pytestmark = needs_device
# each buffer has to grow, and frontiers are cut
NO_ROOM = {"first_capacity": 1, "most_pairs": 300}
WAYS = {"tested": replace(BULK_ON_DEVICES, **NO_ROOM), "paper": replace(BULK_AS_IN_PAPER, **NO_ROOM)}


class Failing:
    """Stand-ins for functions that fail from the nth call of any of them on."""

    def __init__(self, nth, error):
        self.left, self.error = nth, error

    def instead_of(self, function):
        def stand_in(*arguments, **options):
            self.left -= 1
            if self.left <= 0:
                raise self.error
            return function(*arguments, **options)

        return stand_in


def no_memory():
    return ["Buffer"], pyopencl.MemoryError("create_buffer failed: MEM_OBJECT_ALLOCATION_FAILURE")


def copies_fail():
    return ["enqueue_copy", "enqueue_fill_buffer"], pyopencl.RuntimeError("the device is gone")


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.slow)])
@crossed(1, failure=[no_memory, copies_fail], way=WAYS)
def test_whatever_fails_the_trees_stay_as_they_were(monkeypatch, failure, way, every):
    from tumble.device.engines import device_trees

    meshes = [forest.soup(1, 60, 0.3), forest.soup(2, 40, 0.3)]
    bulk = WAYS[way]
    expected = tumble.collide_all(meshes, within=True, candidates=True).triangles
    names, error = failure()
    said = []
    for nth in count(1, every):
        trees = device_trees(meshes)
        posed = trees.posed
        trees.device.release_idle()
        failing = Failing(nth, error)
        with monkeypatch.context() as patch:
            for name in names:
                patch.setattr(pyopencl, name, failing.instead_of(getattr(pyopencl, name)))
            try:
                found = tumble.collide_all(trees, within=True, candidates=True, settings=bulk).triangles
            except DeviceError as raised:
                said.append(str(raised))
            else:
                np.testing.assert_array_equal(found, expected)
                break
        assert trees.posed is posed
        again = tumble.collide_all(trees, within=True, candidates=True, settings=bulk).triangles
        np.testing.assert_array_equal(again, expected)
    assert len(said) * every > 5
    for text in said:
        assert str(error) in text
        assert "use device='cpu'" in text


def test_kernels_that_cannot_be_sent(monkeypatch):
    meshes = [forest.soup(3, 40, 0.3)]
    gone = pyopencl.RuntimeError("enqueue_nd_range_kernel failed: DEVICE_NOT_AVAILABLE")
    from tumble.device.engines import device_trees

    trees = device_trees(meshes)
    monkeypatch.setattr(trees.device, "launch", Failing(1, gone).instead_of(None))
    with pytest.raises(DeviceError, match=r"opencl:\d+ .* failed in a query: .*DEVICE_NOT_AVAILABLE"):
        tumble.collide_all(trees, within=True)
    monkeypatch.undo()
    np.testing.assert_array_equal(
        tumble.collide_all(trees, within=True).triangles, tumble.collide_all(meshes, within=True).triangles
    )


def test_trees_that_do_not_fit(monkeypatch):
    meshes = [forest.soup(4, 40)]
    for nth in (1, 5, 9):
        with monkeypatch.context() as patch:
            lack = pyopencl.MemoryError("create_buffer failed: MEM_OBJECT_ALLOCATION_FAILURE")
            patch.setattr(pyopencl, "Buffer", Failing(nth, lack).instead_of(pyopencl.Buffer))
            with pytest.raises(DeviceError, match=r"MEM_OBJECT_ALLOCATION_FAILURE.*use device='cpu'"):
                tumble.collide_all(meshes, within=True, device="opencl")
    assert tumble.collide_all(meshes, within=True, device="opencl") is not None
