"""Contact points of two bodies where the answer is known."""

import numpy as np
import pytest

import tumble
from tumble.dynamics.manifold import MOST_POINTS, POINTS_IN_PATCH, gather, manifold
from tumble.mesh import compose, rotation, shapes, translation

UP = np.array([0.0, 0.0, 1.0])
SMALL, LARGE = shapes.box(1.0), shapes.box(4.0)
TILTED = np.array([1.0, 2.0, 3.0]) / np.sqrt(14)


def ask(a, b, pose_a=None, pose_b=None):
    """The contact points of two posed meshes."""
    poses = np.stack([np.eye(4) if pose is None else pose for pose in (pose_a, pose_b)])
    pairs = tumble.collide(a, b, *poses).pairs
    offsets = np.array([0, len(pairs)])
    return manifold(gather([a, b]), np.array([0, 1]), poses, np.array([[0, 1]]), offsets, pairs)


def sorted_rows(points):
    return points[np.lexsort(points.round(6).T)]


def down_on_a_corner():
    """The pose that turns a box until one diagonal is vertical."""
    return rotation(np.cross([1.0, 1.0, 1.0], -UP), np.arccos(-1 / np.sqrt(3)))


def corners(low, high, height):
    return sorted_rows(np.array([[x, y, height] for x in (low[0], high[0]) for y in (low[1], high[1])]))


@pytest.mark.parametrize("depth", [0.2, 0.01, 1e-6, 1e-10, 0.0])
def test_a_box_on_a_larger_one(depth):
    """Four corners, the normal straight up, the depth of the overlap, half way between the surfaces."""
    found = ask(SMALL, LARGE, translation(0.25, -0.5, 2.5 - depth))
    np.testing.assert_allclose(sorted_rows(found.points), corners((-0.25, -1), (0.75, 0), 2 - depth / 2), atol=1e-12)
    np.testing.assert_allclose(found.normals, np.tile(UP, (4, 1)), atol=1e-15)
    np.testing.assert_allclose(found.depths, depth, atol=1e-15)


@pytest.mark.parametrize("depth", [0.01, 0.0])
@pytest.mark.parametrize("shift", [0.0, 1e-9, 0.1])
@pytest.mark.parametrize("turn", [0.0, 1e-8, 1e-3])
def test_equal_boxes_on_each_other(depth, shift, turn):
    """Flush or nearly flush walls do not tilt the normal, and the four corners of the overlap are there."""
    if depth == 0.0 and turn > 0.0:
        pytest.skip("whether faces in one plane touch after a turn is up to rounding")
    found = ask(SMALL, SMALL, compose(translation(shift, 2 * shift, 1 - depth), rotation("z", turn)))
    assert len(found) == 4
    expected = corners((shift - 0.5, 2 * shift - 0.5), (0.5, 0.5), (1 - depth) / 2)
    np.testing.assert_allclose(sorted_rows(found.points.round(2)), sorted_rows(expected.round(2)), atol=0.011)
    np.testing.assert_allclose(found.normals, np.tile(UP, (4, 1)), atol=1e-12)
    np.testing.assert_allclose(found.depths, depth, atol=1e-12)


def test_a_tilted_box_has_deep_and_shallow_corners():
    angle = 0.01
    found = ask(SMALL, LARGE, compose(translation(0.1, 0.2, 2.49), rotation("x", angle)))
    assert len(found) == 4
    np.testing.assert_allclose(found.normals, np.tile(UP, (4, 1)), atol=1e-12)
    below = 0.5 * np.cos(angle) - 0.49 + 0.5 * np.sin(angle)
    above = 0.5 * np.cos(angle) - 0.49 - 0.5 * np.sin(angle)
    np.testing.assert_allclose(np.sort(found.depths), [above, above, below, below], atol=1e-12)
    order = np.argsort(found.points[:, 1])
    np.testing.assert_allclose(found.depths[order], [below, below, above, above], atol=1e-12)


def test_the_corner_of_a_box_in_a_face_is_one_point():
    found = ask(SMALL, LARGE, compose(translation(0.3, 0.2, 2 + np.sqrt(3) / 2 - 0.05), down_on_a_corner()))
    np.testing.assert_allclose(found.points, [[0.3, 0.2, 2 - 0.025]], atol=1e-12)
    np.testing.assert_allclose(found.normals, [UP], atol=1e-12)
    np.testing.assert_allclose(found.depths, [0.05], atol=1e-12)


@pytest.mark.parametrize("angle", [np.pi / 2, 1.0])
def test_crossed_edges_are_one_point(angle):
    """Two boxes on their edges, one over the other: the normal is the cross product of the edges."""
    lower = rotation("x", np.pi / 4)
    upper = compose(translation(0, 0, np.sqrt(2) - 0.02), rotation("z", angle), rotation("x", np.pi / 4))
    found = ask(shapes.box((3, 1, 1)), shapes.box((3, 1, 1)), upper, lower)
    np.testing.assert_allclose(found.points, [[0, 0, np.sqrt(2) / 2 - 0.01]], atol=1e-9)
    np.testing.assert_allclose(found.normals, [UP], atol=1e-9)
    np.testing.assert_allclose(found.depths, [0.02], atol=1e-9)


