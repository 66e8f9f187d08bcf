"""`cast_rays`: closed meshes have no gaps, threads change nothing, and what makes no sense is refused."""

from functools import cache

import numpy as np
import pytest
import trimesh

import tumble
from covering import sized
from tumble import shapes

CLOSED = {
    "icosphere": lambda: shapes.icosphere(3),
    "torus": lambda: shapes.torus(segments=64, sides=32),
    "animal": shapes.blob,
    "gear": shapes.gear,
    "box": shapes.box,
}
TREES = ["auto", "boxtree"]
TRIANGLE = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


@cache
def closed(name):
    """One of the meshes above, made when it is first asked for."""
    return CLOSED[name]()


def inner_points(mesh, count, seed=1):
    """Points a little below the surface, each beneath the middle of some triangle, as seen from outside."""
    rng = np.random.default_rng(seed)
    corners = mesh.triangles[rng.integers(0, len(mesh), count)]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normal, axis=1)
    points = corners.mean(axis=1) - (1e-3 * normal / np.sqrt(size)[:, None])
    return points[size > 0]


@sized(500, 1500)
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("name", CLOSED)
def test_from_inside_every_ray_hits(name, tree, count):
    """Aimed at vertices, at middles of edges and anywhere: a closed mesh lets nothing out."""
    mesh = closed(name)
    rng = np.random.default_rng(2)
    origins = inner_points(mesh, count)
    vertices = mesh.vertices[mesh.faces[rng.integers(0, len(mesh), len(origins))]]
    for targets in (vertices[:, 0], 0.5 * (vertices[:, 0] + vertices[:, 1]), rng.normal(size=(len(origins), 3))):
        found = tumble.cast_rays(mesh, origins, targets - origins, tree=tree)
        assert found.hit.all()
        assert tumble.cast_rays(mesh, origins, targets - origins, tree=tree, any_hit=True).hit.all()


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("name", CLOSED)
def test_vertices_and_edges_are_hit(name, tree):
    """From a grid, so that directions are exact: the vertex itself is on the ray, at distance 1 or before."""
    mesh = closed(name)
    targets = np.round(mesh.vertices[np.unique(mesh.faces)] * 2**20) / 2**20
    mesh = tumble.Mesh(np.round(mesh.vertices * 2**20) / 2**20, mesh.faces)
    for origin in ([0.0, 0.0, 0.0], [4.0, 1.0, -2.0], [0.0, 0.0, 32.0]):
        aimed = targets[(targets != origin).any(axis=1)]
        found = tumble.cast_rays(mesh, origin, aimed - origin, tree=tree)
        assert found.hit.all()
        assert (found.distances <= 1).all()


@pytest.mark.slow
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("name", CLOSED)
def test_millions_of_rays_from_inside(name, tree):
    mesh = closed(name)
    origins = inner_points(mesh, 1_000_000, 3)
    directions = np.random.default_rng(4).normal(size=origins.shape)
    assert tumble.cast_rays(mesh, origins, directions, tree=tree).hit.all()


def test_points_and_distances_fit():
    origins = np.random.default_rng(5).normal(size=(500, 3)) * 3
    directions = -origins * np.random.default_rng(6).uniform(0.1, 10, (500, 1))
    found = tumble.cast_rays(closed("icosphere"), origins, directions)
    assert found.hit.all()
    assert bool(found)
    np.testing.assert_array_equal(found.points, origins + found.distances[:, None] * directions)
    np.testing.assert_allclose(np.linalg.norm(found.points, axis=1), 1, atol=0.02)
    missed = tumble.cast_rays(closed("icosphere"), origins * 4, origins)
    assert not missed
    assert len(missed) == 500
    assert (missed.triangles == -1).all()
    assert np.isinf(missed.distances).all()
    assert np.isnan(missed.points).all()
    assert "500 rays, 0 hit" in repr(missed)


@pytest.mark.parametrize("any_hit", [False, True])
@pytest.mark.parametrize("tree", TREES)
def test_threads_change_nothing(tree, any_hit):
    mesh = closed("animal")
    rng = np.random.default_rng(7)
    origins, directions = rng.normal(size=(5000, 3)), rng.normal(size=(5000, 3))
    results = [
        tumble.cast_rays(mesh, origins, directions, tree=tree, threads=threads, any_hit=any_hit)
        for threads in (1, 2, 7, None)
    ]
    assert 0 < results[0].hit.sum() < 5000
    for result in results[1:]:
        np.testing.assert_array_equal(result.triangles, results[0].triangles)
        np.testing.assert_array_equal(result.distances, results[0].distances)


