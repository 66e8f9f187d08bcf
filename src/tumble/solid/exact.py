"""Points, lines and triangles in whole numbers: nothing is rounded.

A float64 is an integer times a power of two, so all coordinates of a query become integers at once when multiplied by one
power of two. A point that is not a vertex has a fourth number, by which the other three are divided: (x, y, z, w), w > 0.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = tuple[int, int, int]
Triangle = tuple[Vector, Vector, Vector]

MANTISSA_BITS = 53


class Point(NamedTuple):
    """The point (x, y, z) / w, with w > 0."""

    x: int
    y: int
    z: int
    w: int


class Line(NamedTuple):
    """The points start + m / start.w · direction, for all numbers m."""

    start: Point
    direction: Vector

    def at(self, m: Fraction) -> Point:
        """Return the point with a number."""
        n, d = m.numerator, m.denominator
        x, y, z, w = self.start
        u, v, t = self.direction
        return Point(x * d + n * u, y * d + n * v, z * d + n * t, w * d)


class Passage(NamedTuple):
    """What a line has of a triangle: the numbers from `low` to `high`."""

    low: Fraction
    high: Fraction
    normal: Vector
    edge: int
    """which edge of the triangle is on the line, -1 for none"""


def minus(p: Sequence[int], q: Sequence[int]) -> Vector:
    """Return p - q."""
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def dot(u: Sequence[int], v: Sequence[int]) -> int:
    """Return the scalar product."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def cross(u: Sequence[int], v: Sequence[int]) -> Vector:
    """Return the vector product."""
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def determinant(u: Sequence[int], v: Sequence[int], w: Sequence[int]) -> int:
    """Return the determinant of three rows."""
    return dot(u, cross(v, w))


def normal_of(triangle: Triangle) -> Vector:
    """Return the normal of a triangle, of any length; zero for a degenerate one."""
    p, q, r = triangle
    return cross(minus(q, p), minus(r, p))


def seen_from(point: Point, p: Vector) -> Vector:
    """Return p - point, times the point's w."""
    return p[0] * point.w - point.x, p[1] * point.w - point.y, p[2] * point.w - point.z


def passage(line: Line, triangle: Triangle) -> Passage | None:
    """Return what a line has of a triangle that is not degenerate: a segment, a single number, or None."""
    normal = normal_of(triangle)
    seen = [seen_from(line.start, corner) for corner in triangle]
    height, slope = dot(normal, seen[0]), dot(normal, line.direction)
    if slope == 0 and height != 0:
        return None
    meets = None if slope == 0 else Fraction(height, slope)
    low, high, edge = meets, meets, -1
    for k in range(3):
        inward = cross(normal, minus(triangle[(k + 1) % 3], triangle[k]))
        rise, level = dot(inward, line.direction), dot(inward, seen[k])  # inside where rise · m >= level
        if meets is not None:
            if rise * meets.numerator < level * meets.denominator:
                return None
        elif rise == 0:
            if level > 0:
                return None
            edge = k if level == 0 else edge
        else:
            border = Fraction(level, rise)
            if rise > 0:
                low = border if low is None else max(low, border)
            else:
                high = border if high is None else min(high, border)
    assert low is not None and high is not None  # a triangle is bounded
    return Passage(low, high, normal, edge) if low <= high else None


class Scale:
    """The power of two that makes all given coordinates whole numbers."""

    def __init__(self, *coordinates: NDArray[np.float64]) -> None:
        exponents = [np.frexp(values[values != 0.0])[1] for values in coordinates]
        lowest = min((int(each.min()) for each in exponents if len(each)), default=0) - MANTISSA_BITS
        self.bits = max(0, -lowest)
        self._factor = 1 << self.bits

    def integer(self, value: float) -> int:
        """Return a coordinate times the power."""
        numerator, denominator = value.as_integer_ratio()
        return numerator * (self._factor // denominator)

    def vector(self, values: Sequence[float]) -> Vector:
        """Return a point times the power."""
        x, y, z = values
        return self.integer(x), self.integer(y), self.integer(z)

    def rounded(self, point: Point) -> tuple[list[float], float]:
        """Return the float64 numbers nearest to a point's coordinates, and the most that any of them is off."""
        divisor = point.w << self.bits
        numbers = [_quotient(value, divisor) for value in point[:3]]
        return numbers, 2.0**-52 * max(map(abs, numbers)) + 5e-324


def _quotient(number: int, divisor: int) -> float:
    try:
        return number / divisor  # correctly rounded, however large both are
    except OverflowError:  # beyond float64
        return math.inf if number > 0 else -math.inf
