"""The counters are the columns of papers `stackless` and `chip`."""

import pytest

import forest
import tumble
from tumble.query.answer import Stats
from tumble.traversal.every import METHODS

OBJECT = tumble.shapes.closed_object(796)
TREE_METHODS = [name for name, method in METHODS.items() if method.layout is not None]
FAR = tumble.translation(10.0, 0.0, 0.0)


@pytest.mark.parametrize("method", [method for method in TREE_METHODS if method != "leaf"])
def test_separation_takes_one_iteration(method):
    """Table 3."""
    stats = tumble.collide(OBJECT, OBJECT, None, FAR, method=method, tree="aabb", stats=True).stats
    assert stats == Stats(iterations=1, tests=1, overlaps=0, leaf_overlaps=0, hits=0, moves=1)


def test_separation_takes_one_iteration_a_leaf_for_the_leaf_method():
    """Table 3."""
    stats = tumble.collide(OBJECT, OBJECT, None, FAR, method="leaf", stats=True).stats
    assert stats == Stats(iterations=796, tests=796, overlaps=0, leaf_overlaps=0, hits=0, moves=796)


def test_two_leaves():
    one = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    for method in TREE_METHODS:
        stats = tumble.collide(one, one, method=method, stats=True).stats
        assert stats == Stats(1, tests=1, overlaps=1, leaf_overlaps=1, hits=1, moves=1, triangle_tests=1)
    stats = tumble.collide(one, one, method="brute", stats=True).stats
    assert stats == Stats(1, tests=0, overlaps=0, leaf_overlaps=0, hits=1, moves=0, triangle_tests=1)


def test_counters_by_hand():
    """A root with two leaves on each side, of which just the left ones are near each other.

    alternating: (root, root) → down in b: (root, left) → down in a: (left, left) leaf pair, (right, left) apart;
    (root, right) apart: 5 tests, 3 overlaps.
    """
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    a = tumble.Mesh([*corners, [-9, 0, 0], [-8, 0, 0], [-9, 1, 0]], [[0, 1, 2], [3, 4, 5]])
    b = tumble.Mesh([*corners, [9, 0, 0], [8, 0, 0], [9, 1, 0]], [[0, 1, 2], [3, 4, 5]])
    tree_a, tree_b = (tumble.Tree.from_parents(mesh, [-1, 0, 0], [1, 2]) for mesh in (a, b))
    for method in ("alternating", "stackless", "stackless-post"):
        stats = tumble.collide(tree_a, tree_b, method=method, stats=True).stats
        assert stats == Stats(5, tests=5, overlaps=3, leaf_overlaps=1, hits=1, moves=5, triangle_tests=1)
    # leaf: a's left leaf meets root, left and right of b; its right leaf meets the root only
    stats = tumble.collide(tree_a, tree_b, method="leaf", stats=True).stats
    assert stats == Stats(4, tests=4, overlaps=2, leaf_overlaps=1, hits=1, moves=4, triangle_tests=1)


def test_volume_rule_goes_down_in_the_larger_node():
    """A small object against a large one: the small root is compared with ever smaller parts of the large one."""
    small = tumble.transformed(OBJECT, [[0.01, 0, 0, 5], [0, 0.01, 0, 0], [0, 0, 0.01, 0], [0, 0, 0, 1]])
    by_volume = tumble.collide(small, forest.soup(9, 500), None, None, method="stack", tree="aabb", stats=True)
    assert by_volume.stats.iterations == 1
    inside = tumble.transformed(OBJECT, [[0.001, 0, 0, 0.5], [0, 0.001, 0, 0.5], [0, 0, 0.001, 0.5], [0, 0, 0, 1]])
    results = {
        method: tumble.collide(inside, forest.soup(9, 500), method=method, tree="aabb", stats=True).stats.iterations
        for method in ("stack", "alternating")
    }
    assert results["stack"] < results["alternating"]


def test_no_stats_unless_asked():
    assert tumble.collide(OBJECT, OBJECT).stats is None


def test_brute_counts_every_pair():
    a, b = forest.soup(1, 13), forest.soup(2, 7)
    assert tumble.collide(a, b, method="brute", stats=True).stats.iterations == 13 * 7


@pytest.mark.parametrize("method", METHODS)
def test_the_first_hit_ends_the_search(method):
    flat = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]] * 40)
    stats = tumble.collide(flat, flat, method=method, first=True, stats=True).stats
    everything = tumble.collide(flat, flat, method=method, stats=True).stats
    assert stats.hits == 1
    assert stats.leaf_overlaps <= 1
    assert stats.iterations < everything.iterations / 10
