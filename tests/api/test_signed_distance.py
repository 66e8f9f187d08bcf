"""`signed_distance`: distances of `closest_points`, signs of `contains`, zero exactly on the surface."""

import os
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import tumble
from covering import sized
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


@sized(50, 200)
def test_next_to_the_surface_the_sign_is_exact_and_never_zero(count):
    """A slanted face, and points off it by less than the rounding of their distance."""
    rng = np.random.default_rng(3)
    mesh = tumble.Mesh(shapes.icosphere(0).vertices * 0.1, shapes.icosphere(0).faces)
    weights = rng.dirichlet([1, 1, 1], count)
    points = (weights[:, :, None] * mesh.triangles[rng.integers(0, len(mesh), count)]).sum(axis=1)
    found = tumble.signed_distance(mesh, points)
    for point, distance in zip(points, found.distances, strict=True):
        turns = winding_number(point, mesh.triangles, rng)
        assert np.sign(distance) == (0 if turns is None else -1 if turns else 1)
    assert (found.distances < 0).any()
    assert (found.distances > 0).any()
    assert np.abs(found.distances).max() < 1e-15


def shells(*radii):
    """Nested icospheres, the second inside out, and so on: solids and cavities in turn."""
    balls = [shapes.icosphere(2, radius) for radius in radii]
    faces = [(ball.faces if k % 2 == 0 else ball.faces[:, ::-1]) + 162 * k for k, ball in enumerate(balls)]
    return tumble.Mesh(np.concatenate([ball.vertices for ball in balls]), np.concatenate(faces))


@pytest.mark.parametrize("size", [1.0, 1e-155, 1e-300, 1e80])
@pytest.mark.parametrize("far", [0.0, 1e5, 1e12])
def test_what_one_point_says_about_the_next_is_what_a_ray_says(size, far):
    """Signs in one go, by balls around points, against those of `contains`, which knows of no distances."""
    mesh = shells(1.0, 1.0 - 1e-7, 0.6, 0.6 - 1e-12)
    mesh = tumble.Mesh(mesh.vertices * size, mesh.faces)
    rng = np.random.default_rng(6)
    steps = rng.normal(size=(4000, 3)) * 10.0 ** rng.uniform(
        -13, 0, (4000, 1)
    )  # points in crowds, also across the gaps
    points = np.concatenate(
        [rng.uniform(-1.2, 1.2, (4000, 3)), mesh.vertices[rng.integers(0, 648, 4000)] / size + steps]
    )
    pose = tumble.translation(far * size, 0.0, -far * size) if far else None
    places = points * size + (0.0 if pose is None else pose[:3, 3])
    found, where = tumble.signed_distance(mesh, places, pose), tumble.contains(mesh, places, pose)
    np.testing.assert_array_equal(np.sign(found.distances), np.where(where.inside, -1, np.where(where.outside, 1, 0)))
    assert where.inside.any()
    assert where.outside.any()


def test_threads_change_nothing():
    points = np.random.default_rng(4).normal(size=(3000, 3))
    first, *others = (tumble.signed_distance(shapes.blob(), points, threads=threads) for threads in (1, 2, 5))
    for other in others:
        np.testing.assert_array_equal(other.distances, first.distances)


def real_meshes(largest):
    """Closed meshes among the real ones, of so many triangles at most; larger files have more."""
    for path in sorted(MESHES.rglob("*")):
        if path.suffix in (".off", ".obj", ".stl", ".ply") and path.stat().st_size < 270 * largest:
            try:
                mesh = tumble.load(path)
            except tumble.TumbleError:
                continue
            if 4 <= len(mesh) <= largest and edges_of(mesh).closed and edges_of(mesh).oriented:
                yield mesh


@pytest.mark.parametrize(("count", "largest", "step"), [(1, 200, 4), pytest.param(10, 1500, 1, marks=pytest.mark.slow)])
@pytest.mark.skipif(not (MESHES / "reference.json").exists(), reason="the folder of real meshes is not here")
def test_real_meshes_against_rationals(count, largest, step):
    """Signs at corners, middles of edges and of faces, and in the box."""
    seen = 0
    for mesh in islice(real_meshes(largest), 0, None, step):
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
