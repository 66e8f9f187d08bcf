"""Matrices of scene formats, and meshes that they place.

Scenes store rotations as rounded numbers, and often several are multiplied: a part would come out stretched by some
millionths, and its copies would no longer be congruent. A matrix that is rigid up to ROUNDING is therefore taken as the
nearest rotation; one that scales or shears by more is applied as it is.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.mesh import Mesh
from tumble.mesh.pose import transformed

ROUNDING = 1e-5
_EXACT = 1e-13


def placed(mesh: Mesh, matrix: NDArray[np.float64] | None) -> Mesh:
    """Return a mesh where a 4×4 matrix puts it; None leaves it in place."""
    if matrix is None or np.array_equal(matrix, np.eye(4)):
        return mesh
    return transformed(mesh, _without_rounding(matrix))


def _without_rounding(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    turn = matrix[:3, :3]
    deviation = np.abs(turn @ turn.T - np.eye(3)).max()
    if not _EXACT < deviation < ROUNDING:
        return matrix
    left, _, right = np.linalg.svd(turn)
    rigid = matrix.copy()
    rigid[:3, :3] = left @ right
    return rigid


def quaternion_matrix(quaternion: list[float]) -> NDArray[np.float64]:
    """Return the 4×4 rotation of a quaternion x, y, z, w of any length but zero."""
    x, y, z, w = quaternion
    squared = x * x + y * y + z * z + w * w
    if not squared > 0:
        raise ValueError(f"the quaternion {quaternion} does not describe a rotation")
    s = 2.0 / squared
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ]
    return matrix
