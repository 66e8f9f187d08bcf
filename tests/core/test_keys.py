"""Pairs and rows, in order and each once: NumPy's own answers are the judge."""

import numpy as np
import pytest

from tumble.core.keys import unique_pairs, unique_rows


@pytest.mark.parametrize("count", [0, 1, 2, 500])
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_unique_rows_are_those_of_numpy(count, kind):
    rows = np.random.default_rng(count).integers(-3, 3, (count, 3)).astype(kind)
    found = unique_rows(rows)
    expected, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(found.rows, expected)
    np.testing.assert_array_equal(found.first, first)
    np.testing.assert_array_equal(found.which, which.reshape(-1))
    assert found.rows.dtype == kind


def test_zeros_of_both_signs_are_one():
    found = unique_rows(np.array([[0.0, 1.0], [-0.0, 1.0], [0.0, -1.0]]))
    assert found.which.tolist() == [1, 1, 0]


def test_unique_pairs():
    pairs = np.random.default_rng(1).integers(0, 5, (100, 2))
    np.testing.assert_array_equal(unique_pairs(pairs), np.unique(pairs, axis=0))
