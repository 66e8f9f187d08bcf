"""Without a stack by other rules than alternating: the pairs of the stack with the same rule, in the same order."""

import numpy as np
import pytest

import forest
import tumble
from tumble.scenario import pair_scene
from tumble.traversal.every import prepare
from tumble.traversal.query import new_counters, stats_of
from tumble.traversal.rules import RULES
from tumble.traversal.stackless_merge import is_sorted


def walked(a, b, pose, method, rule):
    """What a method finds, in its order, and what it counts."""
    query, counters = prepare(a, b, None, pose, method=method, rule=rule), new_counters()
    pairs = query.collect(counters)
    return pairs.tolist(), stats_of(counters, len(pairs))


@pytest.mark.parametrize("rule", RULES)
def test_the_walk_is_that_of_the_stack(rule):
    """In trees with any number of children, only children and chains, and of different sizes."""
    for seed in range(12):
        a, b = (forest.random_tree(10 * seed + side, 20 * side, size=5) for side in (1, 2))
        for one, other in ((a, b), (b, a)):
            pose = forest.POSES[seed % len(forest.POSES)]
            assert walked(one, other, pose, "stackless-merge", rule) == walked(one, other, pose, "stack", rule)


@pytest.mark.parametrize("name", ["intersection-1", "close-proximity-2", "different-sizes"])
def test_iterations_of_the_dynamic_rule_without_memory(name):
    """What the paper's outlook asks for; on different sizes its own rule takes 75 times as many."""
    scene = pair_scene(name)
    sides = scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b
    merge, stack, stackless = (
        prepare(*sides, method=method, tree="aabb") for method in ("stackless-merge", "stack", "stackless")
    )
    assert merge.stats() == stack.stats()
    assert merge.nbytes == 0
    assert merge.stats().iterations < stackless.stats().iterations


def growing_tree():
    """A tree of spheres, some of which are larger than their parents'."""
    tree = tumble.build(tumble.shapes.knot(), "sphere")
    assert not is_sorted(tree, RULES["volume"])
    return tree


def test_nodes_that_outgrow_their_parents_are_walked_by_triangles():
    """What it finds then is compared with all other methods in the tests of agreement."""
    tree = growing_tree()
    assert prepare(tree, tree, method="stackless-merge")._arguments[0].rule == RULES["triangles"]
    assert prepare(tree, tree, method="stackless-merge", rule="a-first")._arguments[0].rule == RULES["a-first"]


@pytest.mark.parametrize("rule", ["volume", "longest-side"])
def test_rules_of_volumes_are_refused_there(rule):
    tree = growing_tree()
    with pytest.raises(
        tumble.OptionError, match=f"rule='{rule}' cannot be followed without a stack in <Tree of .*sphere"
    ):
        prepare(tree, tree, method="stackless-merge", rule=rule)


@pytest.mark.parametrize("volume", ["aabb", "kdop24"])
def test_volumes_within_their_parents_are_sorted(volume):
    for mesh in (tumble.shapes.knot(), forest.soup(3, 200)):
        tree = tumble.build(mesh, volume)
        assert is_sorted(tree, RULES["volume"])
        assert is_sorted(tree, RULES["longest-side"])


def test_one_node_that_outgrows_its_parent_is_found():
    tree = tumble.build(forest.soup(3, 50))
    rows = tree.rows.copy()
    inner = int(np.flatnonzero(tree.nodes[:, 0] >= 0)[3])
    rows[inner, :3] -= 0.5  # the lower corner: larger, and still around its triangles
    assert is_sorted(tree, RULES["volume"])
    assert not is_sorted(tumble.Tree(tree.mesh, "aabb", tree.nodes, rows, tree.order), RULES["volume"])
