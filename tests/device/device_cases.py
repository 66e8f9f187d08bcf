"""What tests of devices share: a reason to skip where there is none, ways to traverse, and how to ask."""

import numpy as np
import pytest

import tumble
from tumble.device.doors import collide_two
from tumble.device.settings import Settings

needs_device = pytest.mark.skipif(
    not tumble.devices(), reason="no OpenCL device: pip install tumble[gpu] brings PyOpenCL and PoCL"
)

# the paper's way, the default, and pools that are split all the time or far too small
WAYS = {
    "one work-item a pair": Settings(pool=False),
    "pool": Settings(),
    "pool of whole walks": Settings(steps=0),
    "split at every step": Settings(steps=1),
    "pool too small": Settings(steps=2, pool_capacity=3),
    "another rule": Settings(rule="alternate", steps=7),
}


def on_device(a, b, pose_a=None, pose_b=None, settings=WAYS["pool"], **options):
    return collide_two("opencl", (a, b), (pose_a, pose_b), settings=settings, **options)


def assert_all_ways(a, b, pose_a=None, pose_b=None, *, expected, ways=WAYS):
    for name, settings in ways.items():
        found = on_device(a, b, pose_a, pose_b, settings)
        np.testing.assert_array_equal(found.pairs, expected, err_msg=name)
