"""Pieces beside a surface: bounds that no point exceeds, cuts that lose nothing and come to an end soon."""

import numpy as np
import pytest

from solid_forms import HOLLOW, OVERLAPPING, box, joined, moved
from tumble import Mesh, closest_points, collide, contains, shapes
from tumble.api.relation import placed, self_pairs
from tumble.api.sheet_pairs import pairs_between_sheets
from tumble.clash.measure import _pairs_with_itself
from tumble.core.jit import kernel
from tumble.core.records import frozen
from tumble.narrow.overlap.hulls import Inside, cover_inside
from tumble.narrow.overlap.near_faces import Surface, cut_pieces, farthest_corner
from tumble.narrow.overlap.order import order_rows
from tumble.solid.body import surface_of
from tumble.solid.overlap.faces import outward_normals, surface_of_faces
from tumble.solid.overlap.shared import Finders, crossing_of
from tumble.traversal.points.near_pieces import CUT

SURFACES = {"ball": shapes.icosphere(2), "box": shapes.box(1.5), "torus": shapes.torus(1.0, 0.3, 24, 12)}


@kernel
def measure_bounds(pieces, nearest, surface, bounds):
    for i in range(len(pieces)):
        bounds[i] = farthest_corner(pieces, i, nearest[i], surface)


class Faces:
    def __init__(self, mesh):
        self.surface = surface_of_faces(surface_of(mesh, None))

    def bounds(self, pieces, nearest):
        bounds = np.empty(len(pieces))
        measure_bounds(pieces, nearest, self.surface, bounds)
        return bounds

    def cut(self, pieces, nearest):
        found, rows = np.empty((3 * len(pieces), 3, 3)), np.empty(3 * len(pieces), np.int64)
        count = cut_pieces(pieces, len(pieces), nearest, self.surface, CUT, found, rows)
        return found[:count], rows[:count]


def faces_of(mesh):
    return Faces(mesh)


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


def crossing_of_meshes(a, b):
    bodies = tuple(placed(mesh, None, 1) for mesh in (a, b))
    return crossing_of(bodies, collide(a, b).pairs, Finders(self_pairs, _pairs_with_itself, pairs_between_sheets))


def covered(crossing, side):
    """What covers the part of each face that is inside of the other body: pieces, and whose they are."""
    normals = outward_normals(crossing.bodies[side], crossing.faces[side])
    segments, members = crossing.segments[:, side], crossing.members(side)
    return cover_inside(Inside(side, crossing.boundaries[side], normals, members, segments, crossing.at))


def comb(count):
    """A row of blocks, of which none touches the next."""
    return joined(*(box((2 * k, -1, -1), (2 * k + 1, 1, 1)) for k in range(count)))


COVERED = {
    "boxes": (box((0, 0, 0), (2, 2, 2)), box((1, 1, 1), (3, 3, 3))),
    "inside": (box((0, 0, 0), (1, 1, 1)), box((-1, -1, -1), (2, 2, 2))),
    "comb": (box((-1, -2, 0), (12, 2, 3)), comb(6)),
    "teeth beyond an edge": (box((-1, 0, 0), (12, 2, 3)), comb(6)),
    "ball and torus": (moved(shapes.icosphere(2), 0.7, 0, 0), shapes.torus(1.0, 0.3, 24, 12)),
    "torus and plate": (shapes.torus(1.0, 0.3, 24, 12), box((-0.9, -2, -2), (0.9, 2, 2))),
    "hollow": (HOLLOW, box((-3, -0.5, -0.5), (3, 0.5, 0.5))),
    "overlapping": (OVERLAPPING, moved(shapes.icosphere(2), 0.3, 0.2, 0.9)),
}


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", COVERED)
def test_all_of_a_face_that_is_inside_is_covered(name, side):
    crossing = crossing_of_meshes(*COVERED[name])
    pieces, owners = covered(crossing, side)
    mesh, other = COVERED[name][side], COVERED[name][1 - side]
    points = points_in(mesh.triangles, 7, 200)
    inside = contains(other, points.reshape(-1, 3)).inside.reshape(points.shape[:2])
    assert inside.any() == (len(pieces) > 0)
    for face in np.flatnonzero(inside.any(axis=1)).tolist():
        corners = pieces[owners == face]
        away = points[face][inside[face]][:, None, None] - corners
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        turns = np.einsum("nkj,pnkj->pnk", np.cross(normal[:, None], np.roll(corners, -1, 1) - corners), away)
        assert ((turns >= -1e-9).all(axis=2).any(axis=1)).all()


def test_parts_of_a_face_that_are_not_connected_are_covered_each_by_itself():
    plate, teeth = COVERED["comb"]
    pieces, owners = covered(crossing_of_meshes(plate, teeth), 0)
    below = np.flatnonzero((plate.triangles[:, :, 2] == 0.0).all(axis=1))
    area = areas_of(pieces[np.isin(owners, below)]).sum()
    assert area == pytest.approx(6 * 2.0, rel=0.2)  # of 13 by 4; the diagonal cuts some of the teeth


def test_rows_are_put_in_order_as_by_lexsort():
    rng = np.random.default_rng(3)
    for count in (0, 1, 2, 7, 100, 1000):
        numbers, first, second = rng.integers(0, 4, count), *rng.integers(-2, 3, (2, count)).astype(float)
        first *= rng.choice([1.0, -1.0], count)  # zeros of both signs are equal
        order = np.empty(count, np.int64)
        order_rows(numbers, first, second, count, order, np.empty(count, np.int64))
        np.testing.assert_array_equal(order, np.lexsort((second, first, numbers)))
