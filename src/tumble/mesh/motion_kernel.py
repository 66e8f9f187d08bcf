"""Poses of motions in kernels: the formulas of `tumble.mesh.motion`, and the same bits."""

from tumble.core.elementary_kernels import sine_cosine
from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float64_at, set_float64
from tumble.mesh.motion_pieces import ANGLE, POSE, SINE, VERSINE, WAY


@inlined_kernel
def write_pose(piece, s, pose):
    """Write the pose at a share s of the piece at an address."""
    angle = float64_at(piece, ANGLE)
    for row in range(3):
        for column in range(4):
            set_float64(pose, 4 * row + column, float64_at(piece, POSE + 4 * row + column))
        set_float64(pose, 4 * row + 3, float64_at(pose, 4 * row + 3) + float64_at(piece, WAY + row) * s)
    for k in range(4):
        set_float64(pose, 12 + k, 1.0 if k == 3 else 0.0)
    if angle == 0.0:
        return
    sine, cosine = sine_cosine(angle * s)
    versine = 1.0 - cosine
    for k in range(12):
        turned = sine * float64_at(piece, SINE + k) + versine * float64_at(piece, VERSINE + k)
        set_float64(pose, k, float64_at(pose, k) + turned)
