"""Devices that fail or have no memory in the middle of a traversal: a clear error, and everything is as before."""

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from device_cases import needs_device

import forest
import tumble
from tumble.errors import DeviceError
from tumble.query.settings import BULK_AS_IN_PAPER, BULK_ON_DEVICES

pytestmark = needs_device
# each buffer has to grow, and frontiers are cut
NO_ROOM = {"first_capacity": 1, "most_pairs": 300}
WAYS = {"tested": replace(BULK_ON_DEVICES, **NO_ROOM), "paper": replace(BULK_AS_IN_PAPER, **NO_ROOM)}


class Failing:
    """A stand-in for a function that fails when it is called for the nth time."""

    def __init__(self, function, nth, error):
        self.function, self.left, self.error = function, nth, error

    def __call__(self, *arguments, **options):
        self.left -= 1
        if self.left == 0:
            raise self.error
        return self.function(*arguments, **options)


def no_memory():
    import pyopencl

    return pyopencl, "Buffer", pyopencl.MemoryError("create_buffer failed: MEM_OBJECT_ALLOCATION_FAILURE")


def copies_fail():
    import pyopencl

    return pyopencl, "enqueue_copy", pyopencl.RuntimeError("the device is gone")


@pytest.mark.parametrize("failure", [no_memory, copies_fail])
@pytest.mark.parametrize("way", WAYS)
def test_whatever_fails_the_trees_stay_as_they_were(monkeypatch, failure, way):
    from tumble.device.bulk_doors import device_trees

    meshes = [forest.soup(1, 60, 0.3), forest.soup(2, 40, 0.3)]
    bulk = WAYS[way]
    expected = tumble.collide_all(meshes, within=True, candidates=True).triangles
    place, name, error = failure()
    said = []
    for nth in count(1):
        trees = device_trees(meshes)
        posed = trees.posed
        with monkeypatch.context() as patch:
            patch.setattr(place, name, Failing(getattr(place, name), nth, error))
            try:
                found = tumble.collide_all(trees, within=True, candidates=True, bulk=bulk).triangles
            except DeviceError as raised:
                said.append(str(raised))
            else:
                np.testing.assert_array_equal(found, expected)
                break
        assert trees.posed is posed
        again = tumble.collide_all(trees, within=True, candidates=True, bulk=bulk).triangles
        np.testing.assert_array_equal(again, expected)
    assert len(said) > 5
    for text in said:
        assert str(error) in text
        assert "use device='cpu'" in text


def test_kernels_that_cannot_be_sent(monkeypatch):
    import pyopencl

    meshes = [forest.soup(3, 40, 0.3)]
    gone = pyopencl.RuntimeError("enqueue_nd_range_kernel failed: DEVICE_NOT_AVAILABLE")
    monkeypatch.setattr(pyopencl, "enqueue_nd_range_kernel", Failing(None, 1, gone))
    from tumble.device.bulk_doors import device_trees

    trees = device_trees(meshes)
    with pytest.raises(DeviceError, match=r"opencl:\d+ .* failed in a query: .*DEVICE_NOT_AVAILABLE"):
        tumble.collide_all(trees, within=True)
    monkeypatch.undo()
    np.testing.assert_array_equal(
        tumble.collide_all(trees, within=True).triangles, tumble.collide_all(meshes, within=True).triangles
    )


def test_trees_that_do_not_fit(monkeypatch):
    import pyopencl

    meshes = [forest.soup(4, 40)]
    for nth in (1, 5, 9):
        with monkeypatch.context() as patch:
            lack = pyopencl.MemoryError("create_buffer failed: MEM_OBJECT_ALLOCATION_FAILURE")
            patch.setattr(pyopencl, "Buffer", Failing(pyopencl.Buffer, nth, lack))
            with pytest.raises(DeviceError, match=r"MEM_OBJECT_ALLOCATION_FAILURE.*use device='cpu'"):
                tumble.collide_all(meshes, within=True, device="opencl")
    assert tumble.collide_all(meshes, within=True, device="opencl") is not None
