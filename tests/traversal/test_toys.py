"""A volume, a method and a question from test files go through the matrices: what CONTRIBUTING says is all it takes."""

import numpy as np
import pytest
from test_agreement import assert_all_agree, assert_built_trees_agree
from test_distance_queries import assert_the_matrix_agrees
from toy_method import METHOD
from toy_question import near
from toy_volume import KIND

import forest
import tumble
from covering import sized
from matrix import combinations, other_combinations, tree_methods
from triangle_rows import triangle_distances
from tumble.traversal.every import METHODS, prepare
from tumble.traversal.generic import add_method, remove_method
from tumble.volume.kinds import KINDS
from tumble.volume.protocol import add_kind

TOYS = ((METHOD.name, "aabb"), ("stack", KIND.name), ("lists", KIND.name), (METHOD.name, KIND.name))


def cases(quick, combined=TOYS):
    """Methods and volumes as parameters, all slow but one: each is a kernel to compile."""
    return [pytest.param(*each, marks=() if each == quick else pytest.mark.slow) for each in combined]


@pytest.fixture
def toys():
    """The toys in the tables, and out again. Engines know the volumes of when they were made, so they are made anew."""
    real = dict(METHODS)
    add_kind(KIND)
    for method in (METHOD, *real.values()):
        add_method(method)
    yield
    remove_method(METHOD.name)
    del KINDS[KIND.name]
    for method in real.values():
        add_method(method)


def test_the_toys_are_in_the_matrix(toys):
    assert (METHOD.name, "aabb") in combinations()
    assert ("stack", KIND.name) in combinations()
    assert (METHOD.name, KIND.name) in other_combinations()


@sized(4, 10)
@pytest.mark.parametrize(("method", "volume"), cases((METHOD.name, KIND.name)))
def test_the_toys_agree_with_the_oracle(toys, method, volume, count):
    for pose in range(len(forest.POSES)):
        assert_built_trees_agree([method], volume, pose)
    for seed in range(count):
        a, b = forest.random_tree(seed, 30, volume), forest.random_tree(seed + 100, 25, volume)
        a.validate()
        assert_all_agree(a, b, None, forest.POSES[seed % 5], methods=[method])


@pytest.mark.slow
def test_the_toy_volume_with_every_method(toys):
    for method in tree_methods():
        assert_built_trees_agree([method], KIND.name, 3)


@pytest.mark.parametrize(("method", "volume"), cases(("stack", KIND.name)))
def test_the_toys_find_distances(toys, method, volume):
    assert_the_matrix_agrees(method, volume)


@pytest.mark.parametrize(
    ("method", "volume"), cases(("stackless", "aabb"), [*TOYS, ("lists", "aabb"), ("stackless", "aabb")])
)
def test_the_toy_question_is_answered(toys, method, volume):
    a, b = forest.soup(1, 60), forest.soup(2, 50)
    rows = np.repeat(a.triangles, len(b), axis=0), np.tile(b.triangles, (len(a), 1, 1))
    distances, _ = triangle_distances(*rows)
    for within in (0.0, 0.05, 0.3, 10.0):
        assert near(prepare(a, b, method=method, tree=volume), within) == (distances <= within).sum()


def test_broken_trees_of_the_toy_volume_are_refused(toys):
    tree = tumble.build(forest.soup(1, 9), KIND.name)
    rows = tree.rows.copy()
    rows[0, 3] /= 2
    with pytest.raises(tumble.TreeError, match="does not contain"):
        tumble.Tree(tree.mesh, KIND.name, tree.nodes, rows, tree.order).validate()


def test_the_toys_are_gone_afterwards():
    assert KIND.name not in KINDS
    assert METHOD.name not in METHODS
    with pytest.raises(tumble.OptionError, match="unknown method 'toy'"):
        tumble.collide(tumble.shapes.box(), tumble.shapes.box(), method="toy")
    with pytest.raises(tumble.OptionError, match="toy"):
        tumble.build(tumble.shapes.box(), "toy")
