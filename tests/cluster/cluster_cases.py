"""Meshes, poses and comparisons of the cluster's tests."""

import os

import numpy as np

import tumble

KNOT, RING = tumble.shapes.knot(segments=60, sides=6), tumble.shapes.torus(sides=8)
COUNT = 90


def poses(seed, count=COUNT):
    rng = np.random.default_rng(seed)
    found = np.tile(np.eye(4), (count, 1, 1))
    turns = [
        tumble.rotation(axis, angle) for axis, angle in zip("xyz" * count, rng.uniform(0, 6, 3 * count), strict=True)
    ]
    found[:] = turns[:count]
    found[:, :3, 3] = rng.uniform(-1.5, 1.5, (count, 3))
    return found


def same(found, expected):
    """Every column has the same bits."""
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_array_equal(found.triangles, expected.triangles)
    assert found.stats == expected.stats
    assert (found.contacts is None, found.distances is None) == (expected.contacts is None, expected.distances is None)
    if expected.contacts is not None:
        for name in ("segments", "points", "normals", "depths"):
            np.testing.assert_array_equal(getattr(found.contacts, name), getattr(expected.contacts, name))
    if expected.distances is not None:
        np.testing.assert_array_equal(found.distances.distances, expected.distances.distances)
        np.testing.assert_array_equal(found.distances.points, expected.distances.points)
    assert not found.triangles.flags.writeable


def dies(shared, rows):
    """End the process that works on some rows."""
    os._exit(3)
