"""Containment in rational arithmetic: nothing here is rounded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np


def exact(values: Iterable[float]) -> list[Fraction]:
    return [Fraction(float(value)) for value in values]


def box_holds(row: Sequence[float], points: np.ndarray) -> bool:
    """Comparing float64 numbers is exact."""
    return bool((points >= row[:3]).all() and (points <= row[3:]).all())


def ball_holds(row: Sequence[float], points: np.ndarray) -> bool:
    """Whether every point is within the radius, which is not negative."""
    *centre, radius = exact(row)
    squares = (sum((x - c) ** 2 for x, c in zip(exact(point), centre, strict=True)) for point in points)
    return radius >= 0 and all(square <= radius**2 for square in squares)


def ball_holds_ball(row: Sequence[float], other: Sequence[float]) -> bool:
    """Whether the distance of the centres is at most the difference of the radii."""
    *centre, radius = exact(row)
    *other_centre, other_radius = exact(other)
    gap = radius - other_radius
    square = sum((x - y) ** 2 for x, y in zip(centre, other_centre, strict=True))
    return gap >= 0 and square <= gap**2


def box_holds_box(row: Sequence[float], other: Sequence[float]) -> bool:
    return box_holds(row, np.array([other[:3], other[3:]]))


def turned_box_holds(row: Sequence[float], points: np.ndarray) -> bool:
    """Whether every point is c + Σ s u with |s| <= h: the directions u need not be quite perpendicular."""
    numbers = exact(row)
    return all(_in_turned_box(numbers, exact(point)) for point in points)


def _in_turned_box(numbers: list[Fraction], point: Sequence[Fraction]) -> bool:
    u, v, w = numbers[:3], numbers[3:6], numbers[6:9]
    offset = [x - c for x, c in zip(point, numbers[9:12], strict=True)]
    whole = _determinant(u, v, w)
    shares = (_determinant(offset, v, w), _determinant(u, offset, w), _determinant(u, v, offset))
    return all(abs(share) <= half * abs(whole) for share, half in zip(shares, numbers[12:], strict=True))


def _determinant(p: Sequence[Fraction], q: Sequence[Fraction], r: Sequence[Fraction]) -> Fraction:
    return p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0]) + p[2] * (q[0] * r[1] - q[1] * r[0])


def turned_box_holds_other(row: Sequence[float], other: Sequence[float]) -> bool:
    """Whether all eight corners of the other box are inside."""
    numbers, others = exact(row), exact(other)
    for signs in product((-1, 1), repeat=3):
        corner = [
            others[9 + k] + sum(sign * others[12 + axis] * others[3 * axis + k] for axis, sign in enumerate(signs))
            for k in range(3)
        ]
        if not _in_turned_box(numbers, corner):
            return False
    return True


HOLDS = {"aabb": box_holds, "sphere": ball_holds, "obb": turned_box_holds, "obb-covariance": turned_box_holds}
HOLDS_OTHER = {
    "aabb": box_holds_box,
    "sphere": ball_holds_ball,
    "obb": turned_box_holds_other,
    "obb-covariance": turned_box_holds_other,
}


def exact_skew(row: Sequence[float]) -> Fraction:
    """How far the directions of a turned box are from perpendicular unit vectors: the largest entry of U Uᵀ - 1."""
    numbers = exact(row[:9])
    axes = numbers[:3], numbers[3:6], numbers[6:]
    products = (
        sum((x * y for x, y in zip(axes[i], axes[j], strict=True)), Fraction(-int(i == j)))
        for i in range(3)
        for j in range(i + 1)
    )
    return max(abs(product) for product in products)
