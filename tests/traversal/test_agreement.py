"""All methods give the oracle's pairs, and the three alternating ones take the same way."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import oracle
import tumble
from covering import crossed
from matrix import ONE_VOLUME, TWO_METHODS, methods_with, tree_methods, volume_cases
from tumble.volume.kinds import KINDS

TREE_METHODS = tree_methods()
ALTERNATING = ("alternating", "stackless", "stackless-post")


def judged(a, b, pose_a=None, pose_b=None):
    mesh_a, mesh_b = (side.mesh if isinstance(side, tumble.Tree) else side for side in (a, b))
    return oracle.touching_pairs(mesh_a.vertices, mesh_a.faces, mesh_b.vertices, mesh_b.faces, pose_a, pose_b)


def assert_all_agree(a, b, pose_a=None, pose_b=None, methods=TREE_METHODS, **options):
    """Compare every method with the oracle, and the alternating ones with each other; return the stats by method."""
    expected = options.pop("expected") if "expected" in options else judged(a, b, pose_a, pose_b)
    stats = {}
    for method in methods:
        collision = tumble.collide(a, b, pose_a, pose_b, method=method, stats=True, **options)
        np.testing.assert_array_equal(collision.pairs, expected, err_msg=method)
        assert collision.stats.hits == len(expected)
        stats[method] = collision.stats
    assert len({stats[method] for method in ALTERNATING if method in stats}) <= 1, stats
    assert len({s.leaf_overlaps for s in stats.values()}) == 1 or not nested(options.get("tree", volume_of(a)))
    return stats


def volume_of(side):
    return side.volume if isinstance(side, tumble.Tree) else "aabb"


def nested(volume):
    # A sphere fitted to a parent need not contain its child's sphere: two leaf spheres may overlap although their
    # parents' do not, and then it depends on the way whether the leaves are met. The same with turned boxes.
    return not KINDS[volume].fit_inner


@pytest.mark.parametrize("pose", range(len(forest.POSES)))
def test_methods_agree_on_built_trees(pose):
    assert_two_tests_for_each_inner_overlap(assert_built_trees_agree(TREE_METHODS, ONE_VOLUME, pose))


@pytest.mark.parametrize("volume", volume_cases(sorted(set(KINDS) - {ONE_VOLUME})))
@pytest.mark.parametrize("pose", range(len(forest.POSES)))
def test_volumes_agree_on_built_trees(volume, pose):
    assert_built_trees_agree(methods_with(volume), volume, pose)


@pytest.mark.slow
@pytest.mark.parametrize("volume", sorted(set(KINDS) - {ONE_VOLUME}))
@pytest.mark.parametrize("pose", range(len(forest.POSES)))
def test_methods_agree_on_built_trees_of_every_volume(volume, pose):
    assert_two_tests_for_each_inner_overlap(assert_built_trees_agree(TREE_METHODS, volume, pose))


def assert_built_trees_agree(methods, volume, pose):
    a, b, other, expected = judged_soups(pose)
    stats = assert_all_agree(a, b, forest.POSES[pose], other, methods=methods, tree=volume, expected=expected)
    brute = tumble.collide(a, b, forest.POSES[pose], other, method="brute", stats=True)
    np.testing.assert_array_equal(brute.pairs, expected)
    return stats


@cache
def judged_soups(pose):
    a, b = forest.soup(1, 90), forest.soup(2, 70)
    other = tumble.translation(0.2, 0.1, 0.0) if pose == 2 else None
    return a, b, other, judged(a, b, forest.POSES[pose], other)


@crossed(1, split=["median", "sah", "middle"], size=[(1, 2), (3, 2), (1, 4), (4, 7)])
def test_methods_agree_whatever_the_builder_does(split, size):
    leaf_size, arity = size
    a = tumble.build(forest.soup(3, 80), "aabb", split, leaf_size, arity)
    b = tumble.build(forest.soup(4, 60), "aabb", split, leaf_size, arity)
    assert_all_agree(a, b, None, forest.POSES[3])
    # trees of different make work together
    assert_all_agree(a, tumble.build(b.mesh))


@given(forest.trees(), forest.trees(), st.sampled_from(forest.POSES), st.sampled_from(forest.POSES))
@settings(max_examples=2 * settings().max_examples // 3)
def test_random_box_trees(a, b, pose_a, pose_b):
    a.validate()
    b.validate()
    assert_all_agree(a, b, pose_a, pose_b)


def assert_two_tests_for_each_inner_overlap(stats):
    """In full binary trees every overlap that is not of two leaves leads to two more tests, as in all tables."""
    for method in ("stack", *ALTERNATING):
        assert stats[method].iterations == 1 + 2 * (stats[method].overlaps - stats[method].leaf_overlaps), method


@given(forest.trees("sphere"), forest.trees("sphere"), st.sampled_from(forest.POSES))
@settings(max_examples=30)
def test_random_sphere_trees(a, b, pose):
    assert_all_agree(a, b, None, pose, methods=TWO_METHODS)


@given(forest.trees(), forest.trees(), st.sampled_from(forest.POSES))
@settings(max_examples=settings().max_examples // 2)
def test_first_hit_is_a_true_pair_and_the_same_along_the_same_way(a, b, pose):
    expected = {tuple(pair) for pair in judged(a, b, None, pose).tolist()}
    found = {}
    for method in ("brute", *TREE_METHODS):
        # with counters, as in the other tests of this file
        pairs = tumble.collide(a, b, None, pose, method=method, first=True, stats=True).pairs.tolist()
        assert len(pairs) == (1 if expected else 0)
        assert {tuple(pair) for pair in pairs} <= expected
        found[method] = pairs
    assert found["alternating"] == found["stackless"] == found["stackless-post"]
    assert tumble.collides(a, b, None, pose) == bool(expected)


@pytest.mark.parametrize("volume", [ONE_VOLUME, "sphere"])
def test_deep_chains_of_only_children(volume):
    """A chain is as unbalanced as a tree can be: the stack must hold, and the climb must be right."""
    parents = list(range(-1, 3000))
    mesh = tumble.shapes.box()
    deep = tumble.Tree.from_parents(mesh, parents, np.full(len(mesh), len(parents) - 1), volume)
    deep.validate()
    flat = tumble.build(mesh, volume)
    methods = TREE_METHODS if volume == ONE_VOLUME else TWO_METHODS
    for a, b in ((deep, flat), (flat, deep), (deep, deep)):
        assert_all_agree(a, b, None, tumble.translation(0.5, 0.25, 0.125), methods=methods)


def test_comb_tree():
    """Every inner node has one leaf and one inner child, to the left in one tree and to the right in the other."""
    count = 60
    mesh = forest.soup(5, count)
    for leaf_first in (True, False):
        parents, leaves, inner = [-1], [], 0
        for _ in range(count - 1):
            leaf, nxt = (len(parents), len(parents) + 1) if leaf_first else (len(parents) + 1, len(parents))
            parents += [inner, inner]
            leaves.append(leaf)
            inner = nxt
        comb = tumble.Tree.from_parents(mesh, parents, [*leaves, inner])
        comb.validate()
        assert comb.depth == count - 1
        for other in (comb, tumble.build(mesh), tumble.build(forest.soup(6, 50))):
            assert_two_tests_for_each_inner_overlap(assert_all_agree(comb, other, None, forest.POSES[3]))
            assert_two_tests_for_each_inner_overlap(assert_all_agree(other, comb, forest.POSES[3], None))
