"""Balls that contain a mesh: one around all of it, and several around its parts, which fill far less room.

What is outside of all of them cannot touch the mesh. Parts are made by halving the triangles along their longest
extent, the part with the largest ball first.
"""

import weakref

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh

PARTS = 8
"""balls around parts: as many as a vector has lanes"""
BALLS = 1 + PARTS
STEPS = 33
FINE = 0.2
"""the longest edge that triangles are cut up to, relative to the mesh"""
MOST_TRIANGLES = 1 << 13
ROUNDING = 2.0**-40
"""of radii, relative to all coordinates: many times as much as centres, distances and middles are off by"""

Ball = NDArray[np.float64]
"""centre and radius, four numbers"""


_known: weakref.WeakKeyDictionary[Mesh, NDArray[np.float64]] = weakref.WeakKeyDictionary()


def balls_of(mesh: Mesh) -> NDArray[np.float64]:
    """Return (BALLS, 4): the ball around a mesh that is not empty, then those around its parts; the last may repeat."""
    balls = _known.get(mesh)
    if balls is None:
        balls = _known[mesh] = _balls_of(mesh.triangles)
    return balls


def _balls_of(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    whole = _ball(corners)
    parts = [(whole, _cut_up(corners))]
    while len(parts) < PARTS:
        largest = max(range(len(parts)), key=lambda k: parts[k][0][3])
        halves = _halves(parts[largest][1])
        if len(halves) < 2:
            break
        parts[largest : largest + 1] = [(_ball(half), half) for half in halves]
    balls = np.array([whole, *(ball for ball, _ in parts)])
    return np.concatenate([balls, np.repeat(balls[-1:], BALLS - len(balls), axis=0)])


def _ball(corners: NDArray[np.float64]) -> Ball:
    """Return a ball around triangles, (n, 3, 3): small steps from the middle towards what is farthest."""
    points = corners.reshape(-1, 3)
    centre = 0.5 * points.min(axis=0) + 0.5 * points.max(axis=0)
    best = centre, np.inf
    for step in range(1, STEPS):
        offsets = points - centre
        squares = (offsets * offsets).sum(axis=1)
        farthest = int(np.argmax(squares))
        if squares[farthest] < best[1]:
            best = centre, float(squares[farthest])
        centre = centre + offsets[farthest] / (step + 1)
    size = np.abs(points).max() + np.sqrt(best[1])
    return np.append(best[0], np.sqrt(best[1]) + ROUNDING * size)


def _cut_up(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the same surface as smaller triangles: those that are long would be in the ball of one part alone."""
    longest = FINE * float(np.ptp(corners.reshape(-1, 3), axis=0).max())
    while len(corners) < MOST_TRIANGLES:
        edges = corners[:, (1, 2, 0)] - corners
        squares = (edges * edges).sum(axis=2)
        long = squares.max(axis=1) > longest * longest
        if not long.any():
            break
        which = squares[long].argmax(axis=1)
        turned = np.take_along_axis(corners[long], ((which[:, None] + np.arange(3)) % 3)[:, :, None], axis=1)
        a, b, c = turned[:, 0], turned[:, 1], turned[:, 2]
        middle = 0.5 * a + 0.5 * b
        corners = np.concatenate([corners[~long], np.stack((a, middle, c), 1), np.stack((middle, b, c), 1)])
    return corners


def _halves(corners: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return what is on either side of the middle of the longest extent."""
    points = corners.reshape(-1, 3)
    axis = int(np.argmax(np.ptp(points, axis=0)))
    before = corners[:, :, axis].mean(axis=1) < 0.5 * points[:, axis].min() + 0.5 * points[:, axis].max()
    return [half for half in (corners[before], corners[~before]) if len(half)]
