"""Awkward poses: exact ones, hardly rigid ones, far away ones, and those that bring two meshes into contact."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np

from oracle import pose_points
from tumble import Mesh
from tumble.mesh import random_pose
from tumble.mesh.arrays import MAX_COORDINATE
from tumble.mesh.rigid import RIGIDITY_TOLERANCE

Random = np.random.Generator
Pose = np.ndarray | None


def quarter_turns() -> list[np.ndarray]:
    """Return the 24 rotations that take axes to axes."""
    matrices = [
        np.eye(3)[list(order)] * signs for order in permutations(range(3)) for signs in product((1, -1), repeat=3)
    ]
    return [matrix for matrix in matrices if np.linalg.det(matrix) > 0]


QUARTER_TURNS = quarter_turns()


def as_matrix(turn: np.ndarray, shift: np.ndarray | list[float]) -> np.ndarray:
    """Return a 4×4 pose."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, shift
    return pose


def turn(rng: Random) -> np.ndarray:
    """Return a rotation: none, quarter turns, any, hardly any, or one that is rigid only within the tolerance."""
    kind = rng.random()
    if kind < 0.25:
        return np.eye(3)
    if kind < 0.5:
        return QUARTER_TURNS[rng.integers(24)]
    rotation = random_pose(rng)[:3, :3]
    if kind < 0.7:
        return rotation
    if kind < 0.8:  # hardly turned: products of tiny and large numbers
        angle = 10.0 ** rng.uniform(-17, -3)
        return np.array([[1.0, -angle, 0.0], [angle, 1.0, 0.0], [0.0, 0.0, 1.0]])[rng.permutation(3)][
            :, rng.permutation(3)
        ]
    # RᵀR is off by at most twice the error times the square root of three
    skewed = rotation + rng.uniform(-1, 1, (3, 3)) * RIGIDITY_TOLERANCE / 6
    return skewed.astype(np.float32).astype(float) if rng.random() < 0.3 else skewed


def proper(matrix: np.ndarray) -> bool:
    """Tell whether a rotation is one that tumble accepts."""
    error = np.abs(matrix.T @ matrix - np.eye(3)).max()
    return error <= RIGIDITY_TOLERANCE * 0.99 and np.linalg.det(matrix) > 0


def awkward_pose(rng: Random, size: float = 1.0) -> Pose:
    """Return a pose for a mesh about as large as `size`."""
    kind = rng.random()
    if kind < 0.2:
        return None
    rotation = turn(rng)
    rotation = rotation if proper(rotation) else np.eye(3)
    if kind < 0.45:
        shift = rng.integers(-2, 3, 3) * (1.0 if rng.random() < 0.7 else size)
    elif kind < 0.9:
        shift = rng.normal(size=3) * size * rng.choice([0, 1e-9, 0.3, 1])
    else:
        shift = rng.normal(size=3) * 10.0 ** rng.uniform(0, 60)
    return as_matrix(rotation, np.clip(shift, -MAX_COORDINATE, MAX_COORDINATE))


def touching_pose(rng: Random, a: Mesh, b: Mesh, pose_a: Pose) -> Pose:
    """Return a pose of b that brings a point of one of its triangles to one of a's: up to rounding, often exactly."""
    if len(a) == 0 or len(b) == 0:
        return awkward_pose(rng)
    rotation = turn(rng)
    pose = as_matrix(rotation if proper(rotation) else np.eye(3), [0, 0, 0])
    there = point_of(rng, pose_points(a.vertices, pose_a)[a.faces[rng.integers(len(a))]])
    here = point_of(rng, pose_points(b.vertices, pose)[b.faces[rng.integers(len(b))]])
    shift = there - here
    if rng.random() < 0.3:
        shift = np.nextafter(shift, rng.choice([-np.inf, np.inf], 3))
    pose[:3, 3] = np.clip(shift, -MAX_COORDINATE, MAX_COORDINATE)
    return pose


def point_of(rng: Random, triangle: np.ndarray) -> np.ndarray:
    """Return a corner, the middle of an edge, or a point inside."""
    weights = np.array([(4, 0, 0), (2, 2, 0), (2, 1, 1)][rng.integers(3)]) / 4
    return rng.permutation(weights) @ triangle


def awkward_poses(rng: Random, a: Mesh, b: Mesh) -> tuple[Pose, Pose]:
    """Return poses of two meshes."""
    size = max(a.extent, b.extent) or 1.0
    pose_a = None if rng.random() < 0.4 else awkward_pose(rng, size)
    return pose_a, touching_pose(rng, a, b, pose_a) if rng.random() < 0.5 else awkward_pose(rng, size)
