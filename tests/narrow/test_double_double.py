"""Signs of determinants in pairs of float64: certain ones are right, and few are uncertain."""

from fractions import Fraction

import numpy as np
import pytest

from covering import sized
from tumble.core.jit import kernel
from tumble.narrow.predicates import orientation
from tumble.narrow.predicates.double_double import likely_determinant2_sign, likely_determinant3_sign


@kernel
def likely_signs(points, signs):
    for i in range(len(points)):
        rows = points[i]
        a, b, c, d = (
            (rows[0, 0], rows[0, 1], rows[0, 2]),
            (rows[1, 0], rows[1, 1], rows[1, 2]),
            (rows[2, 0], rows[2, 1], rows[2, 2]),
            (rows[3, 0], rows[3, 1], rows[3, 2]),
        )
        signs[i, 0] = likely_determinant3_sign(a, b, c, d)
        signs[i, 1] = likely_determinant2_sign((a[0], a[1]), (b[0], b[1]), (c[0], c[1]))
        signs[i, 2] = orientation.orient3d(a, b, c, d)
        signs[i, 3] = orientation.orient2d((a[0], a[1]), (b[0], b[1]), (c[0], c[1]))


def signs_of(points):
    signs = np.empty((len(points), 4), np.int64)
    likely_signs(np.ascontiguousarray(points), signs)
    return signs


def exact(points):
    """The signs of det(a - d, b - d, c - d) in space and of det(a - c, b - c) in the plane of x and y."""
    a, b, c, d = ([Fraction(x) for x in point] for point in points.tolist())
    rows = [[x - y for x, y in zip(point, d, strict=True)] for point in (a, b, c)]
    (p, q, r), (s, t, u), (v, w, x) = rows
    volume = p * (t * x - u * w) + q * (u * v - s * x) + r * (s * w - t * v)
    area = (a[0] - c[0]) * (b[1] - c[1]) - (a[1] - c[1]) * (b[0] - c[0])
    return [(each > 0) - (each < 0) for each in (volume, area)]


def nearly_flat(rng, count, bits):
    """Points in a plane (and a, b, c nearly on a line in x and y) but for a push by a part 2**-bits of their size."""
    a, b, d = rng.normal(size=(3, count, 3)) * 10.0 ** rng.uniform(-3, 3, (1, count, 1)) + rng.normal(size=3)
    shares = rng.uniform(-2, 2, (2, count, 1))
    c = d + shares[0] * (a - d) + shares[1] * (b - d)
    line = rng.random(count) < 0.3
    c[line, :2] = (a + shares[0] * (b - a))[line, :2]
    push = rng.choice([-1.0, 0.0, 1.0], (count, 1)) * 2.0 ** -rng.uniform(bits - 8, bits + 8, (count, 1))
    return np.stack([a, b, c + push * rng.normal(size=(count, 3)), d], axis=1)


def whole(rng, count, bits):
    """Four points in a plane, exactly, in whole numbers; then a push by a few units."""
    a, b, d = rng.integers(-(1 << bits), 1 << bits, (3, count, 3))
    first, second = rng.integers(-3, 4, (2, count, 1))
    c = d + first * (a - d) + second * (b - d)
    return np.stack([a, b, c + rng.integers(-1, 2, (count, 3)), d], axis=1).astype(float)


@sized(300, 20_000)
@pytest.mark.parametrize("bits", [20, 47, 53, 60])
def test_certain_signs_are_right(bits, count):
    rng = np.random.default_rng([bits, count])
    points = np.concatenate([nearly_flat(rng, count, bits), whole(rng, count, min(bits, 49))])
    points *= 2.0 ** rng.choice([0, 0, 0, 270, -150, -340, -1000], (len(points), 1, 1))
    found, expected = signs_of(points), np.array([exact(each) for each in points])
    np.testing.assert_array_equal(found[:, 2:], expected)
    certain = found[:, :2] != 0
    np.testing.assert_array_equal(found[:, :2][certain], expected[certain])


def test_flush_faces_that_were_turned_are_decided():
    """What poses round is nearly always told from zero: no expansions for the everyday case of CAD."""
    rng = np.random.default_rng(5)
    flat = rng.uniform(-1, 1, (2000, 4, 3)) * np.array([1.0, 1.0, 0.0])
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    found = signs_of(flat @ turn.T + np.array([3.0, -7.0, 11.0]))
    assert (found[:, 0] != 0).mean() > 0.95


def test_tiny_and_zero_determinants_are_left_open():
    rng = np.random.default_rng(6)
    points = rng.normal(size=(50, 4, 3))
    assert (signs_of(1e-60 * points)[:, 0] == 0).all()  # their products are below what the bound knows
    points[:, 2] = points[:, 3]
    found = signs_of(points)
    assert (found[:, 0] == 0).all()
    assert (found[:, 2] == 0).all()
