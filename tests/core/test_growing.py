"""Growing: memory for kernels that keep counting when it is full."""

import numpy as np
import pytest

import tumble
from tumble.core.growing import Growing


def writer(numbers):
    """Return what writes numbers as far as they fit, and counts them all; and how often it ran."""
    runs = []

    def write(free):
        runs.append(len(free))
        fitting = min(len(numbers), len(free))
        free[:fitting] = numbers[:fitting]
        return len(numbers)

    return write, runs


def test_a_kernel_runs_again_with_memory_for_all():
    write, runs = writer(np.arange(10))
    assert Growing(3).fill(write).tolist() == list(range(10))
    assert len(runs) == 2
    assert runs[1] >= 10


def test_a_kernel_that_fits_runs_once_even_when_it_fills_all():
    write, runs = writer(np.arange(3))
    assert Growing(3).fill(write).tolist() == [0, 1, 2]
    assert runs == [3]


def test_rounds_are_appended_and_kept_when_memory_grows():
    growing = Growing(4)
    for first in (0, 3, 6):
        growing.fill(writer(np.arange(first, first + 3))[0])
    assert growing.filled.tolist() == list(range(9))
    growing.clear()
    assert growing.fill(writer(np.arange(5))[0]).tolist() == list(range(5))


def test_rows_have_columns_and_a_type():
    rows = np.arange(12, dtype=np.uint64).reshape(6, 2)
    found = Growing(1, (2,), np.uint64).fill(writer(rows)[0])
    np.testing.assert_array_equal(found, rows)
    assert found.dtype == np.uint64


def test_too_many_pairs_are_refused_before_memory_is_made(monkeypatch):
    monkeypatch.setattr(tumble.limits, "max_pairs", 1 << 16)
    growing = Growing(8, hint="ask for less")
    with pytest.raises(tumble.LimitError, match="ask for less"):
        growing.fits((1 << 16) + 1)
    assert len(growing.free) == 8
    assert not Growing(8).fits((1 << 16) + 1)


def test_what_is_filled_already_counts_towards_the_limit(monkeypatch):
    monkeypatch.setattr(tumble.limits, "max_pairs", 1 << 16)
    growing = Growing(1 << 16, hint="ask for less")
    growing.advance(1 << 15)
    assert growing.fits(1 << 15)
    with pytest.raises(tumble.LimitError):
        growing.fits((1 << 15) + 1)


def test_advancing_past_the_memory_is_a_mistake_of_ours():
    with pytest.raises(AssertionError):
        Growing(2).advance(3)