def test_an_edge_in_a_face_is_two_points():
    found = ask(SMALL, LARGE, compose(translation(0, 0, 2 + np.sqrt(0.5) - 0.02), rotation("x", np.pi / 4)))
    np.testing.assert_allclose(sorted_rows(found.points), [[-0.5, 0, 1.99], [0.5, 0, 1.99]], atol=1e-12)
    np.testing.assert_allclose(found.normals, [UP, UP], atol=1e-12)
    np.testing.assert_allclose(found.depths, 0.02, atol=1e-12)


def test_touching_in_a_point():
    """Without any depth there is no curve around an area: the normal is that of the face, or across the edges."""
    tip = tumble.Mesh([[0, 0, 0], [1, 0, 1], [0, 1, 1], [-1, -1, 1]], [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]])
    found = ask(tip, LARGE, translation(0.25, 0.5, 2.0))
    np.testing.assert_array_equal(found.points, [[0.25, 0.5, 2.0]])
    np.testing.assert_allclose(found.normals, [UP], atol=1e-12)
    np.testing.assert_array_equal(found.depths, [0.0])


@pytest.mark.parametrize(("subdivisions", "angle", "error"), [(2, 12.0, 0.04), (3, 1.0, 0.01), (4, 0.1, 0.004)])
def test_two_spheres(subdivisions, angle, error):
    """The normal along the centres, the depth of the lens in its middle, other points on its rim."""
    ball, depth = shapes.icosphere(subdivisions), 0.1
    found = ask(ball, ball, None, translation(*(2 - depth) * TILTED))
    assert len(found) == POINTS_IN_PATCH
    assert np.degrees(np.arccos(min(1.0, -found.normals[0] @ TILTED))) < angle
    assert np.ptp(found.normals, axis=0).max() == 0
    assert found.depths[0] == pytest.approx(depth, abs=error)
    assert (found.depths[1:] < depth / 5).all()
    middle = (1 - depth / 2) * TILTED
    radius = np.sqrt(1 - (1 - depth / 2) ** 2)
    np.testing.assert_allclose(np.linalg.norm(found.points[1:] - middle, axis=1), radius, atol=0.15 * radius)
    np.testing.assert_allclose((found.points - middle) @ TILTED, 0, atol=error + np.radians(angle) * radius)


def test_a_ball_deep_in_a_bowl():
    found = ask(shapes.icosphere(4, 0.5), shapes.bowl(1, 0.2, 64, 64), translation(0, 0, -0.32))
    assert np.degrees(np.arccos(found.normals[:, 2].clip(-1, 1))).max() < 0.5
    assert found.depths[0] == pytest.approx(0.02, abs=1e-3)
    assert np.linalg.norm(found.points[0] - [0, 0, -0.81]) < 0.03
    assert len(found) == 4


def test_a_ring_on_a_table_is_pushed_up_by_its_inner_circle_too():
    """Two curves, one within the other, bound one patch; the inner one alone would pull the ring down."""
    found = ask(shapes.bowl(), LARGE, compose(translation(0, 0, 1.99), rotation("x", np.pi)))
    np.testing.assert_allclose(found.normals, np.tile(UP, (4, 1)), atol=1e-12)
    np.testing.assert_allclose(found.depths, 0.01, atol=1e-12)
    assert len(found) == 4
    assert (np.linalg.norm(found.points[:, :2], axis=1) > 0.79).all()


def test_a_fine_box_is_as_deep_as_a_coarse_one():
    """What is inside is found although none of its triangles touches."""
    fine = tumble.subdivide(SMALL, 5)
    found = ask(fine, tumble.subdivide(LARGE, 4), translation(0.1, 0.2, 2.5 - 0.1))
    np.testing.assert_allclose(found.normals, np.tile(UP, (4, 1)), atol=1e-12)
    np.testing.assert_allclose(found.depths, 0.1, atol=1e-12)
    expected = corners((-0.4, -0.3), (0.6, 0.7), 1.95)
    np.testing.assert_allclose(sorted_rows(found.points.round(1)), sorted_rows(expected.round(1)), atol=0.11)


