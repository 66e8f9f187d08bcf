"""Rays through trees: what all trees say is what each triangle says for itself."""

from functools import cache

import numpy as np
import pytest

import forest
import tumble
from covering import sized
from ray_oracle import hits_of
from tumble.mesh import apply_pose, as_pose, random_pose

TREES = ["auto", "boxtree"]


def one_by_one(mesh, origins, directions, **options):
    """The nearest hit, from a mesh for each triangle: least distance, then lowest number."""
    triangles, distances = np.full(len(origins), -1), np.full(len(origins), np.inf)
    for k, corners in enumerate(mesh.triangles):
        found = tumble.cast_rays(tumble.Mesh(corners, [[0, 1, 2]]), origins, directions, **options)
        nearer = found.distances < distances
        triangles[nearer], distances[nearer] = k, found.distances[nearer]
    return triangles, distances


def rays_at(rng, mesh, count):
    """Rays from around the mesh to points near its vertices and edges, and to the vertices themselves."""
    low, high = mesh.bounds
    size = np.maximum(high - low, 1e-3 * (high - low).max())
    origins = low + rng.uniform(-0.5, 1.5, (count, 3)) * size
    corners = mesh.triangles[rng.integers(0, len(mesh), count)]
    weights = rng.choice([0.0, 0.5, 1.0], (count, 3)) + 1e-12 * rng.normal(size=(count, 3)) * rng.integers(
        0, 2, (count, 1)
    )
    weights[:, 0] += 0.01
    targets = (weights / weights.sum(axis=1)[:, None])[:, :, None] * corners
    directions = targets.sum(axis=1) - origins
    axis = rng.integers(0, 6, count)  # some of them along an axis or in a plane of axes
    for k in range(3):
        directions[axis == k, k] = 0.0
        directions[axis == k + 3, k - 1] = directions[axis == k + 3, k - 2] = 0.0
    directions[~directions.any(axis=1)] = [0, 0, -1]
    return origins, directions / np.abs(directions).max(axis=1)[:, None]


MESHES = {
    "soup": forest.soup(3, 60, 0.4),
    "grid": forest.random_mesh(np.random.default_rng(4), 50),
    "sphere": tumble.shapes.icosphere(1),
    "flat": tumble.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]]),
    "one": tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 1]], [[0, 1, 2]]),
    "far": tumble.transformed(forest.soup(5, 40, 0.4), tumble.translation(1e7, -3e8, 5e6)),
    "huge": tumble.transformed(forest.soup(5, 40, 0.4), np.diag([1e95, 1e95, 1e95, 1])),
    "tiny": tumble.transformed(forest.soup(5, 40, 0.4), np.diag([1e-305, 1e-305, 1e-305, 1])),
}


@cache
def judged(name, count):
    """A mesh, rays at it, and the triangles and distances of their hits."""
    mesh = MESHES[name]
    rays = rays_at(np.random.default_rng(1), mesh, count)
    return mesh, *rays, *one_by_one(mesh, *rays)


@sized(150, 400)
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("name", MESHES)
def test_trees_say_what_triangles_say(name, tree, count):
    mesh, origins, directions, triangles, distances = judged(name, count)
    found = tumble.cast_rays(mesh, origins, directions, tree=tree)
    np.testing.assert_array_equal(found.distances, distances)
    np.testing.assert_array_equal(found.triangles, triangles)
    assert found.hit.any()
    occluded = tumble.cast_rays(mesh, origins, directions, any_hit=True, tree=tree)
    np.testing.assert_array_equal(occluded.hit, found.hit)
    assert (occluded.distances >= found.distances).all()


@sized(12, 60)
@pytest.mark.parametrize("tree", TREES)
def test_the_nearest_hit_is_the_nearest(tree, count):
    """Rational arithmetic agrees on who is hit, and on how far, to what float64 can say."""
    mesh = forest.random_mesh(np.random.default_rng(7), 40)
    origins, directions = rays_at(np.random.default_rng(2), mesh, count)
    found = tumble.cast_rays(mesh, origins, directions, tree=tree)
    for k in range(len(origins)):
        hits = hits_of(origins[k], directions[k], mesh.triangles)
        assert found.hit[k] == bool(hits)
        if hits:
            assert found.triangles[k] in hits
            assert abs(found.distances[k] - float(min(hits.values()))) <= 1e-8 * (1 + found.distances[k])


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("seed", range(4))
def test_posed_meshes_are_meshes_of_posed_vertices(seed, tree):
    mesh = tumble.shapes.knot(segments=40, sides=8)
    pose = random_pose(seed, 10.0 ** (4 * seed))
    if seed == 3:
        pose[:3, :3] += np.random.default_rng(3).uniform(-2e-5, 2e-5, (3, 3))  # rigid within the tolerance only
    moved = tumble.Mesh(apply_pose(as_pose(pose), mesh.vertices), mesh.faces)
    origins, directions = rays_at(np.random.default_rng(seed), moved, 3000)
    found = tumble.cast_rays(mesh, origins, directions, pose=pose, tree=tree)
    expected = tumble.cast_rays(moved, origins, directions)
    np.testing.assert_array_equal(found.triangles, expected.triangles)
    np.testing.assert_array_equal(found.distances, expected.distances)
    np.testing.assert_array_equal(found.points, expected.points)
    assert found.hit.mean() > 0.1


