"""An exact judge of signs that shares no code with Tumble's kernels: which points are inside, on the surface, outside.

A ray goes up from each point, and the triangles above it are counted by the side that they turn to it, in projection
along z. NumPy computes all signs with bounds on their rounding errors (Shewchuk's); what these leave open is decided by
whole numbers. A point straight below an edge or a vertex counts as moved by (ε, ε²).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh

INSIDE, ON_SURFACE, OUTSIDE = -1, 0, 1
MOST_CELLS = 512
CHUNK = 20_000
_EPSILON = 2.0**-53
_ERROR_2D, _ERROR_3D = (3 + 16 * _EPSILON) * _EPSILON, (7 + 56 * _EPSILON) * _EPSILON
# Below this, products may be denormal, and the bounds do not hold.
_SMALLEST = 1e-280

Reals = NDArray[np.float64]
Indices = NDArray[np.int64]
Point = tuple[int, int, int]


def sides(mesh: Mesh, points: Reals) -> NDArray[np.int8]:
    """Return INSIDE, ON_SURFACE or OUTSIDE for each point; the mesh must be closed and oriented."""
    windings, on_surface = np.zeros(len(points), np.int64), np.zeros(len(points), bool)
    columns = _Columns(mesh.triangles)
    for start in range(0, len(points), CHUNK):
        chunk = slice(start, start + CHUNK)
        _judge(mesh.triangles, points[chunk], columns.above(points[chunk]), windings[chunk], on_surface[chunk])
    return np.where(on_surface, ON_SURFACE, np.where(windings != 0, INSIDE, OUTSIDE)).astype(np.int8)


class _Columns:
    """A grid over x and y: which triangles are above or below each cell."""

    def __init__(self, triangles: Reals) -> None:
        self.low, self.high = triangles.min(axis=1), triangles.max(axis=1)
        self.corner, end = self.low[:, :2].min(axis=0), self.high[:, :2].max(axis=0)
        self.count = max(1, min(MOST_CELLS, int(np.sqrt(len(triangles)))))
        self.scale = self.count / np.maximum(end - self.corner, 1e-300)
        first, last = self._cells(self.low), self._cells(self.high)
        width, depth = (last - first + 1).T
        owners, places = _spread(width * depth)
        i = first[owners, 0] + places % width[owners]
        j = first[owners, 1] + places // width[owners]
        cells = i * self.count + j
        order = np.argsort(cells, kind="stable")
        self.owners = owners[order]
        self.starts = np.searchsorted(cells[order], np.arange(self.count**2 + 1))

    def _cells(self, points: Reals) -> Indices:
        # monotonous, so that a point between two others is in a cell between theirs
        return np.clip(((points[:, :2] - self.corner) * self.scale).astype(np.int64), 0, self.count - 1)

    def above(self, points: Reals) -> tuple[Indices, Indices]:
        """Return pairs of a point and a triangle whose box is above it or contains it."""
        i, j = self._cells(points).T
        cells = i * self.count + j
        asked, places = _spread(self.starts[cells + 1] - self.starts[cells])
        faces = self.owners[self.starts[cells][asked] + places]
        here = points[asked]
        kept = ((self.low[faces, :2] <= here[:, :2]) & (here[:, :2] <= self.high[faces, :2])).all(axis=1)
        kept &= here[:, 2] <= self.high[faces, 2]
        return asked[kept], faces[kept]


def _spread(counts: Indices) -> tuple[Indices, Indices]:
    """Return each index as often as its count says, and numbers from 0 for each."""
    owners = np.repeat(np.arange(len(counts)), counts)
    return owners, np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)


def _judge(triangles: Reals, points: Reals, pairs: tuple[Indices, Indices], windings: Any, on_surface: Any) -> None:
    asked, faces = pairs
    corners, here = triangles[faces], points[asked][:, None]
    on_surface[asked[(corners == here).all(axis=2).any(axis=1)]] = True
    away = corners - here
    signs, certain = _edge_signs(corners, points[asked])
    height, height_certain = _height_signs(away)
    clear = certain.all(axis=1)
    within = clear & (signs[:, 0] == signs[:, 1]) & (signs[:, 1] == signs[:, 2])
    counted = within & height_certain & (signs[:, 0] * height > 0)
    np.add.at(windings, asked[counted], signs[counted, 0])
    open_ones = np.flatnonzero((~clear | (within & ~height_certain)) & ~on_surface[asked])
    for pair in open_ones.tolist():
        number = int(asked[pair])
        if not on_surface[number]:
            on_surface[number], change = _exactly(corners[pair].tolist(), points[number].tolist())
            windings[number] += change


def _edge_signs(corners: Reals, points: Reals) -> tuple[Indices, NDArray[np.bool_]]:
    """Return on which side of each edge the points are, seen along z, and whether that is certain."""
    ends = corners[:, (1, 2, 0)]
    left = (ends[..., 0] - corners[..., 0]) * (points[:, None, 1] - corners[..., 1])
    right = (ends[..., 1] - corners[..., 1]) * (points[:, None, 0] - corners[..., 0])
    value = left - right
    return np.sign(value).astype(np.int64), np.abs(value) > _ERROR_2D * (np.abs(left) + np.abs(right)) + _SMALLEST


def _height_signs(away: Reals) -> tuple[Indices, NDArray[np.bool_]]:
    """Return on which side of each triangle's plane the points are, 1 below one that faces up, and whether certain."""
    value = bound = np.zeros(len(away))
    for k in range(3):
        (ax, ay), (bx, by), z = away[:, k - 2, :2].T, away[:, k - 1, :2].T, away[:, k, 2]
        value = value + z * (ax * by - ay * bx)
        bound = bound + np.abs(z) * (np.abs(ax * by) + np.abs(ay * bx))
    return np.sign(value).astype(np.int64), np.abs(value) > _ERROR_3D * bound + _SMALLEST


