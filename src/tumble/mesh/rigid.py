"""Is this 4×4 array a rigid motion of column vectors? If not, what is it?

The check runs before every query with a pose, so the good case is plain Python arithmetic on sixteen
floats, faster than small NumPy operations; only a refused pose is looked at more closely.
"""

from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import PoseError
from tumble.mesh.arrays import MAX_COORDINATE, plain_copy, real_array

# Largest deviation of RᵀR from the identity: float32 poses pass, a scale of 0.01 % does not.
RIGIDITY_TOLERANCE = 1e-4
LAST_ROW_TOLERANCE = 1e-12

_Rows = list[list[float]]
_IDENTITY = np.eye(4).tolist()
_LAST_ROW = [0.0, 0.0, 0.0, 1.0]


def as_pose(pose: ArrayLike | None) -> NDArray[np.float64] | None:
    """Return the upper (3, 4) of a rigid 4×4 pose, or None for None and for the exact identity."""
    matrix = as_rigid(pose)
    return None if matrix is None else matrix[:3]


def as_rigid(pose: ArrayLike | None) -> NDArray[np.float64] | None:
    """Return a rigid pose as a new (4, 4) array, or None for None and for the exact identity.

    The argument is read once, and the copy is checked: what other threads write into the array comes too late.
    """
    if pose is None:
        return None
    matrix = as_matrix(pose)
    rows = matrix.tolist()
    if rows == _IDENTITY:
        return None
    _check_last_row(rows)
    deviation = _deviation(rows)
    if not deviation <= RIGIDITY_TOLERANCE:
        raise PoseError(_why_not_rigid(matrix[:3, :3], deviation))
    if _determinant_is_negative(rows):
        raise PoseError(
            "pose is a reflection (its determinant is negative), not a rigid motion; "
            "mirror the vertices with tumble.transformed(mesh, matrix)"
        )
    _check_translation(rows)
    return matrix


def as_affine(matrix: ArrayLike) -> NDArray[np.float64]:
    """Return the upper (3, 4) of any finite affine 4×4 matrix: scale, shear and reflection are allowed."""
    checked = as_matrix(matrix)
    _check_last_row(checked.tolist())
    return checked[:3]


def as_matrix(pose: ArrayLike) -> NDArray[np.float64]:
    """Return a new finite (4, 4) float64 array, or name the entry at fault."""
    raw = real_array(pose, "pose", PoseError, "a 4×4 array")
    if raw.shape != (4, 4):
        hint = "; add the last row [0, 0, 0, 1]" if raw.shape == (3, 4) else ""
        raise PoseError(f"pose must be one 4×4 matrix; found shape {raw.shape}{hint}")
    matrix: NDArray[np.float64] = plain_copy(raw)
    flat = matrix.ravel().tolist()
    if not all(map(isfinite, flat)):
        at = next(k for k, value in enumerate(flat) if not isfinite(value))
        raise PoseError(f"pose[{at // 4}][{at % 4}] is {flat[at]}; every entry must be finite")
    return matrix


def as_poses(poses: ArrayLike, what: str, single: bool = False) -> NDArray[np.float64]:
    """Return poses as a new (n, 4, 4) float64 array; whether they are rigid is for the kernels to check.

    With `single`, one 4×4 pose will do as well, and comes back as (4, 4). Always a copy: another thread may write into
    what the caller holds, and after the check it would be too late.
    """
    raw = real_array(poses, what, PoseError, "an (n, 4, 4) array")
    if raw.shape == (0,):
        raw = np.empty((0, 4, 4))
    if single and raw.shape == (4, 4):
        return plain_copy(raw)
    if raw.ndim != 3 or raw.shape[1:] != (4, 4):
        hint = "; for one pose write poses[None]" if raw.shape == (4, 4) else ""
        hint = "; add the last row [0, 0, 0, 1]" if raw.shape[-2:] == (3, 4) else hint
        raise PoseError(f"{what} must have shape (n, 4, 4); found shape {raw.shape}{hint}")
    return plain_copy(raw)


def _check_last_row(rows: _Rows) -> None:
    # computing with poses may leave a trace of rounding there
    if all(abs(found - due) <= LAST_ROW_TOLERANCE for found, due in zip(rows[3], _LAST_ROW, strict=True)):
        return
    if [row[3] for row in rows] == _LAST_ROW:
        raise PoseError(
            f"pose has the last row {rows[3]}: it looks transposed (row vectors?); "
            "Tumble uses column vectors, so pass pose.T"
        )
    raise PoseError(f"the last row of a pose must be [0, 0, 0, 1]; found {rows[3]}")


def _deviation(rows: _Rows) -> float:
    """Return the largest absolute entry of RᵀR − I."""
    (a, b, c, _), (d, e, f, _), (g, h, i, _) = rows[:3]
    return max(
        abs(a * a + d * d + g * g - 1.0),
        abs(b * b + e * e + h * h - 1.0),
        abs(c * c + f * f + i * i - 1.0),
        abs(a * b + d * e + g * h),
        abs(a * c + d * f + g * i),
        abs(b * c + e * f + h * i),
    )


def _determinant_is_negative(rows: _Rows) -> bool:
    (a, b, c, _), (d, e, f, _), (g, h, i, _) = rows[:3]
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0


def _check_translation(rows: _Rows) -> None:
    for i in range(3):
        if abs(rows[i][3]) > MAX_COORDINATE:
            raise PoseError(
                f"pose[{i}][3] is {rows[i][3]}: the translation is beyond the supported ±{MAX_COORDINATE:g}"
            )


def _why_not_rigid(linear: NDArray[np.float64], deviation: float) -> str:
    largest = float(np.abs(linear).max())
    unit = linear / (largest or 1.0)  # squares of huge or tiny entries would leave float64's range
    lengths = np.sqrt((unit**2).sum(axis=0))
    products = np.outer(lengths, lengths)
    cosines = (unit.T @ unit) / np.where(products > 0, products, 1.0)
    scales_only = lengths.min() > 0 and np.abs(cosines - np.eye(3)).max() <= RIGIDITY_TOLERANCE
    factors = ", ".join(f"{length * largest:.6g}" for length in lengths)
    if lengths.max() == 0:
        what = "its 3×3 part is all zeros"
    elif scales_only:
        what = f"it scales by ({factors})"
    else:
        what = f"its columns are not perpendicular unit vectors (lengths {factors}): it shears"
    return (
        f"pose is not a rigid motion: {what}; RᵀR differs from the identity by {deviation:.3g}, allowed is "
        f"{RIGIDITY_TOLERANCE:g}. Bake scale or shear into the vertices with tumble.transformed(mesh, matrix)"
    )
