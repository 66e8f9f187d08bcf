"""Triangles that share vertices: do they meet beyond those? The kernel against a rational judge."""

from collections import Counter

import numpy as np
import pytest

from adjacent_oracle import meet_in_mesh
from covering import sized
from triangle_rows import meet_in_mesh_many
from tumble import Mesh

CORNERS = {
    "a vertex": ([0, 1, 2], [0, 3, 4]),
    "an edge": ([0, 1, 2], [0, 1, 3]),
    "a vertex, a face without a third": ([0, 0, 1], [0, 2, 3]),
    "an edge, a face without a third": ([0, 1, 1], [0, 1, 2]),
    "a vertex, two faces without a third": ([0, 0, 1], [0, 2, 2]),
}


def verdicts(vertices, faces, pairs=((0, 1),)):
    mesh = Mesh(np.asarray(vertices, float), np.asarray(faces))
    return meet_in_mesh_many(mesh.vertices, mesh.faces, np.asarray(pairs)).tolist()


def random_neighbours(rng, n, size):
    """Pairs of faces over points of a small grid, their corners turned and swapped, carried into float64 exactly."""
    vertices, faces, kinds = [], [], []
    for k in range(n):
        kind = list(CORNERS)[k % len(CORNERS)]
        points = rng.integers(0, size + 1, (5, 3)).astype(float)
        if rng.random() < 0.4:  # into one plane
            points[:, rng.integers(3)] = rng.integers(0, size + 1)
        if rng.random() < 0.5:  # a map that leaves contacts as they are, with products of all 53 bits
            points = points @ rng.integers(-(2**38), 2**38, (3, 3)).astype(float)
        points = np.ldexp(points, rng.integers(-1074, 200)) if rng.random() < 0.3 else points
        if rng.random() < 0.2:
            at = rng.integers(5), rng.integers(3)
            points[at] = np.nextafter(points[at], rng.choice([-np.inf, np.inf]))
        pair = [rng.permutation(face) + 5 * k for face in CORNERS[kind]]
        vertices.append(points)
        faces += pair if rng.random() < 0.5 else pair[::-1]
        kinds.append(kind)
    return np.concatenate(vertices), np.array(faces), kinds


def assert_right(n, size, seed):
    vertices, faces, kinds = random_neighbours(np.random.default_rng([seed, size]), n, size)
    pairs = np.arange(2 * n).reshape(-1, 2)
    found = verdicts(vertices, faces, pairs)
    judged = [meet_in_mesh(vertices, faces, i, j) for i, j in pairs.tolist()]
    wrong = [k for k in range(n) if found[k] != judged[k]]
    assert not wrong, (Counter(kinds[k] for k in wrong), vertices[faces[2 * wrong[0] : 2 * wrong[0] + 2]].tolist())
    assert 0.1 < np.mean(judged) < 0.9


@sized(20, 120)
@pytest.mark.parametrize("size", [1, 2, 4])
def test_random_neighbours(size, count):
    assert_right(count, size, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("seed", range(10, 12))
def test_many_random_neighbours(size, seed):
    assert_right(2000, size, seed)


@pytest.mark.parametrize("height, hit", [(0.0, True), (1.0, False), (-1.0, False)])
def test_two_triangles_fold_onto_each_other(height, hit):
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.5, 0.5, height]]
    assert verdicts(vertices, [[0, 1, 2], [1, 0, 3]]) == [hit]


def test_flat_neighbours_are_no_hit():
    vertices = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [-1, 0, 0], [-1, -1, 0]]
    faces = [[0, 1, 2], [0, 2, 3], [0, 4, 5]]
    assert verdicts(vertices, faces, [(0, 1), (0, 2), (1, 2)]) == [False, False, False]


@pytest.mark.parametrize(
    "tip, hit", [([3, 0.5, 0], True), ([3, 3, 0], True), ([3, 3.1, 0], False), ([-3, 0.5, 0], False)]
)
def test_an_edge_from_the_shared_vertex_runs_through_the_other(tip, hit):
    vertices = [[0, 0, 0], [1, 0, 0], [1, 1, 0], tip, [0, 0, 1]]
    assert verdicts(vertices, [[0, 1, 2], [0, 3, 4]]) == [hit]


def test_the_same_three_vertices_are_a_hit():
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert verdicts(vertices, [[0, 1, 2], [2, 1, 0]]) == [True]


def test_equal_vertices_with_other_numbers_are_not_shared():
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0], [-1, 0, 0], [0, -1, 0]]
    assert verdicts(vertices, [[0, 1, 2], [3, 4, 5]]) == [True]
    assert verdicts(vertices, [[0, 1, 2], [0, 4, 5]]) == [False]
