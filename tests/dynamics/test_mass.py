"""Volume, centre and inertia of solids whose closed form is known, wherever they lie."""

import numpy as np
import pytest

import tumble
from tumble import Mesh, shapes, transformed
from tumble.dynamics import convex_hull, mass_properties
from tumble.errors import InputError, MeshError
from tumble.mesh import random_pose


def test_a_box():
    found = mass_properties(shapes.box((1, 2, 3)), density=2.0)
    assert found.volume == pytest.approx(6)
    assert found.mass == pytest.approx(12)
    np.testing.assert_allclose(found.centre, 0, atol=1e-14)
    np.testing.assert_allclose(found.inertia, np.diag([13, 10, 5]), atol=1e-13)


def test_a_tetrahedron():
    """Inertia about the centre of the corner tetrahedron of the unit cube, by hand: ∫x² = 1/60, ∫xy = 1/120."""
    mesh = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    found = mass_properties(mesh)
    assert found.volume == pytest.approx(1 / 6)
    np.testing.assert_allclose(found.centre, 0.25)
    square, product = 1 / 60 - 1 / 96, 1 / 120 - 1 / 96
    expected = np.full((3, 3), -product)
    np.fill_diagonal(expected, 2 * square)
    np.testing.assert_allclose(found.inertia, expected, atol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_moved_solids(seed):
    """The centre moves with the solid, the inertia turns with it; far from the origin as well."""
    pose = random_pose(seed, 1000.0)
    mesh = shapes.torus(1.0, 0.3, 12, 9)
    plain, moved = mass_properties(mesh), mass_properties(transformed(mesh, pose))
    turn = pose[:3, :3]
    assert moved.volume == pytest.approx(plain.volume, rel=1e-9)
    np.testing.assert_allclose(moved.centre, turn @ plain.centre + pose[:3, 3], atol=1e-9)
    np.testing.assert_allclose(moved.inertia, turn @ plain.inertia @ turn.T, atol=1e-8)


def test_a_sphere_in_the_limit():
    found = mass_properties(shapes.icosphere(5), density=3.0)
    assert found.volume == pytest.approx(4 / 3 * np.pi, rel=2e-3)
    np.testing.assert_allclose(found.inertia, 0.4 * found.mass * np.eye(3), rtol=2e-3, atol=1e-9)


def test_a_hollow_counts_as_hollow():
    outer, inner = shapes.box(2), shapes.box(1)
    vertices = np.concatenate((outer.vertices, inner.vertices))
    faces = np.concatenate((outer.faces, inner.faces[:, ::-1] + 8))
    found = mass_properties(Mesh(vertices, faces))
    assert found.volume == pytest.approx(7)
    np.testing.assert_allclose(found.inertia, (8 * 4 - 1) / 6 * np.eye(3), atol=1e-12)


def test_vertices_in_the_same_place_count_as_one():
    soup = shapes.box().triangles.reshape(-1, 3)
    assert mass_properties(Mesh(soup, np.arange(36).reshape(12, 3))).volume == pytest.approx(1)


def test_an_open_mesh_is_refused_or_given_a_hull():
    box = shapes.box()
    lidless = Mesh(box.vertices, box.faces[1:])
    with pytest.raises(MeshError, match=r"open: 3 of its edges are boundary edges.*hull=True"):
        mass_properties(lidless)
    assert mass_properties(lidless, hull=True).volume == pytest.approx(1)
    world = tumble.dynamics.World()
    with pytest.raises(MeshError, match="open"):
        world.add_body(lidless)
    world.add_body(lidless, hull=True)
    world.add_body(lidless, static=True)
    assert len(world.poses()) == 2


def test_faces_that_look_both_ways_are_refused():
    box = shapes.box()
    faces = box.faces.copy()
    faces[0] = faces[0, ::-1]
    with pytest.raises(MeshError, match="at 3 edges neighbouring faces look to opposite sides"):
        mass_properties(Mesh(box.vertices, faces))


def test_inside_out_and_flat_meshes_are_refused():
    box = shapes.box()
    with pytest.raises(MeshError, match=r"inside out.*-1"):
        mass_properties(Mesh(box.vertices, box.faces[:, ::-1]))
    with pytest.raises(MeshError, match="no volume"):
        mass_properties(Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 1]]))
    with pytest.raises(MeshError, match="without faces"):
        mass_properties(Mesh(np.empty((0, 3)), np.empty((0, 3), int)))
    with pytest.raises(MeshError, match="no convex hull"):
        mass_properties(Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 3, 2]]), hull=True)


@pytest.mark.parametrize("density", [0, -1, np.nan, np.inf, "heavy"])
def test_densities_that_make_no_sense(density):
    with pytest.raises(InputError, match="density"):
        mass_properties(shapes.box(), density)


def test_hulls_are_closed_and_contain_all():
    torus = shapes.torus(1.0, 0.3, 12, 9)
    hull = convex_hull(torus)
    found = mass_properties(hull)
    assert found.volume > mass_properties(torus).volume
    corners = hull.triangles
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    heights = np.einsum("fk,fvk->fv", normals, torus.vertices[None] - corners[:, :1])
    assert heights.max() < 1e-12
