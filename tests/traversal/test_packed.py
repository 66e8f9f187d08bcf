"""The fast path against the oracle: random meshes, hard contacts, extreme scales, first hits, full buffers."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import oracle
import pairs
import tumble
from covering import crossed, sized
from tumble.api.ask import ask
from tumble.mesh import random_pose
from tumble.narrow.triangles.exact import triangles_touch_many
from tumble.query.bodies import standing
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options

collide_module = sys.modules["tumble.api.collide"]  # the name in the package is the function


def judged(a, b, pose_a=None, pose_b=None):
    return oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces, pose_a, pose_b)


def assert_exact(a, b, pose_a=None, pose_b=None, expected=None):
    expected = judged(a, b, pose_a, pose_b) if expected is None else expected
    collision = tumble.collide(a, b, pose_a, pose_b, method="packed", stats=True)
    np.testing.assert_array_equal(collision.pairs, expected)
    assert collision.stats.hits == len(expected)
    swapped = tumble.collide(b, a, pose_b, pose_a).pairs
    np.testing.assert_array_equal(sorted(map(tuple, swapped[:, ::-1].tolist())), list(map(tuple, expected.tolist())))
    assert tumble.collides(a, b, pose_a, pose_b) == (len(expected) > 0)
    first = tumble.collide(a, b, pose_a, pose_b, first=True).pairs
    assert len(first) == min(1, len(expected))
    assert set(map(tuple, first.tolist())) <= set(map(tuple, expected.tolist()))
    return expected


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 60), st.sampled_from([1, 2, 4, 16]),
    st.sampled_from(forest.POSES), st.sampled_from(forest.POSES),
)  # fmt: skip
@settings(max_examples=settings().max_examples // 3)
def test_triangles_on_a_grid(seed, count_a, count_b, size, pose_a, pose_b):
    rng = np.random.default_rng(seed)
    assert_exact(forest.random_mesh(rng, count_a, size), forest.random_mesh(rng, count_b, size), pose_a, pose_b)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_soups_under_random_poses(seed):
    a, b = forest.soup(seed, 150, 0.3), forest.soup(seed + 100, 90, 0.3)
    assert len(assert_exact(a, b, random_pose(seed, 0.2), random_pose(seed + 50, 0.2))) > 0


@crossed(1, scale=[1.0, 1e-6, 1e5, 2.0**-900, 1e60], offset=[0.0, 1e3, 1e7, -1e12])
@sized(14, 25)
def test_anywhere_at_any_scale(offset, scale, count):
    """Local coordinates keep float32 boxes sharp; what they cannot hold, they must still not lose."""
    corners = [np.random.default_rng(k).uniform(size=(count, 3, 3)) for k in (1, 2)]
    a, b = (tumble.Mesh((c.reshape(-1, 3) + offset) * scale, np.arange(3 * count).reshape(-1, 3)) for c in corners)
    expected = assert_exact(a, b)
    if abs(offset) < 1e9:
        assert len(expected) > 0


@pytest.mark.parametrize("ratio", [1e3, 1e20, 1e45, 1e90])
@pytest.mark.parametrize("turn", [None, tumble.rotation((1, 2, 3), 0.5)])
def test_meshes_of_very_different_size(ratio, turn):
    small = forest.soup(1, 30)
    huge = tumble.Mesh(forest.soup(2, 30).vertices * ratio, small.faces)
    shift = -huge.triangles[7].mean(axis=0)
    pose = tumble.translation(*shift) @ tumble.rotation("x", 0.0)
    poses = (turn, pose if turn is None else turn @ pose)
    expected = assert_exact(small, huge, *poses)
    assert turn is not None or len(expected) > 0 or ratio > 1e15  # the shift itself is rounded


def test_few_boxes_are_visited():
    """Boxes are worth something: far from all pairs are looked at, wherever the meshes stand."""
    for offset in (0.0, 1e6):
        near = tumble.shapes.torus(segments=96, sides=48)
        mesh = tumble.Mesh(near.vertices + offset, near.faces)
        pose = tumble.rotation("z", 0.3, (offset,) * 3) @ tumble.translation(1.5, 0.2, 0.1)
        collision = tumble.collide(mesh, mesh, None, pose, stats=True)
        assert len(collision) > 100
        assert collision.stats.leaf_overlaps < 8 * len(collision)
        assert collision.stats.iterations < 20 * len(collision)


def one_triangle_meshes(triangles):
    return [tumble.Mesh(corners, [[0, 1, 2]]) for corners in triangles]


@sized(700, 4000)
def test_contacts_built_to_the_last_bit(count):
    """Vertex on face, edge on edge, coplanar, far away, tiny, nudged by one ulp; each pair a query of its own."""
    cases = pairs.touching_float_pairs(count, seed=11)
    sides = [one_triangle_meshes(side) for side in (cases.a, cases.b)]
    bodies = [standing(side) for side in sides]
    each = np.repeat(np.arange(len(cases.a))[:, None], 2, axis=1)
    found = ask(TOUCHING, *bodies, each, Options()).hit
    expected = triangles_touch_many(cases.a, cases.b)  # itself judged in tests/narrow
    wrong = cases.names[found != expected]
    assert len(wrong) == 0, wrong[:5]
    assert 0.2 < expected.mean() < 0.98


def equal_triangles(count):
    return tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (count, 1)))


@pytest.mark.parametrize("capacity", [10, 99 + 4, 100 + 4, 101 + 4])
def test_buffer_grows_until_all_pairs_fit(capacity, monkeypatch):
    monkeypatch.setattr(collide_module, "FIRST_CAPACITY", capacity)
    monkeypatch.setattr(collide_module, "_spare", [])
    mesh = equal_triangles(10)
    every = np.stack(np.meshgrid(np.arange(10), np.arange(10), indexing="ij"), axis=-1).reshape(-1, 2)
    for _ in range(2):
        np.testing.assert_array_equal(tumble.collide(mesh, mesh).pairs, every)


def test_more_pairs_than_the_kept_buffer_holds():
    mesh = equal_triangles(400)
    assert len(tumble.collide(mesh, mesh)) == 160_000
    assert len(tumble.collide(mesh, mesh)) == 160_000


def test_the_fast_path_wants_meshes():
    tree = tumble.build(tumble.shapes.box())
    with pytest.raises(tumble.OptionError, match="cannot be used with method='packed'; pass the mesh instead"):
        tumble.collide(tree, tree, method="packed")
    with pytest.raises(tumble.OptionError, match="tree='aabb' cannot be used with method='packed'; tree= can be: auto"):
        tumble.collide(tree.mesh, tree.mesh, method="packed", tree="aabb")


@pytest.mark.parametrize("size", np.geomspace(1e-163, 1e-157, 40))
def test_squares_that_underflow_do_not_part_what_touches(size):
    """Two segments that share an end, so small that the squares of their lengths are denormal."""
    a = tumble.Mesh([[-size] * 3, [size] * 3], [[0, 1, 0]])
    b = tumble.Mesh([[size] * 3, [3 * size] * 3], [[0, 1, 0]])
    assert_exact(a, b)


def test_first_hit_counts_what_it_did():
    mesh = tumble.shapes.torus()
    stats = tumble.collide(mesh, mesh, None, tumble.translation(0.5, 0, 0), first=True, stats=True).stats
    assert stats.hits == 1
    assert stats.iterations > 1
    assert stats.leaf_overlaps > 0


def test_a_query_in_the_midst_of_another(monkeypatch):
    """As from a signal handler, between the kernel and the answer."""
    ball, other = tumble.shapes.icosphere(2), tumble.shapes.box()
    expected = tumble.collide(ball, ball).pairs
    make = collide_module._collision

    def interrupted(buffer, found, stats):
        monkeypatch.setattr(collide_module, "_collision", make)
        assert len(tumble.collide(other, other)) > 0
        return make(buffer, found, stats)

    monkeypatch.setattr(collide_module, "_collision", interrupted)
    np.testing.assert_array_equal(tumble.collide(ball, ball).pairs, expected)


def slivers(seed, count, thinness=1e-3):
    """Long thin triangles in all directions, as a tessellated cylinder has them."""
    rng = np.random.default_rng(seed)
    start, along, across = rng.normal(size=(3, count, 3))
    corners = np.stack((start, start + 2 * along, start + 2 * along + thinness * across), axis=1)
    return tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


@sized(1, 3)
@crossed(1, thinness=[0.3, 1e-3, 1e-9, 0.0], ratio=[1.0, 1e-3, 1e4])
def test_slivers(thinness, ratio, count):
    a, b = slivers(1, 60, thinness), slivers(2, 60, 0.5)
    for k in range(count):
        small = tumble.Mesh(b.vertices * ratio, b.faces)
        shift = tumble.translation(*(a.triangles[7 * k].mean(axis=0)))
        assert_exact(a, small, None, shift @ random_pose(k, 0.0))


def test_triangles_of_a_leaf_are_seen_before_boxes():
    """Of slivers, few pairs of leaves are looked at although their boxes overlap nearly everywhere."""
    a, b = slivers(3, 400), slivers(4, 400)
    collision = tumble.collide(a, b, None, random_pose(1, 0.1), stats=True)
    assert collision.stats.leaf_overlaps < 15_000  # 21 130 by their boxes alone
