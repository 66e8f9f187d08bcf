"""Pairs of triangles that touch, or miss by a hair: the cases in which a narrow phase goes wrong.

Every kind of contact is first built in small integers, see contacts.py. A placement then carries the pair
into float64 by maps that are exact as well (powers of two, offsets that fit), so the contact survives to the
last bit; only the placement `rounded` rounds. Last, some pairs are nudged by one ulp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from contacts import KINDS, Random

Placement = Callable[..., tuple[np.ndarray, np.ndarray]]

GRID_SIZES = (1, 2, 3, 4, 8)


class FloatPairs(NamedTuple):
    """Pairs a[i], b[i], each named `kind placement nudge`."""

    a: np.ndarray
    b: np.ndarray
    names: np.ndarray


def grid_pairs(n: int, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two (n, 3, 3) int64 arrays of triangles whose coordinates are integers in [0, size]."""
    both = np.random.default_rng([seed, size]).integers(0, size + 1, (2, n, 3, 3))
    return both[0], both[1]


def touching_float_pairs(n: int, seed: int) -> FloatPairs:
    """Float64 pairs, as many of each kind, over all placements and nudges, in shuffled roles."""
    rng = np.random.default_rng(seed)
    parts = [_pairs_of_kind(rng, kind, len(range(i, n, len(KINDS)))) for i, kind in enumerate(KINDS)]
    return FloatPairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _pairs_of_kind(rng: Random, kind: str, n: int) -> FloatPairs:
    contact = KINDS[kind](rng, n)
    a, b = np.zeros((2, n, 3, 3))
    place, nudge = rng.permuted(np.arange(n) % len(PLACEMENTS)), rng.integers(0, len(NUDGES), n)
    for i, placement in enumerate(PLACEMENTS.values()):
        chosen = place == i
        a[chosen], b[chosen] = placement(rng, *(x[chosen] for x in contact))
    a, b = shuffled_corners(rng, a), shuffled_corners(rng, b)
    swap = rng.random((n, 1, 1)) < 0.5
    a, b = np.where(swap, b, a), np.where(swap, a, b)
    _nudge_one_corner(rng, b, nudge == 1)
    _nudge_one_axis(rng, b, nudge == 2)
    names = [f"{kind} {list(PLACEMENTS)[p]} {NUDGES[k]}" for p, k in zip(place, nudge, strict=True)]
    return FloatPairs(a, b, np.array(names, dtype=object))


def shuffled_corners(rng: Random, triangles: np.ndarray) -> np.ndarray:
    """Each triangle with its corners in a random order."""
    order = rng.permuted(np.broadcast_to(np.arange(3), (len(triangles), 3)), axis=1)
    return np.take_along_axis(triangles, order[..., None], axis=1)


# --- nudges: half of all pairs stay as they are


NUDGES = ("exact", "corner", "axis", "exact")


def _nudge_one_corner(rng: Random, triangles: np.ndarray, chosen: np.ndarray) -> None:
    """Move one coordinate of one corner to a neighbouring float."""
    i = np.flatnonzero(chosen)
    at = (i, *rng.integers(0, 3, (2, len(i))))
    triangles[at] = np.nextafter(triangles[at], rng.choice([-np.inf, np.inf], len(i)))


def _nudge_one_axis(rng: Random, triangles: np.ndarray, chosen: np.ndarray) -> None:
    """Move one coordinate of all three corners to the next float up, or down."""
    i = np.flatnonzero(chosen)
    at = (i[:, None], np.arange(3), rng.integers(0, 3, (len(i), 1)))
    triangles[at] = np.nextafter(triangles[at], rng.choice([-np.inf, np.inf], (len(i), 1)))


# --- placements: from integers below 2**14 to float64


def _scaled(low: int, high: int) -> Placement:
    """Both triangles times one power of two, from 2**low to 2**high; below 2**-1022 they are denormal."""

    def place(rng: Random, a: np.ndarray, b: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        exponent = rng.integers(low, high + 1, (len(a), 1, 1))
        return np.ldexp(a.astype(float), exponent), np.ldexp(b.astype(float), exponent)

    return place


def _stretched(rng: Random, a: np.ndarray, b: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each axis by its own power of two: coordinates from 1e-320 to 1e50 in one triangle."""
    exponent = rng.integers(-1074, 166, (len(a), 1, 3))
    return np.ldexp(a.astype(float), exponent), np.ldexp(b.astype(float), exponent)


def _sheared(rng: Random, a: np.ndarray, b: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A linear map with factors up to 2**38: the products need all 53 bits, and no more."""
    shear, exponent = rng.integers(-(2**38), 2**38, (len(a), 3, 3)), rng.integers(-1074, 200, (len(a), 1, 1))
    return tuple(np.ldexp(np.matmul(t, shear).astype(float), exponent) for t in (a, b))


def _far(rng: Random, a: np.ndarray, b: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Up to 1e15 away on some axes, where one ulp is an eighth: still exact."""
    offset = rng.integers(-(10**15), 10**15, (len(a), 1, 3)) * rng.integers(0, 2, (len(a), 1, 3))
    unit = rng.choice([1.0, 0.125], (len(a), 1, 1))
    return a * unit + offset, b * unit + offset


def _mixed(rng: Random, a: np.ndarray, b: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The contact at the origin, a shrunk to 1e-310 or so and b blown up to 1e80."""
    small, large = rng.integers(-1074, -1020, (len(a), 1, 1)), rng.integers(200, 256, (len(a), 1, 1))
    return np.ldexp((a - p[:, None]).astype(float), small), np.ldexp((b - p[:, None]).astype(float), large)


def _rounded(rng: Random, a: np.ndarray, b: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Turned and moved as any scene would be: what was a contact is one now only up to rounding."""
    turn = np.linalg.qr(rng.normal(size=(len(a), 3, 3)))[0]
    offset = rng.normal(size=(len(a), 1, 3)) * 10.0 ** rng.integers(-3, 9, (len(a), 1, 1))
    return np.matmul(a, turn) + offset, np.matmul(b, turn) + offset


PLACEMENTS: dict[str, Placement] = {
    "unit": _scaled(-8, 0),
    "far": _far,
    "tiny": _scaled(-1000, -980),
    "denormal": _scaled(-1074, -1060),
    "huge": _scaled(290, 300),
    "stretched": _stretched,
    "sheared": _sheared,
    "mixed": _mixed,
    "rounded": _rounded,
}
