"""The slow judges of points: rational arithmetic, sharing neither code nor method with the kernels.

A ray that decides about inside and outside goes in a random direction, and in another one when it meets an edge: no
rule about ties is needed. `grid_places` does the same for many points with small whole coordinates, in int64.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

GRID_LIMIT = 512
"""of coordinates for `grid_places`: its longest product, that of two normals, stays below 2**45"""
ON_SURFACE = 1 << 20
"""what `grid_places` says instead of a winding number"""


def squared_distance(point: Any, triangle: Any) -> Fraction:
    """The exact square of the distance of a point from a triangle, finite floats both.

    It is the least of the distances from the corners, from the edges that have the foot of the point, and from the
    face, if it has.
    """
    exact = [[Fraction(float(x)) for x in corner] for corner in (point, *triangle)]
    unit = max(x.denominator for corner in exact for x in corner)
    p, *corners = ([int(x * unit) for x in corner] for corner in exact)
    seen = [_minus(corner, p) for corner in corners]
    found = [Fraction(_dot(a, a)) for a in seen]
    for a, b in combinations(seen, 2):
        edge = _minus(b, a)
        if 0 < -_dot(a, edge) < _dot(edge, edge):
            normal = _cross(a, edge)
            found.append(Fraction(_dot(normal, normal), _dot(edge, edge)))
    a, b, c = seen
    normal = _cross(_minus(b, a), _minus(c, a))
    if any(normal) and all(_dot(_cross(x, y), normal) >= 0 for x, y in ((a, b), (b, c), (c, a))):
        found.append(Fraction(_dot(a, normal) ** 2, _dot(normal, normal)))
    return min(found) / unit**2


def is_between(distance: float, square: Fraction, slack: Fraction) -> bool:
    """Whether a distance is within a slack of the root of a square."""
    low, high = Fraction(distance) - slack, Fraction(distance) + slack
    return (low <= 0 or low**2 <= square) and square <= high**2


def size_of_pair(point: Any, triangles: Any) -> Fraction:
    """The largest difference of a coordinate between a point and a corner."""
    p = [Fraction(float(x)) for x in point]
    corners = np.asarray(triangles).reshape(-1, 3).tolist()
    return max(abs(Fraction(x) - y) for corner in corners for x, y in zip(corner, p, strict=True))


def winding_number(point: Any, triangles: Any, rng: np.random.Generator) -> int | None:
    """How often a closed mesh winds around a point; None when the point is on a triangle."""
    low, high = np.min(triangles, axis=1) <= point, np.max(triangles, axis=1) >= point
    around = np.asarray(triangles)[(low & high).all(axis=1)]
    if any(squared_distance(point, triangle) == 0 for triangle in around):
        return None
    p = [Fraction(float(x)) for x in point]
    seen = [[[Fraction(float(x)) - y for x, y in zip(c, p, strict=True)] for c in triangle] for triangle in triangles]
    while True:
        direction = rng.integers(-1000, 1000, 3).tolist()
        turns = [_crossed(direction, *triangle) for triangle in seen]
        if any(direction) and None not in turns:
            return sum(turn for turn in turns if turn is not None)


def _crossed(d: Any, a: Any, b: Any, c: Any) -> int | None:
    """1 or -1 when a ray from the origin crosses a triangle, 0 when not, None when it may meet an edge."""
    weights = [_dot(d, _cross(x, y)) for x, y in ((b, c), (c, a), (a, b))]
    if min(weights) < 0 < max(weights) or not any(_cross(_minus(b, a), _minus(c, a))):
        return 0
    if 0 in weights:
        return None
    volume = _dot(a, _cross(b, c))
    side = 1 if weights[0] > 0 else -1
    return side if (volume > 0) == (side > 0) else 0


def grid_places(points: np.ndarray, triangles: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) winding numbers of a closed mesh around points, ON_SURFACE for those on it; all coordinates are whole."""
    assert max(np.abs(points).max(), np.abs(triangles).max()) <= GRID_LIMIT
    found = np.empty(len(points), np.int64)
    for start in range(0, len(points), 256):
        some = points[start : start + 256].astype(np.int64)
        seen = triangles.astype(np.int64)[None] - some[:, None, None]
        on = _on_grid(seen).any(axis=1)
        turns = np.zeros(len(some), np.int64)
        due = ~on
        while due.any():
            direction = rng.integers(-(2**20), 2**20, 3)
            turned, clear = _grid_crossed(direction, seen[due])
            places = np.flatnonzero(due)[clear]
            turns[places] = turned[clear]
            due[places] = False
        found[start : start + 256] = np.where(on, ON_SURFACE, turns)
    return found


def _on_grid(seen: np.ndarray) -> np.ndarray:
    """Whether the origin is on triangles (…, 3, 3), degenerate ones included."""
    a, b, c = (seen[..., k, :] for k in range(3))
    normal = np.cross(b - a, c - a)
    inner = [(np.cross(x, y) * normal).sum(-1) >= 0 for x, y in ((a, b), (b, c), (c, a))]
    on = normal.any(-1) & ((a * normal).sum(-1) == 0) & np.logical_and.reduce(inner)
    for x, y in ((a, b), (b, c), (c, a)):
        on |= ~np.cross(x, y).any(-1) & ((x * y).sum(-1) <= 0)
    return on


def _grid_crossed(direction: np.ndarray, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The crossings of a ray from each origin, and whether it met no edge."""
    a, b, c = (seen[..., k, :] for k in range(3))
    weights = np.stack([(np.cross(x, y) * direction).sum(-1) for x, y in ((b, c), (c, a), (a, b))], axis=-1)
    volume = (np.cross(a, b) * c).sum(-1)
    side = np.where((weights > 0).all(-1), 1, 0) - np.where((weights < 0).all(-1), 1, 0)
    mixed = (weights > 0).any(-1) & (weights < 0).any(-1)
    # a triangle without area is never crossed; otherwise a zero weight may be an edge on the ray
    flat = ~np.cross(b - a, c - a).any(-1)
    unclear = (weights == 0).any(-1) & ~mixed & ~flat
    return np.where(np.sign(volume) == side, side, 0).sum(-1), ~unclear.any(-1)


def _minus(p: Any, q: Any) -> Any:
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def _dot(p: Any, q: Any) -> Any:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def _cross(p: Any, q: Any) -> Any:
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]
