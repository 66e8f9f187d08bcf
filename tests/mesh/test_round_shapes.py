"""Polyhedra for round shapes: convex, closed, and around the shape or in it, within the deviation that is stated."""

import numpy as np
import pytest

from tumble.mesh.convexity import is_convex
from tumble.mesh.edges import edges_of
from tumble.mesh.shapes.round import DEVIATION, ball, capsule, cylinder

RADIUS, LENGTH = 0.3, 0.8
SHAPES = {
    "ball": (ball, 1.0, 0.0),
    "cylinder": (cylinder, 1.0, 1.0),
    "capsule": (lambda around: capsule(RADIUS, LENGTH, around), RADIUS, LENGTH),
    "short capsule": (lambda around: capsule(1.0, 0.0, around), 1.0, 0.0),
}


def beyond(name, points, radius, length):
    """How far points are outside of a round shape."""
    away, up = np.linalg.norm(points[:, :2], axis=1), np.maximum(np.abs(points[:, 2]) - length / 2, 0)
    return np.maximum(away - radius, up) if name == "cylinder" else np.hypot(away, up) - radius


@pytest.mark.parametrize("around", [True, False])
@pytest.mark.parametrize("name", SHAPES)
def test_round_shapes(name, around):
    make, radius, length = SHAPES[name]
    mesh = make(around)
    edges = edges_of(mesh)
    assert edges.closed
    assert edges.oriented
    assert is_convex(mesh)
    outside = beyond(name, mesh.vertices, radius, length)
    corners = mesh.triangles
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = normals[np.linalg.norm(normals, axis=1) > 1e-12]
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    # a convex shape is in a convex polyhedron if none of its points is beyond the plane of a face
    sideways = np.hypot(normals[:, 0], normals[:, 1]) if name == "cylinder" else 1.0
    farthest = radius * sideways + length / 2 * np.abs(normals[:, 2])
    room = (mesh.vertices @ normals.T).max(axis=0) - farthest
    if around:
        assert room.min() >= 0
        assert outside.max() <= DEVIATION * radius
    else:
        assert room.min() >= -DEVIATION * radius
        assert outside.max() <= 1e-12
    assert mesh.triangles.reshape(-1, 3)[:, 2].max() == -mesh.triangles.reshape(-1, 3)[:, 2].min()


def test_a_thin_capsule_is_a_segment():
    assert capsule(0.0, 2.0, True).bounds.tolist() == [[0, 0, -1], [0, 0, 1]]
