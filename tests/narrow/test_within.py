"""Which triangles are nearer than d: right at exactly d and at the floats beside it, by rational judges."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from covering import sized
from distance_oracle import squared_distance
from distance_pairs import KINDS
from near_rows import nearer_than_many
from pairs import touching_float_pairs
from tumble.narrow import triangles_touch_many

# whole vectors whose length is a whole number
WAYS = np.array(
    [[0, 0, 1], [3, 4, 0], [1, 2, 2], [2, 3, 6], [-4, 4, 7], [2, -6, 9], [6, 6, 7], [12, -15, 16], [0, 5, -12]]
)
# what of each triangle lies in the plane across the way, as multiples of two vectors that span it, and what is behind
SHAPES = {
    "corner": [(0, 0, 0), (3, 1, 1), (-1, 2, 2)],
    "edge": [(-2, -1, 0), (2, 1, 0), (0, 3, 2)],
    "other edge": [(-1, 3, 0), (1, -3, 0), (1, 1, 3)],
    "edge from the corner": [(0, 0, 0), (4, 2, 0), (1, 1, 1)],
    "face": [(-3, -2, 0), (4, -1, 0), (-1, 5, 0)],
    "face beside": [(0, 0, 0), (5, 1, 0), (2, 4, 0)],
    "point": [(0, 0, 0), (0, 0, 0), (0, 0, 0)],
    "segment": [(-1, -1, 0), (1, 1, 0), (2, 2, 0)],
    "segment that leaves": [(0, 0, 0), (2, -1, 3), (4, -2, 6)],
}


def plane_across(way: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two whole vectors at right angles to a way."""
    first = np.cross(way, [1, 0, 0] if abs(way[0]) < abs(way).max() else [0, 1, 0])
    return first, np.cross(way, first) // math.gcd(*np.cross(way, first).tolist())


def pairs_at(way: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Every shape before every other, so that the nearest points are the ends of the way."""
    u, v = plane_across(way)
    for one in SHAPES.values():
        for other in SHAPES.values():
            a = np.array([i * u + j * v - k * way for i, j, k in one])
            b = np.array([j * u - i * v + (1 + k) * way for i, j, k in other])
            yield a, b


@cache
def built_pairs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of whole coordinates, and how far each is apart, exactly."""
    rows = [(a, b, math.isqrt(int(way @ way))) for way in WAYS for a, b in pairs_at(way)]
    a, b, apart = (np.array(column, float) for column in zip(*rows, strict=True))
    return a, b, apart


def beside(d: np.ndarray, side: int) -> np.ndarray:
    return d if side == 0 else np.nextafter(d, np.inf if side > 0 else 0.0)


def test_the_pairs_are_as_far_apart_as_they_are_built():
    a, b, apart = built_pairs()
    for i in range(0, len(a), 7):
        assert squared_distance(a[i], b[i]) == int(apart[i]) ** 2


@pytest.mark.parametrize("scale", [1.0, 2.0**-1060, 2.0**-500, 2.0**-40, 2.0**60, 2.0**310])
def test_pairs_built_to_be_exactly_d_apart(scale):
    a, b, apart = built_pairs()
    a, b, apart = a * scale, b * scale, apart * scale
    order = np.array([[0, 1, 2], [2, 0, 1], [1, 0, 2]])[np.arange(len(a)) % 3]
    for one, other in ((a, b), (b[:, ::-1], a), (-a, -b)):
        one, other = (np.take_along_axis(side, order[:, None, :].repeat(3, axis=1), axis=2) for side in (one, other))
        assert not nearer_than_many(one, other, apart).any()
        assert not nearer_than_many(one, other, beside(apart, -1)).any()
        assert nearer_than_many(one, other, beside(apart, 1)).all()


@pytest.mark.parametrize("offset", [2.0**30, 2.0**44, -(2.0**45)])
def test_a_common_motion_that_does_not_round_changes_nothing(offset):
    a, b, apart = built_pairs()
    shift = np.array([offset, -3.0 * offset / 4, offset / 2])
    for side, expected in ((-1, False), (0, False), (1, True)):
        assert (nearer_than_many(a + shift, b + shift, beside(apart, side)) == expected).all()


@sized(8, 400)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_at_the_nearest_float_and_beside_it(kind, count):
    a, b = kind(np.random.default_rng(7), count)
    squares = [squared_distance(p, q) for p, q in zip(a, b, strict=True)]
    nearest = np.array([float_root(square) for square in squares])
    seen = set()
    for side in (-1, 0, 1):
        limits = beside(nearest, side)
        expected = [square == 0 or square < Fraction(float(d)) ** 2 for square, d in zip(squares, limits, strict=True)]
        assert nearer_than_many(a, b, limits).tolist() == expected
        assert nearer_than_many(b, a, limits).tolist() == expected
        seen |= set(expected)
    assert seen == {True, False}


def float_root(square: Fraction) -> float:
    """A float64 near the root of a number, of any size."""
    if square == 0:
        return 0.0
    shift = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    return math.ldexp(math.sqrt(float(square / Fraction(4) ** shift)), shift)


@sized(500, 20_000)
def test_zero_asks_for_touching_triangles(count):
    world = touching_float_pairs(count, 5)
    expected = triangles_touch_many(world.a, world.b)
    assert count / 4 < expected.sum() < count
    np.testing.assert_array_equal(nearer_than_many(world.a, world.b, np.zeros(count)), expected)


def test_the_smallest_clearance_finds_what_nearly_touches():
    """A corner next to an edge, nearer than any float64 that is not zero can say, and a large clearance."""
    a = np.array([[[19.25, -6.0, 49.75], [22.25, 11.0, 75.75], [19.75, -6.25, 49.75]]])
    b = np.array([[[20.750000000000014, 2.5000000000000018, 62.75], [100.0, -10.0, 4.0], [491.0, 1363.0, -1851.0]]])
    square = squared_distance(a[0], b[0])
    for d in (5e-324, 1e-300, 1e-30, 1e-16, 1e-15, 1e-14, 1e300):
        assert nearer_than_many(a, b, np.array([d])).tolist() == [square < Fraction(d) ** 2]


@pytest.mark.parametrize("axis", range(3))
def test_gaps_along_an_axis_that_round_to_d(axis):
    """Parallel faces 1 - 2⁻⁶⁰ and 1 + 2⁻⁶⁰ apart, both 1 in float64."""
    a = np.zeros((2, 3, 3))
    a[:, 1, (axis + 1) % 3] = a[:, 2, (axis + 2) % 3] = 1.0
    b = a + np.eye(3)[axis]
    a[0, :, axis], a[1, :, axis] = 2.0**-60, -(2.0**-60)
    for one, other in ((a, b), (b, a), (-a, -b)):
        assert nearer_than_many(one, other, np.ones(2)).tolist() == [True, False]
