"""What tests of the bulk-synchronous traversal share: brute force over boxes, scenes, and settings of all kinds."""

import numpy as np

import forest
import tumble
from oracle import pose_points
from tumble import BulkSettings
from tumble.mesh import random_pose

EMPTY = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))

SETTINGS = {
    "default": BulkSettings(),
    "root, one level": BulkSettings(depth_step=1),
    "compressed": BulkSettings(depth_step=2, padded=False),
    "deep entry": BulkSettings(entry_level=3, depth_step=2),
    "below all leaves": BulkSettings(entry_level=20, depth_step=1),
    "far down": BulkSettings(depth_step=6, padded=False),
    "queue of one": BulkSettings(queue=1, group=1, depth_step=2),
    "queue of three": BulkSettings(queue=3, group=5, depth_step=3),
    "no room": BulkSettings(first_capacity=1, depth_step=2),
    "never more than what one pair makes": BulkSettings(first_capacity=1, most_pairs=1, depth_step=1, queue=2, group=3),
    "split entry": BulkSettings(entry_level=4, most_pairs=20, depth_step=2),
    "paper": BulkSettings(depth_step=2, tested=False),
    "paper, no room": BulkSettings(
        entry_level=4, depth_step=3, queue=3, group=5, first_capacity=1, most_pairs=70, padded=False, tested=False
    ),
    "paper, inactive nodes": BulkSettings(entry_level=2, depth_step=3, tested=False, inactive=True),
}


def brute_candidates(meshes, poses=None, within=(), between=True):
    """Return {(mesh, mesh): (k, 2) pairs of triangles whose float64 boxes share a point}, without empty ones."""
    poses = [None] * len(meshes) if poses is None else poses
    boxes = []
    for mesh, pose in zip(meshes, poses, strict=True):
        triangles = pose_points(mesh.vertices, pose)[mesh.faces]
        boxes.append((triangles.min(axis=1), triangles.max(axis=1)))
    found = {}
    for a, (low_a, high_a) in enumerate(boxes):
        for b, (low_b, high_b) in enumerate(boxes):
            if a > b or (a == b and a not in within) or (a != b and not between):
                continue
            meet = ((low_a[:, None] <= high_b[None]) & (low_b[None] <= high_a[:, None])).all(axis=2)
            pairs = np.argwhere(np.triu(meet, 1) if a == b else meet)
            if len(pairs):
                found[a, b] = pairs
    return found


def without_neighbours(mesh, pairs):
    """Leave out pairs of triangles of one mesh that share a vertex."""
    kept = [not set(mesh.faces[i].tolist()) & set(mesh.faces[j].tolist()) for i, j in pairs]
    return pairs[np.array(kept, bool)]


def as_dict(found):
    """Return the pairs of a MeshCollisions by their meshes, and check that its arrays fit together."""
    assert len(found) == len(found.meshes) == len(found.counts) == len(found.offsets) - 1
    assert found.offsets[-1] == len(found.triangles)
    assert bool(found) == (len(found.triangles) > 0)
    return {(a, b): found.pairs(a, b) for a, b in found.meshes.tolist()}


def assert_same(found, expected):
    found = as_dict(found)
    assert found.keys() == expected.keys()
    for key, pairs in expected.items():
        np.testing.assert_array_equal(found[key], pairs, err_msg=str(key))


def crumpled(seed, vertices, faces, size=6):
    """Return faces between random points of a small grid: neighbours, folds, segments and points."""
    rng = np.random.default_rng(seed)
    return tumble.Mesh(rng.integers(0, size + 1, (vertices, 3)), rng.integers(0, vertices, (faces, 3)))


def scene(level=2):
    """Return meshes of many sizes, on a grid where boxes often just touch, and their poses.

    The largest is a ball of 20 · 4^level triangles.
    """
    rng = np.random.default_rng(4)
    meshes = [
        crumpled(1, 40, 90), EMPTY, forest.random_mesh(rng, 1), forest.random_mesh(rng, 65), crumpled(2, 9, 33),
        forest.random_mesh(rng, 2), tumble.shapes.icosphere(level, 3.0),
    ]  # fmt: skip
    poses = [None, None, tumble.translation(1, 2, 0), None, tumble.translation(3, 0, 0), None, random_pose(1, 4.0)]
    return meshes, poses