@cache
def judged_from_far_away(distance):
    mesh = tumble.shapes.icosphere(2)
    rng = np.random.default_rng(3)
    toward = rng.normal(size=(500, 3))
    origins = -distance * toward
    directions = mesh.vertices[rng.integers(0, len(mesh.vertices), 500)] - origins
    return mesh, origins, directions, *one_by_one(mesh, origins, directions)


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize(
    "distance", [1e6, 1e12, *(pytest.param(each, marks=pytest.mark.slow) for each in (1.0, 1e3, 1e9))]
)
def test_rays_from_far_away(distance, tree):
    mesh, origins, directions, triangles, distances = judged_from_far_away(distance)
    found = tumble.cast_rays(mesh, origins, directions, tree=tree)
    np.testing.assert_array_equal(found.triangles, triangles)
    np.testing.assert_array_equal(found.distances, distances)
    assert found.hit.any()


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("place", [0, 2**20])
def test_rays_that_touch_nothing_but_a_vertex(place, tree):
    """Along the sides of the mesh's box: if a box were too small by one bit, the ray would be lost."""
    sphere = tumble.shapes.icosphere(3)
    mesh = tumble.Mesh(np.round(sphere.vertices * 2**20) / 2**20 + [place, -place, 0], sphere.faces)
    for axis in range(3):
        for extreme in (np.argmin, np.argmax):
            tip = mesh.vertices[extreme(mesh.vertices[:, axis])]
            for other in {0, 1, 2} - {axis}:
                for sign in (-1, 1):
                    direction = np.zeros(3)
                    direction[other] = sign
                    origin = tip - 8 * direction  # exact
                    found = tumble.cast_rays(mesh, [origin], [direction], tree=tree)
                    assert found.hit.all()
                    np.testing.assert_allclose(found.distances, 8, rtol=1e-15)


@sized(50, 150)
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("place", [0, 2**20])
def test_corners_of_flat_boxes(place, tree, count):
    """A ray that meets a flat box in a corner and nowhere else: rounding must not part where it enters and leaves.

    All coordinates are on a grid, so that rays go through the vertices exactly.
    """
    rng = np.random.default_rng(6)
    for k in range(count):
        corners = np.repeat(rng.integers(0, 2**30, (1, 3)), 3, axis=0)
        corners[1, k % 3 - 1], corners[2, k % 3 - 2] = rng.integers(0, 2**30, 2)
        targets = np.repeat(corners, 30, axis=0)
        origins = rng.integers(-(2**31), 2**31, targets.shape)
        mesh = tumble.Mesh(corners / 2**30 + place, [[0, 1, 2]])
        found = tumble.cast_rays(mesh, origins / 2**30 + place, (targets - origins) / 2**30, tree=tree)
        assert found.hit.all()


@pytest.mark.parametrize("tree", TREES)
def test_among_equal_triangles_the_lowest_number_wins(tree):
    mesh = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (100, 1)))
    found = tumble.cast_rays(mesh, [[0.2, 0.2, 1]], [[0, 0, -1]], tree=tree)
    assert found.triangles.tolist() == [0]


@pytest.mark.parametrize("tree", TREES)
def test_the_longest_distance_counts(tree):
    mesh = tumble.shapes.box()
    low = mesh.bounds[0]
    origins, directions = np.tile(low - 1, (4, 1)), np.ones((4, 3))
    limits = [1.0, np.nextafter(1.0, 0), 0.5, np.inf]
    for any_hit in (False, True):
        found = tumble.cast_rays(mesh, origins, directions, longest=limits, any_hit=any_hit, tree=tree)
        assert found.hit.tolist() == [True, False, False, True]
    assert not tumble.cast_rays(mesh, origins, directions, longest=0.999, tree=tree)
