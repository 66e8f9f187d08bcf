"""The judges judged: cases that are plain to see, proofs that must hold, and one judge against the other."""

import itertools

import numpy as np
import pytest

from covering import sized
from oracle import (
    GRID_LIMIT,
    find_proof,
    integer_triangles_touch,
    pose_points,
    proves_contact,
    proves_gap,
    touching_pairs,
    triangles_touch,
)
from pairs import GRID_SIZES, grid_pairs, touching_float_pairs

FLOOR = ((0, 0, 0), (4, 0, 0), (0, 4, 0))
TINY = 5e-324

TOUCH = {
    "identical": (FLOOR, FLOOR),
    "pierced": (FLOOR, ((1, 1, -1), (1, 1, 1), (5, 5, 1))),
    "corner in face": (FLOOR, ((1, 1, 0), (1, 2, 3), (2, 1, 3))),
    "corner on edge": (FLOOR, ((2, 0, 0), (2, 0, 3), (3, -1, 3))),
    "corner on corner": (FLOOR, ((4, 0, 0), (5, 0, 3), (5, 1, 3))),
    "edge across edge": (FLOOR, ((2, 0, 1), (2, 0, -1), (2, -3, 0))),
    "coplanar, overlapping": (FLOOR, ((1, 1, 0), (5, 1, 0), (1, 5, 0))),
    "coplanar, one inside": (FLOOR, ((1, 1, 0), (2, 1, 0), (1, 2, 0))),
    "coplanar, shared edge": (FLOOR, ((0, 0, 0), (4, 0, 0), (1, -3, 0))),
    "coplanar, shared corner": (FLOOR, ((0, 0, 0), (-4, 0, 0), (0, -4, 0))),
    "coplanar, part of an edge": (FLOOR, ((3, 0, 0), (9, 0, 0), (5, -3, 0))),
    "segment through face": (FLOOR, ((1, 1, 1), (1, 1, -1), (1, 1, 0))),
    "segment end on edge": (FLOOR, ((2, 2, 0), (3, 3, 0), (4, 4, 0))),
    "segments crossing": (((0, 0, 0), (2, 2, 0), (1, 1, 0)), ((0, 2, 0), (2, 0, 0), (2, 0, 0))),
    "segments end to end": (((0, 0, 0), (1, 1, 1), (2, 2, 2)), ((3, 3, 3), (2, 2, 2), (4, 4, 4))),
    "point in face": (FLOOR, ((1, 1, 0),) * 3),
    "point on segment": (((0, 0, 0), (3, 3, 3), (0, 0, 0)), ((1, 1, 1),) * 3),
    "same point": (((1, 2, 3),) * 3, ((1, 2, 3),) * 3),
    "denormal corner": (FLOOR, ((0, 0, 0), (-TINY, -TINY, TINY), (-TINY, -TINY, -TINY))),
    "huge and denormal": (((-1e100, 0, 0), (1e100, 0, 0), (0, 1e100, 0)), ((0, TINY, 0),) * 3),
}

