"""The filter of paper `chip` is never wrong: on contacts to the last bit, on grids, posed, tiny, huge, flat."""

import numpy as np
import pytest
from numba import njit

from covering import crossed, sized
from narrow.unit_triangle_verdicts import (
    arguments,
    assert_never_wrong,
    judge_by_halves,
    judge_pair,
    unposed,
    verdicts,
)
from oracle import integer_triangles_touch
from pairs import GRID_SIZES, grid_pairs, shuffled_corners, touching_float_pairs
from tumble.core.jit import BORROWING
from tumble.narrow import triangles_touch_many
from tumble.narrow.triangles.unit_frames import FLOAT32, FLOAT64
from tumble.narrow.triangles.unit_triangle import HIT, MISS, UNSURE
from volume.posed_contacts import ROTATIONS, SCALES, Posed, brought_home, contacts, on_a_coarse_grid, random_pose

PRECISIONS = {"float64": FLOAT64, "float32": FLOAT32}
both_precisions = pytest.mark.parametrize("roundoff", PRECISIONS.values(), ids=PRECISIONS.keys())


@both_precisions
@sized(250, 20_000)
def test_contacts_built_to_the_last_bit(roundoff, count):
    world = touching_float_pairs(count, 0)
    hits, misses = assert_never_wrong(unposed(world.a, world.b), roundoff)
    assert hits + misses < 0.2  # hardly anything here is clear


@both_precisions
@sized(200, 4000)
def test_contacts_in_frames_of_their_own(roundoff, count):
    world = touching_float_pairs(count, 4)
    small = np.abs(np.concatenate([world.a, world.b], axis=1)).max(axis=(1, 2)) < 1e96
    assert_never_wrong(list(brought_home(5, world.a[small], world.b[small])), roundoff)


@both_precisions
@sized(1, 60)
@pytest.mark.parametrize("scale", SCALES)
def test_common_vertices_under_all_kinds_of_poses(scale, roundoff, count):
    for rotation in ROTATIONS:
        posed = list(contacts(2, rotation, scale, count))
        assert_never_wrong(posed, roundoff)
        assert_never_wrong([pair.swapped() for pair in posed], roundoff)


@both_precisions
@sized(250, 2000)
def test_accidents_on_a_coarse_grid(roundoff, count):
    assert_never_wrong(list(on_a_coarse_grid(3, count)), roundoff)


@both_precisions
@sized(250, 8000)
@pytest.mark.parametrize("size", GRID_SIZES)
def test_integer_grid(size, roundoff, count):
    a, b = grid_pairs(count, size, seed=5)
    hits, misses = assert_never_wrong(unposed(a * 1.0, b * 1.0), roundoff, integer_triangles_touch(a, b))
    assert hits > 0.01
    assert misses > 0.05


def random_pairs(seed, count, size=1.0, rotation=None):
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((2, count, 3, 3)) * size
    if rotation is None:
        return unposed(a, b)
    poses = [[random_pose(rng, rotation, size) for _ in range(2)] for _ in range(count)]
    return [Posed(p, q, *pair) for p, q, pair in zip(a, b, poses, strict=True)]


@sized(60, 1500)
@crossed(1, size=[1.0, 1e-60, 1e-300, 1e90], rotation=[None, "turned"])
def test_what_is_clear_is_decided(size, rotation, count):
    hits, misses = assert_never_wrong(random_pairs(1, count, size, rotation))
    assert hits > 0.1
    assert hits + misses > 0.998


@sized(150, 600)
def test_what_is_clear_is_decided_in_single_precision(count):
    hits, misses = assert_never_wrong(random_pairs(1, count, 1.0, "turned"), FLOAT32)
    assert hits > 0.1
    assert hits + misses > 0.98


@pytest.mark.parametrize(("rotation", "least"), [("single_precision", 0.98), ("stretched", 0.5)])
def test_poses_that_are_no_rotations_leave_more_open(rotation, least):
    hits, misses = assert_never_wrong(random_pairs(2, 600, 1.0, rotation))
    assert least < hits + misses < 1


def close_shaves(seed, count, turned):
    """An edge of a that passes the rim of b at distances from 1e-17 to 1e-3, or a corner that ends near b's plane."""
    rng = np.random.default_rng(seed)
    b = rng.standard_normal((count, 3, 3))
    weights = rng.dirichlet((1, 1, 1), count)
    rim = rng.random(count) < 0.5
    weights[rim, 0] = 0
    weights /= weights.sum(axis=1, keepdims=True)
    point = np.einsum("ni,nij->nj", weights, b)
    off = 10.0 ** rng.uniform(-17, -3, (count, 1)) * rng.choice([-1, 1], (count, 1))
    point += off * np.where(rim[:, None], b[:, 0] - point, np.cross(b[:, 1] - b[:, 0], b[:, 2] - b[:, 0]))
    along = rng.standard_normal((count, 3))
    ends = np.where(rim, rng.uniform(0.2, 2, count), 0.0)[:, None]
    a = np.stack([point + ends * along, point - along, rng.standard_normal((count, 3)) * 3], axis=1)
    # a corner near the plane: the rest of a on one side, or it would touch elsewhere
    normal = np.cross(b[:, 1] - b[:, 0], b[:, 2] - b[:, 0])
    for corner in (1, 2):
        height = ((a[:, corner] - b[:, 0]) * normal).sum(axis=1)
        a[:, corner] -= np.where(~rim & (height < 0), 2 * height, 0)[:, None] * normal / (normal**2).sum(1)[:, None]
    a, b = shuffled_corners(rng, a), shuffled_corners(rng, b)
    swap = rng.random(count) < 0.5
    a[swap], b[swap] = b[swap].copy(), a[swap].copy()
    if not turned:
        return unposed(a, b)
    return list(brought_home(seed, a, b))


