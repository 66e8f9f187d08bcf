"""How far one triangle has to go to get past another: plain NumPy, from the definition, one pair at a time.

All differences of a corner of b and a corner of a span the set of moves of a after which the two still touch. So along
a unit direction d a has to go as far as the largest of these nine differences reaches along d. The directions that
count are those of `docs/contacts.md`.
"""

from __future__ import annotations

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