def test_input_of_many_kinds():
    as_lists = tumble.cast_rays(TRIANGLE, [[0, 0, 1]], [[0, 0, -2]])
    assert as_lists.distances.tolist() == [0.5]
    assert as_lists.points.tolist() == [[0, 0, 0]]
    box = trimesh.creation.box()
    assert tumble.cast_rays(box, np.zeros((1, 3), np.float32), np.eye(3)[:1]).distances.tolist() == [0.5]
    assert tumble.cast_rays((box.vertices, box.faces), [0, 0, 0], np.eye(3)).hit.all()
    assert tumble.cast_rays(box, np.eye(3), [-1, -1, -1]).hit.tolist() == [True, True, True]
    strided = np.random.default_rng(1).normal(size=(60, 6))
    frozen = strided[::2, :3].copy()
    frozen.flags.writeable = False
    a = tumble.cast_rays(box, frozen * 0, frozen)
    b = tumble.cast_rays(box, frozen * 0, strided[::2, :3])
    np.testing.assert_array_equal(a.distances, b.distances)
    with pytest.raises(ValueError, match="read-only"):
        a.triangles[0] = 1


@pytest.mark.parametrize("tree", TREES)
def test_empty_things(tree):
    empty = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    found = tumble.cast_rays(empty, np.zeros((5, 3)), np.ones((5, 3)), tree=tree)
    assert len(found) == 5
    assert not found
    for nothing in ([], np.empty((0, 3))):
        none = tumble.cast_rays(TRIANGLE, nothing, nothing, tree=tree)
        assert len(none) == 0
        assert none.points.shape == (0, 3)


@pytest.mark.parametrize(
    ("origins", "directions", "said"),
    [
        ([[0, 0, np.nan]], [[0, 0, 1]], r"origins\[0\].*nan.*finite"),
        ([[0, 0, 0]] * 2, [[0, 0, 1], [np.inf, 0, 0]], r"directions\[1\].*inf.*finite"),
        ([[0, 0, 0]], [[0, 0, 0]], r"directions\[0\] is zero"),
        ([[0, 0, 0]], [[0, 0, 1e-200]], r"directions\[0\].*shorter than 1e-100"),
        ([[0, 2e100, 0]], [[0, 0, 1]], r"origins\[0\].*beyond.*1e\+100"),
        ([[0, 0, 0]] * 3, [[0, 0, 1]] * 2, "3 origins and 2 directions"),
        ([[0, 0]], [[0, 0, 1]], r"origins must have shape.*\(1, 2\)"),
        ([0, 0, 0], [0, 0, 1], r"origins\[None\]"),
        ([["a", "b", "c"]], [[0, 0, 1]], "origins must be real numbers"),
        ([[0, 0, 0]], [[0, 0, 1j]], "directions must be real numbers"),
        ([[0, 0], [0, 0, 1]], [[0, 0, 1]], "origins cannot be read"),
        (np.ma.masked_equal([[0, 0, 7]], 7), [[0, 0, 1]], "masked"),
    ],
)
def test_rays_that_make_no_sense(origins, directions, said):
    with pytest.raises(tumble.RayError, match=said):
        tumble.cast_rays(TRIANGLE, origins, directions)


@pytest.mark.parametrize("longest", [-1.0, np.nan, [1.0, 2.0], "far"])
def test_longest_that_makes_no_sense(longest):
    with pytest.raises(tumble.RayError, match="longest"):
        tumble.cast_rays(TRIANGLE, [[0, 0, 1]], [[0, 0, -1]], longest=longest)


def test_options_that_make_no_sense():
    ray = [[0, 0, 1]], [[0, 0, -1]]
    with pytest.raises(tumble.OptionError, match="boxtree"):
        tumble.cast_rays(TRIANGLE, *ray, tree="sphere")
    with pytest.raises(tumble.OptionError, match="threads"):
        tumble.cast_rays(TRIANGLE, *ray, threads=0)
    with pytest.raises(tumble.PoseError):
        tumble.cast_rays(TRIANGLE, *ray, pose=np.diag([2, 2, 2, 1]))


def test_a_boxtree_in_place_of_its_mesh():
    mesh = closed("animal")
    rng = np.random.default_rng(8)
    origins, directions = rng.normal(size=(500, 3)), rng.normal(size=(500, 3))
    expected = tumble.cast_rays(mesh, origins, directions)
    for leaf_size, planes in ((1, "chained"), (1, "free"), (7, "chained"), (31, "coplanar")):
        tree = tumble.build(mesh, volume="boxtree", leaf_size=leaf_size, planes=planes)
        found = tumble.cast_rays(tree, origins, directions)
        np.testing.assert_array_equal(found.triangles, expected.triangles)
    with pytest.raises(tumble.OptionError, match="BoxTree"):
        tumble.cast_rays(tumble.build(mesh), origins, directions)
