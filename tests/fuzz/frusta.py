"""`inside_frustum` against the rational judge: planes through vertices, and any others."""

from __future__ import annotations

import numpy as np

import tumble
from oracle import pose_points
from ray_oracle import kept_by
from tumble.api.rays import TREES, frustum_planes

from .meshes import awkward
from .poses import awkward_pose

Random = np.random.Generator


def case(rng: Random) -> None:
    """Compare the triangles that a frustum keeps."""
    mesh = awkward(rng, 40)
    pose = None if rng.random() < 0.5 else awkward_pose(rng, mesh.extent or 1.0)
    points = pose_points(mesh.vertices, pose)
    triangles = points[mesh.faces].reshape(-1, 3, 3)
    frustum = rng.normal(size=(4, 4)) if rng.random() < 0.2 else planes(rng, points)
    contained, tree = bool(rng.integers(2)), str(rng.choice(TREES))
    expected = kept_by(frustum_planes(frustum), triangles, contained)
    found = tumble.inside_frustum(mesh, frustum, pose=pose, contained=contained, tree=tree)
    if found.tolist() != expected.tolist():
        raise AssertionError(f"tree={tree} contained={contained}: {found.tolist()}, expected {expected.tolist()}")


def planes(rng: Random, points: np.ndarray) -> np.ndarray:
    """Return planes, many of which go through a vertex, up to rounding."""
    count = int(rng.integers(1, 7))
    count += count == 4  # four planes are taken for a matrix
    normals = rng.integers(-2, 3, (count, 3)) * 1.0 if rng.random() < 0.6 else rng.normal(size=(count, 3))
    through = points[rng.integers(0, len(points), count)] if len(points) else rng.normal(size=(count, 3))
    through = np.clip(through, -1e90, 1e90)
    return np.c_[normals, -(normals * through).sum(axis=1)]
