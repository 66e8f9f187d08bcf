"""The filter is never wrong where it is sure, and it is sure wherever nothing special happens."""

import numpy as np
import pytest

import pairs
from tumble.jit import kernel
from tumble.narrow.filter import UNSURE, filtered_touch
from tumble.narrow.triangles import triangles_touch_many


@kernel
def filter_rows(a, b, result):
    for i in range(result.size):
        p, q = a[i], b[i]
        result[i] = filtered_touch(
            (p[0], p[1], p[2]), (p[3], p[4], p[5]), (p[6], p[7], p[8]),
            (q[0], q[1], q[2]), (q[3], q[4], q[5]), (q[6], q[7], q[8]),
        )  # fmt: skip


def filtered(a, b):
    result = np.empty(len(a), np.int64)
    filter_rows(np.ascontiguousarray(a).reshape(-1, 9), np.ascontiguousarray(b).reshape(-1, 9), result)
    return result


def assert_never_wrong(a, b):
    answers, exact = filtered(a, b), triangles_touch_many(a, b)
    sure = answers != UNSURE
    assert (answers[sure] == exact[sure]).all()
    return sure.mean(), exact[sure].mean() if sure.any() else 0.0


def test_random_triangles_are_all_decided():
    rng = np.random.default_rng(1)
    for size in (1.0, 1e-60, 1e90):
        sure, touching = assert_never_wrong(*(rng.standard_normal((2, 20000, 3, 3)) * size))
        assert sure > 0.999
        assert 0.1 < touching < 0.5


@pytest.mark.parametrize("size", pairs.GRID_SIZES)
def test_integer_grid(size):
    a, b = pairs.grid_pairs(30000, size, seed=5)
    assert_never_wrong(a.astype(np.float64), b.astype(np.float64))


def test_contacts_built_to_the_last_bit():
    cases = pairs.touching_float_pairs(20000, seed=6)
    sure, _ = assert_never_wrong(cases.a, cases.b)
    assert sure < 0.9


@pytest.mark.parametrize("scale", [1e-100, 1e-105, 1e-110, 1e-160, 1e-320])
def test_products_that_underflow_are_left_to_the_exact_test(scale):
    rng = np.random.default_rng(2)
    near = rng.integers(-4, 5, (2, 20000, 3, 3)).astype(np.float64)
    assert_never_wrong(near[0] * scale, near[1] * scale)
    assert_never_wrong(near[0] * scale, near[1])


def test_nearly_flat_pairs():
    """Planes that differ in the last bits only."""
    rng = np.random.default_rng(3)
    a = rng.uniform(size=(20000, 3, 3))
    weights = rng.dirichlet((1, 1, 1), (20000, 3)) * 3 - 1
    b = np.einsum("nij,njk->nik", weights, a)  # in the plane of a, up to rounding
    assert_never_wrong(a, b)