def test_a_table_with_four_legs_has_four_patches():
    legs = [tumble.transformed(shapes.box((0.2, 0.2, 1)), translation(x, y, -0.5)) for x in (-1, 1) for y in (-1, 1)]
    vertices = np.concatenate([leg.vertices for leg in legs])
    table = tumble.Mesh(vertices, np.concatenate([leg.faces + 8 * k for k, leg in enumerate(legs)]))
    found = ask(table, LARGE, translation(0, 0, 2.99))
    assert len(found) == MOST_POINTS
    quarters = np.sign(found.points[:, 0]) + 2 * np.sign(found.points[:, 1])
    assert (np.unique(quarters, return_counts=True)[1] == [2, 2, 2, 2]).all()
    np.testing.assert_allclose(found.normals, np.tile(UP, (8, 1)), atol=1e-12)
    np.testing.assert_allclose(found.depths, 0.01, atol=1e-12)


def test_a_tube_through_a_ring_has_a_patch_on_each_side():
    """A bar lies across a torus that stands on its edge: it touches the tube of the torus twice."""
    bar = shapes.box((4, 0.2, 0.2))
    found = ask(bar, shapes.torus(1, 0.3), translation(0, 0, 0.3 + 0.1 - 0.01))
    left, right = found.points[:, 0] < 0, found.points[:, 0] > 0
    assert left.any()
    assert right.any()
    np.testing.assert_allclose(np.abs(found.points[:, 0]), 1, atol=0.15)
    assert (found.normals[:, 2] > 0.99).all()
    assert found.depths.max() == pytest.approx(0.01, abs=2e-3)


def test_a_ring_around_a_peg_is_held_from_all_sides():
    """The pushes cancel out as a whole, so the patch is split into parts that push alike."""
    ring = shapes.torus(1, 0.3, 48, 24)
    peg = shapes.icosphere(4, 0.72)
    found = ask(ring, peg)
    outward = found.points * [1, 1, 0]
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    assert len(found) == MOST_POINTS
    assert (np.einsum("ij,ij->i", found.normals, outward) > 0.8).all()
    assert found.depths.max() < 0.1


def test_a_sheet_without_thickness_pushes_to_its_front():
    """An open mesh: behind it is inside, as far as the other body reaches."""
    sheet = tumble.Mesh([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], [[0, 1, 2], [0, 2, 3]])
    found = ask(SMALL, sheet, translation(0.1, 0.2, 0.45))
    np.testing.assert_allclose(found.normals, np.tile(UP, (4, 1)), atol=1e-12)
    np.testing.assert_allclose(found.depths, 0.05, atol=1e-12)
    turned = ask(SMALL, tumble.Mesh(sheet.vertices, sheet.faces[:, ::-1]), translation(0.1, 0.2, -0.45))
    np.testing.assert_allclose(turned.normals, np.tile(-UP, (4, 1)), atol=1e-12)
    np.testing.assert_allclose(turned.depths, 0.05, atol=1e-12)


def test_a_flood_that_leaks_does_not_explode():
    """A sheet that ends inside of a ball: what is behind it is not closed off, and depths stay small."""
    sheet = tumble.Mesh([[0, -2, 0], [2, -2, 0], [2, 2, 0], [0, 2, 0]], [[0, 1, 2], [0, 2, 3]])
    found = ask(shapes.icosphere(3), sheet, translation(0, 0, 0.9))
    assert np.isfinite(found.points).all()
    assert (found.depths < 0.2).all()
    assert (found.normals[:, 2] > 0.9).all()


def test_no_body_pairs_and_pairs_without_triangles():
    surfaces = gather([SMALL])
    nothing = manifold(surfaces, [0], np.eye(4)[None], np.empty((0, 2)), [0], np.empty((0, 2)))
    assert len(nothing) == 0
    apart = manifold(surfaces, [0, 0], np.tile(np.eye(4), (2, 1, 1)), [[0, 1]], [0, 0], np.empty((0, 2)))
    assert len(apart) == 0
    assert apart.offsets.tolist() == [0, 0]


def test_vertices_in_one_place_are_one():
    """A box as a file of loose triangles gives the same points and the same depths."""
    loose = tumble.Mesh(SMALL.vertices[SMALL.faces].reshape(-1, 3), np.arange(36).reshape(12, 3))
    pose = compose(translation(0.1, 0.2, 2.49), rotation("x", 0.01))
    whole, parts = ask(SMALL, LARGE, pose), ask(loose, LARGE, pose)
    np.testing.assert_array_equal(whole.points, parts.points)
    np.testing.assert_array_equal(whole.depths, parts.depths)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"poses": np.eye(4)}, "poses"),
        ({"bodies": [0, 1]}, "bodies"),
        ({"offsets": [0, 3, 3]}, "offsets"),
        ({"offsets": [0, 3]}, "offsets"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(change, message):
    asked = {
        "poses": np.tile(np.eye(4), (2, 1, 1)),
        "bodies": [[0, 1]],
        "offsets": [0, 1],
        "triangles": [[0, 0]],
        **change,
    }
    with pytest.raises(tumble.InputError, match=message):
        manifold(gather([SMALL]), [0, 0], *asked.values())
