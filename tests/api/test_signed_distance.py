"""`signed_distance`: distances of `closest_points`, signs of `contains`, zero exactly on the surface."""

import os
from pathlib import Path

import numpy as np
import pytest

import tumble
from points_oracle import winding_number
from tumble import shapes
from tumble.mesh import random_pose
from tumble.mesh.edges import edges_of

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))


def test_a_box_by_its_formula():
    rng = np.random.default_rng(1)
    points = np.round(rng.uniform(-8, 8, (3000, 3))) / 4
    found = tumble.signed_distance(shapes.box(2.0), points)
    beyond = np.abs(points) - 1
    outer = np.linalg.norm(np.maximum(beyond, 0), axis=1)
    expected = np.where((beyond > 0).any(axis=1), outer, beyond.max(axis=1))
    np.testing.assert_allclose(found.distances, expected, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(np.sign(found.distances), np.sign(expected))
    on = expected == 0
    assert on.any()
    np.testing.assert_array_equal(found.points[on], points[on])
    assert "exact" in found.rule
    assert "3000 points" in repr(found)


@pytest.mark.parametrize("posed", [False, True])
def test_parts_fit(posed):
    rng = np.random.default_rng(2)
    mesh, pose = shapes.knot(), random_pose(rng) if posed else None
    points = rng.normal(size=(3000, 3))
    found, near = tumble.signed_distance(mesh, points, pose), tumble.closest_points(mesh, points, pose)
    where = tumble.contains(mesh, points, pose)
    np.testing.assert_array_equal(np.abs(found.distances), near.distances)
    np.testing.assert_array_equal(found.points, near.points)
    np.testing.assert_array_equal(found.triangles, near.triangles)
    np.testing.assert_array_equal(found.distances < 0, where.inside)
    assert where.inside.any()
    for array in (found.points, found.distances, found.triangles):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_next_to_the_surface_the_sign_is_exact_and_never_zero():
    """A slanted face, and points off it by less than the rounding of their distance."""
    rng = np.random.default_rng(3)
    mesh = tumble.Mesh(shapes.icosphere(0).vertices * 0.1, shapes.icosphere(0).faces)
    weights = rng.dirichlet([1, 1, 1], 200)
    points = (weights[:, :, None] * mesh.triangles[rng.integers(0, len(mesh), 200)]).sum(axis=1)
    found = tumble.signed_distance(mesh, points)
    for point, distance in zip(points, found.distances, strict=True):
        turns = winding_number(point, mesh.triangles, rng)
        assert np.sign(distance) == (0 if turns is None else -1 if turns else 1)
    assert (found.distances < 0).any()
    assert (found.distances > 0).any()
    assert np.abs(found.distances).max() < 1e-15


def test_threads_change_nothing():
    points = np.random.default_rng(4).normal(size=(3000, 3))
    first, *others = (tumble.signed_distance(shapes.blob(), points, threads=threads) for threads in (1, 2, 5))
    for other in others:
        np.testing.assert_array_equal(other.distances, first.distances)


def real_meshes(largest):
    """Closed meshes among the real ones, of so many triangles at most."""
    for path in sorted(MESHES.rglob("*")):
        if path.suffix in (".off", ".obj", ".stl", ".ply") and path.stat().st_size < 400_000:
            try:
                mesh = tumble.load(path)
            except tumble.TumbleError:
                continue
            if 4 <= len(mesh) <= largest and edges_of(mesh).closed and edges_of(mesh).oriented:
                yield mesh


@pytest.mark.parametrize(("count", "largest"), [(1, 200), pytest.param(10, 1500, marks=pytest.mark.slow)])
@pytest.mark.skipif(not (MESHES / "reference.json").exists(), reason="the folder of real meshes is not here")
def test_real_meshes_against_rationals(count, largest):
    """Signs at corners, middles of edges and of faces, and in the box."""
    seen = 0
    for mesh in real_meshes(largest):
        rng = np.random.default_rng(seen)
        seen += 1
        corners = mesh.triangles[rng.integers(0, len(mesh), count)]
        low, high = mesh.bounds
        points = np.concatenate([corners[:1, 0], corners.mean(axis=1)[:1], rng.uniform(low, high, (count, 3))])
        found = tumble.signed_distance(mesh, points)
        for point, distance in zip(points, found.distances, strict=True):
            turns = winding_number(point, mesh.triangles, rng)
            assert np.sign(distance) == (0 if turns is None else -1 if turns else 1)
    assert seen > 3