def _exactly(corners: list[list[float]], point: list[float]) -> tuple[bool, int]:
    """Return whether a point is on a triangle, and by how much the triangle changes its winding number."""
    p, a, b, c = _whole_numbers([point, *corners])
    edges = [_turn(u, v, p, 0, 1) for u, v in ((a, b), (b, c), (c, a))]
    height = _determinant(*(tuple(x - y for x, y in zip(corner, p, strict=True)) for corner in (a, b, c)))
    if height == 0:
        return _is_on(p, a, b, c), 0
    signs = {_moved_sign(edge, u, v) for edge, (u, v) in zip(edges, ((a, b), (b, c), (c, a)), strict=True)}
    if len(signs) != 1:
        return False, 0
    (sign,) = signs
    return False, sign if sign * height > 0 else 0


def _moved_sign(value: int, u: Point, v: Point) -> int:
    """Return the side of an edge for a point that is moved by (ε, ε²)."""
    for number in (value, u[1] - v[1], v[0] - u[0]):
        if number != 0:
            return 1 if number > 0 else -1
    return 0


def _is_on(p: Point, a: Point, b: Point, c: Point) -> bool:
    """Tell whether a point in the plane of a triangle is on it; a triangle without area has no points."""
    for x, y in ((0, 1), (1, 2), (2, 0)):
        if _turn(a, b, c, x, y) != 0:
            turns = [_turn(u, v, p, x, y) for u, v in ((a, b), (b, c), (c, a))]
            return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)
    return False


def _turn(u: Point, v: Point, p: Point, x: int, y: int) -> int:
    return (v[x] - u[x]) * (p[y] - u[y]) - (v[y] - u[y]) * (p[x] - u[x])


def _determinant(a: Any, b: Any, c: Any) -> int:
    turned = b[0] * c[1] - b[1] * c[0], c[0] * a[1] - c[1] * a[0], a[0] * b[1] - a[1] * b[0]
    return int(a[2] * turned[0] + b[2] * turned[1] + c[2] * turned[2])


def _whole_numbers(rows: list[list[float]]) -> Iterator[Point]:
    """Return points times the power of two that makes all their coordinates whole."""
    ratios = [[x.as_integer_ratio() for x in row] for row in rows]
    scale = max(below for row in ratios for _, below in row)
    for row in ratios:
        x, y, z = (above * (scale // below) for above, below in row)
        yield x, y, z