APART = {
    "parallel": (FLOOR, ((0, 0, 1), (4, 0, 1), (0, 4, 1))),
    "parallel by a denormal": (FLOOR, ((0, 0, TINY), (4, 0, TINY), (0, 4, TINY))),
    "crossed planes, boxes overlap": (FLOOR, ((3, 3, -1), (3, 3, 1), (4, 4, 0))),
    "corner above face": (FLOOR, ((1, 1, 1e-300), (1, 2, 3), (2, 1, 3))),
    "edges pass each other": (FLOOR, ((2, -1e-9, 1), (2, -1e-9, -1), (2, -3, 0))),
    "coplanar, beyond the slope": (FLOOR, ((4, 1, 0), (4, 4, 0), (1, 4, 0))),
    "coplanar, beside": (FLOOR, ((5, 0, 0), (9, 0, 0), (5, -3, 0))),
    "segment beside face": (FLOOR, ((3, 3, 1), (3, 3, -1), (3, 3, 0))),
    "segment in plane, outside": (FLOOR, ((3, 2, 0), (2, 3, 0), (3, 2, 0))),
    "segments on one line": (((0, 0, 0), (1, 1, 1), (2, 2, 2)), ((3, 3, 3), (5, 5, 5), (4, 4, 4))),
    "segments parallel": (((0, 0, 0), (1, 1, 1), (2, 2, 2)), ((0, 0, 1), (1, 1, 2), (2, 2, 3))),
    "segments skew": (((0, 0, 0), (2, 2, 0), (1, 1, 0)), ((0, 2, 1), (2, 0, 1), (2, 0, 1))),
    "point above face": (FLOOR, ((1, 1, TINY),) * 3),
    "point off the edge by an ulp": (FLOOR, ((2, np.nextafter(2, 3), 0),) * 3),
    "point beyond segment": (((0, 0, 0), (3, 3, 3), (0, 0, 0)), ((4, 4, 4),) * 3),
    "two points": (((1, 2, 3),) * 3, ((1, 2, 3.5),) * 3),
    "far, one ulp apart": (((1e15, 0, 0), (1e15, 1, 0), (1e15, 0, 1)), ((1e15 + 0.125, 0, 0),) * 3),
}


@pytest.mark.parametrize("name", TOUCH)
def test_pairs_that_touch(name):
    for a, b in _all_orders(*TOUCH[name]):
        assert triangles_touch(a, b), name


@pytest.mark.parametrize("name", APART)
def test_pairs_that_are_apart(name):
    for a, b in _all_orders(*APART[name]):
        assert not triangles_touch(a, b), name


def _all_orders(a, b):
    for p, q in itertools.product(itertools.permutations(a), itertools.permutations(b)):
        yield p, q
        yield q, p


def _is_on_small_grid(pair):
    numbers = np.array(pair, dtype=float)
    return bool(np.all(numbers == np.round(numbers)) and np.abs(numbers).max() <= GRID_LIMIT)


@pytest.mark.parametrize("cases,answer", [(TOUCH, True), (APART, False)])
def test_integer_judge_on_plain_cases(cases, answer):
    grid = [orders for pair in cases.values() if _is_on_small_grid(pair) for orders in _all_orders(*pair)]
    assert len(grid) >= 10 * 72
    a, b = np.moveaxis(np.array(grid, dtype=np.int64), 1, 0)
    assert np.all(integer_triangles_touch(a, b) == answer)


@sized(200, 1200)
@pytest.mark.parametrize("size", GRID_SIZES)
def test_judges_agree(size, count):
    a, b = grid_pairs(count, size, seed=11)
    rational = np.array([triangles_touch(p, q) for p, q in zip(a, b, strict=True)])
    wrong = np.flatnonzero(rational != integer_triangles_touch(a, b))
    assert not len(wrong), (a[wrong[0]].tolist(), b[wrong[0]].tolist(), rational[wrong[0]])
    assert 0.2 < rational.mean() < 0.8


@pytest.mark.slow
@pytest.mark.parametrize("size", GRID_SIZES)
def test_judges_agree_on_many(size):
    a, b = grid_pairs(100_000, size, seed=12)
    rational = np.array([triangles_touch(p, q) for p, q in zip(a, b, strict=True)])
    assert np.array_equal(rational, integer_triangles_touch(a, b))


def test_integer_judge_moves_with_the_triangles():
    a, b = grid_pairs(20_000, 3, seed=13)
    moved_a, moved_b = ((t * 1000) - GRID_LIMIT + 7 for t in (a, b))
    assert np.array_equal(integer_triangles_touch(a, b), integer_triangles_touch(moved_a, moved_b, chunk=999))


def test_integer_judge_refuses_what_could_overflow():
    a, b = grid_pairs(3, 3, seed=1)
    b[1, 2, 0] = -GRID_LIMIT - 1
    with pytest.raises(ValueError, match="coordinates of b"):
        integer_triangles_touch(a, b)


