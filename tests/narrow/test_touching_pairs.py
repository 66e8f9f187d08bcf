"""Float64 triangles built to touch or to miss by one ulp: the kernel against the rational judge."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covering import sized
from oracle import triangles_touch
from pairs import shuffled_corners, touching_float_pairs
from tumble.narrow import triangles_touch_many


def _judge(a, b):
    return np.array([triangles_touch(p, q) for p, q in zip(a, b, strict=True)])


def _explain(pairs, judged, found):
    """Which kinds, placements and nudges went wrong how often, and the first pair in full."""
    wrong = np.flatnonzero(judged != found)
    counts = Counter(f"{pairs.names[i]} {'missed' if judged[i] else 'invented'}" for i in wrong)
    i = wrong[0]
    first = [[[x.hex() for x in v] for v in t.tolist()] for t in (pairs.a[i], pairs.b[i])]
    return f"{len(wrong)} of {len(judged)} wrong: {dict(counts.most_common())}; first, {pairs.names[i]}: {first}"


def _assert_right(n, seed):
    pairs = touching_float_pairs(n, seed)
    judged = _judge(pairs.a, pairs.b)
    assert judged.mean() >= 0.4
    found = triangles_touch_many(pairs.a, pairs.b)
    assert np.array_equal(judged, found), _explain(pairs, judged, found)


@sized(800, 5000)
def test_thousands_of_pairs(count):
    _assert_right(count, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_four_hundred_thousand_pairs(seed):
    _assert_right(20_000, seed)


@sized(700, 20_000)
def test_order_does_not_matter(count):
    rng = np.random.default_rng(7)
    pairs = touching_float_pairs(count, seed=8)
    found = triangles_touch_many(pairs.a, pairs.b)
    assert np.array_equal(found, triangles_touch_many(pairs.b, pairs.a))
    for _ in range(6):
        a, b = shuffled_corners(rng, pairs.a), shuffled_corners(rng, pairs.b)
        assert np.array_equal(found, triangles_touch_many(a, b))


coordinates = st.one_of(
    st.integers(-8, 8).map(lambda k: k / 4),
    st.integers(-4, 4).map(lambda k: k * 5e-324),
    st.sampled_from([1e-320, 2.0**-1022, 1e-200, 1e50, 1e100, -1e100, 0.1, 0.3, 1 + 2**-52]),
    st.floats(-1e100, 1e100),
)


@st.composite
def triangle_pairs(draw):
    """Two triangles over few values and few points, so that planes, lines and corners are often shared."""
    values = draw(st.lists(coordinates, min_size=2, max_size=6))
    point = st.tuples(*[st.sampled_from(values)] * 3)
    points = draw(st.lists(point, min_size=2, max_size=6))
    corners = draw(st.lists(st.sampled_from(points), min_size=6, max_size=6))
    return np.array([corners[:3]]), np.array([corners[3:]])


@given(triangle_pairs())
def test_few_values_and_shared_corners(pair):
    a, b = pair
    assert triangles_touch_many(a, b)[0] == triangles_touch(a[0], b[0])


weights = st.integers(0, 8)


@given(triangle_pairs(), weights, weights, st.integers(-1, 1))
def test_a_corner_placed_on_the_other_triangle(pair, s, t, ulps):
    """One corner of b at rounded weights of a, or one ulp beside: rounding decides, and both must see it."""
    a, b = pair
    p, q, r = a[0]
    b[0, 0] = (p * s + q * t + r * (16 - s - t)) / 16
    z = b[0, 0, 2]
    b[0, 0, 2] = np.nextafter(z, (z, 1e100, -1e100)[ulps])
    assert triangles_touch_many(a, b)[0] == triangles_touch(a[0], b[0])
