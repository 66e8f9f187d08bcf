"""Hulls of packed trees: they contain their triangles, and those of smooth surfaces are tight."""

from __future__ import annotations

import pickle
from itertools import combinations
from threading import Thread

import numpy as np
import pytest
from test_slabs import nodes
from tree_cases import AWKWARD, SHAPES

from covering import sized
from triangle_rows import triangle_distances
from tumble import Mesh, shapes
from tumble.hierarchy.packed import header, packed
from tumble.hierarchy.packed.hulls import HULL_ROWS, POINTS, RADIUS
from tumble.hierarchy.packed.layout import HALF, LANES, ROWS

FACES = np.array(list(combinations(range(POINTS), 3)))
CELLS = np.array(list(combinations(range(POINTS), 4)))
ROUNDING = 1e-13
"""of distances of points of a size of about 1, computed in float64"""


def in_a_cell(points: np.ndarray, hull: np.ndarray) -> np.ndarray:
    """Which points are in a tetrahedron of four points of a hull."""
    found = np.zeros(len(points), bool)
    for cell in CELLS:
        edges = (hull[cell[1:]] - hull[cell[0]]).T
        if abs(np.linalg.det(edges)) > 1e-12:
            shares = np.linalg.solve(edges, (points - hull[cell[0]]).T)
            found |= (shares >= 0.0).all(axis=0) & (shares.sum(axis=0) <= 1.0)
    return found


def distances_from_hull(points: np.ndarray, hull: np.ndarray) -> np.ndarray:
    """How far points are from the hull of some: where they are outside, its nearest point is on a triangle of three."""
    found = np.empty(len(points))
    for k, point in enumerate(points):
        alike = np.broadcast_to(point, (len(FACES), 3, 3))
        found[k] = triangle_distances(alike, hull[FACES])[0].min()
    return np.where(in_a_cell(points, hull), 0.0, found)


def excesses(mesh: Mesh) -> np.ndarray:
    """By how much the corners of each node are outside of its hull, at most, in local units: none should be."""
    tree = packed(mesh)
    hulls = tree.hulls.reshape(-1, HULL_ROWS, LANES).astype(np.float64)
    found = []
    for block, lane, triangles in nodes(tree):
        corners = (mesh.triangles[triangles].reshape(-1, 3) - tree.origin) * tree.scale
        hull = hulls[block, 3 * lane : 3 * lane + 3].T
        apart = distances_from_hull(np.unique(corners, axis=0), hull)
        found.append(apart.max() - hulls[block, RADIUS, lane])
    return np.array(found)


@sized(20, 300)
@pytest.mark.parametrize("name", [*SHAPES, *AWKWARD])
def test_hulls_contain_their_triangles(name, count):
    mesh = {**SHAPES, **AWKWARD}[name]()
    assert (excesses(Mesh(mesh.vertices, mesh.faces[:count])) <= ROUNDING).all()


def test_hulls_of_a_smooth_surface_are_tight():
    tree = packed(shapes.icosphere(4))
    hulls, boxes = tree.hulls.reshape(-1, HULL_ROWS, LANES), tree.blocks.reshape(-1, ROWS, LANES)
    shares = [
        hulls[block, RADIUS, lane] / boxes[block, HALF : HALF + 3, lane].max()
        for block, lane, triangles in nodes(tree)
        if 2 < len(triangles) < 100
    ]
    assert len(shares) > 100
    assert np.median(shares) < 0.2


def test_the_hull_of_a_leaf_is_that_of_its_corners():
    tree = packed(shapes.torus())
    hulls = tree.hulls.reshape(-1, HULL_ROWS, LANES)
    leaves = [hulls[block, RADIUS, lane] for block, lane, triangles in nodes(tree) if len(triangles) <= 2]
    assert max(leaves) < 2.0**-22


def test_hulls_are_made_once_and_on_demand():
    tree = packed(shapes.torus())
    before = tree.nbytes
    assert tree.header.view(np.int64)[header.HULLS] == 0
    made: list[object] = []
    threads = [Thread(target=lambda: made.append(tree.hulls)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each is tree.hulls for each in made)
    assert tree.header.view(np.int64)[header.HULLS] == tree.hulls.ctypes.data
    assert tree.nbytes == before + tree.hulls.nbytes
    mesh = pickle.loads(pickle.dumps(shapes.torus()))
    np.testing.assert_array_equal(packed(mesh).hulls, tree.hulls)
