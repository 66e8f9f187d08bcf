"""A fitted volume holds its triangles in exact arithmetic, and is not larger than it must be."""

from fractions import Fraction

import numpy as np
import pytest
from exact_containment import HOLDS, HOLDS_OTHER
from hypothesis import given, settings
from hypothesis import strategies as st
from kdop_exact import KS
from volume_calls import call_measure, empty, fit_one, fitted

from covering import crossed, sized
from pairs import touching_float_pairs
from tumble.volume.kinds import KINDS

coordinates = st.floats(-1e100, 1e100, allow_subnormal=True) | st.sampled_from(
    [0.0, -0.0, 5e-324, -5e-324, 1e-310, 2.0**-1022, 1e-162, 1e-125, -1e-125, 1.0, 1e100, -1e100]
)
triangle_lists = st.lists(st.tuples(*[coordinates] * 9), min_size=1, max_size=4)


def test_every_volume_has_an_exact_judge() -> None:
    """DOPs have theirs in `kdop_exact`."""
    assert {name for name in KINDS if not name.startswith("kdop")} == set(HOLDS) == set(HOLDS_OTHER)
    assert {f"kdop{k}" for k in KS} == {name for name in KINDS if name.startswith("kdop")}


def over_all(volume: str, triangles: np.ndarray) -> np.ndarray:
    """One volume over all the triangles, as a row; the other rows must stay untouched."""
    record = empty(volume, 3)
    count = len(triangles)
    fit_one(record, 1, triangles, np.arange(count, dtype=np.int32), 0, count)
    assert np.isnan(record[0][[0, 2]]).all()
    return record[0][1]


@pytest.mark.parametrize("volume", HOLDS)
@given(numbers=triangle_lists)
@settings(max_examples=settings().max_examples // 3)
def test_fit_holds_any_triangles(volume: str, numbers: list) -> None:
    triangles = np.array(numbers).reshape(-1, 3, 3)
    assert HOLDS[volume](over_all(volume, triangles), triangles.reshape(-1, 3))


@pytest.mark.parametrize("volume", HOLDS)
@sized(100, 2000)
def test_fit_holds_triangles_of_every_placement(volume: str, count: int) -> None:
    triangles = touching_float_pairs(count, 11).a
    rows = fitted(volume, triangles)[0]
    bad = [i for i, row in enumerate(rows) if not HOLDS[volume](row, triangles[i])]
    assert bad == []


@sized(60, 150)
@crossed(1, volume=HOLDS, size=[5e-324, 1e-320, 2.0**-1022, 1e-200, 1e-126, 1e-125, 1e-124, 1.0, 1e100])
def test_fit_holds_random_triangles_of_a_size(volume: str, size: float, count: int) -> None:
    rng = np.random.default_rng(12)
    triangles = rng.uniform(-1, 1, (count, 3, 3)) * size
    triangles[count // 3 : 2 * count // 3] += size * 8 if size < 1e99 else 0
    rows = fitted(volume, triangles)[0]
    assert [i for i, row in enumerate(rows) if not HOLDS[volume](row, triangles[i])] == []


def test_the_box_is_exactly_the_least() -> None:
    triangles = np.random.default_rng(13).normal(size=(50, 3, 3))
    corners = triangles.reshape(-1, 3)
    assert over_all("aabb", triangles).tolist() == [*corners.min(axis=0), *corners.max(axis=0)]


@pytest.mark.parametrize("size", [1e-300, 1e-120, 1.0, 1e100])
def test_the_ball_is_that_of_the_box_s_middle(size: float) -> None:
    triangles = np.random.default_rng(14).uniform(-1, 1, (50, 3, 3)) * size
    corners = triangles.reshape(-1, 3)
    *centre, radius = over_all("sphere", triangles)
    assert np.allclose(centre, (corners.min(axis=0) + corners.max(axis=0)) / 2, rtol=1e-15, atol=0)
    exact = max(sum((Fraction(x) - Fraction(c)) ** 2 for x, c in zip(p, centre, strict=True)) for p in corners.tolist())
    # minute squares underflow; there the sum of absolute values, at most sqrt(3) times too long, stands in
    slack = Fraction(3.001 if size < 1e-125 else 1 + 1e-13)
    assert exact <= Fraction(radius) ** 2 <= exact * slack


def test_fit_takes_only_its_range_of_the_order() -> None:
    triangles = np.arange(4)[:, None, None] + np.zeros((4, 3, 3))
    order = np.array([3, 1, 2, 0], np.int32)
    record = empty("aabb", 1)
    fit_one(record, 0, triangles, order, 1, 3)
    assert record[0][0].tolist() == [1, 1, 1, 2, 2, 2]


def test_measure_is_the_volume() -> None:
    box = empty("aabb", 2)
    box[0][1] = [-1, 0, 2, 1, 3, 6]
    assert call_measure(box, 1) == 24.0
    ball = empty("sphere", 2)
    ball[0][1] = [7, 8, 9, 2]
    assert call_measure(ball, 1) == pytest.approx(4 / 3 * np.pi * 8, rel=1e-14)


@pytest.mark.parametrize("volume", HOLDS)
def test_measure_of_the_largest_volume_is_finite_and_orders(volume: str) -> None:
    far = np.array([[[-1e100] * 3, [1e100] * 3, [0.0] * 3], [[-1e99] * 3, [1e99] * 3, [0.0] * 3]])
    record = fitted(volume, far)
    assert np.inf > call_measure(record, 0) > call_measure(record, 1) > 0
