"""Matrices that place meshes.

Scenes store rotations as rounded numbers, and often several are multiplied: a part would come out stretched by some
millionths, and its copies would no longer be congruent. A matrix that is rigid up to ROUNDING is therefore taken as the
nearest rotation; one that scales or shears by more is applied as it is.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.mesh import Mesh
from tumble.mesh.pose import rows_of_quaternion, transformed

Matrix: TypeAlias = NDArray[np.float64]

ROUNDING = 1e-5
_EXACT = 1e-13


class Instance(NamedTuple):
    """A mesh, where a matrix puts it, and what the file says about it; see `tumble.Part`."""

    name: str
    mesh: Mesh
    matrix: Matrix | None = None
    """None leaves the mesh in place"""
    units: str | None = None
    kind: str | None = None
    guid: str | None = None
    group: str | None = None
    shape: str | None = None
    """names the mesh among those of its file"""


def placed(mesh: Mesh, matrix: Matrix | None) -> Mesh:
    """Return a mesh where a 4×4 matrix puts it; None leaves it in place."""
    if matrix is None or np.array_equal(matrix, np.eye(4)):
        return mesh
    return transformed(mesh, _without_rounding(matrix))


def _without_rounding(matrix: Matrix) -> Matrix:
    turn = matrix[:3, :3]
    deviation = np.abs(turn @ turn.T - np.eye(3)).max()
    if not _EXACT < deviation < ROUNDING:
        return matrix
    left, _, right = np.linalg.svd(turn)
    rigid = matrix.copy()
    rigid[:3, :3] = left @ right
    return rigid


def quaternion_matrix(quaternion: list[float]) -> Matrix:
    """Return the 4×4 rotation of a quaternion x, y, z, w of any length but zero."""
    x, y, z, w = quaternion
    squared = x * x + y * y + z * z + w * w
    if not squared > 0:
        raise ValueError(f"the quaternion {quaternion} does not describe a rotation")
    matrix = np.eye(4)
    matrix[:3, :3] = rows_of_quaternion(w, x, y, z, 2.0 / squared)
    return matrix


def row_vector_matrix(numbers: Sequence[float], what: str) -> Matrix:
    """Return the 4×4 matrix of twelve numbers in the order for row vectors: three axes, then the origin."""
    if len(numbers) != 12:
        raise ValueError(f"{what} has {len(numbers)} numbers, not 12")
    matrix = np.eye(4)
    matrix[:3] = np.array(numbers).reshape(4, 3).T
    return matrix


def product(outer: Matrix | None, inner: Matrix | None) -> Matrix | None:
    """Return the product of two matrices, None standing for the identity."""
    if outer is None or inner is None:
        return inner if outer is None else outer
    return outer @ inner
