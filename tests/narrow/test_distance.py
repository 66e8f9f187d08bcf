"""Distances of triangles against rational arithmetic: within the documented error, zero exactly where they touch."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import numpy as np
import pytest

from covering import sized
from distance_oracle import distance
from distance_pairs import KINDS
from pairs import touching_float_pairs
from triangle_distance import distances as distances_to_triangles
from triangle_rows import triangle_distances
from tumble.narrow import triangles_touch_many
from tumble.narrow.distance import TOLERANCE


def sizes(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    both = np.concatenate([a, b], axis=1)
    return (both.max(axis=1) - both.min(axis=1)).max(axis=1)


def errors(a: np.ndarray, b: np.ndarray) -> Iterator[float]:
    """How far off each distance is, relative to the size of the pair."""
    found, _ = triangle_distances(a, b)
    for i, size in enumerate(sizes(a, b)):
        yield float(abs(Decimal(float(found[i])) - distance(a[i], b[i])) / Decimal(float(size)))


@sized(20, 150)
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
