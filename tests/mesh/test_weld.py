"""Seams that rounding opened are closed; what is really open stays so."""

import numpy as np
import pytest

from tumble.mesh import Mesh, shapes
from tumble.mesh.edges import edges_of
from tumble.mesh.weld import NEAR, closed_by_welding


def soup(mesh, off, seed=0):
    """Each triangle with corners of its own, every coordinate off by up to `off`."""
    corners = np.asarray(mesh.vertices)[np.asarray(mesh.faces)].reshape(-1, 3)
    noise = np.random.default_rng(seed).uniform(-off, off, corners.shape)
    return Mesh(corners + noise, np.arange(len(corners)).reshape(-1, 3))


@pytest.mark.parametrize("size", [1.0, 1e-6, 3e7])
def test_a_seam_within_rounding_is_closed(size):
    ball = shapes.icosphere(3, size)
    opened = soup(ball, 1e-15 * size)
    assert not edges_of(opened).closed
    closed = closed_by_welding(opened)
    assert edges_of(closed).closed
    assert len(closed) == len(opened)
    assert abs(np.asarray(closed.vertices) - np.asarray(opened.vertices)).max() <= NEAR * 2 * size


def test_triangles_keep_their_order():
    ball = shapes.icosphere(1, 1.0)
    closed = closed_by_welding(soup(ball, 1e-15))
    expected = np.asarray(ball.vertices)[np.asarray(ball.faces)]
    np.testing.assert_allclose(np.asarray(closed.vertices)[np.asarray(closed.faces)], expected, atol=1e-14)


def test_what_is_farther_apart_stays_open():
    assert closed_by_welding(soup(shapes.icosphere(2, 1.0), 1e-6)) is None


def test_a_hole_stays_open():
    box = shapes.box((1.0, 1.0, 1.0))
    assert closed_by_welding(Mesh(box.vertices, np.asarray(box.faces)[1:])) is None


def test_closed_and_empty_meshes_need_nothing():
    assert closed_by_welding(shapes.box((1.0, 1.0, 1.0))) is None
    assert closed_by_welding(Mesh(np.zeros((0, 3)), np.zeros((0, 3), int))) is None


def test_a_chain_of_near_vertices_is_not_drawn_together():
    line = np.zeros((4001, 3))
    line[:, 0] = np.arange(4001) * 0.9 * NEAR
    far = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
    faces = [[k, k + 1, 4001] for k in range(4000)] + [[0, 4001, 4002]]
    assert closed_by_welding(Mesh(np.vstack([line, far]), faces)) is None
