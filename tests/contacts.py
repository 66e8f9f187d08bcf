"""Contacts of two triangles in small integers, where constructions are exact: every kind that touching has.

Each kind is a function of a random generator and a number of pairs. Most kinds touch in the contact point
alone, so that the smallest change parts the pair.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Random = np.random.Generator
# Integer triangles a and b, (n, 3, 3) each, and a point (n, 3) that belongs to both (for `coplanar`, to a).
Contact = tuple[np.ndarray, np.ndarray, np.ndarray]
Kind = Callable[[Random, int], Contact]

# Corners are multiples of this, so that points with weights of sixteenths are integers too.
GRAIN = 16


def _directions(rng: Random, n: int) -> np.ndarray:
    """Integer vectors, none of them zero; often short, so that parallels and planes along axes turn up."""
    reach = rng.choice([1, 2, 8, 200], (n, 1))
    vectors = rng.integers(-reach, reach + 1, (n, 3))
    return np.where(vectors.any(axis=1, keepdims=True), vectors, [1, 0, 0])


def _triangles(rng: Random, n: int) -> np.ndarray:
    return GRAIN * np.stack([_directions(rng, n) for _ in range(3)], axis=1)


def _point_of(rng: Random, triangles: np.ndarray, corners: int) -> np.ndarray:
    """A point inside of the hull of the first corners: the triangle (3), an edge (2), or a corner (1)."""
    sixteenths = np.broadcast_to(np.arange(1, GRAIN), (len(triangles), GRAIN - 1))
    cuts = np.sort(rng.permuted(sixteenths, axis=1)[:, : corners - 1])
    weights = np.diff(cuts, axis=1, prepend=0, append=GRAIN)
    return (weights[..., None] * triangles[:, :corners]).sum(axis=1) // GRAIN


def _turned(vectors: np.ndarray, normal: np.ndarray, side: np.ndarray | int) -> np.ndarray:
    """The vectors, mirrored where they would point to the wrong side of the normal's plane."""
    height = (vectors * normal).sum(axis=-1) * side
    return np.where(height[..., None] < 0, -vectors, vectors)


def _from_point(p: np.ndarray, *directions: np.ndarray) -> np.ndarray:
    return np.stack([p + d for d in directions], axis=1)


def _normal(t: np.ndarray) -> np.ndarray:
    return np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])


def _corner_on(corners: int) -> Kind:
    """A corner of b in the face, on an edge or on a corner of a, and the rest of b on one side of a."""

    def build(rng: Random, n: int) -> Contact:
        a = _triangles(rng, n)
        p = _point_of(rng, a, corners)
        d, e = (_turned(_directions(rng, n), _normal(a), 1) for _ in range(2))
        return a, _from_point(p, 0 * p, d, e), p

    return build


def _edge_on_edge(rng: Random, n: int) -> Contact:
    """Two edges that cross, the third corners on different sides of the plane of the edges."""
    a = _triangles(rng, n)
    p, d = _point_of(rng, a, 2), _directions(rng, n)
    normal = np.cross(a[:, 1] - a[:, 0], d)
    side = np.sign(((a[:, 2] - a[:, 0]) * normal).sum(axis=1))
    return a, _from_point(p, d, -3 * d, _turned(_directions(rng, n), normal, -side)), p


def _coplanar(rng: Random, n: int) -> Contact:
    """Two triangles anywhere in a common plane: they overlap, contain each other, touch or miss."""
    origin, u, v = (_directions(rng, n)[:, None] for _ in range(3))
    a, b = (origin + s * u + t * v for s, t in rng.integers(-3, 4, (2, 2, n, 3, 1)))
    return a, b, a[:, 0]


def _coplanar_beside(step_first: int, step_second: int) -> Kind:
    """Two triangles in one plane, on the two sides of a common line.

    The edge of a on that line is p + [0, 2] u; that of b is p + [step_first, step_second] u.
    """

    def build(rng: Random, n: int) -> Contact:
        p, u, v = (_directions(rng, n) for _ in range(3))
        s, t = rng.integers(-3, 4, (2, n, 1))
        return (
            _from_point(p, 0 * u, 2 * u, v + s * u),
            _from_point(p, step_first * u, step_second * u, t * u - v),
            p,
        )

    return build


