"""Are these poses rigid motions? The check of `tumble.mesh.rigid`, compiled, for poses by their address.

`tumble.mesh.rigid.as_pose` says the same in Python, and words the error when a pose is refused here.
"""

from numba import float64, int64

from tumble.core.jit import external, fixed_kernel, inlined_kernel
from tumble.core.simd.memory import address_of, float64_at, set_float64
from tumble.mesh.arrays import MAX_COORDINATE
from tumble.mesh.rigid import LAST_ROW_TOLERANCE, RIGIDITY_TOLERANCE

REFUSED = -1.0
POSE_WORDS = 16
POSE_BYTES = 8 * POSE_WORDS


@inlined_kernel
def product_of_columns(pose, i, other, j):
    """Return the scalar product of two columns of two rotations."""
    return (
        float64_at(pose, i) * float64_at(other, j)
        + float64_at(pose, 4 + i) * float64_at(other, 4 + j)
        + float64_at(pose, 8 + i) * float64_at(other, 8 + j)
    )


@inlined_kernel
def _determinant(pose):
    a, b, c = float64_at(pose, 0), float64_at(pose, 1), float64_at(pose, 2)
    d, e, f = float64_at(pose, 4), float64_at(pose, 5), float64_at(pose, 6)
    g, h, i = float64_at(pose, 8), float64_at(pose, 9), float64_at(pose, 10)
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


@external(float64(int64))
def checked(pose):
    """Return the largest absolute entry of RᵀR - I of the 4×4 pose at an address, or REFUSED when it is not rigid.

    Comparisons are written so that what is not a number fails them.
    """
    deviation = 0.0
    for i in range(3):
        for j in range(i, 3):
            entry = abs(product_of_columns(pose, i, pose, j) - (1.0 if i == j else 0.0))
            if not entry <= RIGIDITY_TOLERANCE:
                return REFUSED
            deviation = max(deviation, entry)
        if not abs(float64_at(pose, 4 * i + 3)) <= MAX_COORDINATE:
            return REFUSED
        if not abs(float64_at(pose, 12 + i)) <= LAST_ROW_TOLERANCE:
            return REFUSED
    if not abs(float64_at(pose, 15) - 1.0) <= LAST_ROW_TOLERANCE or not _determinant(pose) >= 0.0:
        return REFUSED
    return deviation


@inlined_kernel
def own_pose(source, place):
    """Copy a pose and check the copy: other threads may write into the array as soon as they can."""
    for k in range(POSE_WORDS):
        set_float64(place, k, float64_at(source, k))
    return checked(place)


@fixed_kernel(int64(float64[:, :, ::1], float64[::1]))
def check_poses(poses, deviations):
    """Write how far each pose is from a rotation; return the number of the first that is not a rigid motion, or -1."""
    address = address_of(poses)
    for k in range(poses.shape[0]):
        deviations[k] = checked(address + k * POSE_BYTES)
        if deviations[k] < 0.0:
            return k
    return -1
