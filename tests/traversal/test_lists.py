"""The list traversals read, move and compare what a plain version does, and each node of b is moved once."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import oracle
import tumble
from covering import crossed, sized
from traversal.lists_reference import traversed
from tumble.volume.kinds import KINDS
from volume.posed_contacts import ROTATIONS, SCALES, contacts

METHODS = ("lists", "lists-pairs")
VOLUMES = ("aabb", *(pytest.param(volume, marks=pytest.mark.slow) for volume in ("sphere", "kdop24")))


def scattered_tree(seed, nodes, volume):
    """Return a random hand-made tree over small triangles: unlike those of `forest.trees`, few of its leaves meet."""
    rng = np.random.default_rng(seed)
    parents = forest.random_parents(rng, nodes, chain=0.2)
    leaf_of = sorted(set(range(nodes)) - set(parents))
    return tumble.Tree.from_parents(forest.soup(seed, len(leaf_of), 0.15), parents, leaf_of, volume)


def assert_as_the_reference(method, a, b, pose_a=None, pose_b=None):
    """Compare the counters with those of the plain version, and the pairs with another method's; return the stats."""
    collision = tumble.collide(a, b, pose_a, pose_b, method=method, stats=True)
    stack = tumble.collide(a, b, pose_a, pose_b, method="stack", stats=True)
    np.testing.assert_array_equal(collision.pairs, stack.pairs)
    reference, stats = traversed(method, a, b, pose_a, pose_b), collision.stats
    assert len(set(reference.moves)) == len(reference.moves) == stats.moves <= len(b)
    assert len(set(reference.compared)) == len(reference.compared) == stats.tests
    assert stats.iterations == len(reference.reads)
    assert stats.overlaps == len(reference.met)
    assert stats.leaf_overlaps == len(reference.leaf_pairs)
    assert stats.triangle_tests == reference.triangle_tests()
    return stats


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("volume", VOLUMES)
@given(st.data(), st.sampled_from(forest.POSES), st.sampled_from(forest.POSES))
@settings(max_examples=settings().max_examples // 3)
def test_counters_are_those_of_the_plain_version(method, volume, data, pose_a, pose_b):
    """On trees of any shape: any number of children, only children, chains, leaves of several triangles."""
    a, b = data.draw(forest.trees(volume)), data.draw(forest.trees(volume))
    assert_as_the_reference(method, a, b, pose_a, pose_b)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("volume", VOLUMES)
@sized(10, 25)
def test_counters_on_scattered_triangles(method, volume, count):
    for seed in range(count):
        a, b = scattered_tree(seed, 60, volume), scattered_tree(seed + 100, 50, volume)
        assert_as_the_reference(method, a, b, None, forest.POSES[3] if seed % 2 else None)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize(("leaf_size", "arity"), [(1, 2), (3, 2), (1, 3), (2, 8)])
def test_built_trees(method, volume, leaf_size, arity):
    a, b = (tumble.build(forest.soup(seed, 150), volume, "median", leaf_size, arity) for seed in (1, 2))
    stats = assert_as_the_reference(method, a, b, None, forest.POSES[3])
    assert stats.hits > 0
    assert_as_the_reference(method, a, tumble.build(forest.soup(3, 17), volume), forest.POSES[3])
    assert_as_the_reference(method, tumble.build(forest.soup(3, 17), volume), b, None, forest.POSES[3])


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("volume", sorted(set(KINDS) - {"aabb", "sphere", "kdop24"}))
def test_the_other_volumes(method, volume):
    test_built_trees(method, volume, 1, 2)


@pytest.mark.parametrize("volume", VOLUMES)
def test_pairs_compare_the_same_and_read_half(volume):
    a, b = (tumble.build(tumble.shapes.torus(segments=32, sides=16), volume) for _ in range(2))
    pose = tumble.translation(0.5, 0.1, 0.2) @ tumble.rotation((1.0, 2.0, 3.0), 0.7)
    one, two = (tumble.collide(a, b, None, pose, method=method, stats=True).stats for method in METHODS)
    assert one.iterations == one.tests == two.tests
    assert (one.overlaps, one.leaf_overlaps, one.hits, one.moves) == (
        two.overlaps, two.leaf_overlaps, two.hits, two.moves,
    )  # fmt: skip
    assert 0.5 * one.iterations < two.iterations < 0.6 * one.iterations


def test_both_methods_do_less_moving_than_any_other():
    mesh = tumble.shapes.torus(segments=32, sides=16)
    pose = tumble.translation(0.5, 0.1, 0.2)
    moves = {
        method: tumble.collide(mesh, mesh, None, pose, method=method, tree="aabb", stats=True).stats.moves
        for method in ("stack", "stack-ahead", *METHODS)
    }
    assert moves["lists"] == moves["lists-pairs"] < moves["stack-ahead"] / 3 < moves["stack"] / 3


@pytest.mark.parametrize("method", METHODS)
def test_where_all_overlaps_every_node_of_b_is_moved_once(method):
    mesh = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (27, 1)))
    for arity in (2, 3, 5):
        a, b = tumble.build(mesh, arity=2), tumble.build(mesh, arity=arity)
        stats = assert_as_the_reference(method, a, b)
        assert stats.moves == len(b)
        assert stats.triangle_tests == stats.hits == 27 * 27