def test_wrong_proofs_are_refused():
    above = ((1, 1, 5), (2, 1, 5), (1, 2, 5))
    touch, axis = find_proof(FLOOR, above)
    assert not touch
    assert proves_gap(FLOOR, above, axis)
    assert not proves_gap(FLOOR, above, (1, 0, 0))
    assert not proves_gap(FLOOR, above, (0, 0, 0))
    touch, weights = find_proof(FLOOR, FLOOR)
    assert touch
    assert proves_contact(FLOOR, FLOOR, weights)
    assert not proves_contact(FLOOR, FLOOR, (0,) * 6)
    assert not proves_contact(FLOOR, above, (1, 0, 0, 1, 0, 0))
    # The lines of these two meet, at a point that neither reaches.
    assert not proves_contact(((0, 0, 0), (1, 0, 0), (0, 0, 0)), ((3, 0, 0),) * 3, (-2, 3, 0, 1, 0, 0))


@sized(400, 3000)
def test_float_pairs_are_what_they_claim(count):
    pairs = touching_float_pairs(count, seed=3)
    touch = np.array([triangles_touch(p, q) for p, q in zip(pairs.a, pairs.b, strict=True)])
    words = [name.split() for name in pairs.names]
    exact = np.array([k != "coplanar" and p != "rounded" and n == "exact" for k, p, n in words])
    assert touch[exact].all(), "an exact construction lost its contact"
    assert 0.4 <= touch.mean() <= 0.85
    assert np.isfinite(pairs.a).all()
    assert np.abs([pairs.a, pairs.b]).max() < 1e100


def test_not_finite_is_refused():
    with pytest.raises((ValueError, OverflowError)):
        triangles_touch(FLOOR, ((0, 0, 0), (1, 0, np.nan), (0, 1, 0)))


def test_pose_order_of_operations():
    # 1e16 + 1 - 1e16 is 0 in this order and 1 in another.
    pose = np.array([[1, 1, 1, 0.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    assert pose_points([[1e16, 1, -1e16]], pose).tolist() == [[0.5, 1.0, -1e16]]
    assert pose_points([[1e16, 1, -1e16]], pose[:3]).tolist() == [[0.5, 1.0, -1e16]]
    assert pose_points([[1, 2, 3]]).tolist() == [[1.0, 2.0, 3.0]]
    assert pose_points([], pose).shape == (0, 3)


def test_touching_pairs_of_meshes():
    vertices = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [4, 4, 0]])
    faces = np.array([[0, 1, 2], [3, 2, 1]])
    lift = np.eye(4)
    assert touching_pairs(vertices, faces, vertices, faces).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    lift[0, 3] = 4
    assert touching_pairs(vertices, faces, vertices, faces, pose_b=lift).tolist() == [[0, 0], [1, 0], [1, 1]]
    lift[2, 3] = TINY
    none = touching_pairs(vertices, faces, vertices, faces, lift, None)
    assert none.shape == (0, 2)
    assert none.dtype == np.int64
    assert touching_pairs(vertices, faces, np.zeros((0, 3)), np.zeros((0, 3))).shape == (0, 2)


@sized(20, 40)
def test_box_cut_loses_no_pair(count):
    rng = np.random.default_rng(5)
    vertices_a, vertices_b = rng.integers(0, 6, (2, 3 * count // 2, 3)) / 4
    faces_a, faces_b = rng.integers(0, 3 * count // 2, (2, count, 3))
    every = [
        (i, j)
        for i, j in itertools.product(range(count), range(count))
        if triangles_touch(vertices_a[faces_a[i]], vertices_b[faces_b[j]])
    ]
    assert [tuple(p) for p in touching_pairs(vertices_a, faces_a, vertices_b, faces_b)] == every
    assert len(every) > count**2 / 16
