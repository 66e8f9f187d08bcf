"""The realigned DOP holds the turned one, in exact arithmetic, and is what the published scheme gives."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kdop_exact import KS, corners, generic_corners, integer_dop, places_along, published_bounds
from posed_contacts import ROTATIONS

import tumble
from matrix import k_cases
from tumble.volume.kdop.directions import DIRECTIONS
from tumble.volume.kdop.realign import Realignment, cones_of, realignment

UNIT = 2.0**-53


def quarter_turns(reflected: bool) -> list[np.ndarray]:
    every = [np.eye(3)[list(p)] * s for p in permutations(range(3)) for s in product((1.0, -1.0), repeat=3)]
    return [matrix for matrix in every if (np.linalg.det(matrix) < 0) == reflected]


def on_borders(k: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Rotations that bring an axis onto a direction, or between two directions."""
    matrices = []
    for _ in range(20):
        i, j = rng.integers(0, k // 2, 2)
        along = DIRECTIONS[k][i] + rng.choice([0.0, 0.5, 1.0]) * DIRECTIONS[k][j]
        if not along.any():
            continue
        across = np.cross(along, rng.normal(size=3))
        rows = np.stack([along, across, np.cross(along, across)])
        matrices.append(rows / np.linalg.norm(rows, axis=1)[:, None])
    return matrices


def no_rotations(rng: np.random.Generator) -> list[np.ndarray]:
    reflected, flat, line = np.diag([1.0, 1.0, -1.0]), np.diag([1.0, 1.0, 0.0]), np.outer([1.0, 2, 3], [3.0, -1, 2])
    return [
        ROTATIONS["turned"](rng) @ reflected,
        flat @ ROTATIONS["turned"](rng),
        line,
        np.zeros((3, 3)),
        rng.normal(size=(3, 3)),
    ]


def every_matrix(k: int) -> list[np.ndarray]:
    rng = np.random.default_rng(k)
    turned = [rotation(rng) for rotation in ROTATIONS.values() for _ in range(6)]
    return [*turned, *quarter_turns(False), *on_borders(k, rng), *quarter_turns(True)[:4], *no_rotations(rng)]


def exact_sides(turn: Realignment, dop: np.ndarray) -> list[Fraction]:
    return [
        sum((Fraction(float(c)) * int(dop[p]) for c, p in zip(row, places, strict=True)), Fraction(0))
        for row, places in zip(turn.coefficients, turn.places, strict=True)
    ]


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("k", k_cases(KS))
def test_the_realigned_dop_holds_every_turned_corner(k: int, every: int) -> None:
    rng = np.random.default_rng(1)
    half = k // 2
    matrices = every_matrix(k)
    for dop in [integer_dop(k, rng) for _ in range(1 if k == 24 else 3)]:
        points = corners(k, dop)
        extent = Fraction(int(np.abs(dop).max()))
        for matrix in matrices[:: (2 if k > 18 else 1) * every]:
            turn = realignment(k, matrix)
            sides = exact_sides(turn, dop)
            # the residual is itself rounded, by a few units for matrices of numbers up to a few
            slack = [(Fraction(float(r)) + Fraction(256 * UNIT)) * extent for r in turn.residuals]
            for i, places in enumerate(places_along(k, points, matrix)):
                assert sides[i] - slack[i] <= min(places)
                assert max(places) <= sides[half + i] + slack[half + i]
            assert turn.residuals.max() <= 32 * UNIT * max(1.0, np.abs(matrix).max())


@pytest.mark.parametrize("k", k_cases(KS))
def test_it_is_never_larger_than_the_published_scheme(k: int) -> None:
    rng = np.random.default_rng(2)
    half = k // 2
    for matrix in [ROTATIONS["turned"](rng) for _ in range(10)] + on_borders(k, rng)[:3]:
        turn = realignment(k, matrix)
        for dop in [integer_dop(k, rng) for _ in range(3)]:
            sides = (turn.coefficients * dop[turn.places]).sum(axis=1)
            mirrored = np.concatenate([-dop[half:], -dop[:half]])
            # to 1e-9 of the DOP's size, not of its place: on a border the two may choose different neighbours
            assert (sides[half:] <= np.array(list(published_bounds(k, dop, matrix))) + 1e-9 * 3000).all()
            assert (-sides[:half] <= np.array(list(published_bounds(k, mirrored, matrix))) + 1e-9 * 3000).all()


@pytest.mark.parametrize("k", k_cases(KS))
def test_around_a_ball_it_reaches_just_as_far_as_the_turned_dop(k: int) -> None:
    """A DOP whose sides all touch a ball has its corners where the scheme expects them."""
    lengths = np.linalg.norm(DIRECTIONS[k], axis=1)
    ball, every = np.concatenate([-lengths, lengths]), generic_corners(k)
    for matrix in every_matrix(k):
        turn = realignment(k, matrix)
        sides = (turn.coefficients * ball[turn.places]).sum(axis=1)
        reach = (every @ matrix.T @ DIRECTIONS[k].T).max(axis=0)
        np.testing.assert_allclose(sides, np.concatenate([-reach, reach]), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("k", k_cases(KS))
def test_every_corner_of_the_generic_dop_is_on_three_sides(k: int) -> None:
    cones, expected = cones_of(k), generic_corners(k)
    assert len(cones) == k - 2
    assert len(expected) == 2 * k - 4
    found = np.round(np.concatenate([cones[:, :3], -cones[:, :3]]), 9) + 0.0
    np.testing.assert_array_equal(np.unique(found, axis=0), np.unique(np.round(expected, 9) + 0.0, axis=0))


@pytest.mark.parametrize("k", k_cases(KS))
def test_without_a_turn_every_dop_stays_what_it_is(k: int) -> None:
    turn = realignment(k, np.eye(3))
    assert turn.coefficients.tolist() == [[1.0, 0.0, 0.0]] * k
    assert turn.places[:, 0].tolist() == list(range(k))
    assert not turn.residuals.any()


@pytest.mark.parametrize("reflected", [False, True])
@pytest.mark.parametrize("k", [6, 14, 18, 26])
def test_quarter_turns_and_reflections_of_symmetric_dops_are_exact(k: int, reflected: bool) -> None:
    for matrix in quarter_turns(reflected):
        turn = realignment(k, matrix)
        assert np.abs(turn.coefficients).tolist() == [[1.0, 0.0, 0.0]] * k
        assert sorted(turn.places[:, 0].tolist()) == list(range(k))
        assert not turn.residuals.any()


def test_the_corner_that_24_lacks_is_made_of_others() -> None:
    """A quarter turn about z takes (1, -1, 1), which 24 has, from (1, 1, 1), which it has not."""
    turn = realignment(24, [[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    row = DIRECTIONS[24].tolist().index([1, -1, 1])
    assert turn.coefficients[row].tolist() == [0.5, 0.5, 0.5]
    edges = DIRECTIONS[24][turn.places[row] % 12]
    assert sorted(edges.tolist()) == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


@pytest.mark.parametrize("k", k_cases(KS))
@given(numbers=st.tuples(*[st.floats(-2, 2, allow_subnormal=True)] * 9))
def test_any_matrix_is_right(k: int, numbers: tuple) -> None:
    matrix = np.array(numbers).reshape(3, 3)
    turn = realignment(k, matrix)
    members = DIRECTIONS[k][turn.places % (k // 2)]
    combined = (turn.coefficients[:, :, None] * members).sum(axis=1)
    np.testing.assert_allclose(combined, np.tile(DIRECTIONS[k] @ matrix, (2, 1)), rtol=0, atol=1e-14)
    positive = turn.coefficients > 0
    high = turn.places >= k // 2
    assert (high[k // 2 :] == positive[k // 2 :]).all()
    assert (high[: k // 2] != positive[: k // 2]).all()


@pytest.mark.parametrize("k", [0, 4, 8, 12, 20, 28, -6, 24.0, "24", None, True])
def test_other_k_are_refused_with_the_choices(k: object) -> None:
    with pytest.raises(tumble.OptionError, match="6, 14, 18, 24, 26"):
        realignment(k, np.eye(3))


@pytest.mark.parametrize(
    "matrix",
    [
        np.eye(4),
        np.eye(2),
        [1, 0, 0],
        np.full((3, 3), np.nan),
        np.diag([1, 1, np.inf]),
        np.eye(3) * 1e200,
        "turn",
        None,
        [[1, 2], [3]],
    ],
)
def test_what_is_no_matrix_is_refused(matrix: object) -> None:
    with pytest.raises(tumble.PoseError, match=r"\(3, 3\)"):
        realignment(24, matrix)


@pytest.mark.parametrize("k", k_cases(KS))
def test_directions_cannot_be_changed(k: int) -> None:
    with pytest.raises(ValueError, match="read-only"):
        DIRECTIONS[k][0, 0] = 2.0
    assert DIRECTIONS[k].shape == (k // 2, 3)
    assert DIRECTIONS[k][:3].tolist() == np.eye(3).tolist()
    both = np.concatenate([DIRECTIONS[k], -DIRECTIONS[k]])
    assert len(np.unique(both, axis=0)) == k
