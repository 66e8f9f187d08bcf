"""A toy volume, added as CONTRIBUTING says: a cube about the middle of the triangles' box, its half side rounded up.

The test of two cubes is that of the balls around them, so no rotation can change it.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel
from tumble.volume.protocol import InFrameOfA, VolumeKind, span
from tumble.volume.relative import MARGIN, SCALE, TRANSLATION

ROUND_UP = 1.0 + 2.0**-40
TINY = 1e-150


class ToyCubes(NamedTuple):
    """A row for each node: centre x, y, z, half side."""

    cubes: NDArray[np.float64]


def _fit(volumes, node, vertices, faces, order, start, stop):
    cube = volumes.cubes[node]
    cube[3] = 0.0
    for axis in range(3):
        low, high = span(vertices, faces, order, start, stop, axis)
        cube[axis] = 0.5 * low + 0.5 * high
        cube[3] = max(cube[3], high - cube[axis], cube[axis] - low)
    cube[3] = cube[3] * ROUND_UP + TINY


def _merge(volumes, node, first, second):
    cubes = volumes.cubes
    a, b = first, second
    half, x, y, z = 0.0, 0.0, 0.0, 0.0
    for axis in range(3):
        low = min(cubes[a, axis] - cubes[a, 3], cubes[b, axis] - cubes[b, 3])
        high = max(cubes[a, axis] + cubes[a, 3], cubes[b, axis] + cubes[b, 3])
        middle = 0.5 * low + 0.5 * high
        half = max(half, high - middle, middle - low)
        x, y, z = (middle, y, z) if axis == 0 else ((x, middle, z) if axis == 1 else (x, y, middle))
    size = abs(x) + abs(y) + abs(z)
    cubes[node, 0], cubes[node, 1], cubes[node, 2] = x, y, z
    cubes[node, 3] = (half + size * 2.0**-50) * ROUND_UP + TINY


def _measure(volumes, i):
    return 8.0 * volumes.cubes[i, 3] ** 3


def _longest_side(volumes, i):
    return 2.0 * volumes.cubes[i, 3]


@inlined_kernel
def gap(a, i, x, y, z, half, relative):
    """Return the distance of the balls around two cubes; the margin of a coordinate counts up to √3 times."""
    x, y, z = x - a[i, 0], y - a[i, 1], z - a[i, 2]
    reach = (sqrt(3.0) * (a[i, 3] + half) + 2.0 * relative[MARGIN]) * ROUND_UP + TINY
    return sqrt(x * x + y * y + z * z) - reach


@inlined_kernel
def seen(b, j, relative, row):
    """Return a coordinate of the centre of b's cube in a's frame."""
    return (
        relative[3 * row] * b[j, 0]
        + relative[3 * row + 1] * b[j, 1]
        + relative[3 * row + 2] * b[j, 2]
        + relative[TRANSLATION + row]
    )


def _overlap(volumes, i, others, j, relative):
    b = others.cubes
    x, y, z = seen(b, j, relative, 0), seen(b, j, relative, 1), seen(b, j, relative, 2)
    return gap(volumes.cubes, i, x, y, z, b[j, 3], relative) <= 0.0


def _bound(volumes, i, others, j, relative):
    b = others.cubes
    x, y, z = seen(b, j, relative, 0), seen(b, j, relative, 1), seen(b, j, relative, 2)
    return max(0.0, gap(volumes.cubes, i, x, y, z, b[j, 3], relative)) * relative[SCALE]


def _into_frame_of_a(volumes, j, relative, rows, k):
    for row in range(3):
        rows[k, row] = seen(volumes.cubes, j, relative, row)
    rows[k, 3] = volumes.cubes[j, 3]


def _overlap_in_frame_of_a(volumes, i, rows, k, relative):
    return gap(volumes.cubes, i, rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3], relative) <= 0.0


def _bound_in_frame_of_a(volumes, i, rows, k, relative):
    return max(0.0, gap(volumes.cubes, i, rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3], relative)) * relative[SCALE]


def _contains(rows, points):
    return (np.abs(points - rows[..., :3]) <= rows[..., 3:]).all(axis=-1)


def _sound(rows, extent):
    return (np.abs(rows[:, :3]) <= extent).all(axis=1) & (rows[:, 3] > 0.0) & (rows[:, 3] <= 2.0 * extent + 1e-100)


KIND = VolumeKind(
    name="toy",
    record=ToyCubes,
    width=4,
    fit_inner=True,
    fit=_fit,
    merge=_merge,
    measure=_measure,
    longest_side=_longest_side,
    overlap=_overlap,
    bound=_bound,
    in_frame_of_a=InFrameOfA(4, _into_frame_of_a, _overlap_in_frame_of_a, _bound_in_frame_of_a),
    contains=_contains,
    sound=_sound,
)
