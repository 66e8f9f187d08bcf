"""Containment in rational arithmetic: nothing here is rounded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

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


HOLDS = {"aabb": box_holds, "sphere": ball_holds}
HOLDS_OTHER = {"aabb": box_holds_box, "sphere": ball_holds_ball}
