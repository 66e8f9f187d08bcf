"""A merged volume holds both, in exact arithmetic; merging with itself or with a smaller one adds next to nothing."""

import numpy as np
import pytest
from exact_containment import HOLDS_OTHER
from hypothesis import given
from hypothesis import strategies as st
from volume_calls import call_merge, empty, fitted

from covering import crossed, sized

coordinates = st.floats(-1e99, 1e99, allow_subnormal=True) | st.sampled_from([0.0, 5e-324, -1e-310, 1e-126, 1.0])
radii = st.floats(0, 1e99, allow_subnormal=True) | st.sampled_from([0.0, 5e-324, 1e-310, 1e-126, 1.0])


def merged(volume: str, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    record = empty(volume, 3)
    record[0][1], record[0][2] = first, second
    call_merge(record, 0, 1, 2)
    assert np.array_equal(record[0][1:], [first, second])
    return record[0][0]


def random_pairs(volume: str, size: float) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(21)
    triangles = rng.uniform(-1, 1, (2, 60, 3, 3)) * size * rng.choice([1, 1e-3, 1e-9], (2, 60, 1, 1))
    return list(zip(*(fitted(volume, part)[0] for part in triangles), strict=True))


@crossed(1, size=[5e-323, 1e-310, 1e-200, 1e-125, 1.0, 1e99], volume=HOLDS_OTHER)
@sized(20, 60)
def test_merge_holds_both(volume: str, size: float, count: int) -> None:
    for first, second in random_pairs(volume, size)[:count]:
        row = merged(volume, first, second)
        assert HOLDS_OTHER[volume](row, first)
        assert HOLDS_OTHER[volume](row, second)


@given(st.tuples(coordinates, coordinates, coordinates, radii), st.tuples(coordinates, coordinates, coordinates, radii))
def test_merge_of_any_two_balls_holds_both(first: tuple, second: tuple) -> None:
    row = merged("sphere", np.array(first), np.array(second))
    assert HOLDS_OTHER["sphere"](row, first)
    assert HOLDS_OTHER["sphere"](row, second)


@pytest.mark.parametrize("volume", HOLDS_OTHER)
def test_node_may_be_one_of_the_two(volume: str) -> None:
    for first, second in random_pairs(volume, 1.0)[:20]:
        expected = merged(volume, first, second)
        for node in (0, 1):
            record = empty(volume, 2)
            record[0][:] = [first, second]
            call_merge(record, node, 0, 1)
            assert record[0][node].tolist() == expected.tolist()
            assert record[0][1 - node].tolist() == [first, second][1 - node].tolist()


@crossed(1, volume=HOLDS_OTHER, size=[1e-200, 1.0, 1e99])
def test_merge_with_itself_is_itself(volume: str, size: float) -> None:
    for first, _ in random_pairs(volume, size):
        row = merged(volume, first, first)
        # the box of a flat triangle is as thin as rounding allows; what is added is a share of its length
        thin = 2.0**-40 * np.abs(first[-3:]).max() if volume.startswith("obb") else 0.0
        assert np.allclose(row, first, rtol=2.0**-40, atol=thin)
        assert HOLDS_OTHER[volume](row, first)


@pytest.mark.parametrize("swap", [False, True])
def test_a_ball_inside_of_another_adds_nothing(swap: bool) -> None:
    outer, inner = np.array([1.0, 2, 3, 10]), np.array([4.0, 6, 3, 4.5])
    row = merged("sphere", *((inner, outer) if swap else (outer, inner)))
    assert np.allclose(row, outer, rtol=1e-13)


def test_the_merged_box_is_exactly_the_least() -> None:
    first, second = np.array([0.0, 5, -1, 1, 6, 0]), np.array([-2.0, 5.5, -3, 0.5, 9, -2])
    assert merged("aabb", first, second).tolist() == [-2, 5, -3, 1, 9, 0]


def test_the_merged_ball_is_the_least() -> None:
    for first, second in random_pairs("sphere", 1.0):
        distance = np.linalg.norm(first[:3] - second[:3])
        least = max(first[3], second[3], (distance + first[3] + second[3]) / 2)
        assert merged("sphere", first, second)[3] <= least * (1 + 1e-12)
