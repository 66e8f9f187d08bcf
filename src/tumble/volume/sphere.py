"""Spheres: four numbers, and a test that no rotation can change.

The centre is the middle of the triangles' box, the radius the largest distance from it to a vertex, rounded up. Looser
than a box on most meshes, but the cheapest test under any pose.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.volume.protocol import VolumeKind, fit, longest_side, measure, merge, overlap, span
from tumble.volume.relative import MARGIN, TRANSLATION

# More than the rounding of a distance (a difference, a square, two sums, a root): relative, and for denormals absolute.
ROUND_UP = 1.0 + 2.0**-48
ROUND_UP_TINY = 4 * 5e-324
# Squares below this may have lost bits to underflow.
SAFE_SQUARE = 1e-250


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


@fit.register(Spheres)
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


@merge.register(Spheres)
def _merge(volumes, node, first, second):
    balls = volumes.balls
    ax, ay, az, ar = balls[first, 0], balls[first, 1], balls[first, 2], balls[first, 3]
    bx, by, bz, br = balls[second, 0], balls[second, 1], balls[second, 2], balls[second, 3]
    distance = length(bx - ax, by - ay, bz - az)
    # how far along from a's centre to b's the new centre lies; at the ends one ball holds the other
    along = 0.0
    if distance > 0.0:
        along = min(1.0, max(0.0, 0.5 * (distance + br - ar) / distance))
    x, y, z = ax + along * (bx - ax), ay + along * (by - ay), az + along * (bz - az)
    radius = max(length(x - ax, y - ay, z - az) + ar, length(x - bx, y - by, z - bz) + br)
    balls[node, 0], balls[node, 1], balls[node, 2] = x, y, z
    balls[node, 3] = radius * ROUND_UP + ROUND_UP_TINY


@measure.register(Spheres)
def _measure(volumes, i):
    radius = volumes.balls[i, 3]
    return 4.18879020478639 * radius * radius * radius


@longest_side.register(Spheres)
def _longest_side(volumes, i):
    return 2.0 * volumes.balls[i, 3]


@overlap.register(Spheres)
def _overlap(volumes, i, others, j, relative):
    a, b = volumes.balls, others.balls
    x, y, z = b[j, 0], b[j, 1], b[j, 2]
    dx = relative[0] * x + relative[1] * y + relative[2] * z + relative[TRANSLATION] - a[i, 0]
    dy = relative[3] * x + relative[4] * y + relative[5] * z + relative[TRANSLATION + 1] - a[i, 1]
    dz = relative[6] * x + relative[7] * y + relative[8] * z + relative[TRANSLATION + 2] - a[i, 2]
    # a distance in space, so the margin of one coordinate counts up to sqrt(3) times
    reach = (a[i, 3] + b[j, 3] + 2.0 * relative[MARGIN]) * ROUND_UP
    return dx * dx + dy * dy + dz * dz <= reach * reach + SAFE_SQUARE


KIND = VolumeKind("sphere", Spheres, 4, fit_inner=True, moved=4)
