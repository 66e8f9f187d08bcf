"""Matrices carry corners to the unit triangle, and frames vertices to each other, as exactly as the proof needs it."""

from fractions import Fraction

import numpy as np
import pytest

import forest
import tumble
from covering import crossed, sized
from narrow.unit_triangle_verdicts import FACE, arguments
from tumble.mesh import Mesh
from tumble.narrow.triangles import unit_frames
from tumble.narrow.triangles.unit_frames import FLOAT32, FLOAT64, bounds_of
from tumble.narrow.triangles.unit_matrix import single_matrices, unit_matrices
from volume.posed_contacts import ROTATIONS, SCALES, Posed, contacts

UNIT = ((0, 0, 0), (1, 0, 0), (0, 1, 0))


def exact(numbers):
    return [Fraction(float(x)) for x in numbers]


def carried(row, point):
    """A coordinate, in rational numbers, and how much the row can enlarge an error."""
    value = sum((m * x for m, x in zip(row[:3], point, strict=True)), row[3])
    return value, sum(abs(m) for m in row[:3])


def assert_good(matrix, corners, extent, roundoff):
    rows = [exact(matrix[4 * k : 4 * k + 4]) for k in range(3)]
    for corner, due in zip(corners, UNIT, strict=True):
        for k, row in enumerate(rows):
            value, size = carried(row, exact(corner))
            assert abs(value - due[k]) <= 16 * Fraction(roundoff) * Fraction(float(extent)) * size
    for row in rows:
        assert abs(row[3]) <= Fraction(extent) * sum(abs(m) for m in row[:3]) * (1 + 8 * Fraction(roundoff))


def needles(seed, count):
    rng = np.random.default_rng(seed)
    corners = rng.standard_normal((count, 3, 3))
    corners[:, 2] = corners[:, 0] + rng.uniform(-1, 2, (count, 1)) * (corners[:, 1] - corners[:, 0])
    return corners + rng.standard_normal((count, 3, 3)) * 10.0 ** rng.uniform(-18, -1, (count, 1, 1))


@sized(30, 100)
@crossed(1, offset=[0.0, 1e6], size=[1.0, 1e-200, 1e90])
def test_every_matrix_carries_its_corners_to_the_unit_triangle(size, offset, count):
    corners = np.concatenate([np.random.default_rng(1).standard_normal((count, 3, 3)), needles(2, 2 * count)])
    mesh = Mesh(((corners + offset) * size).reshape(-1, 3), np.arange(9 * count).reshape(-1, 3))
    matrices = unit_matrices(mesh)
    good = np.isfinite(matrices).all(axis=1)
    assert np.isnan(matrices[~good]).all()
    assert good[:count].all()
    assert good.mean() > 0.5
    for i in np.flatnonzero(good):
        assert_good(matrices[i], mesh.triangles[i], mesh.extent, FLOAT64)


def test_matrices_in_single_precision():
    mesh = Mesh(*(getattr(forest.soup(3, 200), name) for name in ("vertices", "faces")))
    matrices, vertices = single_matrices(mesh), mesh.vertices.astype(np.float32)
    assert matrices.dtype == np.float32
    good = np.isfinite(matrices).all(axis=1)
    assert good.mean() > 0.98
    for i in np.flatnonzero(good):
        assert_good(matrices[i], vertices[mesh.faces[i]], np.float64(np.abs(vertices).max()), FLOAT32)


def test_common_meshes_have_matrices_for_all_their_triangles():
    for mesh in (tumble.shapes.torus(), tumble.shapes.gear(), tumble.shapes.knot()):
        assert np.isfinite(unit_matrices(mesh)).all()
        assert np.isfinite(single_matrices(mesh)).mean() > 0.95


def test_heights_are_distances_in_units_of_the_triangle():
    corners = np.array([[1.0, 2, 3], [9, 2, 3], [1, 4, 3]])
    (row,) = unit_matrices(Mesh(corners, FACE))
    np.testing.assert_allclose(row[8:11], [0, 0, 1 / 8])


