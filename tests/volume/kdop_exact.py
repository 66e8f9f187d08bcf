"""k-DOPs by brute force: corners in exact arithmetic, and the published realignment written down naively."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np

from tumble.volume.kdop.directions import DIRECTIONS

KS = tuple(DIRECTIONS)


def integer_dop(k: int, rng: np.random.Generator, size: int = 1000) -> np.ndarray:
    """The DOP around a few points with whole coordinates, as k whole numbers."""
    points = rng.integers(-size, size + 1, (rng.integers(1, 7), 3)) + rng.integers(-size, size + 1, 3)
    places = points @ DIRECTIONS[k].astype(np.int64).T
    return np.concatenate([places.min(axis=0), places.max(axis=0)])


def corners(k: int, dop: np.ndarray) -> set[tuple[Fraction, Fraction, Fraction]]:
    """All corners of a DOP of whole numbers, exactly: where three sides meet that no other side cuts off."""
    directions, half = DIRECTIONS[k].astype(np.int64), k // 2
    found = set()
    for members in combinations(range(half), 3):
        sides = directions[list(members)]
        minors = np.stack([np.cross(sides[1], sides[2]), np.cross(sides[2], sides[0]), np.cross(sides[0], sides[1])])
        determinant = int(minors[0] @ sides[0])
        if determinant == 0:
            continue
        if determinant < 0:
            determinant, minors = -determinant, -minors
        for chosen in product((0, half), repeat=3):
            numerators = dop[[m + c for m, c in zip(members, chosen, strict=True)]] @ minors
            places = directions @ numerators
            if (places >= determinant * dop[:half]).all() and (places <= determinant * dop[half:]).all():
                found.add(tuple(Fraction(int(x), determinant) for x in numerators))
    return found


def fractions(matrix: np.ndarray) -> list[list[Fraction]]:
    return [[Fraction(float(x)) for x in row] for row in np.atleast_2d(matrix)]


def places_along(k: int, points: set, matrix: np.ndarray, shift: np.ndarray | None = None) -> Iterator[list[Fraction]]:
    """Along each direction, the places of matrix @ point + shift for all points, in exact arithmetic."""
    turn = fractions(matrix)
    moved_by = fractions(np.zeros(3) if shift is None else shift)[0]
    moved = [
        [sum(r * x for r, x in zip(row, p, strict=True)) + t for row, t in zip(turn, moved_by, strict=True)]
        for p in points
    ]
    for direction in DIRECTIONS[k].astype(int).tolist():
        yield [sum(d * x for d, x in zip(direction, point, strict=True)) for point in moved]


@cache
def generic_corners(k: int) -> np.ndarray:
    """The corners of the DOP whose sides all touch the unit ball, by trying all sides."""
    directions = DIRECTIONS[k] / np.linalg.norm(DIRECTIONS[k], axis=1)[:, None]
    sides = np.concatenate([directions, -directions])
    found = []
    for members in combinations(range(k), 3):
        three = sides[list(members)]
        if abs(np.linalg.det(three)) > 1e-9:
            corner = np.linalg.solve(three, np.ones(3))
            if (sides @ corner).max() < 1 + 1e-9:
                found.append(corner)
    return np.unique(np.round(found, 12), axis=0)


def published_bounds(k: int, dop: np.ndarray, matrix: np.ndarray) -> Iterator[float]:
    """The high side of the turned DOP along each direction, from the sides at the generic DOP's farthest corner."""
    outward = np.concatenate([-DIRECTIONS[k], DIRECTIONS[k]])
    supports = np.concatenate([-dop[: k // 2], dop[k // 2 :]])
    lengths = np.linalg.norm(outward, axis=1)
    every = generic_corners(k)
    for direction in DIRECTIONS[k]:
        wanted = matrix.T @ direction
        farthest = every[np.argmax(every @ wanted)]
        members = np.flatnonzero(np.abs(outward @ farthest - lengths) < 1e-9)
        assert len(members) == 3
        yield float(np.linalg.solve(outward[members].T, wanted) @ supports[members])
