"""Trees that name a triangle by several leaves: every touching pair is found, and told once."""

import pickle

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import oracle
import tumble
from tumble import shapes
from tumble.hierarchy.packed import packed
from tumble.mesh import random_pose
from tumble.query import run as batch
from tumble.traversal.packed.sort import sort_keys, unique_keys


def slivers(seed, count, length=0.7):
    """Return long thin triangles in all directions."""
    rng = np.random.default_rng(seed)
    start = rng.uniform(size=(count, 1, 3))
    step = rng.normal(size=(count, 1, 3)) * length
    corners = np.concatenate([start, start + step, start + step + rng.normal(size=(count, 1, 3)) * 0.03], axis=1)
    return tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def fence(count):
    """Return a flat fan of long thin triangles on a grid: many neighbours share corners and lie in one plane."""
    x = np.arange(count)
    corners = np.stack(
        [np.stack([0 * x, 0 * x, 0 * x], 1), np.stack([x, x + 8, 0 * x], 1), np.stack([x + 1, x + 9, 0 * x], 1)], 1
    )
    return tumble.Mesh(corners.reshape(-1, 3).astype(float), np.arange(3 * count).reshape(-1, 3))


def assert_judged(a, b, poses):
    """Compare all pairs of every pose, both ways round, with the oracle's."""
    result = tumble.collide_many(a, b, poses, first=False)
    hits = tumble.collide_many(a, b, poses)
    for k, pose in enumerate(poses):
        expected = oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces, None, pose)
        np.testing.assert_array_equal(result.pairs(k), expected)
        assert result.counts[k] == len(expected)
        assert hits.hit[k] == (len(expected) > 0)
        swapped = tumble.collide_many(b, a, [np.eye(4)], [pose], first=False).pairs(0)
        np.testing.assert_array_equal(swapped[np.lexsort((swapped[:, 0], swapped[:, 1]))][:, ::-1], expected)
    return result


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))])
def test_slivers_touch_once(seed):
    a, b = slivers(seed, 80), slivers(seed + 100, 50)
    poses = [np.eye(4), random_pose(seed, 0.1), tumble.translation(0.2, 0, 0.1)]
    assert packed(a).repeats
    assert assert_judged(a, b, poses).counts.max() > 5


def test_one_side_alone_repeats():
    a, b = slivers(1, 80), forest.soup(2, 60, 0.4)
    assert packed(a).repeats != packed(b).repeats
    assert assert_judged(a, b, [np.eye(4), random_pose(3, 0.1)]).counts.min() > 0


def test_in_one_plane():
    fan = fence(12)
    assert packed(fan).repeats
    poses = [np.eye(4), tumble.translation(3, 1, 0), tumble.rotation("z", np.pi / 2)]
    assert assert_judged(fan, fan, poses).counts[0] == 144


@given(st.integers(0, 2**32 - 1), st.sampled_from(forest.POSES))
@settings(max_examples=settings().max_examples // 3)
def test_slivers_on_a_grid(seed, pose):
    rng = np.random.default_rng(seed)
    meshes = []
    for count in (20, 14):
        corners = rng.integers(0, 9, (count, 3, 3)).astype(float)
        corners[:, 2] = corners[:, 1] + rng.integers(-1, 2, (count, 3)) * [1, 0, 0]
        meshes.append(tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)))
    assert_judged(*meshes, [np.eye(4) if pose is None else pose])


@pytest.mark.parametrize("capacity", [1, 3, 40])
def test_buffers_grow_and_nothing_is_lost(capacity, monkeypatch):
    a, b = slivers(1, 80), slivers(2, 80)
    poses = np.stack([random_pose(seed, 0.1) for seed in range(20)])
    expected = tumble.collide_many(a, b, poses, first=False, threads=1)
    monkeypatch.setattr(batch, "FIRST_CAPACITY", capacity)
    for threads in (1, 2):
        result = tumble.collide_many(a, b, poses, first=False, threads=threads)
        np.testing.assert_array_equal(result.counts, expected.counts)
        np.testing.assert_array_equal(result.triangles, expected.triangles)


def test_after_a_pickle():
    gear = shapes.gear(teeth=30)
    assert packed(gear).repeats
    pose = [tumble.translation(0.3, 0.1, 0.05) @ tumble.rotation("x", 0.2)]
    expected = tumble.collide_many(gear, gear, pose, first=False)
    assert len(np.unique(expected.triangles, axis=0)) == len(expected.triangles) > 0
    again = pickle.loads(pickle.dumps(gear))
    np.testing.assert_array_equal(tumble.collide_many(again, again, pose, first=False).triangles, expected.triangles)


@numba.njit
def _sorted(address, count):
    sort_keys(address, 0, count)
    return count


@numba.njit
def _unique(address, count):
    sort_keys(address, 0, count)
    return unique_keys(address, count)


@pytest.mark.parametrize("count", [0, 1, 2, 23, 24, 25, 26, 1000])
@pytest.mark.parametrize("values", [1, 2, 10, 2**62])
def test_keys_are_sorted_and_repeats_dropped(count, values):
    keys = np.random.default_rng(count).integers(0, values, count)
    room = np.concatenate([[-5], keys, [-7]])
    assert _sorted(room.ctypes.data + 8, count) == count
    np.testing.assert_array_equal(room, np.concatenate([[-5], np.sort(keys), [-7]]))
    room[1:-1] = keys
    kept = _unique(room.ctypes.data + 8, count)
    np.testing.assert_array_equal(room[1 : 1 + kept], np.unique(keys))
    assert room[0] == -5
    assert room[-1] == -7


@pytest.mark.parametrize(
    "order", [np.arange(5000), np.arange(5000)[::-1], np.r_[np.arange(2500), np.arange(2500)[::-1]]]
)
def test_sorted_keys_stay_sorted(order):
    keys = order.astype(np.int64)
    kept = _unique(keys.ctypes.data, len(keys))
    np.testing.assert_array_equal(keys[:kept], np.unique(order))
