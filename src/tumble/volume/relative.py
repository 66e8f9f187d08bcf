"""How the frame of mesh b lies in the frame of mesh a, and how much that knowledge may be off.

Trees are built once, in the frame of their mesh; a query looks at b's volumes from a's frame. The answer, however, is
about posed float64 vertices, and poses are rigid only within a tolerance. All the difference goes into one number, the
margin, by which every overlap test widens its volumes.

With a point p common to two posed triangles, x and y its places in the two meshes' own frames, and e the rounding of
the posed vertices:

    p = Ra x + ta + ea = Rb y + tb + eb      hence, times Ra^T,
    x = (Ra^T Rb) y + Ra^T (tb - ta) + Ra^T (eb - ea) - (Ra^T Ra - I) x

The last two terms, the rounding of the first two and of the overlap test itself are each bounded by a few units in the
last place of the largest coordinates, or by the pose's distance from a rotation times those coordinates. The factors
below are generous: a wider margin costs a few more tests, a narrower one would lose pairs.

Distances. With p and q posed points of a and b, and x and y their places as above, the same equation reads

    Ra^T (p - q) = x - (R y + t) + e        R = Ra^T Rb,  t = Ra^T (tb - ta),  no component of e above the margin

so a gap between two volumes in a's frame, less the margin, bounds the length of Ra^T (p - q). With d the distance of a
pose from a rotation, the largest entry of R^T R - 1, no matrix here makes a vector longer than by the factor 1 + 1.5 d:
3 d bounds the norm of R^T R - 1, and the root halves it. A volume that measures along the columns of R (they are b's
axes) makes it longer by those of both poses again. So |p - q| is at least the gap times

    scale = (1 - 128 u) / (1 + 4 (da + db))

where the 128 u pay for the rounding of the deviations (8 u each) and of what a volume does with its gaps: differences,
a sum of squares, a root, a division.
"""

import numpy as np
from numpy.typing import NDArray

# Places in the flat array that kernels read: a 3×3 rotation by rows, a translation, the margin, whether the rotation is
# exactly the identity (then boxes are compared without turning them), and the scale of distances.
TRANSLATION = 9
MARGIN = 12
ALIGNED = 13
SCALE = 14
SIZE = 15

UNIT_ROUNDOFF = 2.0**-53
ROUNDED_DOWN = 1.0 - 128 * UNIT_ROUNDOFF
SMALLEST_DENORMAL = 5e-324

Pose = NDArray[np.float64]


def relative_pose(pose_a: Pose | None, pose_b: Pose | None, extent_a: float, extent_b: float) -> NDArray[np.float64]:
    """Return the flat array of b's frame as seen from a's, for checked (3, 4) poses and largest coordinates."""
    result = np.zeros(SIZE)
    result[SCALE] = ROUNDED_DOWN
    if pose_a is None and pose_b is None:
        result[0] = result[4] = result[8] = result[ALIGNED] = 1.0
        return result
    rotation_a, shift_a = _parts(pose_a)
    rotation_b, shift_b = _parts(pose_b)
    rotation = rotation_a.T @ rotation_b
    result[:9] = rotation.ravel()
    result[TRANSLATION : TRANSLATION + 3] = rotation_a.T @ (shift_b - shift_a)
    result[ALIGNED] = np.array_equal(rotation, np.eye(3))
    extents = extent_a + extent_b
    deviation = _deviation(rotation_a) + _deviation(rotation_b)
    result[SCALE] = ROUNDED_DOWN / (1.0 + 4.0 * deviation)
    rounding = extents + np.abs(shift_a).max() + np.abs(shift_b).max()
    result[MARGIN] = 32 * deviation * extents + 128 * UNIT_ROUNDOFF * rounding + 64 * SMALLEST_DENORMAL
    return result


def _parts(pose: Pose | None) -> tuple[Pose, Pose]:
    return (np.eye(3), np.zeros(3)) if pose is None else (pose[:, :3], pose[:, 3])


def _deviation(rotation: Pose) -> float:
    return float(np.abs(rotation.T @ rotation - np.eye(3)).max())