@pytest.mark.parametrize(
    "corners",
    [
        [[1, 2, 3]] * 3,
        [[0, 0, 0], [1, 1, 1], [2, 2, 2]],
        [[0, 0, 0], [5e-324, 0, 0], [0, 5e-324, 0]],
        [[0, 0, 0], [1e100, 0, 0], [0, 1e-300, 0]],
        [[1e100, 0, 0], [1e100, 1e-100, 0], [1e100, 0, 1e-100]],
    ],
)
def test_what_has_no_matrix_or_hardly(corners):
    mesh = Mesh(corners, FACE)
    (row,) = unit_matrices(mesh)
    if np.isfinite(row).all():
        assert_good(row, mesh.vertices, mesh.extent, FLOAT64)
    else:
        assert np.isnan(row).all()


def test_a_mesh_keeps_its_matrices():
    mesh = tumble.shapes.box()
    matrices = unit_matrices(mesh)
    assert unit_matrices(mesh) is matrices
    assert matrices.shape == (len(mesh), 12)
    assert not matrices.flags.writeable


@sized(8, 20)
@pytest.mark.parametrize("roundoff", [FLOAT64, FLOAT32])
@pytest.mark.parametrize("rotation", ROTATIONS)
def test_coordinates_are_off_by_less_than_the_error(rotation, roundoff, monkeypatch, count):
    """Also where vertices, rotation, translation and their sum are rounded to float32."""
    errors = []
    monkeypatch.setattr(unit_frames, "bounds_of", lambda *given: errors.append(given[2]) or bounds_of(*given))
    largest = 0.0
    for pair in contacts(8, rotation, "ordinary", count):
        for one in (pair, pair.swapped()):
            errors.clear()
            a, _, b, _, frames = arguments(one, roundoff)
            computed = [*(moved_by(frames.a_in_b, corner) for corner in a), *b]
            for found, place in zip(computed, [*placed(one, 0), *placed(one, 1)], strict=True):
                off = max(abs(x - y) for x, y in zip(exact(found), place, strict=True))
                largest = max(largest, float(off / Fraction(errors[1])))
    assert 0 < largest <= 1


def moved_by(way, point):
    return [
        ((way[3 * k] * point[0] + way[3 * k + 1] * point[1]) + way[3 * k + 2] * point[2]) + way[9 + k] for k in range(3)
    ]


@sized(1, 3)
@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("scale", SCALES)
def test_heights_are_off_by_less_than_the_bound(rotation, scale, count):
    """In rational numbers: both triangles in own's frame, as the proof places them, against what is computed."""
    for pair in contacts(7, rotation, scale, count):
        for one in (pair, pair.swapped()):
            a, _, _, matrix_b, frames = arguments(one)
            if not np.isfinite(matrix_b).all():
                continue
            row, way = matrix_b[0, 8:], frames.a_in_b
            for corner, place in zip(a, placed(one, 0), strict=True):
                moved = moved_by(way, corner)
                computed = ((row[0] * moved[0] + row[1] * moved[1]) + row[2] * moved[2]) + row[3]
                assert_within_plane_bound(computed, row, place, frames)
            for place in placed(one, 1):
                assert_within_plane_bound(0.0, row, place, frames)


def assert_within_plane_bound(computed, row, place, frames):
    value, size = carried(exact(row), place)
    assert abs(Fraction(float(computed)) - value) <= size * Fraction(frames.bounds_b.plane)


def placed(pair: Posed, side: int):
    """The posed corners of a triangle carried by Rb^T (p - tb), without rounding."""
    world = pair.in_the_world()[side]
    if pair.pose_b is None:
        return [exact(point) for point in world]
    turn, shift = [exact(line) for line in pair.pose_b[:, :3]], exact(pair.pose_b[:, 3])
    places = []
    for point in world:
        away = [p - t for p, t in zip(exact(point), shift, strict=True)]
        places.append([sum(turn[m][k] * away[m] for m in range(3)) for k in range(3)])
    return places
