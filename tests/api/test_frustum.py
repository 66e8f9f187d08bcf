"""`inside_frustum`: exactly the triangles that no plane shuts out, whatever the tree."""

import numpy as np
import pytest

import forest
import tumble
from covering import sized
from ray_oracle import kept_by
from tumble.hierarchy.packed import packed
from tumble.mesh import apply_pose, as_pose, random_pose

TREES = ["auto", "boxtree"]


def perspective(near=0.5, far=20.0, width=1.0):
    matrix = np.zeros((4, 4))
    matrix[0, 0] = matrix[1, 1] = 1 / width
    matrix[2, 2], matrix[2, 3], matrix[3, 2] = (far + near) / (near - far), 2 * far * near / (near - far), -1
    return matrix


@pytest.mark.parametrize("contained", [False, True])
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 6))])
def test_exactly_what_rational_arithmetic_keeps(seed, tree, contained):
    """Planes through points of the grid on which the vertices are: many vertices lie on a plane."""
    rng = np.random.default_rng(seed)
    mesh = forest.random_mesh(rng, 80, size=3)
    normals = rng.integers(-2, 3, (5, 3))
    planes = np.c_[normals, -(normals * rng.integers(0, 6, (5, 3))).sum(axis=1)] * rng.uniform(0.1, 3, (5, 1))
    for count in (1, 3, 5):
        found = tumble.inside_frustum(mesh, planes[:count], tree=tree, contained=contained)
        assert found.dtype == np.int64
        np.testing.assert_array_equal(found, kept_by(planes[:count], mesh.triangles, contained))


@pytest.mark.parametrize("contained", [False, True])
@pytest.mark.parametrize("planes_of", ["free", "chained"])
@pytest.mark.parametrize("seed", range(3))
def test_triangles_that_are_cut_and_boxes_in_chains(seed, planes_of, contained):
    """Long thin triangles, whose pieces lie on both sides of planes."""
    rng = np.random.default_rng(seed)
    start, step = rng.uniform(size=(90, 1, 3)), rng.normal(size=(90, 1, 3))
    corners = np.concatenate([start, start + step, start + step + 0.02 * rng.normal(size=(90, 1, 3))], axis=1)
    mesh = tumble.Mesh(corners.reshape(-1, 3), np.arange(270).reshape(-1, 3))
    planes = np.c_[rng.normal(size=(4, 3)), rng.uniform(-0.3, 0.5, 4) + 0.8 * contained]
    expected = kept_by(planes[[0, 1, 2, 3, 3]], mesh.triangles, contained)
    assert packed(mesh).repeats
    assert 0 < len(expected) < 90
    for given in (mesh, tumble.build(mesh, volume="boxtree", leaf_size=1, planes=planes_of)):
        found = tumble.inside_frustum(given, planes[[0, 1, 2, 3, 3]], contained=contained)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_cameras_around_large_meshes(seed, tree):
    """Against NumPy over all triangles: no vertex of these is near enough to a plane for rounding to matter."""
    mesh = tumble.shapes.blob() if seed % 2 else tumble.shapes.torus(segments=100, sides=50)
    view, pose = random_pose(seed, 2.0), random_pose(seed + 9, 1.0)
    matrix = perspective(width=0.3) @ view
    corners = apply_pose(as_pose(pose), mesh.vertices)[mesh.faces]
    clip = np.concatenate([corners, np.ones((len(mesh), 3, 1))], axis=2) @ matrix.T
    below = np.concatenate([clip[..., 3:] + clip[..., :3] < 0, clip[..., 3:] - clip[..., :3] < 0], axis=2)
    found = tumble.inside_frustum(mesh, matrix, pose=pose, tree=tree)
    np.testing.assert_array_equal(found, np.flatnonzero(~below.all(axis=1).any(axis=1)))
    held = tumble.inside_frustum(mesh, matrix, pose=pose, tree=tree, contained=True)
    np.testing.assert_array_equal(held, np.flatnonzero(~below.any(axis=(1, 2))))


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("place", [0.0, 1e6, 1e12])
def test_planes_through_the_outermost_vertices(place, tree):
    """A plane along a side of the box keeps what touches it; one step farther it keeps nothing."""
    mesh = tumble.transformed(tumble.shapes.icosphere(3), tumble.translation(place, 0, -place / 7))
    for axis in range(3):
        for sign in (-1.0, 1.0):
            tip = (sign * mesh.vertices[:, axis]).max()
            normal = np.zeros(3)
            normal[axis] = sign
            touching = tumble.inside_frustum(mesh, [[*normal, -tip]], tree=tree)
            expected = np.flatnonzero((sign * mesh.triangles[..., axis] >= tip).any(axis=1))
            np.testing.assert_array_equal(touching, expected)
            assert len(touching) > 0
            assert len(tumble.inside_frustum(mesh, [[*normal, -np.nextafter(tip, np.inf)]], tree=tree)) == 0
            everything = tumble.inside_frustum(mesh, [[*-normal, tip]], tree=tree, contained=True)
            assert len(everything) == len(mesh)


