"""Triangles that touch in one exact point once posed, where their volumes have nothing to spare.

A vertex v of a is posed, in float64, to p. Then b, which has no pose, gets p as a vertex: p is common to both, to the
last bit, whatever the pose. The other vertices lead away from p, so that the volumes touch there and nowhere else, and
all that keeps the pair is the margin. `swapped` puts the pose on b instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from oracle import pose_points
from tumble.mesh.rigid import RIGIDITY_TOLERANCE

Random = np.random.Generator


class Posed(NamedTuple):
    """Two triangles in their own frames, and their (3, 4) poses or None."""

    a: np.ndarray
    b: np.ndarray
    pose_a: np.ndarray | None
    pose_b: np.ndarray | None

    def swapped(self) -> Posed:
        return Posed(self.b, self.a, self.pose_b, self.pose_a)

    def in_the_world(self) -> tuple[np.ndarray, np.ndarray]:
        return pose_points(self.a, self.pose_a), pose_points(self.b, self.pose_b)


# --- rotations: as exact as they come, rounded to float32, and off by all that is accepted


def turned(rng: Random) -> np.ndarray:
    matrix = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return matrix * np.sign(np.linalg.det(matrix))


def single_precision(rng: Random) -> np.ndarray:
    return turned(rng).astype(np.float32).astype(np.float64)


def stretched(rng: Random) -> np.ndarray:
    """Longer or shorter along axes of its own: RᵀR is off by just below what is accepted."""
    return turned(rng) @ np.diag(1 + rng.choice([-0.49, 0.49], 3) * RIGIDITY_TOLERANCE) @ turned(rng)


def sheared(rng: Random) -> np.ndarray:
    shear = np.eye(3)
    i, j = rng.permutation(3)[:2]
    shear[i, j] = rng.choice([-0.99, 0.99]) * RIGIDITY_TOLERANCE
    return turned(rng) @ shear


def nearly_straight(rng: Random) -> np.ndarray:
    """So close to the identity that the product of two may round to it."""
    small = 2.0 ** rng.integers(-56, -48)
    return np.eye(3) + small * rng.integers(-1, 2, (3, 3))


def hardly_turned(rng: Random) -> np.ndarray:
    """A rotation by some ulps to 1e-12: perfectly rigid in float64, so nothing but rounding widens the margin."""
    x, y, z = rng.normal(size=3) * 10.0 ** rng.uniform(-16, -12)
    return np.array([[1.0, -z, y], [z, 1.0, -x], [-y, x, 1.0]])


def quarter_turned(rng: Random) -> np.ndarray:
    """Axes onto axes: exact, and not aligned."""
    matrix = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
    return matrix * np.sign(np.linalg.det(matrix))


def straight(rng: Random) -> np.ndarray:
    return np.eye(3)


ROTATIONS: dict[str, Callable[[Random], np.ndarray]] = {
    function.__name__: function
    for function in (
        turned,
        single_precision,
        stretched,
        sheared,
        nearly_straight,
        hardly_turned,
        quarter_turned,
        straight,
    )
}

# --- sizes: of the triangle, of its distance from its own origin, of the translation

SCALES = {
    "ordinary": (1.0, 0.0, 1.0),
    "far mesh": (1.0, 1e9, 0.0),
    "far mesh brought back": (1.0, 1e9, -1e9),
    "far away": (1.0, 1.0, 1e15),
    "small and far": (1e-9, 1e3, 1e6),
    "tiny": (1e-300, 1e-300, 1e-300),
    "tiny, translation only": (1e-300, 0.0, 1.0),
    "denormal": (3e-322, 3e-322, 0.0),
    "denormal moved": (3e-322, 0.0, 1e-310),
    "huge": (1e99, 1e99, 1e99),
    "huge translation": (1.0, 1.0, 1e99),
    "underflowing squares": (1e-125, 1e-126, 1e-125),
    "mixed": (1e-200, 1.0, 1e80),
}


def random_pose(rng: Random, rotation: str, shift: float) -> np.ndarray:
    pose = np.zeros((3, 4))
    pose[:, :3] = ROTATIONS[rotation](rng)
    pose[:, 3] = shift * rng.uniform(-1, 1, 3)
    return pose


def contacts(seed: int, rotation: str, scale: str, count: int) -> Iterator[Posed]:
    """Touching pairs for boxes and for balls in turns, a posed and b not."""
    rng = np.random.default_rng([seed, *rotation.encode(), *scale.encode()])
    size, offset, shift = SCALES[scale]
    for k in range(count):
        pose = random_pose(rng, rotation, shift)
        if shift < 0:  # the pose takes the mesh back to where its frame has its origin
            corner = offset * rng.uniform(0.5, 1, 3)
            pose[:, 3] = -(pose[:, :3] @ corner)
        else:
            corner = offset * rng.uniform(-1, 1, 3)
        yield (_at_a_face if k % 2 else _end_to_end)(rng, pose, corner, size)


def _at_a_face(rng: Random, pose: np.ndarray, corner: np.ndarray, size: float) -> Posed:
    """p is a corner of b's box, and nothing of b's box is below a face of a's box, on which p lies."""
    axis, side = rng.integers(3), rng.choice([-1.0, 1.0])
    inward = rng.uniform(-1, 1, (2, 3)) * size
    inward[:, axis] = -side * np.abs(inward[:, axis])
    a = np.stack([corner, corner + inward[0], corner + inward[1]])
    p = pose_points(a[:1], pose)[0]
    outward = np.sign(side * pose[:, axis]) * rng.uniform(0, 1, 3) * size
    b = p + np.stack([np.zeros(3), [outward[0], 0, 0], [0, outward[1], outward[2]]])
    b[0] = p
    return Posed(a, b, pose, None)


def _end_to_end(rng: Random, pose: np.ndarray, corner: np.ndarray, size: float) -> Posed:
    """Two segments on one line, p between them: their balls touch in p."""
    along = rng.normal(size=3)
    along *= size / np.linalg.norm(along)
    a = np.stack([corner, corner, corner - along])
    p = pose_points(a[:1], pose)[0]
    b = np.stack([p, p + pose[:, :3] @ along * rng.uniform(0.1, 2), p])
    return Posed(a, b, pose, None)


def on_a_coarse_grid(seed: int, count: int) -> Iterator[Posed]:
    """Both so far away that posed vertices snap to a grid as coarse as the triangles: accidents of all kinds."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        names = rng.choice(list(ROTATIONS), 2)
        shift = rng.uniform(-1, 1, 3) * 1e15
        poses = [random_pose(rng, name, 0.0) for name in names]
        for pose in poses:
            pose[:, 3] = shift + rng.uniform(-0.3, 0.3, 3)
        a, b = rng.uniform(-0.4, 0.4, (2, 3, 3))
        yield Posed(a, b, *poses)


def brought_home(seed: int, a: np.ndarray, b: np.ndarray) -> Iterator[Posed]:
    """World pairs, each triangle seen from a frame of its own: posed back, they touch or miss by an ulp."""
    rng = np.random.default_rng(seed)
    for world_a, world_b in zip(a, b, strict=True):
        size = max(np.abs(world_a).max(), np.abs(world_b).max())
        local, poses = [], []
        for world in (world_a, world_b):
            pose = random_pose(rng, rng.choice(list(ROTATIONS)), size * rng.choice([0.0, 1.0, 1e3]))
            pose[:, 3] = np.clip(pose[:, 3], -1e100, 1e100)
            local.append((world - pose[:, 3]) @ np.linalg.inv(pose[:, :3]).T)
            poses.append(pose)
        yield Posed(*local, *poses)
