"""Contact points of a device: those of the host, to the last bit."""

import dataclasses

import numpy as np
import pytest
from device_cases import ask_device, needs_device

import forest
import tumble
from covering import sized
from pairs import touching_float_pairs
from tumble.device.host.tree_store import TreeStore
from tumble.device.opencl import open_device
from tumble.mesh import random_pose
from tumble.narrow.contact.contact import write_contacts
from tumble.narrow.contact.segment import POLYGON_SHAPE

pytestmark = [
    needs_device,
    pytest.mark.skipif(
        not any(device.fp64 for device in tumble.devices()), reason="no OpenCL device with float64 (cl_khr_fp64)"
    ),
]


def by_host(mesh_a, pose_a, mesh_b, pose_b, pairs):
    segments, normals, depths = np.empty((len(pairs), 2, 3)), np.empty((len(pairs), 3)), np.empty(len(pairs))
    room = np.empty(POLYGON_SHAPE)
    write_contacts(
        mesh_a.vertices, mesh_a.faces, pose_a, mesh_b.vertices, mesh_b.faces, pose_b,
        pairs, segments, normals, depths, room,
    )  # fmt: skip
    return segments, normals, depths


def assert_as_by_host(meshes_a, poses_a, meshes_b, poses_b, pairs):
    found = ask_device((meshes_a, meshes_b), (poses_a, poses_b), pairs, contacts=True)
    assert len(found.contacts) == len(found.triangles) > 0
    for k, (i, j) in enumerate(pairs):
        expected = by_host(meshes_a[i], poses_a[i], meshes_b[j], poses_b[j], found.triangles[found.rows(k)])
        ours = found.contacts_of(k)
        for name, theirs in zip(("segments", "normals", "depths"), expected, strict=True):
            np.testing.assert_array_equal(getattr(ours, name), theirs, err_msg=f"{name} of pair {k}")
    return found.contacts


def test_meshes_in_many_poses():
    meshes = [tumble.shapes.knot(), tumble.shapes.torus(segments=24, sides=12), forest.soup(3, 80), tumble.shapes.box()]
    poses = np.array([random_pose(seed, 0.8) for seed in range(len(meshes))])
    pairs = np.array([(i, j) for i in range(4) for j in range(4)])
    contacts = assert_as_by_host(meshes, poses, meshes, poses[::-1].copy(), pairs)
    np.testing.assert_allclose(np.linalg.norm(contacts.normals, axis=1), 1.0)
    assert (contacts.depths >= 0.0).all()


@sized(150, 600)
def test_every_kind_of_contact(count):
    cases = touching_float_pairs(count, seed=4)
    sides = [[tumble.Mesh(corners, [[0, 1, 2]]) for corners in side] for side in (cases.a, cases.b)]
    poses = np.broadcast_to(np.eye(4), (len(cases.a), 4, 4)).copy()
    pairs = np.repeat(np.arange(len(cases.a))[:, None], 2, axis=1)
    assert_as_by_host(sides[0], poses, sides[1], poses, pairs)


@pytest.mark.parametrize("method", ["binary-stack", "bulk", "front"])
def test_collide(method):
    knot, ring, pose = tumble.shapes.knot(), tumble.shapes.torus(segments=24, sides=12), random_pose(3, 0.5)
    ours = tumble.collide(knot, ring, pose, contacts=True, device="opencl", method=method)
    theirs = tumble.collide(knot, ring, pose, contacts=True)
    assert len(ours) > 0
    np.testing.assert_array_equal(ours.pairs, theirs.pairs)
    for name in ("segments", "points", "normals", "depths"):
        np.testing.assert_array_equal(getattr(ours.contacts, name), getattr(theirs.contacts, name))
    assert tumble.collide(knot, ring, pose, device="opencl", method=method).contacts is None


def test_nothing_touches():
    box = tumble.shapes.box()
    contacts = tumble.collide(box, box, tumble.translation(9, 0, 0), contacts=True, device="opencl").contacts
    assert contacts.segments.shape == (0, 2, 3)
    assert contacts.normals.shape == (0, 3)
    assert contacts.depths.shape == (0,)


def test_the_host_computes_them_for_a_device_without_float64(monkeypatch):
    device, knot, pose = open_device("opencl"), tumble.shapes.knot(), random_pose(3, 0.5)
    expected = tumble.collide(knot, knot, pose, contacts=True, device="opencl").contacts
    monkeypatch.setattr(device, "info", dataclasses.replace(device.info, fp64=False))
    monkeypatch.setitem(device._kept, TreeStore, TreeStore(device))
    found = tumble.collide(knot, knot, pose, contacts=True, device="opencl").contacts
    assert len(found) > 0
    np.testing.assert_array_equal(found.segments, expected.segments)
    np.testing.assert_array_equal(found.depths, expected.depths)