def test_counters_by_hand():
    """A root with two leaves on each side, of which just the left ones are near each other.

    (root, root), then both leaves of b with the list of both leaves of a: left and left overlap, the others do not.
    """
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    a = tumble.Mesh([*corners, [-9, 0, 0], [-8, 0, 0], [-9, 1, 0]], [[0, 1, 2], [3, 4, 5]])
    b = tumble.Mesh([*corners, [9, 0, 0], [8, 0, 0], [9, 1, 0]], [[0, 1, 2], [3, 4, 5]])
    tree_a, tree_b = (tumble.Tree.from_parents(mesh, [-1, 0, 0], [1, 2]) for mesh in (a, b))
    same = {"tests": 5, "overlaps": 2, "leaf_overlaps": 1, "hits": 1, "moves": 3, "triangle_tests": 1}
    assert tumble.collide(tree_a, tree_b, method="lists", stats=True).stats == tumble.Stats(iterations=5, **same)
    assert tumble.collide(tree_a, tree_b, method="lists-pairs", stats=True).stats == tumble.Stats(iterations=3, **same)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("volume", VOLUMES)
def test_one_triangle_meets_a_tree(method, volume):
    """The mixed cases alone: a leaf of b goes down in a, a leaf of a stays on the list while b goes down."""
    triangle = tumble.Mesh([[0, 0, 0.5], [1, 0, 0.4], [0.2, 1, 0.6]], [[0, 1, 2]])
    one, many = tumble.build(triangle, volume), tumble.build(forest.soup(8, 60, 0.3), volume)
    assert assert_as_the_reference(method, one, many).hits > 0
    stats = assert_as_the_reference(method, many, one)
    assert stats.hits > 0
    assert stats.moves == 1
    assert_as_the_reference(method, one, one)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("volume", VOLUMES)
def test_deep_chains(method, volume):
    """Thousands of levels, of only children and of a leaf beside every inner node."""
    count = 2500
    mesh = tumble.shapes.box()
    chain = tumble.Tree.from_parents(mesh, list(range(-1, count)), np.full(len(mesh), count), volume)
    soup = forest.soup(5, count, 0.001)
    parents, leaves, inner = [-1], [], 0
    for _ in range(count - 1):
        leaves.append(len(parents))
        parents += [inner, inner]
        inner = len(parents) - 1
    comb = tumble.Tree.from_parents(soup, parents, [*leaves, inner], volume)
    pose = tumble.translation(0.5, 0.25, 0.125)
    for a, b in ((chain, chain), (chain, comb), (comb, chain), (comb, comb)):
        collision = tumble.collide(a, b, None, pose, method=method, stats=True)
        np.testing.assert_array_equal(collision.pairs, tumble.collide(a.mesh, b.mesh, None, pose).pairs)
        assert collision.stats.moves <= len(b)


@pytest.mark.parametrize("method", METHODS)
def test_empty_meshes_touch_nothing(method):
    empty, box = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), np.int64)), tumble.shapes.box()
    for a, b in ((empty, box), (box, empty), (empty, empty)):
        collision = tumble.collide(a, b, method=method, stats=True)
        assert not collision
        assert collision.stats == tumble.Stats(0, 0, 0, 0, 0)


@pytest.mark.parametrize("volume", VOLUMES)
@crossed(1, rotation=ROTATIONS, scale=SCALES, method=METHODS)
def test_a_common_vertex_is_never_lost(method, volume, rotation, scale):
    for pair in contacts(17, rotation, scale, 4):
        meshes = [tumble.Mesh(triangle, [[0, 1, 2]]) for triangle in (pair.a, pair.b)]
        poses = [None if pose is None else np.vstack([pose, [0, 0, 0, 1]]) for pose in (pair.pose_a, pair.pose_b)]
        assert tumble.collide(*meshes, *poses, method=method, tree=volume, stats=True)  # a kernel that is there already
        assert tumble.collide(*meshes[::-1], *poses[::-1], method=method, tree=volume, stats=True)


@cache
def judged_soups():
    a, b = forest.soup(1, 100, 0.2), forest.soup(2, 100, 0.2)
    return a, b, oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces, None, None)


@pytest.mark.parametrize("method", METHODS)
def test_first_hit_stops_early_and_is_true(method):
    a, b, expected = judged_soups()
    everything = tumble.collide(a, b, method=method, tree="aabb", stats=True)
    first = tumble.collide(a, b, method=method, tree="aabb", first=True, stats=True)
    assert len(first) == 1
    assert first.pairs[0].tolist() in everything.pairs.tolist()
    assert first.stats.triangle_tests < everything.stats.triangle_tests / 10
    np.testing.assert_array_equal(everything.pairs, expected)
