"""Distances of triangles against rational arithmetic: within the documented error, zero exactly where they touch."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import numpy as np
import pytest

from covering import sized
from distance_oracle import distance
from pairs import shuffled_corners, touching_float_pairs
from triangle_distance import distances as distances_to_triangles
from triangle_rows import triangle_distances
from tumble.narrow import triangles_touch_many
from tumble.narrow.distance import TOLERANCE

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


def sizes(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    both = np.concatenate([a, b], axis=1)
    return (both.max(axis=1) - both.min(axis=1)).max(axis=1)


def errors(a: np.ndarray, b: np.ndarray) -> Iterator[float]:
    """How far off each distance is, relative to the size of the pair."""
    found, _ = triangle_distances(a, b)
    for i, size in enumerate(sizes(a, b)):
        yield float(abs(Decimal(float(found[i])) - distance(a[i], b[i])) / Decimal(float(size)))


@sized(60, 150)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_distances_are_within_the_documented_error(kind, count):
    worst = max(errors(*kind(np.random.default_rng(1), count)))
    assert worst <= TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_distances_are_within_the_documented_error_at_length(kind):
    worst = max(errors(*kind(np.random.default_rng(2), 5000)))
    assert worst <= TOLERANCE


@sized(3000, 20_000)
def test_zero_exactly_where_triangles_touch(count):
    world = touching_float_pairs(count, 3)
    touching = triangles_touch_many(world.a, world.b)
    assert count / 4 < touching.sum() < count
    found, _ = triangle_distances(world.a, world.b)
    np.testing.assert_array_equal(found == 0.0, touching)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_points_are_where_the_distance_is(kind):
    a, b = kind(np.random.default_rng(3), 2000)
    size = sizes(a, b)
    keep = (size > 1e-70) & (size < 1e70)  # the plain judge squares its numbers twice
    a, b, size = a[keep], b[keep], size[keep]
    found, points = triangle_distances(a, b)
    largest = np.maximum(np.abs(a).max(axis=(1, 2)), np.abs(b).max(axis=(1, 2)))
    for side, triangles in ((0, a), (1, b)):
        assert (distances_to_triangles(points[:, side], triangles) <= 1e-7 * largest).all()
    apart = np.linalg.norm(points[:, 0] - points[:, 1], axis=1)
    assert (np.abs(apart - found) <= 1e-14 * largest).all()
    touching = found == 0.0
    np.testing.assert_array_equal(points[touching, 0], points[touching, 1])


def test_the_common_point_of_triangles_that_pierce_each_other():
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 3000, 3, 3))
    touching = triangles_touch_many(a, b)
    found, points = triangle_distances(a[touching], b[touching])
    assert len(found) > 300
    for triangles in (a[touching], b[touching]):
        assert (distances_to_triangles(points[:, 0], triangles) < 1e-13).all()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_order_of_two_triangles_does_not_matter(kind):
    a, b = kind(np.random.default_rng(5), 1000)
    found, points = triangle_distances(a, b)
    other, other_points = triangle_distances(b, a)
    np.testing.assert_array_equal(found, other)
    np.testing.assert_array_equal(points, other_points[:, ::-1])
