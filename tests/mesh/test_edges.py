"""Closed, open, oriented or not, by edges alone."""

from collections import defaultdict

import numpy as np
import pytest

import tumble
from tumble import shapes
from tumble.mesh.edges import CORNERS, COUNT, ORIENTED, TRIANGLES, Edges, edges_of, first_in_place

TETRAHEDRON = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
PLACES = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def mesh_of(faces, vertices=PLACES):
    return tumble.Mesh(vertices, faces)


@pytest.mark.parametrize("shape", ["box", "torus", "knot", "gear", "icosphere", "blob", "bowl", "spring"])
def test_solids_are_closed_and_oriented(shape):
    edges = edges_of(getattr(shapes, shape)())
    assert edges.closed
    assert edges.oriented


def test_cloth_is_open():
    edges = edges_of(shapes.cloth(5, 4))
    assert not edges.closed
    assert len(edges.open) == len(edges.boundary) == len(edges.surplus)
    assert (edges.surplus == 1).all()


def test_a_missing_triangle_leaves_its_edges():
    edges = edges_of(mesh_of(TETRAHEDRON[1:]))
    assert sorted(map(tuple, edges.open.tolist())) == [(0, 1), (0, 2), (1, 2)]
    # as the triangles that are left pass them: 0 1 of the second, 1 2 of the third, 2 0 of the last
    assert sorted(map(tuple, edges.boundary.tolist())) == [(0, 1), (1, 2), (2, 0)]


def test_one_triangle_turned_round():
    faces = TETRAHEDRON.copy()
    faces[2] = faces[2, ::-1]
    edges = edges_of(mesh_of(faces))
    assert edges.closed
    assert not edges.oriented
    assert len(edges.boundary) == 3
    assert (edges.surplus == 2).all()


def test_twice_the_same_triangle_is_closed_and_twice_turned_round_oriented():
    assert edges_of(mesh_of([[0, 1, 2], [0, 1, 2]])).closed
    assert not edges_of(mesh_of([[0, 1, 2], [0, 1, 2]])).oriented
    assert edges_of(mesh_of([[0, 1, 2], [0, 2, 1]])).oriented


def test_degenerate_triangles_change_nothing():
    assert edges_of(mesh_of([*TETRAHEDRON, [0, 0, 1], [2, 2, 2], [3, 1, 3]])).oriented


def test_vertices_in_one_place_count_as_one():
    """The zeros of both signs included; a neighbour in the last bit is another place."""
    places = PLACES[TETRAHEDRON].reshape(-1, 3).copy()
    places[4] *= -1.0
    places[4, 0] = 1.0
    assert np.signbit(places[4, 1])
    faces = np.arange(12).reshape(-1, 3)
    assert edges_of(mesh_of(faces, places)).oriented
    places[4, 1] = 5e-324
    assert not edges_of(mesh_of(faces, places)).closed


def test_an_empty_mesh_is_closed():
    assert edges_of(tumble.Mesh([], [])).oriented


def test_looked_at_once():
    mesh = shapes.torus()
    assert edges_of(mesh) is edges_of(mesh)


def test_the_record_of_a_mesh():
    hollow = tumble.Mesh(
        np.concatenate([shapes.box(2.0).vertices, shapes.box(1.0).vertices]),
        np.concatenate([shapes.box().faces, shapes.box().faces[:, ::-1] + 8]),
    )
    edges = edges_of(hollow)
    assert edges.record.dtype == np.int64
    assert edges.record[[COUNT, TRIANGLES, ORIENTED]].tolist() == [2, 24, 1]
    assert sorted(edges.record[CORNERS:] // 8) == [0, 1]  # a vertex of each
    turned = np.array(hollow.faces)
    turned[0] = turned[0, ::-1]
    assert edges_of(tumble.Mesh(hollow.vertices, turned)).record[ORIENTED] == 0


def test_faces_cannot_be_written_to_and_those_that_were_given_can():
    """So that one kernel does for the faces of all meshes."""
    faces = TETRAHEDRON.astype(np.int32)
    assert not Edges(faces).faces.flags.writeable
    assert faces.flags.writeable


@pytest.mark.parametrize("vertices, count", [(1, 0), (1, 3), (3, 5), (6, 40), (60, 300)])
def test_edges_as_a_dictionary_counts_them(vertices, count):
    faces = np.random.default_rng(count).integers(0, vertices, (count, 3)).astype(np.int32)
    passed = defaultdict(list)
    for face, corners in enumerate(faces.tolist()):
        for k in range(3):
            u, v = corners[k], corners[(k + 1) % 3]
            if u != v:
                passed[min(u, v), max(u, v)].append((face, k, u < v))
    edges = Edges(faces)
    names = sorted(passed)
    assert list(map(tuple, edges.ends.tolist())) == names
    assert list(map(tuple, edges.open.tolist())) == [name for name in names if len(passed[name]) % 2]
    surplus = {name: sum(1 if up else -1 for _, _, up in passed[name]) for name in names}
    uneven = [name for name in names if surplus[name]]
    assert list(map(tuple, edges.boundary.tolist())) == [n if surplus[n] > 0 else n[::-1] for n in uneven]
    assert edges.surplus.tolist() == [abs(surplus[name]) for name in uneven]
    for number, name in enumerate(names):
        assert all(edges.numbers[face, k] == number for face, k, _ in passed[name])
        if len(passed[name]) == 2:
            (one, k, _), (other, m, _) = passed[name]
            assert (edges.twins[one, k], edges.twins[other, m]) == (other, one)
    assert (edges.numbers >= 0).sum() == sum(map(len, passed.values()))


def test_the_first_of_many_vertices_in_one_place():
    rng = np.random.default_rng(8)
    vertices = rng.integers(-1, 2, (500, 3)) * rng.choice([1.0, -1.0, 2.0**-1074], (500, 3))
    expected = [(vertices == each).all(axis=1).argmax() for each in vertices]
    assert first_in_place(vertices).tolist() == expected
    assert len(first_in_place(np.empty((0, 3)))) == 0
