"""The pieces of motions as rows of numbers, which kernels read: made for many pieces at once.

    word 0, 1    when it begins and ends          9–11    the centre c when it begins
    2            the angle θ                      12–27   the pose when it begins, 4×4
    3–5          the axis k                       28–39   [k]× R and [k]× (T - c), row by row as in a pose
    6–8          the way v of the centre          40–51   [k]×² R and [k]×² (T - c)

Poses may be off from rotations by RIGIDITY_TOLERANCE where they enter Tumble. A motion that is built from them would
jump where one piece ends and the next begins, so they are straightened first, unless they are rotations to rounding.
"""

from math import pi

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import sines_cosines
from tumble.core.products import dot_product, product

START, END, ANGLE, AXIS, WAY, CENTRE, POSE, SINE, VERSINE, WORDS = 0, 1, 2, 3, 6, 9, 12, 28, 40, 52

MOST_TURNS = 64 * 2.0 * pi
"""the largest angle of a piece: its rounding stays below 2**-44"""
ROUNDING = 2.0**-44
"""a pose that is nearer to a rotation than this is left as it is"""
SMALLEST_SINE = 2.0**-49
"""of half an angle: below, there is no rotation"""

Matrices = NDArray[np.float64]
Vectors = NDArray[np.float64]


def straightened(poses: Matrices) -> Matrices:
    """Return (n, 4, 4) poses whose rotations are such to rounding; those that already are keep their bits."""
    poses = poses.copy()
    for _ in range(4):
        turns = poses[:, :3, :3]
        off = product(turns.transpose(0, 2, 1), turns) - np.eye(3)
        wrong = np.abs(off).max(axis=(1, 2), initial=0.0) > ROUNDING
        if not wrong.any():
            break
        # towards the nearest rotation: each step squares the deviation
        poses[wrong, :3, :3] = turns[wrong] - 0.5 * product(turns[wrong], off[wrong])
    poses[:, 3] = 0.0, 0.0, 0.0, 1.0
    return poses


def _quaternions(turns: Matrices) -> NDArray[np.float64]:
    """Return unit quaternions (w, x, y, z), w not negative: each from the largest of its components."""
    m = [[turns[:, i, j] for j in range(3)] for i in range(3)]
    xy, yz, zx = m[0][1] + m[1][0], m[1][2] + m[2][1], m[2][0] + m[0][2]
    x, y, z = m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]
    squares = [
        ((1.0 + m[0][0]) + m[1][1]) + m[2][2],
        ((1.0 + m[0][0]) - m[1][1]) - m[2][2],
        ((1.0 - m[0][0]) + m[1][1]) - m[2][2],
        ((1.0 - m[0][0]) - m[1][1]) + m[2][2],
    ]
    choices = [np.stack(row, axis=1) for row in (
        (squares[0], x, y, z), (x, squares[1], xy, zx), (y, xy, squares[2], yz), (z, zx, yz, squares[3])
    )]  # fmt: skip
    largest = np.argmax(np.stack(squares, axis=1), axis=1)
    chosen = np.stack(choices, axis=1)[np.arange(len(turns)), largest]
    chosen = chosen / np.sqrt(dot_product(chosen, chosen))[:, None]
    return np.where(chosen[:, :1] < 0.0, -chosen, chosen)


def rotations_between(starts: Matrices, ends: Matrices) -> tuple[Vectors, NDArray[np.float64]]:
    """Return the axes and the angles, from 0 to π, of the rotations that take (n, 3, 3) ones to others."""
    if len(starts) == 0:
        return np.empty((0, 3)), np.empty(0)
    quaternions = _quaternions(product(ends, starts.transpose(0, 2, 1)))
    vectors = quaternions[:, 1:]
    sines = np.sqrt(dot_product(vectors, vectors))
    turning = sines > SMALLEST_SINE
    axes = np.where(turning[:, None], vectors / np.where(turning, sines, 1.0)[:, None], (0.0, 0.0, 1.0))
    return axes, np.where(turning, 2.0 * _angles(sines, quaternions[:, 0]), 0.0)


def _angles(sines: NDArray[np.float64], cosines: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the angles, up to a quarter turn, of sines and cosines that are not negative."""
    # NumPy's last bits depend on the machine: the first 24 do not, and one step of Newton's method gives the rest
    angles = np.arctan2(sines, cosines).astype(np.float32).astype(np.float64)
    s, c = sines_cosines(angles)
    return angles + (sines * c - cosines * s)


def _crossed(axes: Vectors, columns: Matrices) -> Matrices:
    """Return [k]× times (n, 3, m) columns."""
    x, y, z = (axes[:, k, None] for k in range(3))
    a, b, c = columns[:, 0], columns[:, 1], columns[:, 2]
    return np.stack([y * c - z * b, z * a - x * c, x * b - y * a], axis=1)


def made_pieces(
    starts: Matrices,
    ways: Vectors,
    axes: Vectors,
    angles: NDArray[np.float64],
    centres: Vectors,
    times: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return pieces that begin at (n, 4, 4) poses; each from time 0 to 1, or from one of n + 1 times to the next."""
    pieces = np.zeros((len(starts), WORDS))
    pieces[:, START], pieces[:, END] = (0.0, 1.0) if times is None else (times[:-1], times[1:])
    pieces[:, ANGLE], pieces[:, AXIS : AXIS + 3] = angles, axes
    pieces[:, WAY : WAY + 3], pieces[:, CENTRE : CENTRE + 3] = ways, centres
    pieces[:, POSE : POSE + 16] = starts.reshape(-1, 16)
    columns = starts[:, :3].copy()
    columns[:, :, 3] -= centres
    once = _crossed(axes, columns)
    twice = _crossed(axes, once)
    turning = (angles != 0.0)[:, None]
    pieces[:, SINE : SINE + 12] = np.where(turning, once.reshape(-1, 12), 0.0)
    pieces[:, VERSINE : VERSINE + 12] = np.where(turning, twice.reshape(-1, 12), 0.0)
    return pieces
