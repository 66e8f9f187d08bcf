"""Counted operations: the counter counts, and the tests cost what paper `boxtree` says, or less."""

import numpy as np
import pytest
from numba import njit

import tumble
from tumble.bench.operations import Counting, CountingRows, Tally, counted
from tumble.bench.papers.boxtree.nodes import boxtree_operations, volume_operations
from tumble.mesh import random_pose

MESH = tumble.shapes.torus(segments=6, sides=5)
POSE = random_pose(3, 0.3)


@njit
def inner(x, y):
    return x * y + 1.0


@njit
def outer(x, y):
    if inner(x, y) > 2.0 * x:
        return abs(-x)
    return x - y


def test_the_counter_counts_in_all_kernels():
    tally = Tally()
    result = counted(outer, tally)(Counting(3.0, tally), Counting(5.0, tally))
    assert float(result) == 3.0 == outer(3.0, 5.0)
    assert tally.taken() == Tally(additions=1, multiplications=2, comparisons=1)
    assert float(counted(outer, tally)(Counting(3.0, tally), Counting(1.0, tally))) == 2.0
    assert tally.taken().additions == 2
    assert tally.total == 0


def test_numbers_of_numpy_leave_the_count_alone():
    tally = Tally()
    rows = CountingRows(np.array([[2.0, 3.0]]), tally)
    assert float(np.float64(4.0) * rows[0, 1] - np.float64(1.0)) == 11.0
    assert tally == Tally(additions=1, multiplications=1)


# additions, multiplications and comparisons at most; Table 1 says 12, 82 and 24 in all, and half with `ahead`
BY_HAND = {"axis": (4, 3, 4), "lookup": (4, 1, 6), "sat": (20, 18, 20), "sat-lite": (8, 6, 8)}


@pytest.mark.parametrize(
    "overlap", ["lookup", *(pytest.param(each, marks=pytest.mark.slow) for each in ("sat", "axis", "sat-lite"))]
)
def test_boxtree_tests_cost_what_they_should(overlap):
    tree = tumble.build(MESH, "boxtree", leaf_size=1, planes="free")
    alone, ahead = (boxtree_operations(tree, tree, POSE, overlap, way) for way in (False, True))
    additions, multiplications, comparisons = BY_HAND[overlap]
    assert (alone.additions, alone.multiplications) == (additions, multiplications)
    assert (ahead.additions, ahead.multiplications) == (additions / 2, multiplications / 2)
    assert alone.worst == additions + multiplications + comparisons
    assert alone.comparisons < comparisons
    assert alone.pairs == ahead.pairs > 150


@pytest.mark.parametrize(("volume", "worst"), [("sphere", 32), ("aabb", 108)])
def test_stored_volumes_cost_more(volume, worst):
    tree = tumble.build(MESH, volume)
    alone, ahead = (volume_operations(tree, tree, POSE, way) for way in (False, True))
    assert alone.worst == worst
    assert ahead.worst < 0.8 * worst
    assert ahead.mean < 0.85 * alone.mean
    assert alone.pairs == ahead.pairs > 150


def test_dops_cost_what_the_paper_counts():
    """A side takes three products and three sums, one of them the shift; then each is compared: 7 for each of 24."""
    tree = tumble.build(MESH, "kdop24")
    alone, ahead = (volume_operations(tree, tree, POSE, way) for way in (False, True))
    assert alone.worst == 7 * 24
    assert (ahead.additions, ahead.multiplications, ahead.comparisons) == (3 * 12, 3 * 12, 24)
    assert ahead.worst == 4 * 24
    assert alone.pairs == ahead.pairs > 150


def test_kernels_in_closures_are_counted_too():
    factor = 3.0

    @njit
    def scaled(x):
        return inner(factor, x)

    @njit
    def twice(x):
        return scaled(x) + scaled(x)

    tally = Tally()
    assert float(counted(twice, tally)(Counting(2.0, tally))) == 14.0
    assert tally == Tally(additions=3, multiplications=2)
