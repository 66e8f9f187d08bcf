"""Pairs of triangles whose distances are hard to compute: parallel edges, needles, all sizes, points and segments."""

from __future__ import annotations

import numpy as np

from pairs import shuffled_corners

Pairs = tuple[np.ndarray, np.ndarray]


def anyhow(rng: np.random.Generator, count: int) -> Pairs:
    return rng.normal(size=(count, 3, 3)), rng.normal(size=(count, 3, 3)) + rng.normal(size=(count, 1, 3)) * 2


def far_apart(rng: np.random.Generator, count: int) -> Pairs:
    a, b = anyhow(rng, count)
    return a, b + rng.normal(size=(count, 1, 3)) * 10.0 ** rng.integers(1, 9, (count, 1, 1))


def nearly_parallel_edges(rng: np.random.Generator, count: int) -> Pairs:
    """Long edges at angles from 1e-1 to 1e-15 that pass each other amid, at distances from 1 to 1e-15."""
    along, across = rng.normal(size=(2, count, 3))
    across -= along * (along * across).sum(axis=1, keepdims=True) / (along * along).sum(axis=1, keepdims=True)
    up = np.cross(along, across)
    angle, gap = 10.0 ** rng.uniform(-15, -1, (2, count, 1))
    middle = rng.normal(size=(count, 3)) * 0.1
    other = along + angle * across
    a = np.stack([middle - along, middle + along, middle - up * 3 + across], axis=1)
    centre = middle + gap * up + 0.3 * other
    return a, np.stack([centre - other, centre + other, centre + up * 3 - across], axis=1)


def needles(rng: np.random.Generator, count: int) -> Pairs:
    """Triangles with one corner nearly on the opposite edge."""
    a, b = anyhow(rng, count)
    for side in (a, b):
        share, off = (
            rng.uniform(0, 1, (count, 1)),
            rng.normal(size=(count, 3)) * 10.0 ** rng.uniform(-17, 0, (count, 1)),
        )
        side[:, 2] = side[:, 0] + share * (side[:, 1] - side[:, 0]) + off
    return shuffled_corners(rng, a), shuffled_corners(rng, b)


def above_a_face(rng: np.random.Generator, count: int) -> Pairs:
    """A corner of b above a face of a, which may be a needle, at distances from 1 to 1e-15."""
    a, b = needles(rng, count)
    weights = rng.dirichlet(np.ones(3), count)[:, :, None]
    normal = np.cross(a[:, 1] - a[:, 0], a[:, 2] - a[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.where(length > 0, normal / np.where(length > 0, length, 1.0), [1.0, 0.0, 0.0])
    foot = (weights * a).sum(axis=1)
    b = foot[:, None] + normal[:, None] * (
        10.0 ** rng.uniform(-15, 0, (count, 1, 1)) + np.abs(rng.normal(size=(count, 3, 1)))
    )
    b[:, 0] = foot + normal * 10.0 ** rng.uniform(-15, 0, (count, 1))
    return a, b + rng.normal(size=(count, 3, 3)) * np.array([0.0, 0.3, 0.3])[:, None]


def segments_and_points(rng: np.random.Generator, count: int) -> Pairs:
    a, b = anyhow(rng, count)
    for side, kind in ((a, rng.integers(0, 3, count)), (b, rng.integers(0, 3, count))):
        side[kind > 0, 2] = side[kind > 0, 1]
        side[kind > 1, 1] = side[kind > 1, 0]
        side[kind > 1, 2] = side[kind > 1, 0]
    return a, b


def parallel_faces(rng: np.random.Generator, count: int) -> Pairs:
    """Triangles on a small grid: parallel edges and faces, equal coordinates, many equally near points."""
    a, b = rng.integers(0, 4, (2, count, 3, 3)).astype(np.float64)
    return a, b + rng.integers(0, 4, (count, 1, 3))


def of_all_sizes(rng: np.random.Generator, count: int) -> Pairs:
    a, b = anyhow(rng, count)
    scale = 10.0 ** rng.integers(-290, 95, (count, 1, 1)).astype(float)
    return a * scale, b * scale


KINDS = (
    anyhow,
    far_apart,
    nearly_parallel_edges,
    needles,
    above_a_face,
    segments_and_points,
    parallel_faces,
    of_all_sizes,
)
