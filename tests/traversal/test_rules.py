"""Descent rules: they choose the way, never the answer, and only where a method lets them."""

from itertools import product

import numpy as np
import pytest

import forest
import tumble
from tumble.traversal.every import METHODS, prepare
from tumble.traversal.rules import RULES

A, B = forest.soup(1, 100), forest.soup(2, 30, 0.3)
POSE = forest.POSES[3]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("method", "tree"),
    [
        # rules look at volumes, and methods at rules: the kernels that other tests have compiled anyway
        pytest.param(*each, marks=() if "stack" in each or "aabb" in each else pytest.mark.slow)
        for each in product(["stack", "stack-ahead", "binary-stack"], ["aabb", "sphere", "obb"])
    ],
)
def test_every_rule_gives_the_same_pairs(method, rule, tree):
    expected = tumble.collide(A, B, None, POSE).pairs
    assert len(expected) > 10
    settings = tumble.WalkSettings(rule=rule)
    found = tumble.collide(A, B, None, POSE, method=method, settings=settings, tree=tree, stats=True)
    np.testing.assert_array_equal(found.pairs, expected)


def count_tests(rule, a=A, b=B):
    return prepare(a, b, None, POSE, method="stack", rule=rule).stats().tests


def test_rules_go_different_ways():
    assert len({count_tests(rule) for rule in RULES}) == len(RULES)


def test_volume_is_the_default():
    assert count_tests(None) == count_tests("volume")


def test_a_first_opens_all_of_a_before_b():
    """One leaf of a against b's root first: the tests are those of each leaf of a that meets b against b's tree."""
    one = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    many = tumble.shapes.icosphere(2)
    assert count_tests("a-first", one, many) == count_tests("b-first", one, many)  # a leaf leaves no choice
    assert count_tests("a-first", many, many) != count_tests("b-first", many, many)


def test_the_longer_side_is_not_the_larger_volume():
    """A needle against a cube: the cube has more volume, the needle is longer."""
    needle, cube = tumble.shapes.box([10, 0.01, 0.01]), tumble.shapes.box(1.0)
    assert prepare(needle, cube, method="stack", rule="longest-side").stats() != (
        prepare(needle, cube, method="stack", rule="volume").stats()
    )


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if not method.takes_rule])
def test_methods_with_their_own_way_refuse_rules(method):
    able = ", ".join(name for name, each in METHODS.items() if each.takes_rule)
    with pytest.raises(tumble.OptionError, match=f"'{method}' has its own way down.*: {able}"):
        tumble.collide(A, B, method=method, settings=tumble.WalkSettings(rule="volume"))


@pytest.mark.parametrize("rule", ["", "Volume", 3, ["volume"]])
def test_unknown_rules_are_refused(rule):
    with pytest.raises(tumble.OptionError, match=r"unknown descent rule .*volume, longest-side, triangles, alternate"):
        tumble.collide(A, B, method="stack", settings=tumble.WalkSettings(rule=rule))


def test_boxtrees_take_no_rule():
    with pytest.raises(tumble.OptionError, match=r"cannot be used with tree='boxtree'.*BoxtreeSettings"):
        tumble.collide(A, B, tree="boxtree", settings=tumble.WalkSettings(rule="volume"))


def test_auto_takes_a_rule():
    assert len(tumble.collide(A, B, None, POSE, settings=tumble.WalkSettings(rule="a-first"))) == len(
        tumble.collide(A, B, None, POSE)
    )
