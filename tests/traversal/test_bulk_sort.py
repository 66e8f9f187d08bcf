"""Keys sorted in parts, as NumPy sorts the whole."""

import itertools

import numpy as np
import pytest

from tumble.traversal.bulk import sort


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 100, 1001])
def test_sorted_in_parts(count, threads, monkeypatch):
    monkeypatch.setattr(sort, "FEWEST", 1)
    for most in (3, 1 << 20):  # many equal, few equal
        firsts, seconds = np.random.default_rng(count).integers(0, most, (2, count))
        keys = (firsts + 5) << 32 | (seconds + 9)
        expected = np.sort(keys)
        pairs = sort.sorted_pairs(keys.copy(), np.int64(5 << 32 | 9), threads)
        np.testing.assert_array_equal(pairs[:, 0] << 32 | pairs[:, 1], expected - (5 << 32 | 9))
        assert not pairs.flags.writeable
        sort.sort_keys(keys, threads)
        np.testing.assert_array_equal(keys, expected)


def test_as_many_parts_as_threads(monkeypatch):
    assert len(sort._parts(np.arange(sort.FEWEST), 8)) == 1
    monkeypatch.setattr(sort, "FEWEST", 10)
    parts = sort._parts(np.random.default_rng(1).permutation(1000), 5)
    assert [len(part) for part in parts] == [125] * 8
    assert all(one.max() < two.min() for one, two in itertools.pairwise(parts))
