"""Triangles on small integer grids, mostly degenerate contacts: the kernel against the integer judge."""

import numpy as np
import pytest

from covering import sized
from oracle import integer_triangles_touch
from pairs import GRID_SIZES, grid_pairs, shuffled_corners
from tumble.narrow import triangles_touch_many

BATCH = 200_000
"""pairs of a slow test"""


def _touch(a, b):
    return triangles_touch_many(a.astype(np.float64), b.astype(np.float64))


def _assert_right(size, seed, count=BATCH):
    a, b = grid_pairs(count, size, seed)
    judged, found = integer_triangles_touch(a, b), _touch(a, b)
    assert found.shape == judged.shape
    assert found.dtype == bool
    wrong = np.flatnonzero(found != judged)
    assert not len(wrong), (
        f"{len(wrong)} of {count} wrong, {np.sum(judged[wrong])} missed, grid 0..{size}, seed {seed}; first: "
        f"{a[wrong[0]].tolist()} {b[wrong[0]].tolist()}, touching: {judged[wrong[0]]}"
    )


@sized(8_000, BATCH)
@pytest.mark.parametrize("size", GRID_SIZES)
def test_many_pairs(size, count):
    _assert_right(size, 2, count)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
@pytest.mark.parametrize("size", GRID_SIZES)
def test_ten_million_pairs(size, seed):
    _assert_right(size, seed)


@sized(2_000, 6_000)
@pytest.mark.parametrize("size", GRID_SIZES)
def test_order_does_not_matter(size, count):
    rng = np.random.default_rng(3)
    a, b = grid_pairs(count, size, seed=4)
    found = _touch(a, b)
    assert np.array_equal(found, _touch(b, a))
    for _ in range(6):
        assert np.array_equal(found, _touch(shuffled_corners(rng, a), shuffled_corners(rng, b)))


def test_every_triangle_touches_itself():
    a, _ = grid_pairs(20_000, 2, seed=5)
    assert _touch(a, a).all()


def test_no_pairs():
    nothing = np.zeros((0, 3, 3))
    assert triangles_touch_many(nothing, nothing).shape == (0,)
