"""Poses of links in kernels: `link_poses` for one configuration, `write_poses` for some of many.

Every operation is rounded in the order written, and sine and cosine are Tumble's own: the same bits on every machine.
"""

from tumble.core.elementary_kernels import sine_cosine
from tumble.core.jit import inlined_kernel, kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import address_of, float64_at, set_float64
from tumble.robot.kinematics import NONE, SLIDES, TURNS

POSE_WORDS = 16


@inlined_kernel
def joint_value(kinematics, q, link):
    """Return the value of the joint that carries a link; q is the address of a configuration."""
    column = kinematics.columns[link]
    if column == NONE:
        return kinematics.offsets[link]
    return kinematics.factors[link] * float64_at(q, column) + kinematics.offsets[link]


@inlined_kernel
def _place(kinematics, link, parent, pose):
    """Write the pose of a joint's frame: that of the parent link, at an address, times the joint's origin."""
    for row in range(3):
        for column in range(4):
            if kinematics.parents[link] == NONE:
                value = kinematics.origins[link, row, column]
            else:
                value = float64_at(parent, 4 * row) * kinematics.origins[link, 0, column]
                value += float64_at(parent, 4 * row + 1) * kinematics.origins[link, 1, column]
                value += float64_at(parent, 4 * row + 2) * kinematics.origins[link, 2, column]
                if column == 3:
                    value += float64_at(parent, 4 * row + 3)
            set_float64(pose, 4 * row + column, value)
    for column in range(4):
        set_float64(pose, 12 + column, 1.0 if column == 3 else 0.0)


@inlined_kernel
def _turn(pose, x, y, z, angle):
    """Turn the frame at an address about one of its axes: a rotation matrix by Rodrigues' formula."""
    s, c = sine_cosine(angle)
    v = 1.0 - c
    for row in range(3):
        a, b, d = float64_at(pose, 4 * row), float64_at(pose, 4 * row + 1), float64_at(pose, 4 * row + 2)
        set_float64(pose, 4 * row, a * (c + v * x * x) + b * (v * x * y + s * z) + d * (v * x * z - s * y))
        set_float64(pose, 4 * row + 1, a * (v * x * y - s * z) + b * (c + v * y * y) + d * (v * y * z + s * x))
        set_float64(pose, 4 * row + 2, a * (v * x * z + s * y) + b * (v * y * z - s * x) + d * (c + v * z * z))


@inlined_kernel
def _slide(pose, x, y, z, way):
    """Move the frame at an address along one of its axes."""
    for row in range(3):
        along = float64_at(pose, 4 * row) * x + float64_at(pose, 4 * row + 1) * y + float64_at(pose, 4 * row + 2) * z
        set_float64(pose, 4 * row + 3, float64_at(pose, 4 * row + 3) + along * way)


@inlined_kernel
def link_poses(kinematics, q, out):
    """Write the 4×4 poses of all links, one after the other, to the address `out`; q is that of a configuration."""
    for link in range(kinematics.parents.shape[0]):
        pose = out + 8 * POSE_WORDS * link
        _place(kinematics, link, out + 8 * POSE_WORDS * kinematics.parents[link], pose)
        kind = kinematics.kinds[link]
        x, y, z = kinematics.axes[link, 0], kinematics.axes[link, 1], kinematics.axes[link, 2]
        if kind == TURNS:
            _turn(pose, x, y, z, joint_value(kinematics, q, link))
        elif kind == SLIDES:
            _slide(pose, x, y, z, joint_value(kinematics, q, link))


@kernel
def write_poses(kinematics, Q, found, start, stop):
    """Write the poses of all links in the configurations from `start` to `stop`."""
    row_bytes = 8 * Q.shape[1]
    pose_bytes = 8 * POSE_WORDS * kinematics.parents.shape[0]
    for k in range(start, stop):
        if k & OFTEN == 0 and poll(0) != 0:
            break
        link_poses(kinematics, address_of(Q) + k * row_bytes, address_of(found) + k * pose_bytes)
