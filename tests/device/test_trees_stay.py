"""Implicit trees of `collide` stay on the device between calls, and the answers do not depend on it."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from device_cases import needs_device

import tumble
from tumble.device.opencl import open_device
from tumble.mesh import random_pose

pytestmark = needs_device
KNOT, RING = tumble.shapes.knot(), tumble.shapes.torus(segments=32, sides=16)
POSES = [random_pose(seed, 1.0) for seed in range(12)]


@pytest.mark.parametrize("method", ["bulk", "front"])
def test_a_second_call_sends_vertices_at_most(method, monkeypatch):
    device, sizes = open_device("opencl"), []

    def ask(pose):
        sizes.clear()
        return tumble.collide(KNOT, RING, None, pose, method=method, device="opencl").pairs

    def counting(send, place):
        def counted(*arguments):
            sizes.append(arguments[place].nbytes)
            return send(*arguments)

        return counted

    monkeypatch.setattr(device, "upload", counting(device.upload, 0))
    monkeypatch.setattr(device, "write", counting(device.write, 1))
    device.release_idle()
    expected = ask(POSES[0])
    vertices = 12 * (len(KNOT.vertices) + len(RING.vertices))
    assert vertices in sizes
    assert sum(sizes) > 2 * vertices
    np.testing.assert_array_equal(ask(POSES[0]), expected)
    assert max(sizes) < vertices / 2  # counters, and the first pair of nodes
    np.testing.assert_array_equal(ask(POSES[1]), tumble.collide(KNOT, RING, None, POSES[1]).pairs)
    assert sorted(sizes)[-1] == vertices
    assert sorted(sizes)[-2] < vertices / 2


@pytest.mark.parametrize("method", ["bulk", "front"])
def test_counts_do_not_depend_on_earlier_calls(method):
    def ask(mesh, pose):
        return tumble.collide(mesh, RING, None, pose, method=method, device="opencl", stats=True).stats

    found = [ask(KNOT, pose) for pose in POSES[:4] * 2]
    assert found == [ask(tumble.Mesh(KNOT.vertices, KNOT.faces), pose) for pose in POSES[:4] * 2]
    assert len(set(found)) > 1


def test_threads_that_ask_about_the_same_meshes_elsewhere():
    expected = [tumble.collide(KNOT, RING, None, pose).pairs for pose in POSES]

    def ask(number):
        method = ("bulk", "front")[number % 2]
        return tumble.collide(KNOT, RING, None, POSES[number % len(POSES)], method=method, device="opencl").pairs

    with ThreadPoolExecutor(4) as pool:
        for number, pairs in enumerate(pool.map(ask, range(24))):
            np.testing.assert_array_equal(pairs, expected[number % len(POSES)])