@sized(20, 400)
@pytest.mark.parametrize("tree", TREES)
def test_oblique_planes_through_corners_of_boxes(tree, count):
    """Each plane touches a small triangle, or misses it by a rounding, in a vertex that is a corner of its box.

    There are two of each, so that they share a leaf.
    """
    rng = np.random.default_rng(5)
    corners = np.repeat(rng.uniform(-1, 1, (20, 1, 3)), 3, axis=1)
    corners[:, 1, 0] += 1e-4
    corners[:, 2, 1] += 1e-4
    mesh = tumble.Mesh(corners.reshape(-1, 3), np.repeat(np.arange(60).reshape(-1, 3), 2, axis=0))
    touched = 0
    for k, normal in enumerate(rng.normal(size=(count, 3))):
        plane = [[*normal, -(corners[k % 20] @ normal).max()]]
        found = tumble.inside_frustum(mesh, plane, tree=tree)
        np.testing.assert_array_equal(found, kept_by(plane, mesh.triangles))
        touched += 2 * (k % 20) in found
    assert count / 4 < touched < count


@sized(1, 3)
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("distance", [1.0, pytest.param(1e6, marks=pytest.mark.slow), 1e12])
def test_planes_through_vertices_of_posed_meshes(distance, tree, count):
    mesh = tumble.shapes.icosphere(1)
    rng = np.random.default_rng(9)
    for seed in range(count):
        pose = random_pose(seed, distance)
        corners = apply_pose(as_pose(pose), mesh.vertices)[mesh.faces]
        for normal in rng.normal(size=(5, 3)):
            plane = [[*normal, -np.sort((corners @ normal).ravel())[-rng.integers(1, 40)]]]
            found = tumble.inside_frustum(mesh, plane, pose=pose, tree=tree)
            np.testing.assert_array_equal(found, kept_by(plane, corners))


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("scale", [1e-300, 1e-90, 1e90])
def test_scales(scale, tree):
    mesh = tumble.transformed(forest.soup(1, 50, 0.3), np.diag([scale, scale, scale, 1]))
    for planes in ([[1, 0, 0, -0.5 * scale]], [[1e-60, -1e-60, 0, 0]], [[1, 1e-90, -1e90, scale]]):
        np.testing.assert_array_equal(tumble.inside_frustum(mesh, planes, tree=tree), kept_by(planes, mesh.triangles))


@pytest.mark.parametrize("tree", TREES)
def test_planes_without_a_normal_hold_everything_or_nothing(tree):
    """As the far plane of an infinite projection does."""
    mesh = tumble.shapes.icosphere(2)
    for d, count in ((1.0, len(mesh)), (0.0, len(mesh)), (-1.0, 0)):
        assert len(tumble.inside_frustum(mesh, [[0, 0, 0, d]], tree=tree)) == count


def test_empty_mesh():
    empty = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    for tree in TREES:
        assert tumble.inside_frustum(empty, np.eye(4), tree=tree).shape == (0,)


@pytest.mark.parametrize(
    ("frustum", "said"),
    [
        ([1, 0, 0, 0], "4×4 matrix"),
        (np.empty((0, 4)), "4×4 matrix"),
        ([[1, 0, 0]], "shape"),
        ([[1, 0, 0, np.nan]], r"frustum\[0\]\[3\] is nan"),
        ([[1, 0, 0, 0], [0, 1e101, 0, 0]], r"frustum\[1\]\[1\]"),
        ([["x"] * 4], "real numbers"),
    ],
)
def test_frusta_that_make_no_sense(frustum, said):
    with pytest.raises(tumble.RayError, match=said):
        tumble.inside_frustum(tumble.shapes.box(), frustum)


def test_unknown_tree():
    with pytest.raises(tumble.OptionError, match="boxtree"):
        tumble.inside_frustum(tumble.shapes.box(), np.eye(4), tree="kdop")
