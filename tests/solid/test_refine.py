"""Pieces beside a surface: bounds that no point exceeds, cuts that lose nothing and come to an end soon."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from tumble import Mesh, closest_points, shapes
from tumble.core.records import frozen
from tumble.narrow.overlap.hulls import Inside, cover_inside
from tumble.narrow.overlap.near_faces import Surface, measure_bounds
from tumble.narrow.overlap.order import order_rows
from tumble.solid.body import surface_of
from tumble.solid.overlap.refine import Faces

SURFACES = {"ball": shapes.icosphere(2), "box": shapes.box(1.5), "torus": shapes.torus(1.0, 0.3, 24, 12)}


def faces_of(mesh):
    return Faces(surface_of(mesh, None))


def areas_of(pieces):
    return 0.5 * np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1)


def triangles(seed, count=400):
    """Triangles of all sizes near the surfaces, some of them long and thin."""
    rng = np.random.default_rng(seed)
    sizes = 10.0 ** rng.uniform(-3, 0, (count, 1, 1)) * np.array([1.0, 1.0, 0.05])
    return rng.uniform(-1, 1, (count, 1, 3)) + sizes * rng.normal(size=(count, 3, 3))


def points_in(pieces, seed, count=30):
    shares = np.random.default_rng(seed).dirichlet(np.ones(3), (len(pieces), count))
    return np.einsum("nck,nkj->ncj", shares, pieces)


@pytest.mark.parametrize("name", SURFACES)
def test_no_point_is_farther_than_the_bound(name):
    mesh, pieces = SURFACES[name], triangles(1)
    faces, nearest = faces_of(mesh), closest_points(mesh, pieces.mean(axis=1)).triangles
    bounds = faces.bounds(pieces, nearest)
    inner = points_in(pieces, 2)
    to_surface = closest_points(mesh, inner.reshape(-1, 3)).distances.reshape(inner.shape[:2])
    assert (to_surface <= bounds[:, None] + 1e-12).all()
    # and it is that of a corner to the face, no more
    for k in range(0, len(pieces), 20):
        single = Mesh(mesh.vertices, mesh.faces[nearest[k : k + 1]])
        assert closest_points(single, pieces[k]).distances.max() == pytest.approx(bounds[k], abs=1e-12)


def test_faces_without_an_area_have_bounds():
    segment = np.array([[[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]])
    bounds = np.empty(1)
    piece = np.array([[[0.0, 1, 0], [1, 1, 0], [3, 0, 0]]])
    surface = Surface(segment, np.zeros((1, 3)), np.full((1, 3), -1, np.int32))
    measure_bounds(piece, np.zeros(1, np.int64), Surface(*map(frozen, surface)), bounds)
    assert bounds[0] == pytest.approx(1.0)


@pytest.mark.parametrize("name", SURFACES)
def test_cuts_lose_nothing(name):
    mesh, pieces = SURFACES[name], triangles(3)
    faces, nearest = faces_of(mesh), closest_points(mesh, pieces.mean(axis=1)).triangles
    cut, owners = faces.cut(pieces, nearest)
    sums = np.bincount(owners, areas_of(cut), len(pieces))
    np.testing.assert_allclose(sums, areas_of(pieces), rtol=1e-9)
    assert set(np.bincount(owners).tolist()) <= {2, 3}
    # corners are in the triangle that they were cut from: none is beyond an edge of it
    parents = pieces[owners]
    normals = np.cross(parents[:, 1] - parents[:, 0], parents[:, 2] - parents[:, 0])
    for k in range(3):
        start, way = parents[:, k], parents[:, (k + 1) % 3] - parents[:, k]
        inward = np.cross(normals, way)
        inward /= np.linalg.norm(inward, axis=1)[:, None]
        assert (np.einsum("ncj,nj->nc", cut - start[:, None], inward) > -1e-9).all()


def test_a_facet_falls_into_as_many_pieces_as_there_are_facets_beside_it():
    """A long strip along a prism of 24 sides, 1e-3 above it: halves as small as the tolerance would be thousands."""
    angles = np.arange(25) * (2 * np.pi / 24)
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(25)], axis=1)
    vertices = np.concatenate([ring[:24], ring[:24] + np.array([0, 0, 50.0])])
    sides = [[(k, (k + 1) % 24, 24 + k), ((k + 1) % 24, 24 + (k + 1) % 24, 24 + k)] for k in range(24)]
    mesh = Mesh(vertices, np.array(sides).reshape(-1, 3))
    turn = np.pi / 24
    corners = [(1.001 * np.cos(turn + a), 1.001 * np.sin(turn + a), z) for a in (0.0, 2 * turn) for z in (1.0, 49.0)]
    pieces, faces, looked_at = np.array(corners)[[[0, 2, 1], [2, 3, 1]]], faces_of(mesh), 0
    while len(pieces):
        looked_at += len(pieces)
        nearest = closest_points(mesh, pieces.mean(axis=1)).triangles
        far = faces.bounds(pieces, nearest) > 0.02
        pieces = faces.cut(pieces[far], nearest[far])[0]
        assert looked_at < 24


def covered(faces, points, normals, corners=(), members=()):
    """What covers some points on faces, each point both ends of a segment, and corners that are inside."""
    count, places = len(faces), np.asarray(points, np.float64).reshape(-1, 3)
    rows = (
        np.tile(np.array([0, 1, 2], np.int32), (len(normals), 1))
        if len(corners)
        else np.zeros((len(normals), 3), np.int32)
    )
    corners = np.reshape(corners, (-1, 3)) if len(corners) else np.zeros((1, 3))
    members = np.asarray(members, np.int64) if len(members) else np.zeros(1, np.int64)
    ends = np.repeat(np.arange(count)[:, None], 2, axis=1)
    inside = Inside(frozen(corners), frozen(rows), normals, members, np.asarray(faces, np.int64), ends, places)
    return cover_inside(inside)


def test_hulls_of_points_on_faces():
    rng = np.random.default_rng(5)
    normals = rng.normal(size=(6, 3))
    faces, points, expected = [], [], []
    for face, normal in enumerate(normals):
        across = np.linalg.svd(normal[None])[2][1:]
        flat = rng.integers(-4, 5, (3 * face, 2)).astype(float)
        faces += [face] * len(flat)
        points.append(flat @ across)
        expected.append(ConvexHull(flat).volume if face > 1 else 0.0)
    order = rng.permutation(len(faces))
    triangles, owners = covered(np.array(faces)[order], np.concatenate(points)[order], normals)
    found = np.bincount(owners, areas_of(triangles), 6)
    np.testing.assert_allclose(found[2:], expected[2:], rtol=1e-12)
    assert len(covered([], [], normals)[0]) == 0


def test_corners_count_where_a_face_is_crossed_or_wholly_inside():
    up, corners = np.array([[0.0, 0, 1]]), np.array([(0.0, 0, 0), (2, 0, 0), (0, 2, 0)])
    areas = [areas_of(covered([], [], up, corners, members)[0]).sum() for members in ([1, 1, 1], [1, 0, 0])]
    assert areas == [2.0, 0.0]
    crossed = covered([0, 0], [(1.0, 0, 0), (0, 1, 0)], up, corners, [1, 0, 0])[0]
    assert areas_of(crossed).sum() == pytest.approx(0.5)


def test_rows_are_put_in_order_as_by_lexsort():
    rng = np.random.default_rng(3)
    for count in (0, 1, 2, 7, 100, 1000):
        numbers, first, second = rng.integers(0, 4, count), *rng.integers(-2, 3, (2, count)).astype(float)
        first *= rng.choice([1.0, -1.0], count)  # zeros of both signs are equal
        order = np.empty(count, np.int64)
        order_rows(numbers, first, second, count, order, np.empty(count, np.int64))
        np.testing.assert_array_equal(order, np.lexsort((second, first, numbers)))
