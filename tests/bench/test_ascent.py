"""The binary stack with the ascent of Figure 4: the walk of Figure 9, and what it reads on its ways up."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import tumble
from tumble.bench.framework.answers import counted
from tumble.bench.papers.binary_stack.ascent import by_numbering, by_parents, noted
from tumble.hierarchy.layout import FIRST, PARENT, RIGHT
from tumble.traversal.every import prepare
from tumble.traversal.rules import RULES


def assert_same_walk(a, b, pose, rule):
    """Pairs in the same order, all counters; return the queries by parents and by numbering, which have run."""
    query = prepare(a, b, None, pose, method="binary-stack", rule=rule)
    pairs, stats = counted(query)
    others = by_parents(query), by_numbering(query)
    for other in others:
        found, counts = counted(other)
        np.testing.assert_array_equal(found, pairs)
        assert counts == stats
    return others


@settings(max_examples=settings().max_examples // 2)
@given(st.sampled_from(list(RULES)), forest.trees(), forest.trees(), st.sampled_from(forest.POSES))
def test_both_ascents_make_the_same_walk(rule, a, b, pose):
    """Random trees: any number of children, only children, chains."""
    assert_same_walk(a, b, pose, rule)


def ways_up(tree):
    """Of a whole walk through one tree: every last child but the root is left upwards once."""
    return int((tree.nodes[:, RIGHT] != 0).sum())


def test_what_is_read_on_ways_up():
    """A single triangle that meets all of a tree: down to every leaf, and up again from every last child."""
    mesh = tumble.shapes.icosphere(1)
    tree = tumble.build(mesh, "aabb", leaf_size=1)
    far = tumble.Mesh(10 * np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0], [0.5, 1.0, 1.0]]), [[0, 1, 2]])
    one = tumble.build(far, "aabb", leaf_size=1)
    for a, b in ((tree, one), (one, tree)):
        parents, numbers = map(noted, assert_same_walk(a, b, None, "volume"))
        assert parents.steps_up == numbers.steps_up == ways_up(tree) > 10
        assert parents.most_bits == numbers.most_bits == tree.depth
        # every node that is come to is asked, but for the root, which ends the walk
        assert parents.read == ways_up(tree) - 1
        assert numbers.read == 0
        assert parents.links > numbers.links - len(tree)


def test_links_of_a_tree_that_the_numbering_relies_on():
    nodes = tumble.build(tumble.shapes.icosphere(2), "aabb", arity=3).postorder.layout.nodes
    last = np.flatnonzero(nodes[:, RIGHT])
    assert (nodes[last, PARENT] == last - 1).all()
    assert (nodes[:, FIRST] != 0).all()
