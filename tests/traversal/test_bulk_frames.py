"""Frames of the UNC scenes, bulk-synchronously: for every setting the same leaf pairs, here and on a device."""

import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import tumble
from tumble import BulkSettings
from tumble.hierarchy.implicit import implicit_trees

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))
FRAMES = {
    "cloth-ball/frames/cloth_ball92": 773566,
    "cloth-ball/frames/cloth_ball93": 980183,
    "cloth-funnel/frames/227": 25433,
    "cloth-funnel/frames/228": 25806,
    "n-body-simulation/frames/balls16_18": 161698,
    "n-body-simulation/frames/balls16_19": 158993,
}
ROOMY = {}
TINY = {"first_capacity": 64, "most_pairs": 20_000}


def path_of(name):
    path = MESHES / "scalable-ccd-data" / f"{name}.ply"
    if not path.exists():
        pytest.skip("the UNC scenes are not here")
    return path


def leaf_pairs(trees, bulk=None):
    return tumble.collide_all(trees, within=True, candidates=True, settings=bulk).triangles


@pytest.mark.slow
@pytest.mark.parametrize("device", ["cpu", "opencl"])
@pytest.mark.parametrize("name", FRAMES)
def test_known_counts_of_leaf_pairs(name, device):
    if device != "cpu" and not tumble.devices():
        pytest.skip("no OpenCL device")
    mesh = tumble.load(path_of(name))
    found = tumble.collide_all([mesh], within=True, candidates=True, device=device).triangles
    assert len(found) == FRAMES[name]
    np.testing.assert_array_equal(found, tumble.candidates(mesh, "face-face").face_face)
    touching = tumble.collide_all([mesh], within=True, device=device).triangles
    np.testing.assert_array_equal(touching, tumble.self_collide(mesh).pairs)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FRAMES)[1::2])
def test_all_boxes_against_all(name):
    """NumPy compares every box with every other; nothing is left out but triangles that share a vertex."""
    mesh = tumble.load(path_of(name))
    corners = mesh.vertices[mesh.faces]
    low, high = np.ascontiguousarray(corners.min(axis=1).T), np.ascontiguousarray(corners.max(axis=1).T)
    found = []
    for start in range(0, len(mesh), 32):
        rows = slice(start, start + 32)
        meet = np.ones((len(mesh.faces[rows]), len(mesh) - start), bool)
        for axis in range(3):
            meet &= (low[axis, rows, None] <= high[axis, start:]) & (low[axis, start:] <= high[axis, rows, None])
        pairs = np.argwhere(np.triu(meet, 1)) + start
        shared = (mesh.faces[pairs[:, 0]][:, :, None] == mesh.faces[pairs[:, 1]][:, None, :]).any(axis=(1, 2))
        found.append(pairs[~shared])
    np.testing.assert_array_equal(np.concatenate(found), leaf_pairs(implicit_trees([mesh])))


@pytest.mark.slow
@pytest.mark.parametrize("room", [ROOMY, TINY], ids=["roomy", "tiny"])
def test_settings_do_not_matter_here(room):
    for name in list(FRAMES)[1::2]:
        trees = implicit_trees([tumble.load(path_of(name))])
        expected = leaf_pairs(trees)
        assert len(expected) == FRAMES[name]
        for entry, step, queue, group in product((0, 3, 5), (1, 2, 3, 4), (1, 1024), (1, 64)):
            bulk = BulkSettings(entry, step, queue, group, **room)
            np.testing.assert_array_equal(leaf_pairs(trees, bulk), expected, err_msg=f"{name} {bulk}")


@pytest.mark.slow
@pytest.mark.parametrize("tested", [True, False], ids=["tested", "paper"])
@pytest.mark.parametrize("room", [ROOMY, TINY], ids=["roomy", "tiny"])
def test_settings_do_not_matter_on_a_device(room, tested):
    if not tumble.devices():
        pytest.skip("no OpenCL device")
    from tumble.device.engines import device_trees

    scenes = {name: device_trees([tumble.load(path_of(name))]) for name in list(FRAMES)[2:4]}
    expected = {name: leaf_pairs(trees) for name, trees in scenes.items()}
    for step, queue, group in product((1, 2, 3, 4), (1, 64, 512), (1, 64)):
        for name, entry in product(scenes, (0, 3)):
            bulk = BulkSettings(entry, step, queue, group, tested=tested, **room)
            found = leaf_pairs(scenes[name], bulk)
            assert len(found) == FRAMES[name]
            np.testing.assert_array_equal(found, expected[name], err_msg=f"{name} {bulk}")


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FRAMES)[1::4])
def test_large_frames_with_little_room_on_a_device(name):
    if not tumble.devices():
        pytest.skip("no OpenCL device")
    from tumble.device.engines import device_trees

    mesh = tumble.load(path_of(name))
    for bulk in (
        BulkSettings(queue=512, group=64, **TINY),
        BulkSettings(3, 2, 64, 16, padded=False, **TINY),
        BulkSettings(2, 2, 64, 64, tested=False, first_capacity=64, most_pairs=200_000),
    ):
        assert len(leaf_pairs(device_trees([mesh], padded=bulk.padded), bulk)) == FRAMES[name]
