"""Spheres: four numbers, and a test that no rotation can change.

The centre is the middle of the triangles' box, the radius the largest distance from it to a vertex, rounded up. Looser
than a box on most meshes, but the cheapest test under any pose.

In a's frame a sphere of b is its centre there and its radius with the margin. The lower bound of the distance is that
of the centres less both radii.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.volume.protocol import SAFE_SQUARE, Flags, InFrameOfA, Rows, VolumeKind, span
from tumble.volume.relative import MARGIN, SCALE, TRANSLATION

# More than the rounding of a distance (a difference, a square, two sums, a root): relative, and for denormals absolute.
ROUND_UP = 1.0 + 2.0**-48
ROUND_UP_TINY = 4 * 5e-324
ROUND_DOWN = 1.0 - 2.0**-48
SMALLEST_RADIUS = 1e-300  # more than the radius of a point at the origin, which is a few denormals


class Spheres(NamedTuple):
    """A row for each node: centre x, y, z, radius."""

    balls: NDArray[np.float64]


@kernel
def length(x, y, z):
    """Return an upper bound of the length of a vector, the true length but for rounding unless it is minute."""
    square = x * x + y * y + z * z
    if square < SAFE_SQUARE:
        return abs(x) + abs(y) + abs(z)
    return sqrt(square)


def _fit(volumes, node, vertices, faces, order, start, stop):
    ball = volumes.balls[node]
    for axis in range(3):
        low, high = span(vertices, faces, order, start, stop, axis)
        ball[axis] = 0.5 * low + 0.5 * high
    radius = 0.0
    for k in range(start, stop):
        for corner in range(3):
            v = faces[order[k], corner]
            radius = max(radius, length(vertices[v, 0] - ball[0], vertices[v, 1] - ball[1], vertices[v, 2] - ball[2]))
    ball[3] = radius * ROUND_UP + ROUND_UP_TINY


def _merge(volumes, node, first, second):
    balls = volumes.balls
    ax, ay, az, ar = balls[first, 0], balls[first, 1], balls[first, 2], balls[first, 3]
    bx, by, bz, br = balls[second, 0], balls[second, 1], balls[second, 2], balls[second, 3]
    distance = length(bx - ax, by - ay, bz - az)
    # how far along from a's centre to b's the new centre lies; at the ends one ball contains the other
    along = 0.0
    if distance > 0.0:
        along = min(1.0, max(0.0, 0.5 * (distance + br - ar) / distance))
    x, y, z = ax + along * (bx - ax), ay + along * (by - ay), az + along * (bz - az)
    radius = max(length(x - ax, y - ay, z - az) + ar, length(x - bx, y - by, z - bz) + br)
    balls[node, 0], balls[node, 1], balls[node, 2] = x, y, z
    balls[node, 3] = radius * ROUND_UP + ROUND_UP_TINY


def _measure(volumes, i):
    radius = volumes.balls[i, 3]
    return 4.18879020478639 * radius * radius * radius


def _longest_side(volumes, i):
    return 2.0 * volumes.balls[i, 3]


@inlined_kernel
def centre_in_frame_of_a(b, j, relative):
    """Return the centre of a sphere of b in a's frame."""
    x, y, z = b[j, 0], b[j, 1], b[j, 2]
    return (
        relative[0] * x + relative[1] * y + relative[2] * z + relative[TRANSLATION],
        relative[3] * x + relative[4] * y + relative[5] * z + relative[TRANSLATION + 1],
        relative[6] * x + relative[7] * y + relative[8] * z + relative[TRANSLATION + 2],
    )


def _overlap(volumes, i, others, j, relative):
    a, b = volumes.balls, others.balls
    x, y, z = centre_in_frame_of_a(b, j, relative)
    dx, dy, dz = x - a[i, 0], y - a[i, 1], z - a[i, 2]
    # a distance in space, so the margin of one coordinate counts up to sqrt(3) times
    reach = (a[i, 3] + b[j, 3] + 2.0 * relative[MARGIN]) * ROUND_UP
    return dx * dx + dy * dy + dz * dz <= reach * reach + SAFE_SQUARE


def _bound(volumes, i, others, j, relative):
    a, b = volumes.balls, others.balls
    x, y, z = centre_in_frame_of_a(b, j, relative)
    reach = (a[i, 3] + b[j, 3] + 2.0 * relative[MARGIN]) * ROUND_UP
    return distance_bound(x - a[i, 0], y - a[i, 1], z - a[i, 2], reach, relative)


@inlined_kernel
def distance_bound(x, y, z, reach, relative):
    """Return how much longer a vector is than the radii; ROUND_DOWN covers the rounding of its length."""
    square = x * x + y * y + z * z
    if square <= reach * reach + SAFE_SQUARE:
        return 0.0
    return max(0.0, sqrt(square) * ROUND_DOWN - reach) * relative[SCALE]


def _into_frame_of_a(volumes, j, relative, rows, k):
    rows[k, 0], rows[k, 1], rows[k, 2] = centre_in_frame_of_a(volumes.balls, j, relative)
    rows[k, 3] = volumes.balls[j, 3] + 2.0 * relative[MARGIN]


def _overlap_in_frame_of_a(volumes, i, rows, k, relative):
    a = volumes.balls
    dx, dy, dz = rows[k, 0] - a[i, 0], rows[k, 1] - a[i, 1], rows[k, 2] - a[i, 2]
    reach = (a[i, 3] + rows[k, 3]) * ROUND_UP
    return dx * dx + dy * dy + dz * dz <= reach * reach + SAFE_SQUARE


def _bound_in_frame_of_a(volumes, i, rows, k, relative):
    a = volumes.balls
    reach = (a[i, 3] + rows[k, 3]) * ROUND_UP
    return distance_bound(rows[k, 0] - a[i, 0], rows[k, 1] - a[i, 1], rows[k, 2] - a[i, 2], reach, relative)


def _contains(rows: Rows, points: Rows) -> Flags:
    # scaled by the radius, so that squares neither overflow nor underflow; the radius was rounded up by more than
    # this rounds
    with np.errstate(over="ignore"):  # far outside a minute ball is outside
        scaled = (points - rows[..., :3]) / rows[..., 3:]
        inside: Flags = (scaled * scaled).sum(axis=-1) <= 1.0
    return inside


def _sound(rows: Rows, extent: float) -> Flags:
    # a ball about a point of the mesh's box that contains the mesh has a radius below 2 √3 times the extent
    centres = (np.abs(rows[:, :3]) <= extent).all(axis=1)
    return np.asarray(centres & (rows[:, 3] > 0.0) & (rows[:, 3] <= 4.0 * extent + SMALLEST_RADIUS))


KIND = VolumeKind(
    name="sphere", record=Spheres, width=4, fit_inner=True, fit=_fit, merge=_merge,
    measure=_measure, longest_side=_longest_side, overlap=_overlap, bound=_bound,
    in_frame_of_a=InFrameOfA(4, _into_frame_of_a, _overlap_in_frame_of_a, _bound_in_frame_of_a),
    contains=_contains, sound=_sound,
)  # fmt: skip
