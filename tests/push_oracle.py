"""How far one triangle has to go to get past another: plain NumPy, from the definition, one pair at a time.

All differences of a corner of b and a corner of a span the set of moves of a after which the two still touch. So along
a unit direction d a has to go as far as the largest of these nine differences reaches along d. The directions that
count are those of `docs/contacts.md`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import numpy as np


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def edges_of(triangle: np.ndarray) -> np.ndarray:
    return np.roll(triangle, -1, axis=0) - triangle


def push_along(direction: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    differences = (b[:, None] - a[None]).reshape(-1, 3)
    return max(0.0, float((differences @ direction).max()))


def directions(a: np.ndarray, b: np.ndarray, sideways: float, touching: float) -> list[np.ndarray]:
    """The directions that count for two proper triangles."""
    normals = [unit(np.cross(*edges_of(triangle)[:2])) for triangle in (a, b)]
    found = [normals[1], -normals[0]]
    for e, f in product(edges_of(a), edges_of(b)):
        crossed = np.cross(e, f)
        if np.linalg.norm(crossed) <= 1e-10 * np.linalg.norm(e) * np.linalg.norm(f):
            continue
        for axis in (unit(crossed), -unit(crossed)):
            if axis @ (normals[1] - normals[0]) >= -sideways or push_along(axis, a, b) <= touching:
                found.append(axis)
    return found


def shortest_push(a: np.ndarray, b: np.ndarray, sideways: float = 1e-6, touching: float = 1e-12) -> float:
    """The least of all pushes in the directions that count."""
    return min(push_along(direction, a, b) for direction in directions(a, b, sideways, touching))


# The same in fractions, for triangles whose normals are along axes: nothing is rounded.


def exact_directions(a: list[list[Fraction]], b: list[list[Fraction]]) -> list[tuple[Fraction, ...]]:
    """The directions that count for two proper triangles of axis-aligned boxes, of any length."""
    normals = [_along_axis(exact_cross(*exact_edges(triangle)[:2])) for triangle in (a, b)]
    front = [y - x for x, y in zip(*normals, strict=True)]
    found = [normals[1], tuple(-x for x in normals[0])]
    for e, f in product(exact_edges(a), exact_edges(b)):
        axis = exact_cross(e, f)
        for sign in (1, -1):
            way = tuple(sign * x for x in axis)
            if any(way) and (exact_dot(way, front) >= 0 or exact_push(way, a, b) <= 0):
                found.append(way)
    return found


def exact_shortest(a: list[list[Fraction]], b: list[list[Fraction]]) -> Fraction:
    """The square of the least of all pushes in the directions that count."""
    return min(max(Fraction(0), exact_push(d, a, b)) ** 2 / exact_dot(d, d) for d in exact_directions(a, b))


def exact_push(direction: Iterable[Fraction], a: list[list[Fraction]], b: list[list[Fraction]]) -> Fraction:
    """How far the differences of corners reach along a direction, times its length."""
    return max(exact_dot(direction, [y - x for x, y in zip(p, q, strict=True)]) for p, q in product(a, b))


def exact_dot(u: Iterable[Fraction], v: Iterable[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(u, v, strict=True)), Fraction(0))


def exact_cross(u: list[Fraction], v: list[Fraction]) -> tuple[Fraction, ...]:
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def exact_edges(triangle: list[list[Fraction]]) -> list[list[Fraction]]:
    return [[y - x for x, y in zip(triangle[k], triangle[(k + 1) % 3], strict=True)] for k in range(3)]


def _along_axis(normal: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    assert sum(x != 0 for x in normal) == 1
    length = abs(sum(normal))
    return tuple(x / length for x in normal)
