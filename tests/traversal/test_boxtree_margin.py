"""Boxes that touch in one point only: poses far away, off rigidity and deep trees must not part them."""

import numpy as np
import pytest
from boxtree_pairs import boxtree

import tumble
from covering import crossed, sized
from tumble.mesh import apply_pose, as_pose, random_pose
from tumble.traversal.boxtree.overlaps import OVERLAPS
from tumble.traversal.boxtree.query import boxtree_collide
from volume.posed_contacts import ROTATIONS, SCALES, contacts


def whole(pose):
    return None if pose is None else np.vstack([pose, [0.0, 0.0, 0.0, 1.0]])


@sized(10, 25)
@crossed(1, rotation=ROTATIONS, scale=SCALES)
def test_a_common_vertex_is_never_lost(rotation, scale, count):
    for pair in contacts(12, rotation, scale, count):
        trees = [boxtree(tumble.Mesh(corners, [[0, 1, 2]]), 1) for corners in (pair.a, pair.b)]
        poses = whole(pair.pose_a), whole(pair.pose_b)
        for overlap in OVERLAPS:
            assert boxtree_collide(*trees, *poses, overlap=overlap), (overlap, pair)
            assert boxtree_collide(*trees[::-1], *poses[::-1], overlap=overlap), (overlap, pair)


@pytest.mark.parametrize("kind", ["as usual", "far away", "off rigidity"])
def test_vertices_of_deep_trees_touch_their_own_triangles(kind):
    """Many vertices against the triangles that they belong to: each on the border of the boxes on its whole path."""
    rng = np.random.default_rng(5)
    corners = rng.normal(size=(300, 3, 3)) * 2.0 ** -rng.integers(0, 30, (300, 1, 1)) + rng.normal(size=(300, 1, 3))
    mesh = tumble.Mesh(corners.reshape(-1, 3), np.arange(900).reshape(-1, 3))
    pose = random_pose(3, 3.0)
    if kind == "far away":
        pose[:3, 3] *= 1e9
    if kind == "off rigidity":
        pose[:3, :3] += rng.uniform(-2e-5, 2e-5, (3, 3))
    points = tumble.Mesh(apply_pose(as_pose(pose), mesh.vertices), np.repeat(np.arange(900)[:, None], 3, axis=1))
    trees = boxtree(mesh, 1), boxtree(points, 1)
    for overlap in OVERLAPS:
        for first, second, poses in ((0, 1, (pose, None)), (1, 0, (None, pose))):
            found = boxtree_collide(trees[first], trees[second], *poses, overlap=overlap).pairs
            found = found if first == 0 else found[:, ::-1]
            touched = {(int(i), int(v)) for i, v in found}
            missed = [v for v in range(900) if (v // 3, v) not in touched]
            assert missed == [], (overlap, missed[:5])


@sized(18, 60)
@pytest.mark.parametrize("distance", [0.0, 1.0, 1e9])
@pytest.mark.parametrize("overlap", OVERLAPS)
def test_crossed_sticks_touch(overlap, distance, count):
    """Two segments along axes of their own frames with a common end: their boxes are but edges, and their product parts
    them by rounding alone."""
    rng = np.random.default_rng(9)
    for k in range(count):
        i, j = k % 3, k // 3 % 3
        pose = random_pose(rng, distance)
        ours = np.outer([0.0, rng.choice([-1.0, 1.0])], np.eye(3)[i])
        common = apply_pose(as_pose(pose), ours)[0]
        theirs = common + np.outer([0.0, rng.choice([-1.0, 1.0])], np.eye(3)[j])
        trees = [boxtree(tumble.Mesh(ends, [[0, 1, 1]]), 1) for ends in (ours, theirs)]
        assert boxtree_collide(*trees, pose, None, overlap=overlap), k
        assert boxtree_collide(*trees[::-1], None, pose, overlap=overlap), k
