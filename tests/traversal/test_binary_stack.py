"""The binary stack walks as the stack of pairs does, with any rule, on trees of any shape and depth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import tumble
from oracle import touching_pairs
from tumble.traversal.binary_stack import BITS, LEAST_WORDS, pop, push
from tumble.traversal.every import prepare
from tumble.traversal.query import new_counters, stats_of
from tumble.traversal.rules import RULES

MATCHING = ("iterations", "tests", "overlaps", "leaf_overlaps", "hits", "triangle_tests")


def walked(a, b, pose, method, rule):
    """Pairs in the order in which they were met, and the counters."""
    query = prepare(a, b, None, pose, method=method, rule=rule)
    counters = new_counters()
    pairs = query.collect(counters)
    return pairs, stats_of(counters, len(pairs))


def assert_same_walk(a, b, pose, rule):
    pairs, stats = walked(a, b, pose, "stack", rule)
    found, counted = walked(a, b, pose, "binary-stack", rule)
    np.testing.assert_array_equal(found, pairs)
    assert [getattr(counted, name) for name in MATCHING] == [getattr(stats, name) for name in MATCHING]
    return pairs


@given(st.sampled_from(list(RULES)), forest.trees(), forest.trees(), st.sampled_from(forest.POSES))
@settings(max_examples=2 * settings().max_examples)
def test_same_pairs_in_the_same_order_as_the_stack(rule, a, b, pose):
    """Random trees: any number of children, only children, chains, leaves of several triangles."""
    assert_same_walk(a, b, pose, rule)


@pytest.mark.parametrize(
    "volume", ["aabb", *(pytest.param(each, marks=pytest.mark.slow) for each in ("sphere", "obb"))]
)
@pytest.mark.parametrize("arity", [2, 3, 7])
def test_same_walk_on_built_trees(volume, arity):
    a, b = forest.soup(1, 80), forest.soup(2, 120)
    trees = [tumble.build(mesh, volume, arity=arity) for mesh in (a, b)]
    expected = touching_pairs(a.vertices, a.faces, b.vertices, b.faces, None, forest.POSES[3])
    for rule in RULES:
        pairs = assert_same_walk(*trees, forest.POSES[3], rule)
        assert sorted(map(tuple, pairs.tolist())) == sorted(map(tuple, expected.tolist()))


def chain(levels, seed):
    """A tree that is one long chain: at each level a leaf, left or right, and the rest."""
    rng = np.random.default_rng(seed)
    parents, inner, leaves = [-1], 0, []
    for _ in range(levels):
        first = len(parents)
        parents += [inner, inner]
        down = int(rng.integers(0, 2))
        leaves.append(first + 1 - down)
        inner = first + down
    leaves.append(inner)
    mesh = forest.random_mesh(rng, len(leaves), 3)
    return tumble.Tree.from_parents(mesh, parents, leaves)


@pytest.mark.parametrize(
    "levels", [32, 33, 64, 65, 129, *(pytest.param(n, marks=pytest.mark.slow) for n in (31, 63, 127, 128, 200))]
)
def test_trees_deeper_than_words(levels):
    a, b = chain(levels, 1), chain(levels, 2)
    assert a.depth == b.depth == levels
    for rule in ("volume", "a-first", "alternate"):
        assert_same_walk(a, b, None, rule)


@pytest.mark.parametrize("levels", [1, 64, 128, 129])
def test_words_grow_with_the_depth(levels):
    a, b = chain(levels, 1), forest.random_tree(3, 1)
    query = prepare(a, b, method="binary-stack")
    assert query.nbytes == 8 * max(LEAST_WORDS, -(-levels // BITS))


def test_memory_is_far_below_the_stack_s():
    mesh = tumble.shapes.icosphere(4)
    tree = tumble.build(mesh)
    assert prepare(tree, tree, method="binary-stack").nbytes == 16
    assert prepare(tree, tree, method="stack").nbytes >= 8 * (1 + 2 * tree.depth)


def test_first_hit_is_the_stack_s():
    a, b = forest.soup(1, 60, 0.3), forest.soup(2, 60, 0.3)
    first = prepare(a, b, method="stack").first()
    np.testing.assert_array_equal(prepare(a, b, method="binary-stack").first(), first)
    assert len(first) == 1


@given(st.lists(st.booleans() | st.none(), max_size=400))
def test_bits_come_back_in_the_reverse_order(steps):
    """Against a list: None pops, a truth value is pushed."""
    words = np.zeros(-(-400 // BITS), np.uint64)
    word, bits, kept = np.uint64(0), 0, []
    for step in steps:
        if step is not None:
            word, bits = push.py_func(words, word, bits, np.uint64(step))
            kept.append(step)
        elif kept:
            assert bool(word & np.uint64(1)) is kept.pop()
            word, bits = pop.py_func(words, word, bits)
        assert bits == len(kept)
    while kept:
        assert bool(word & np.uint64(1)) is kept.pop()
        word, bits = pop.py_func(words, word, bits)
