"""One ray, one triangle: hit or not as rational arithmetic says, at the distance that it says."""

import numpy as np
import pytest

import tumble
from covering import sized
from ray_oracle import exact_distance

SCALES = {"ordinary": 1.0, "huge": 1e90, "tiny": 1e-90, "denormal": 5e-324}


def judged(origins, directions, corners):
    """Ask about ray k and triangle k, one call each."""
    hits = []
    for origin, direction, triangle in zip(origins, directions, corners, strict=True):
        mesh = tumble.Mesh(triangle, [[0, 1, 2]])
        hits.append(tumble.cast_rays(mesh, [origin], [direction]))
    return np.array([h.hit[0] for h in hits]), np.array([h.distances[0] for h in hits])


def compare(origins, directions, corners, tolerance):
    hit, distances = judged(origins, directions, corners)
    expected = [exact_distance(*each) for each in zip(origins, directions, corners, strict=True)]
    np.testing.assert_array_equal(hit, [t is not None for t in expected])
    for k, t in enumerate(expected):
        way = np.abs(corners[k] - origins[k]).max() / np.abs(directions[k]).max()
        assert distances[k] == np.inf if t is None else abs(distances[k] - t) <= tolerance * (way + t)
    return hit


def grid(rng, count, size, scale):
    corners = rng.integers(0, size + 1, (count, 3, 3))
    origins = rng.integers(-size, 2 * size + 1, (count, 3))
    # to a vertex, the middle of an edge, or a point of the grid nearby: most rays meet vertices, edges, planes
    targets = np.where(rng.random((count, 1)) < 0.7, corners[:, 0], rng.integers(0, size + 1, (count, 3)))
    targets = 2 * targets + rng.integers(0, 2, (count, 1)) * (corners[:, 1] - corners[:, 0])
    directions = targets - 2 * origins
    directions[~directions.any(axis=1)] = [1, 0, 0]
    return origins * scale, directions.astype(float), corners * scale


@sized(25, 250)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("size", [1, 2, 4])
def test_rays_on_a_small_grid(size, scale, count):
    origins, directions, corners = grid(np.random.default_rng(size), count, size, SCALES[scale])
    hit = compare(origins, directions, corners, 1e-14)
    assert count / 25 < hit.sum() < 0.96 * count


@sized(30, 200)
@pytest.mark.parametrize("far", [0.0, 1e3, 1e9, 1e15])
def test_rays_at_vertices_and_edges(far, count):
    """Aimed in float64, so that most pass by an edge at a distance of some units in the last place."""
    rng = np.random.default_rng(int(far) % 97)
    corners = rng.normal(size=(count, 3, 3)) + far
    weights = rng.integers(0, 3, (count, 3)).astype(float)
    weights[~weights.any(axis=1)] = [1, 0, 0]
    weights /= weights.sum(axis=1)[:, None]
    origins = rng.normal(size=(count, 3)) * 3 + far
    directions = (weights[:, :, None] * corners).sum(axis=1) - origins
    directions[~directions.any(axis=1)] = [1, 0, 0]
    hit = compare(origins, directions, corners, 1e-6)
    assert count / 10 < hit.sum() < count


@pytest.mark.parametrize("angle", [1e-3, 1e-6, 1e-9, 1e-12, 1e-15])
def test_flat_rays_have_true_distances(angle):
    """At grazing angles the plane's distance is ill-conditioned; what is too flat is computed without rounding."""
    rng = np.random.default_rng(5)
    corners = rng.normal(size=(60, 3, 3))
    inside = rng.dirichlet([1, 1, 1], 60)
    targets = (inside[:, :, None] * corners).sum(axis=1)
    along = corners[:, 1] - corners[:, 0]
    normal = np.cross(along, corners[:, 2] - corners[:, 0])
    origins = targets - 2 * along + angle * normal
    hit, distances = judged(origins, targets - origins, corners)
    for k in range(60):
        t = exact_distance(origins[k], (targets - origins)[k], corners[k])
        assert hit[k] == (t is not None)
        assert t is None or abs(float(t) - distances[k]) <= 2.0**-26 * (1 + float(t))
    assert hit.any()


def test_parallel_rays_and_triangles_without_area_are_passed_by():
    triangle = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    origins = [[-1, 0.25, 0], [0.25, 0.25, 0], [-1, 0.25, 1], [-1, 0, 0], [0.25, 0.25, -1]]
    directions = [[1, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert judged(origins, directions, [triangle] * 5)[0].tolist() == [False, False, False, False, True]
    segment = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
    assert judged([[1, 0, -1], [0, 0, -1]], [[0, 0, 1]] * 2, [segment] * 2)[0].tolist() == [False, False]


def test_an_origin_on_the_triangle_is_a_hit_at_zero():
    triangle = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    hit, distances = judged([[0.25, 0.25, 0], [0, 0, 0], [0.5, 0.5, 0]], [[0, 0, 1]] * 3, [triangle] * 3)
    assert hit.all()
    assert distances.tolist() == [0.0, 0.0, 0.0]


@sized(80, 300)
@pytest.mark.parametrize("far", [0.0, 1e6])
def test_origins_a_rounding_away_from_the_triangle(far, count):
    """Points of the triangle as float64 has them lie a little above or below: only one of both ways hits."""
    rng = np.random.default_rng(13)
    corners = rng.normal(size=(count, 3, 3)) + far
    origins = (rng.dirichlet([1, 1, 1], count)[:, :, None] * corners).sum(axis=1)
    hit = compare(origins, rng.normal(size=(count, 3)), corners, 1e-6)
    assert count / 3 < hit.sum() < 2 * count / 3


def test_mixed_scales():
    """Numbers hundreds of orders apart in one triangle: integers decide."""
    rng = np.random.default_rng(11)
    corners = rng.integers(-2, 3, (150, 3, 3)) * 10.0 ** rng.choice([-300, -120, 0, 60], (150, 3, 3))
    origins = rng.integers(-2, 3, (150, 3)) * 10.0 ** rng.choice([-200, 0, 60], (150, 3))
    directions = rng.integers(-2, 3, (150, 3)) * 10.0 ** rng.choice([-99, 0, 60], (150, 3))
    directions[~directions.any(axis=1)] = [1, 0, 0]
    compare(origins, directions, corners, 1e-9)
