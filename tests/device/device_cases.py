"""What tests of devices share: a reason to skip where there is none, ways to traverse, and how to ask."""

import numpy as np
import pytest

import tumble
from tumble.api.ask import ask
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.query.settings import DeviceSettings

needs_device = pytest.mark.skipif(
    not tumble.devices(), reason="no OpenCL device: pip install tumble[gpu] brings PyOpenCL and PoCL"
)

# the paper's way, the default, and pools that are split all the time or far too small
WAYS = {
    "one work-item a pair": DeviceSettings(pool=False),
    "pool": DeviceSettings(),
    "pool of whole walks": DeviceSettings(steps=0),
    "split at every step": DeviceSettings(steps=1),
    "pool too small": DeviceSettings(steps=2, pool_capacity=3),
    "another rule": DeviceSettings(rule="alternate", steps=7),
}


def on_device(a, b, pose_a=None, pose_b=None, settings=WAYS["pool"], **options):
    return tumble.collide(a, b, pose_a, pose_b, device="opencl", settings=settings, **options)


def ask_device(meshes, poses, pairs, method="auto", **options):
    """Ask about pairs of bodies, (meshes of a, meshes of b) at (poses of a, poses of b)."""
    a, b = (Bodies(its, np.arange(len(its)), where) for its, where in zip(meshes, poses, strict=True))
    return ask(TOUCHING, a, b, pairs, Options(method, device="opencl", **options))


def read_order(trees):
    """Return the triangle of each leaf of trees on a device."""
    order = np.empty(len(trees.posed.bodies.faces), np.int32)
    return order if len(order) == 0 else _read(trees, trees.order, order)


def read_boxes(trees):
    """Return (n, 6) lowest x, y, z and highest x, y, z of all nodes of trees on a device."""
    boxes = np.empty((trees.layout.nodes, 8), np.float32)
    return (boxes if len(boxes) == 0 else _read(trees, trees.boxes, boxes))[:, [0, 1, 2, 4, 5, 6]]


def _read(trees, buffer, array):
    with trees.device.working():
        trees.device.read(buffer, array)
    return array


def read_front(front):
    """Return the pairs of nodes of a front on a device, in no order."""
    with front.device.working():
        return front.stored.read(front.device).astype(np.int64)


def assert_all_ways(a, b, pose_a=None, pose_b=None, *, expected, ways=WAYS):
    for name, settings in ways.items():
        found = on_device(a, b, pose_a, pose_b, settings)
        np.testing.assert_array_equal(found.pairs, expected, err_msg=name)
