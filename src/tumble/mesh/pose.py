"""Rigid motions as 4×4 arrays of column vectors: checking, applying and making them.

A posed vertex is *defined* as what `apply_pose` computes, operation by operation in float64; the kernels
repeat the same order, so that every part of Tumble speaks about the same numbers.
"""

from __future__ import annotations

from math import cos, isfinite, sin
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.elementary import ACCURATE, sines_cosines
from tumble.core.products import applied, dot_product, length, product
from tumble.errors import PoseError
from tumble.mesh.arrays import three_numbers
from tumble.mesh.convert import MeshLike, as_mesh
from tumble.mesh.mesh import Mesh
from tumble.mesh.rigid import as_affine, as_rigid

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def apply_pose(pose: NDArray[np.float64] | None, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, 3) points moved by a (3, 4) pose: x' = ((R00·x + R01·y) + R02·z) + t0, each step rounded.

    Written elementwise on purpose: a matrix product may reorder or fuse operations, and change the last bit.
    """
    if pose is None:
        return points
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    moved = np.empty((len(points), 3), dtype=np.float64)
    for i in range(3):
        moved[:, i] = ((pose[i, 0] * x + pose[i, 1] * y) + pose[i, 2] * z) + pose[i, 3]
    return moved


def transformed(mesh: MeshLike, matrix: ArrayLike) -> Mesh:
    """Return a new Mesh with any finite affine 4×4 matrix baked into its vertices.

    A mirroring matrix also flips the winding of the faces, so that outward stays outward.
    """
    mesh = as_mesh(mesh)
    affine = as_affine(matrix)
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused by Mesh, by name
        moved = apply_pose(affine, mesh.vertices)
    mirrored = _is_mirrored(affine[:, :3])
    return Mesh(moved, mesh.faces[:, [0, 2, 1]] if mirrored else mesh.faces)


def translation(x: float, y: float, z: float) -> NDArray[np.float64]:
    """Return the 4×4 pose that moves every point by (x, y, z)."""
    pose = np.eye(4)
    pose[:3, 3] = three_numbers((x, y, z), "a translation", PoseError)
    return pose


def rotation(axis: str | ArrayLike, angle: float, point: ArrayLike | None = None) -> NDArray[np.float64]:
    """Return the 4×4 pose that turns by `angle` radians about an axis through `point` (default: the origin).

    `axis` is 'x', 'y', 'z' or a vector of any length but zero; positive angles follow the right hand.
    """
    try:
        finite = isfinite(angle)
    except (TypeError, ValueError, OverflowError):
        finite = False
    if not finite:
        raise PoseError(f"the angle of a rotation must be one finite number, not {angle!r}")
    x, y, z = unit_axis(axis)
    s, c = _sine_cosine(float(angle))
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    pose = np.eye(4)
    pose[:3, :3] = c * np.eye(3) + s * cross + (1.0 - c) * np.multiply.outer((x, y, z), (x, y, z))
    if point is not None:
        centre = three_numbers(point, "the point of a rotation", PoseError)
        pose[:3, 3] = centre - applied(pose[:3, :3], centre)
    return pose


def random_pose(seed_or_rng: int | np.random.Generator, spread: float = 1.0) -> NDArray[np.float64]:
    """Return a 4×4 pose: a uniform random rotation and a translation uniform in [-spread, spread]³."""
    if not (isfinite(spread) and spread >= 0):
        raise PoseError(f"spread must be finite and not negative, not {spread}")
    rng = np.random.default_rng(seed_or_rng)
    pose = np.eye(4)
    # A normalised Gaussian quaternion is uniform on the sphere, hence a uniform rotation.
    pose[:3, :3] = rows_of_quaternion(*_unit_quaternion(rng))
    pose[:3, 3] = rng.uniform(-spread, spread, 3)
    return pose


def rows_of_quaternion(w: Any, x: Any, y: Any, z: Any, scale: Any = 2.0) -> list[list[Any]]:
    """Return the rotation matrix of a quaternion, of numbers or of arrays; `scale` is two over its squared length."""
    s = scale
    return [
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ]


def compose(*poses: ArrayLike | None) -> NDArray[np.float64]:
    """Return the 4×4 product of rigid poses (None: identity); compose(a, b) moves by b first, then by a."""
    result = np.eye(4)
    for pose in poses:
        matrix = as_rigid(pose)
        if matrix is not None:
            result = product(result, matrix)
    return result


def _is_mirrored(linear: NDArray[np.float64]) -> bool:
    """Tell whether a determinant is negative; its rows are scaled, so that no product leaves float64's range."""
    largest = np.abs(linear).max(axis=1, keepdims=True)
    a, b, c = linear / np.where(largest > 0.0, largest, 1.0)
    return bool(dot_product(a, np.cross(b, c)) < 0.0)


def _sine_cosine(angle: float) -> tuple[float, float]:
    # The library's reduction of huge angles is exact; ours gives the same bits on every machine.
    return sines_cosines(angle) if abs(angle) <= ACCURATE else (sin(angle), cos(angle))


def _unit_quaternion(rng: np.random.Generator) -> list[float]:
    while True:
        quaternion = rng.standard_normal(4)
        size = length(quaternion)
        if size > 1e-3:
            return (quaternion / size).tolist()


def unit_axis(axis: str | ArrayLike) -> list[float]:
    """Return the three components of an axis, a name or a vector, at length one."""
    if isinstance(axis, str):
        if axis not in _AXES:
            raise PoseError(f"unknown axis {axis!r}; use 'x', 'y', 'z' or a vector")
        return list(_AXES[axis])
    vector = three_numbers(axis, "the axis of a rotation", PoseError)
    largest = np.abs(vector).max()
    if largest == 0:
        raise PoseError("the axis of a rotation must not be the zero vector")
    vector = vector / largest
    return (vector / length(vector)).tolist()
