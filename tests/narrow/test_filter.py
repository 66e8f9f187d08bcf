"""Four pairs at once: never wrong, all lanes alike, and rarely in need of the exact test where nothing is special."""

import numpy as np
import pytest

import pairs
from covering import sized
from tumble.core.jit import kernel
from tumble.core.simd.memory import address_of, float64_at
from tumble.core.simd.stack_memory import scratch
from tumble.mesh import apply_pose, as_pose, random_pose
from tumble.narrow.triangles.exact import triangles_touch_many
from tumble.narrow.triangles.filter import CERTAIN, open_pair_touch
from tumble.narrow.triangles.four_pairs import KEPT_WORDS, POSED_WORDS, keep_first_leaf, open_pairs

IDENTITY = np.eye(4)


@kernel
def judge_leaves(a, b, pose_a, pose_b, touch, certain, posed):
    """Judge triangles 2i and 2i + 1 of a against those of b, each with each; rows hold nine coordinates."""
    kept, place = scratch(KEPT_WORDS), scratch(POSED_WORDS)
    for i in range(touch.shape[0]):
        v = 6 * i
        keep_first_leaf(address_of(a), address_of(pose_a), v, v + 1, v + 2, v + 3, v + 4, v + 5, kept)
        word = open_pairs(address_of(b), address_of(pose_b), v, v + 1, v + 2, v + 3, v + 4, v + 5, kept, place)
        for lane in range(4):
            touch[i, lane] = word >> lane & 1 != 0 and open_pair_touch(word, lane, kept, place)
            certain[i, lane] = word >> lane & 1 == 0 or word >> (CERTAIN + lane) & 1 != 0
            for k in range(9):
                posed[0, i, lane, k] = float64_at(kept, 4 * k + lane)
                posed[1, i, lane, k] = float64_at(place, 4 * k + lane)


def judged(a, b, pose_a=IDENTITY, pose_b=IDENTITY):
    """Return the answers for (n, 3, 3) triangles, four for each two, how many planes decided, and what was judged."""
    sides = [np.ascontiguousarray(side[: len(side) // 2 * 2]).reshape(-1, 18) for side in (a, b)]
    count = len(sides[0])
    touch, certain = np.empty((2, count, 4), np.bool_)
    posed = np.empty((2, count, 4, 9))
    judge_leaves(*sides, pose_a, pose_b, touch, certain, posed)
    return touch, certain.mean(), posed.reshape(2, count, 4, 3, 3)


def assert_never_wrong(a, b):
    touch, certain, _ = judged(a, b)
    for lane in range(4):
        expected = triangles_touch_many(a[lane & 1 :: 2][: len(touch)], b[lane >> 1 :: 2][: len(touch)])
        np.testing.assert_array_equal(touch[:, lane], expected, err_msg=f"lane {lane}")
    return certain, touch.mean()


def test_random_triangles_are_decided_by_signs():
    rng = np.random.default_rng(1)
    for size in (1.0, 1e-60, 1e90):
        certain, touching = assert_never_wrong(*(rng.standard_normal((2, 20000, 3, 3)) * size))
        assert certain > 0.999
        assert 0.1 < touching < 0.5


@sized(6000, 20_000)
def test_triangles_of_very_different_size(count):
    rng = np.random.default_rng(8)
    for size in (1e-3, 1e-9, 1e-30):
        a, b = rng.standard_normal((2, count, 3, 3))
        weights = rng.dirichlet((1, 1, 1), len(a))
        small = b * size + np.einsum("ni,nik->nk", weights, a)[:, None] * (1 + size * rng.normal(size=(len(a), 1, 1)))
        assert_never_wrong(a, small)
        assert_never_wrong(small, a)


@sized(10_000, 30_000)
@pytest.mark.parametrize("size", pairs.GRID_SIZES)
def test_integer_grid(size, count):
    a, b = pairs.grid_pairs(count, size, seed=5)
    assert_never_wrong(a.astype(np.float64), b.astype(np.float64))


@sized(500, 20_000)
def test_contacts_built_to_the_last_bit(count):
    cases = pairs.touching_float_pairs(count, seed=6)
    # each pair twice, so that lanes 0 and 3 see it, and its neighbours as well
    certain, _ = assert_never_wrong(np.repeat(cases.a, 2, axis=0), np.repeat(cases.b, 2, axis=0))
    assert certain < 0.95


@sized(100, 20_000)
@pytest.mark.parametrize("scale", [1e-80, 1e-90, 1e-100, 1e-105, 1e-110, 1e-160, 1e-320])
def test_products_that_underflow_are_left_to_the_exact_test(scale, count):
    rng = np.random.default_rng(2)
    near = rng.integers(-4, 5, (2, count, 3, 3)).astype(np.float64)
    assert_never_wrong(near[0] * scale, near[1] * scale)
    assert_never_wrong(near[0] * scale, near[1])
    assert_never_wrong(near[0] * scale, near[1] * 1e90)


def test_nearly_flat_pairs():
    """Planes that differ in the last bits only."""
    rng = np.random.default_rng(3)
    a = rng.uniform(size=(20000, 3, 3))
    weights = rng.dirichlet((1, 1, 1), (20000, 3)) * 3 - 1
    b = np.einsum("nij,njk->nik", weights, a)  # in the plane of a, up to rounding
    assert_never_wrong(a, b)


def test_vertices_are_posed_as_documented():
    """To the last bit, in every lane: `apply_pose` defines what a posed vertex is."""
    rng = np.random.default_rng(4)
    a, b = rng.standard_normal((2, 400, 3, 3)) * 1e3
    poses = random_pose(1, 50.0), random_pose(2, 1e7)
    _, _, posed = judged(a, b, *poses)
    for side, (triangles, pose) in enumerate(zip((a, b), poses, strict=True)):
        expected = apply_pose(as_pose(pose), triangles.reshape(-1, 3)).reshape(-1, 3, 3)
        for lane in range(4):
            first = lane & 1 if side == 0 else lane >> 1
            np.testing.assert_array_equal(posed[side, :, lane], expected[first::2])