def _shared_corner(rng: Random, n: int) -> Contact:
    """One common corner and a plane through it that keeps the rest apart."""
    p, normal = _directions(rng, n), _directions(rng, n)
    d, e = (_turned(_directions(rng, n), normal, 1) for _ in range(2))
    f, g = (_turned(_directions(rng, n), normal, -1) for _ in range(2))
    return _from_point(p, 0 * p, d, e), _from_point(p, 0 * p, f, g), p


def _shared_edge(rng: Random, n: int) -> Contact:
    p, q, r, s = (_directions(rng, n) for _ in range(4))
    return np.stack([p, q, r], axis=1), np.stack([q, p, s], axis=1), p


def _segment_on(corners: int, steps: tuple[int, int, int]) -> Kind:
    """b is a segment, three collinear corners p + step * d, and p belongs to a."""

    def build(rng: Random, n: int) -> Contact:
        a = _triangles(rng, n)
        p, d = _point_of(rng, a, corners), _turned(_directions(rng, n), _normal(a), 1)
        return a, _from_point(p, *(step * d for step in steps)), p

    return build


def _segments(same_line: bool) -> Kind:
    """Both are segments through p, on one line (they may only meet end to end) or on two."""

    def build(rng: Random, n: int) -> Contact:
        p, d = _directions(rng, n), _directions(rng, n)
        e = d if same_line else _directions(rng, n)
        (s, t), low = rng.integers(0, 4, (2, n, 1)), rng.integers(-3, 1, (n, 1))
        return _from_point(p, -s * d, 0 * d, -t * d), _from_point(p, 0 * e, s * e, low * e), p

    return build


def _point_on(corners: int) -> Kind:
    """b is three times the same point of a."""

    def build(rng: Random, n: int) -> Contact:
        a = _triangles(rng, n)
        p = _point_of(rng, a, corners)
        return a, _from_point(p, 0 * p, 0 * p, 0 * p), p

    return build


def _point_on_segment(rng: Random, n: int) -> Contact:
    p, d = _directions(rng, n), _directions(rng, n)
    s, t = rng.integers(-3, 4, (2, n, 1))
    return _from_point(p, 0 * d, s * d, t * d), _from_point(p, 0 * p, 0 * p, 0 * p), p


def _points(rng: Random, n: int) -> Contact:
    p = _directions(rng, n)
    return _from_point(p, 0 * p, 0 * p, 0 * p), _from_point(p, 0 * p, 0 * p, 0 * p), p


def _identical(rng: Random, n: int) -> Contact:
    a = _triangles(rng, n)
    return a, a.copy(), _point_of(rng, a, 3)


KINDS: dict[str, Kind] = {
    "corner-on-face": _corner_on(3),
    "corner-on-edge": _corner_on(2),
    "corner-on-corner": _corner_on(1),
    "edge-on-edge": _edge_on_edge,
    "coplanar": _coplanar,
    "coplanar-shared-edge": _coplanar_beside(0, 2),
    "coplanar-shared-corner": _coplanar_beside(0, -1),
    "coplanar-edge-along-edge": _coplanar_beside(-1, 1),
    "shared-corner": _shared_corner,
    "shared-edge": _shared_edge,
    "segment-end-on-face": _segment_on(3, (0, 1, 3)),
    "segment-through-face": _segment_on(3, (-1, 1, 2)),
    "segment-through-edge": _segment_on(2, (-2, 0, 1)),
    "segments-on-one-line": _segments(True),
    "segments-crossing": _segments(False),
    "point-on-face": _point_on(3),
    "point-on-edge": _point_on(2),
    "point-on-segment": _point_on_segment,
    "points": _points,
    "identical": _identical,
}
