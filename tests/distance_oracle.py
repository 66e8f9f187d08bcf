"""How far apart two triangles are, exactly, sharing neither code nor method with the kernels.

The distance of two triangles is that of the origin from the hull of the nine differences of their corners. Its nearest
point lies in a simplex of at most three of them, as a combination with weights of at least zero; every such point is in
the hull. So the smallest of all is the answer. In whole numbers: a float64 is one times a power of two. The exact judge
tells which triangles touch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import Any

from oracle import triangles_touch

Vector = tuple[int, int, int]


def squared_distance(a: Any, b: Any) -> Fraction:
    """The exact square of the distance of two triangles, 3 x 3 finite floats each."""
    if triangles_touch(a, b):
        return Fraction(0)
    exact = [[[Fraction(float(x)) for x in corner] for corner in side] for side in (a, b)]
    unit = max(x.denominator for side in exact for corner in side for x in corner)
    corners_a, corners_b = ([[int(x * unit) for x in corner] for corner in side] for side in exact)
    points = {tuple(y - x for x, y in zip(p, q, strict=True)) for p in corners_a for q in corners_b}
    return min(_candidates(sorted(points))) / unit**2


def distance(a: Any, b: Any) -> Decimal:
    """The distance, to sixty digits."""
    square = squared_distance(a, b)
    with localcontext() as context:
        context.prec = 60
        return (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()


def _candidates(points: Sequence[Vector]) -> Iterator[Fraction]:
    """The squared distances of the origin from all simplices of up to three points, where its foot is inside."""
    for p in points:
        yield Fraction(_dot(p, p))
    for p, q in combinations(points, 2):
        e = _minus(q, p)
        if 0 <= -_dot(p, e) <= _dot(e, e):
            n = _cross(p, e)
            yield Fraction(_dot(n, n), _dot(e, e))
    for p, q, r in combinations(points, 3):
        normal = _cross(_minus(q, p), _minus(r, p))
        square = _dot(normal, normal)
        if square and all(_dot(_cross(x, y), normal) >= 0 for x, y in ((p, q), (q, r), (r, p))):
            yield Fraction(_dot(p, normal) ** 2, square)


def _minus(p: Vector, q: Vector) -> Vector:
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def _dot(p: Vector, q: Vector) -> int:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def _cross(p: Vector, q: Vector) -> Vector:
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]