@both_precisions
@sized(80, 3000)
@pytest.mark.parametrize("turned", [False, True])
def test_close_shaves(turned, roundoff, count):
    shaves = close_shaves(6, count, turned)
    world = [np.array(side) for side in zip(*(pair.in_the_world() for pair in shaves), strict=True)]
    touch = triangles_touch_many(*world)
    hits, misses = assert_never_wrong(shaves, roundoff, touch)
    assert 0.2 < touch.mean() < 0.8
    assert hits > 0.02
    assert misses > 0.005


@both_precisions
@sized(20, 500)
def test_triangles_of_very_different_size(roundoff, count):
    rng = np.random.default_rng(8)
    for size in (1e-3, 1e-9, 1e-30, 1e-300):
        a, b = rng.standard_normal((2, count, 3, 3))
        weights = rng.dirichlet((1, 1, 1), len(a))
        small = b * size + np.einsum("ni,nik->nk", weights, a)[:, None] * (1 + size * rng.normal(size=(len(a), 1, 1)))
        assert_never_wrong(unposed(a, small), roundoff)
        assert_never_wrong(unposed(small, a), roundoff)
        assert_never_wrong(unposed(b * size, a), roundoff)


@both_precisions
@sized(200, 1500)
def test_needles_and_nearly_flat_pairs(roundoff, count):
    rng = np.random.default_rng(9)
    a, b = rng.standard_normal((2, count, 3, 3))
    a[:, 2] = a[:, 0] + rng.uniform(-1, 2, (count, 1)) * (a[:, 1] - a[:, 0])
    a[:, 2] += rng.standard_normal((count, 3)) * 10.0 ** rng.uniform(-20, -2, (count, 1))
    assert_never_wrong(unposed(a, b), roundoff)
    weights = rng.dirichlet((1, 1, 1), (count, 3)) * 3 - 1
    assert_never_wrong(unposed(b, np.einsum("nij,njk->nik", weights, b)), roundoff)


def test_points_and_segments_are_left_to_the_exact_test():
    rng = np.random.default_rng(10)
    a, b = rng.standard_normal((2, 300, 3, 3))
    a[:, 1] = a[:, 0]
    a[::2, 2] = a[::2, 0]
    found = verdicts(unposed(a, b))
    assert_never_wrong(unposed(a, b))
    assert (found == MISS).any()  # on one side of the good one's plane
    b[:, 2] = (b[:, 0] + b[:, 1]) / 2
    assert (verdicts(unposed(a, b)) == UNSURE).all()


PLATE = np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]])
PIN = np.array([[1.0, 1, -1], [1, 1, 1], [9, 9, 8]])
"""one edge through the plate, and no edge of the plate through it"""


@both_precisions
@pytest.mark.parametrize("turn", [None, "turned"])
def test_one_half_alone_sees_the_hit(turn, roundoff):
    """Whichever triangle has the edge that pierces, and whichever way it goes through."""
    rng = np.random.default_rng(11)
    for _ in range(20):
        pose = None if turn is None else random_pose(rng, turn, 3.0)
        plate, pin = (shuffled_corners(rng, side[None])[0] for side in (PLATE, PIN))
        if pose is not None:
            pin = (pin - pose[:, 3]) @ np.linalg.inv(pose[:, :3]).T
        pair = Posed(pin, plate, pose, None)
        assert verdicts([pair, pair.swapped()], roundoff).tolist() == [HIT, HIT]


def test_each_side_of_the_unit_triangle_is_a_border():
    """Pins beyond each edge and each corner of the plate, where the planes cannot tell: six edges must miss."""
    for x, y in ((-1, 2), (2, -1), (3, 3), (-1, -1), (6, -1), (-1, 6)):
        away = np.array([x, y, 0.0]) - [1.3, 1.6, 0]
        pin = np.array([[x, y, -1.0], [x, y, 1.0], [x, y, 0.5] + 3 * away])
        pair = Posed(pin, PLATE, None, None)
        assert verdicts([pair, pair.swapped()]).tolist() == [MISS, MISS]


@sized(50, 400)
def test_verdicts_depend_neither_on_corners_nor_on_the_order_of_the_halves(count):
    rng = np.random.default_rng(12)
    random = random_pairs(13, count, 1.0, "turned")
    found = verdicts(random)
    shuffled = [pair._replace(a=shuffled_corners(rng, pair.a[None])[0]) for pair in random]
    np.testing.assert_array_equal(verdicts(shuffled), found)
    np.testing.assert_array_equal(verdicts([pair.swapped() for pair in random]), found)
    world = touching_float_pairs(5 * count // 2, 3)
    for some in (random, unposed(world.a, world.b)):
        np.testing.assert_array_equal(verdicts(some, verdict_of=judge_by_halves), verdicts(some))


@pytest.mark.parametrize(("precision", "other"), [("float64", "float"), ("float32", "double")])
def test_no_division_and_one_precision(precision, other):
    """Compiled anew, as machine code from the cache cannot be inspected."""
    fresh = njit(**BORROWING)(judge_pair.py_func)
    fresh(*arguments(random_pairs(1, 1)[0], PRECISIONS[precision]))
    (code,) = fresh.inspect_llvm().values()
    assert "fmul" in code
    for word in ("fdiv", "sqrt", "NRT_incref", f"fmul {other}", f"fadd {other}", "fpext"):
        assert word not in code


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_two_hundred_thousand_contacts(seed):
    world = touching_float_pairs(20_000, seed)
    for roundoff in PRECISIONS.values():
        assert_never_wrong(unposed(world.a, world.b), roundoff)
        assert_never_wrong(close_shaves(seed, 5000, True), roundoff)
