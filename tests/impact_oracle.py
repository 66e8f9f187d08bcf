"""When two meshes that are translated touch first, in rationals: it shares no code and no method with the kernels.

The first contact of two triangles apart is that of a corner and a face or of two edges. For a translation the time of
each is the solution of three linear equations, so it is a rational number.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

Point = tuple[Fraction, Fraction, Fraction]


def _minus(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def _determinant(a: Point, b: Point, c: Point) -> Fraction:
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])


def _solve(a: Point, b: Point, c: Point, d: Point) -> Point | None:
    """Return x with x0 a + x1 b + x2 c = d, or None where there is not exactly one."""
    whole = _determinant(a, b, c)
    if whole == 0:
        return None
    return _determinant(d, b, c) / whole, _determinant(a, d, c) / whole, _determinant(a, b, d) / whole


def _corner_and_face(x: Point, way: Point, p: Point, q: Point, r: Point) -> Fraction | None:
    """Return when corner x, which moves along a way, meets a face."""
    found = _solve(_minus(q, p), _minus(r, p), _minus((Fraction(0),) * 3, way), _minus(x, p))
    if found is None or found[0] < 0 or found[1] < 0 or found[0] + found[1] > 1:
        return None
    return found[2] if 0 <= found[2] <= 1 else None


def _two_edges(p: Point, q: Point, way: Point, r: Point, s: Point) -> Fraction | None:
    """Return when edge p q, which moves along a way, meets edge r s."""
    found = _solve(_minus(s, r), _minus(p, q), _minus((Fraction(0),) * 3, way), _minus(p, r))
    if found is None or not 0 <= found[0] <= 1 or not 0 <= found[1] <= 1:
        return None
    return found[2] if 0 <= found[2] <= 1 else None


def first_contact(vertices: Any, faces: Any, way: Any, other_vertices: Any, other_faces: Any) -> Fraction | None:
    """Return when a mesh that moves along a way, in the time from 0 to 1, touches another; None where it does not.

    They must not touch at time 0.
    """
    mine, theirs = ([tuple(Fraction(x) for x in row) for row in each.tolist()] for each in (vertices, other_vertices))
    v: Point = tuple(Fraction(x) for x in way)  # type: ignore[assignment]
    back: Point = _minus((Fraction(0),) * 3, v)
    times = []
    for face, other in product(faces.tolist(), other_faces.tolist()):
        a, b = [mine[k] for k in face], [theirs[k] for k in other]
        times += [_corner_and_face(x, v, *b) for x in a]
        times += [_corner_and_face(x, back, *a) for x in b]
        times += [_two_edges(a[i], a[(i + 1) % 3], v, b[j], b[(j + 1) % 3]) for i in range(3) for j in range(3)]
    return min((time for time in times if time is not None), default=None)
