"""How deep touching triangles are in each other: by the definition, in the mirror, and zero for flush bodies."""

import numpy as np
import pytest
from test_contact_pairs import contacts, random_touching

import push_oracle
import tumble
from covering import sized
from tumble import shapes, transformed
from tumble.mesh import random_pose

SIDE = 0.1
AXES = np.eye(3)
WEDGE = tumble.Mesh(
    [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 0], [1, 1, 1]],
    [[0, 1, 2], [3, 5, 4], [0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [0, 2, 5], [0, 5, 3]],
)


def mirrored(triangles, axis):
    """Triangles in the mirror, with their corners in the order that keeps what is outside outside."""
    flip = np.ones(3)
    flip[axis] = -1.0
    return (triangles * flip)[:, ::-1]


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sign", [-1, 1])
def test_flush_blocks_have_depth_zero(axis, sign):
    """Every pair of triangles, those that share but a corner among them, and whichever way the blocks stand."""
    a = shapes.box(SIDE)
    b = transformed(a, tumble.translation(*(sign * SIDE * AXES[axis])))
    found = tumble.collide(a, b, contacts=True)
    assert len(found) > 50
    assert found.contacts.depths.max() <= 1e-12 * SIDE


@pytest.mark.parametrize("shape", ["cube", "slanted", "wedge"])
@pytest.mark.parametrize("shift", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0.5, 0), (1, 0.25, -0.5), (1, 1, 0), (1, 1, 1)])
def test_convex_bodies_side_by_side_have_depth_zero(shape, shift):
    """Flush, shifted along the common face, and touching in an edge or a corner; acute edges are no exception."""
    slant = np.eye(4)
    slant[0, 2] = 0.7 if shape == "slanted" else 0.0
    a = transformed(shapes.box(1.0), slant)
    if shape == "wedge":
        a = WEDGE
    b = transformed(a, tumble.translation(*(slant[:3, :3] @ shift)))
    found = tumble.collide(a, b, contacts=True)
    assert len(found) > 0 or shape == "wedge"  # which is no brick: shifted upwards it is free
    assert (found.contacts.depths <= 1e-12).all()


@pytest.mark.parametrize("seed", range(8))
def test_turned_blocks_in_single_precision_are_no_deeper_than_they_are(seed):
    """Flush blocks from a file with float32 coordinates: what touches reaches as deep as its corners are off."""
    pose = random_pose(seed, 0.3)
    a, b = (
        transformed(shapes.box(SIDE), pose @ tumble.translation(x, 0.0, 0.0)) for x in (0.0, SIDE * (1 - 1e-7))
    )  # fmt: skip
    a, b = (tumble.Mesh(mesh.vertices.astype(np.float32), mesh.faces) for mesh in (a, b))
    found = tumble.collide(a, b, contacts=True)
    assert len(found) > 0
    assert found.contacts.depths.max() < 1e-6


@sized(130, 4000)
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_depths_of_random_pairs_are_those_of_the_definition(size, count):
    a, b = random_touching(count, 21, size)
    assert len(a) > count / 14
    depths = contacts(a, b)[2]
    expected = [push_oracle.shortest_push(p / size, q / size) for p, q in zip(a, b, strict=True)]
    np.testing.assert_allclose(depths / size, expected, rtol=1e-8, atol=1e-12)


@sized(200, 6000)
def test_depths_of_pairs_on_a_grid_are_those_of_the_definition(count):
    """Right angles, parallels and common planes everywhere: where an axis is sideways, or a push is zero."""
    rng = np.random.default_rng(22)
    a, b = rng.integers(0, 3, (2, count, 3, 3)).astype(float)
    proper = [np.linalg.norm(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), axis=1) > 0 for t in (a, b)]
    kept = proper[0] & proper[1] & tumble.narrow.triangles_touch_many(a, b)
    a, b = a[kept], b[kept]
    assert len(a) > count / 12
    depths = contacts(a, b)[2]
    expected = [push_oracle.shortest_push(p, q) for p, q in zip(a, b, strict=True)]
    np.testing.assert_allclose(depths, expected, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("grid", [False, True])
def test_mirror_images_and_changed_places_have_the_same_depth(axis, grid):
    if grid:
        rng = np.random.default_rng(23)
        a, b = rng.integers(0, 4, (2, 6000, 3, 3)).astype(float)
        kept = tumble.narrow.triangles_touch_many(a, b)
        a, b = a[kept], b[kept]
    else:
        a, b = random_touching(6000, 24)
    depths = contacts(a, b)[2]
    np.testing.assert_allclose(contacts(mirrored(a, axis), mirrored(b, axis))[2], depths, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(contacts(b, a)[2], depths, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("unit", [1.0, 2.0**-985])
def test_an_edge_that_vanishes_beside_the_other_triangle_keeps_its_direction(unit):
    """A needle with an edge so short that it is 0 as seen from a corner of the other one, in the mirror and without."""
    a = unit * np.array([[[5.0, -8.0, 1.0], [0.0, 1.0, 0.0], [-1.0, -1.0, -1.0]]])
    b = unit * np.array([[[0.0, 0.0, 0.0], [-(2.0**-80), 0.0, 0.0], [0.0, -1.0, -1.0]]])
    depth = contacts(a, b)[2]
    assert depth > 0.1 * unit
    in_mirror = (mirrored(triangles, 0)[:, [2, 0, 1]] for triangles in (a, b))  # the same corner first
    assert contacts(*in_mirror)[2] == pytest.approx(depth, rel=1e-12, abs=0.0)
    assert contacts(b, a)[2] == depth
