"""Poses of links in kernels: `link_poses` for one configuration, `write_poses` for some of many.

Every operation is rounded in the order written, and sine and cosine are Tumble's own: the same bits on every machine.
A row of a pose is read as a whole before one is written: the compiler cannot know that addresses differ, and would read
each number again after each that is written.
"""

from tumble.core.elementary_kernels import sine_cosine
from tumble.core.jit import inlined_kernel, kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import address_of, float64_at, set_float64
from tumble.robot.kinematics import FIXED, NONE, SLIDES, TURNS

POSE_WORDS = 16


@inlined_kernel
def joint_value(kinematics, q, link):
    """Return the value of the joint that carries a link; q is the address of a configuration."""
    column = kinematics.columns[link]
    if column == NONE:
        return kinematics.offsets[link]
    return kinematics.factors[link] * float64_at(q, column) + kinematics.offsets[link]


@inlined_kernel
def _row(pose, row):
    """Return a row of the pose at an address."""
    return (
        float64_at(pose, 4 * row),
        float64_at(pose, 4 * row + 1),
        float64_at(pose, 4 * row + 2),
        float64_at(pose, 4 * row + 3),
    )


@inlined_kernel
def _set_row(pose, row, values):
    """Write a row of the pose at an address."""
    set_float64(pose, 4 * row, values[0])
    set_float64(pose, 4 * row + 1, values[1])
    set_float64(pose, 4 * row + 2, values[2])
    set_float64(pose, 4 * row + 3, values[3])


@inlined_kernel
def _placed(o, parent):
    """Return a row of the pose of a joint's frame: a row of the parent link's times the joint's origin."""
    return (
        parent[0] * o[0, 0] + parent[1] * o[1, 0] + parent[2] * o[2, 0],
        parent[0] * o[0, 1] + parent[1] * o[1, 1] + parent[2] * o[2, 1],
        parent[0] * o[0, 2] + parent[1] * o[1, 2] + parent[2] * o[2, 2],
        parent[0] * o[0, 3] + parent[1] * o[1, 3] + parent[2] * o[2, 3] + parent[3],
    )


@inlined_kernel
def _rotation(x, y, z, s, c):
    """Return the nine numbers of a rotation about an axis, column by column: Rodrigues' formula."""
    v = 1.0 - c
    return (
        c + v * x * x, v * x * y + s * z, v * x * z - s * y,
        v * x * y - s * z, c + v * y * y, v * y * z + s * x,
        v * x * z + s * y, v * y * z - s * x, c + v * z * z,
    )  # fmt: skip


@inlined_kernel
def _turned(row, m):
    """Return a row of a frame that is turned by a rotation in it."""
    a, b, d = row[0], row[1], row[2]
    return (
        a * m[0] + b * m[1] + d * m[2],
        a * m[3] + b * m[4] + d * m[5],
        a * m[6] + b * m[7] + d * m[8],
        row[3],
    )


@inlined_kernel
def _slid(row, x, y, z, way):
    """Return a row of a frame that is moved along one of its axes."""
    return row[0], row[1], row[2], row[3] + (row[0] * x + row[1] * y + row[2] * z) * way


@inlined_kernel
def link_poses(kinematics, q, out):
    """Write the 4×4 poses of all links, one after the other, to the address `out`; q is that of a configuration."""
    for link in range(kinematics.parents.shape[0]):
        pose, parent, kind = out + 8 * POSE_WORDS * link, kinematics.parents[link], kinematics.kinds[link]
        x, y, z = kinematics.axes[link, 0], kinematics.axes[link, 1], kinematics.axes[link, 2]
        value, s, c = 0.0, 0.0, 1.0
        if kind != FIXED:
            value = joint_value(kinematics, q, link)
        if kind == TURNS:
            s, c = sine_cosine(value)
        turn = _rotation(x, y, z, s, c)
        for i in range(3):
            if parent == NONE:
                row = (
                    kinematics.origins[link, i, 0], kinematics.origins[link, i, 1],
                    kinematics.origins[link, i, 2], kinematics.origins[link, i, 3],
                )  # fmt: skip
            else:
                row = _placed(kinematics.origins[link], _row(out + 8 * POSE_WORDS * parent, i))
            if kind == TURNS:
                row = _turned(row, turn)
            elif kind == SLIDES:
                row = _slid(row, x, y, z, value)
            _set_row(pose, i, row)
        _set_row(pose, 3, (0.0, 0.0, 0.0, 1.0))


@kernel
def write_poses(kinematics, Q, found, start, stop):
    """Write the poses of all links in the configurations from `start` to `stop`."""
    row_bytes = 8 * Q.shape[1]
    pose_bytes = 8 * POSE_WORDS * kinematics.parents.shape[0]
    for k in range(start, stop):
        if k & OFTEN == 0 and poll(0) != 0:
            break
        link_poses(kinematics, address_of(Q) + k * row_bytes, address_of(found) + k * pose_bytes)
