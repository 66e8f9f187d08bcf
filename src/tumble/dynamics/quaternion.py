"""Unit quaternions (w, x, y, z) for orientations."""

from math import cos, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel

# Below this angle sin(x)/x is 1 to the last bit.
TINY_ANGLE = 1e-9


@inlined_kernel
def turned(q, spin, time):
    """Return the orientation q after turning with a constant angular velocity for a time, of unit length."""
    angle = 0.5 * time * sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2])
    factor = 0.5 * time * (sin(angle) / angle if angle > TINY_ANGLE else 1.0)
    c, x, y, z = cos(angle), factor * spin[0], factor * spin[1], factor * spin[2]
    a = c * q[0] - x * q[1] - y * q[2] - z * q[3]
    b = c * q[1] + x * q[0] + y * q[3] - z * q[2]
    d = c * q[2] - x * q[3] + y * q[0] + z * q[1]
    e = c * q[3] + x * q[2] - y * q[1] + z * q[0]
    scale = 1.0 / sqrt(a * a + b * b + d * d + e * e)
    return a * scale, b * scale, d * scale, e * scale


@inlined_kernel
def write_matrix(q, matrices, i):
    """Write the rotation of a unit quaternion to matrix i of an (n, 3, 3) array."""
    w, x, y, z = q
    matrices[i, 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    matrices[i, 0, 1] = 2.0 * (x * y - w * z)
    matrices[i, 0, 2] = 2.0 * (x * z + w * y)
    matrices[i, 1, 0] = 2.0 * (x * y + w * z)
    matrices[i, 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    matrices[i, 1, 2] = 2.0 * (y * z - w * x)
    matrices[i, 2, 0] = 2.0 * (x * z - w * y)
    matrices[i, 2, 1] = 2.0 * (y * z + w * x)
    matrices[i, 2, 2] = 1.0 - 2.0 * (x * x + y * y)


def quaternion_of(rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the unit quaternion of a (3, 3) rotation matrix, its largest entry positive."""
    (a, b, c), (d, e, f), (g, h, i) = rotation.tolist()
    # four ways to the same quaternion up to a factor; the longest loses least
    rows = np.array(
        [
            [1 + a + e + i, h - f, c - g, d - b],
            [h - f, 1 + a - e - i, b + d, c + g],
            [c - g, b + d, 1 - a + e - i, f + h],
            [d - b, c + g, f + h, 1 - a - e + i],
        ]
    )
    best = rows[np.argmax(np.diag(rows))]
    return best / np.linalg.norm(best)
