"""Points, lines and triangles in whole numbers: nothing is rounded.

A float64 is an integer times a power of two, so all coordinates of a query become integers at once when multiplied by
one power of two. A point that is not a vertex has a fourth number, by which the other three are divided: (x, y, z, w),
w > 0.
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


class Facet(NamedTuple):
    """A triangle that is not degenerate, with what lines need to know of it."""

    corners: Triangle
    normal: Vector
    inward: tuple[Vector, Vector, Vector]
    """at a right angle to each edge, in the plane"""


class Passage(NamedTuple):
    """What a line has of a triangle: the numbers from low / low_scale to high / high_scale, scales being positive."""

    low: int
    low_scale: int
    high: int
    high_scale: int
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


def facet_of(triangle: Triangle) -> Facet:
    """Return a triangle and its vectors."""
    p, q, r = triangle
    normal = normal_of(triangle)
    return Facet(triangle, normal, (cross(normal, minus(q, p)), cross(normal, minus(r, q)), cross(normal, minus(p, r))))


def passage(line: Line, facet: Facet) -> Passage | None:
    """Return what a line has of a triangle: a segment, a single number, or None."""
    direction, normal, corners = line.direction, facet.normal, facet.corners
    slope = dot(normal, direction)
    first = seen_from(line.start, corners[0])
    height = dot(normal, first)
    if slope == 0:
        return None if height else _in_plane(line, facet, first)
    if slope < 0:
        slope, height = -slope, -height
    for k in range(3):  # inside where inward · (m direction - corner) >= 0
        seen = first if k == 0 else seen_from(line.start, corners[k])
        inward = facet.inward[k]
        if dot(inward, direction) * height < dot(inward, seen) * slope:
            return None
    return Passage(height, slope, height, slope, -1)


def _in_plane(line: Line, facet: Facet, first: Vector) -> Passage | None:
    """Return what a line in the plane of a triangle has of it."""
    low = high = low_scale = high_scale = 0
    edge = -1
    for k in range(3):
        seen = first if k == 0 else seen_from(line.start, facet.corners[k])
        inward = facet.inward[k]
        rise, level = dot(inward, line.direction), dot(inward, seen)  # inside where rise · m >= level
        if rise > 0:
            if low_scale == 0 or level * low_scale > low * rise:
                low, low_scale = level, rise
        elif rise < 0:
            if high_scale == 0 or level * high_scale > high * rise:  # level / rise < high / high_scale
                high, high_scale = -level, -rise
        elif level > 0:
            return None
        elif level == 0:
            edge = k
    return Passage(low, low_scale, high, high_scale, edge) if low * high_scale <= high * low_scale else None


class Scale:
    """The power of two that makes all given coordinates whole numbers."""

    def __init__(self, *coordinates: NDArray[np.float64]) -> None:
        self.bits = max(0, -min(map(_lowest_bit, coordinates), default=0))
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


def _lowest_bit(values: NDArray[np.float64]) -> int:
    """Return the lowest power of two that any of some numbers needs; 0 for none."""
    fractions, exponents = np.frexp(values[values != 0.0])
    if len(fractions) == 0:
        return 0
    mantissas = np.abs(np.ldexp(fractions, MANTISSA_BITS)).astype(np.int64)
    unused = np.frexp((mantissas & -mantissas).astype(np.float64))[1] - 1
    return int((exponents - MANTISSA_BITS + unused).min())


def _quotient(number: int, divisor: int) -> float:
    try:
        return number / divisor  # correctly rounded, however large both are
    except OverflowError:  # beyond float64
        return math.inf if number > 0 else -math.inf
