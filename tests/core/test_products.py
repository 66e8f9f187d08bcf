"""Small matrix algebra without BLAS, against NumPy's, and in the order that its docstrings promise."""

import numpy as np

from tumble.core.products import (
    applied,
    column_sums,
    dot_product,
    inverse_of_positive,
    length,
    lengths,
    product,
)


def test_products_agree_with_numpy():
    rng = np.random.default_rng(1)
    a, b, v = rng.standard_normal((5, 3, 3)), rng.standard_normal((5, 3, 4)), rng.standard_normal((5, 3))
    np.testing.assert_allclose(product(a, b), a @ b, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(applied(a, v), np.einsum("nij,nj->ni", a, v), rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(dot_product(v, v), (v**2).sum(axis=1), rtol=1e-14)
    np.testing.assert_allclose(lengths(v), np.linalg.norm(v, axis=1), rtol=1e-14)


def test_sums_run_from_left_to_right():
    # (1e16 + 1) − 1e16 is 0 and 1e16 − 1e16 + 1 is 1: any other order or a fused operation shows
    assert dot_product([1e16, 1.0, -1e16], [1.0, 1.0, 1.0]) == 0.0
    assert dot_product([1e16, -1e16, 1.0], [1.0, 1.0, 1.0]) == 1.0
    tiny = 2.0**-30
    assert dot_product([1.0 + tiny, -1.0], [1.0 - tiny, 1.0]) == 0.0  # fused: −2⁻⁶⁰


def test_columns_are_summed_in_halves():
    rows = np.random.default_rng(2).standard_normal((1001, 4)) * 10.0 ** np.arange(4)
    np.testing.assert_allclose(column_sums(rows), rows.sum(axis=0), rtol=1e-12)
    five = np.array([[1e16], [1.0], [1.0], [-1e16], [3.0]])
    assert column_sums(five)[0] == ((1e16 + -1e16) + 1.0) + (1.0 + 3.0)
    assert column_sums(np.empty((0, 2))).tolist() == [0.0, 0.0]


def test_lengths_of_huge_and_tiny_vectors():
    for size in (1.0, 2.0**1000, 2.0**-1000):
        assert length([3.0 * size, 0.0, -4.0 * size]) == 5.0 * size
    assert length([0.0, 0.0, 0.0]) == 0.0


def test_inverses_of_inertias():
    rng = np.random.default_rng(3)
    for spread in (1.0, 1e3, 1e6):
        for _ in range(20):
            turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
            matrix = turn @ np.diag([1.0, spread**0.5, spread]) @ turn.T
            matrix = 0.5 * (matrix + matrix.T)
            inverse = inverse_of_positive(matrix)
            np.testing.assert_array_equal(inverse, inverse.T)
            np.testing.assert_allclose(inverse @ matrix, np.eye(3), atol=1e-14 * spread)
