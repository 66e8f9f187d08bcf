"""Distances by vectors have the bits of the scalar ones, and gaps part nothing that is near enough."""

import numpy as np
import pytest

import tumble
from covering import sized
from distance_pairs import KINDS, of_all_sizes
from triangle_rows import triangle_distances
from tumble.core.jit import kernel
from tumble.core.simd.memory import address_of, float64_at
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed import packed
from tumble.narrow import triangles_touch_many
from tumble.narrow.distance import TOLERANCE
from tumble.narrow.triangles.apart import FOUND_WORDS, WAY, apart_distance
from tumble.narrow.triangles.four_gaps import GAPS_WORDS, KEPT_WORDS, PAIRS, POSED_WORDS, keep_near, near_pairs

# of the triangles i and i + 1 of either mesh: lane k is i + (k & 1) of the first with i + (k >> 1) of the second
OURS, THEIRS = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
WITHIN_RANGE = [kind for kind in KINDS if kind is not of_all_sizes]


@kernel
def compare_twos(tree_a, tree_b, pose, directions, limits, open_pairs, distances, ways, all_gaps):
    """Compare triangles 2 i and 2 i + 1 of two meshes, with a direction and a limit each."""
    kept, place, found, gaps = scratch(KEPT_WORDS), scratch(POSED_WORDS), scratch(FOUND_WORDS), scratch(GAPS_WORDS)
    for i in range(limits.size):
        one, two = np.int64(2 * i), np.int64(2 * i + 1)
        keep_near(tree_a, pose, one, two, kept)
        word = near_pairs(tree_b, pose, one, two, kept, place, address_of(directions[i]), limits[i], gaps)
        open_pairs[i] = word & PAIRS
        for lane in range(4):
            all_gaps[i, lane] = float64_at(gaps, lane)
            apart_distance(word, kept, place, lane, found)
            distances[i, lane] = float64_at(found, 0)
            for axis in range(3):
                ways[i, lane, axis] = float64_at(found, WAY + axis)


def compared(a, b, directions=None, limits=None):
    """Which of four pairs each are open, their distances, ways and gaps; a and b are (n, 3, 3) with an even n."""
    count, faces = len(a) // 2, np.arange(3 * len(a)).reshape(-1, 3)
    trees = [packed(tumble.Mesh(side.reshape(-1, 3), faces)) for side in (a, b)]
    directions = np.zeros((count, 3)) if directions is None else directions
    limits = np.full(count, np.inf) if limits is None else limits
    found = np.empty(count, np.int64), np.empty((count, 4)), np.empty((count, 4, 3)), np.empty((count, 4))
    identity = np.eye(4)
    compare_twos(trees[0].address, trees[1].address, identity.ctypes.data, directions, limits, *found)
    return found


def four_of(a, b):
    """The same four pairs, as (4 n / 2, 3, 3) arrays."""
    first = 2 * np.arange(len(a) // 2)[:, None]
    return a[(first + OURS).ravel()], b[(first + THEIRS).ravel()]


@sized(2000, 20_000)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_bits_are_those_of_the_scalar_distance(kind, count):
    a, b = kind(np.random.default_rng(11), count)
    _, distances, ways, _ = compared(a, b)
    rows = four_of(a, b)
    expected, points = triangle_distances(*rows)
    apart = ~triangles_touch_many(*rows)
    assert apart.sum() > count / 4
    np.testing.assert_array_equal(distances.ravel()[apart], expected[apart])
    sizes = np.abs(np.concatenate([rows[0].reshape(-1, 9), rows[1].reshape(-1, 9)], axis=1)).max(axis=1)
    sizes = sizes[apart]
    ways, theirs = (each[apart] / sizes[:, None] for each in (ways.reshape(-1, 3), points[:, 1] - points[:, 0]))
    assert (np.abs(np.sqrt((ways * ways).sum(axis=1)) - expected[apart] / sizes) <= 1e-14).all()
    # Both are shortest ways between convex sets, up to rounding. Where the squares of two differ by ε, the ways differ
    # by √ε at most: where one triangle is a needle, its edge and its face are as near, and that much happens.
    off = np.abs(ways - theirs).max(axis=1)
    assert (off**2 <= 16.0 * np.finfo(float).eps).all()
    assert np.count_nonzero(off > 1e-14) <= 1e-3 * len(off)


def test_what_vectors_do_not_tell_is_not_a_distance():
    """Beside each other, denormally small; and crosswise, so near to each other that the square of it is zero."""
    corner = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    a, b = corner * 1e-310, corner * 1e-310 + [0.0, 0.0, 1e-309]
    assert np.isnan(compared(np.stack([a, a]), np.stack([b, b]))[1]).all()
    near = corner + np.array([0.0, 0.0, 1e-200])
    assert (compared(np.stack([corner, corner]), np.stack([near, near]))[1] == 0.0).all()


@sized(2000, 20_000)
@pytest.mark.parametrize("kind", WITHIN_RANGE, ids=lambda kind: kind.__name__)
def test_gaps_part_nothing_within_the_limit(kind, count):
    """The limit is exactly the distance of one of the four, with the slack that the search has."""
    rng = np.random.default_rng(12)
    a, b = kind(rng, count)
    rows = four_of(a, b)
    expected, points = (array.reshape(count // 2, 4, *array.shape[1:]) for array in triangle_distances(*rows))
    chosen, every = rng.integers(0, 4, count // 2), np.arange(count // 2)
    size = np.abs(np.concatenate([rows[0], rows[1]], axis=1)).reshape(count // 2, -1).max(axis=1)
    limits = expected[every, chosen] + 2.0 * size * TOLERANCE
    way = points[every, chosen, 1] - points[every, chosen, 0]
    length = np.linalg.norm(way, axis=1, keepdims=True)
    directions = np.where(length > 0, way / np.where(length > 0, length, 1.0), 0.0)
    directions[::3] = rng.normal(size=directions[::3].shape)
    directions[::3] /= np.linalg.norm(directions[::3], axis=1, keepdims=True)
    directions[1::7] = 0.0
    found, _, _, gaps = compared(a, b, np.ascontiguousarray(directions), limits)
    left = found != 0  # else no gaps are written
    assert (gaps[left] <= expected[left] + 2.0 * size[left, None] * TOLERANCE).all()
    near = expected <= expected[every, chosen][:, None]
    bits = found[:, None] >> np.arange(4) & 1
    assert (bits[near] == 1).all()
    if kind.__name__ == "anyhow":
        assert bits[~near].mean() < 0.3  # most others are parted


def test_the_order_of_the_leaves_does_not_matter():
    for kind in WITHIN_RANGE:
        a, b = kind(np.random.default_rng(13), 1000)
        one, other = compared(a, b)[1], compared(b, a)[1]
        apart = ~triangles_touch_many(*four_of(a, b)).reshape(-1, 4)
        np.testing.assert_array_equal(one[apart], other[:, [0, 2, 1, 3]][apart])
