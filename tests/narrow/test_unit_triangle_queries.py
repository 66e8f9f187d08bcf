"""`narrow="unit-triangle"` in queries: the oracle's pairs by every method, and refused where it cannot be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

import forest
import oracle
import tumble
from covering import thinned
from matrix import TWO_METHODS
from tumble.core.jit import BORROWING
from tumble.narrow.triangles.unit_matrix import KEY
from tumble.query.questions.touching import collecting
from tumble.traversal import query
from tumble.traversal.every import METHODS, prepare
from tumble.traversal.query import new_counters

UNIT = "unit-triangle"
BY_UNIT = tumble.WalkSettings(narrow=UNIT)


def judged(a, b, pose_a=None, pose_b=None):
    return oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces, pose_a, pose_b)


@pytest.mark.parametrize(
    "method", [each if each == "stack" else pytest.param(each, marks=pytest.mark.slow) for each in METHODS]
)
@pytest.mark.parametrize("pose", [0, 2, 4, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 3))])
def test_every_method_gives_the_oracle_s_pairs(method, pose):
    a, b = forest.soup(1, 90), forest.soup(2, 70)
    other = tumble.translation(0.2, 0.1, 0.0) if pose == 2 else None
    expected = judged(a, b, forest.POSES[pose], other)
    found = tumble.collide(a, b, forest.POSES[pose], other, method=method, settings=BY_UNIT, stats=True)
    np.testing.assert_array_equal(found.pairs, expected)
    exact = tumble.collide(a, b, forest.POSES[pose], other, method=method, stats=True)
    assert found.stats == exact.stats
    first = tumble.collide(a, b, forest.POSES[pose], other, method=method, settings=BY_UNIT, first=True, stats=True)
    assert len(first) == min(len(expected), 1)
    assert {tuple(pair) for pair in first.pairs.tolist()} <= {tuple(pair) for pair in expected.tolist()}


@pytest.mark.parametrize("method", thinned(TWO_METHODS, by=2))
@given(forest.trees(), forest.trees(), st.sampled_from(forest.POSES), st.sampled_from(forest.POSES))
@settings(max_examples=settings().max_examples // 4)
def test_random_trees_over_grids_where_most_contacts_are_degenerate(method, a, b, pose_a, pose_b):
    found = tumble.collide(a, b, pose_a, pose_b, method=method, settings=BY_UNIT, stats=True)
    np.testing.assert_array_equal(found.pairs, judged(a.mesh, b.mesh, pose_a, pose_b))


@pytest.mark.parametrize("tree", ["aabb", pytest.param("sphere", marks=pytest.mark.slow)])
def test_every_volume(tree):
    a, b = forest.soup(3, 80), forest.soup(4, 60)
    found = tumble.collide(a, b, None, forest.POSES[3], tree=tree, settings=BY_UNIT, stats=True)
    np.testing.assert_array_equal(found.pairs, judged(a, b, None, forest.POSES[3]))


def test_auto_walks_with_a_stack():
    a, b = forest.soup(1, 90), forest.soup(2, 70)
    found = tumble.collide(a, b, settings=BY_UNIT, stats=True)
    np.testing.assert_array_equal(found.pairs, tumble.collide(a, b).pairs)
    assert len(found) > 0


def test_verdicts_are_counted():
    a, b = forest.soup(1, 90), forest.soup(2, 70)
    asked = prepare(a, b, None, forest.POSES[3], method="brute", narrow=UNIT)
    assert sum(asked.verdicts) == 0
    assert asked.verdicts.unsure_share == 0.0
    touching = asked.count()
    assert sum(asked.verdicts) == 90 * 70
    assert asked.verdicts.unsure == 0
    assert asked.verdicts.hit == touching > 0
    asked.count()
    assert sum(asked.verdicts) == 2 * 90 * 70
    assert prepare(a, b, method="brute").verdicts is None
    same = prepare(a, a, method="brute", narrow=UNIT)
    same.count()
    assert 90 / 90**2 <= same.verdicts.unsure_share < 0.05  # each triangle against itself


def test_matrices_are_made_when_they_are_asked_for():
    a, b = forest.soup(1, 9), forest.soup(2, 9)
    tumble.collide(a, b, method="stack", stats=True)
    assert KEY not in a._trees
    tumble.collide(a, b, settings=BY_UNIT, stats=True)
    assert a._trees[KEY].shape == (9, 12)


def test_meshes_without_triangles():
    empty, box = tumble.Mesh([], []), tumble.shapes.box()
    for method in METHODS:
        assert len(tumble.collide(empty, box, method=method, settings=BY_UNIT)) == 0


@pytest.mark.parametrize("narrow", ["moller", "", None, 3, ["exact"]])
def test_unknown_tests_are_refused(narrow):
    box = tumble.shapes.box()
    for options in ({}, {"method": "stack"}, {"tree": "kdop14"}):
        with pytest.raises(tumble.OptionError, match=r"unknown narrow .*exact, unit-triangle"):
            tumble.collide(box, box, settings=tumble.WalkSettings(narrow), **options)
    with pytest.raises(tumble.OptionError, match="unknown narrow"):
        prepare(tumble.Mesh([], []), box, narrow=narrow)


def test_walks_with_a_test_of_their_own_are_refused_with_what_can():
    box = tumble.shapes.box()
    with pytest.raises(
        tumble.OptionError, match=r"WalkSettings.* cannot be used with method='packed'; settings= can be: None$"
    ):
        tumble.collide(box, box, method="packed", settings=BY_UNIT)
    for a, options in ((box, {"tree": "boxtree"}), (tumble.build(box, "boxtree"), {})):
        with pytest.raises(tumble.OptionError, match=r"WalkSettings.* cannot be used .*tumble.BoxtreeSettings"):
            tumble.collide(a, box, settings=BY_UNIT, **options)


def test_exact_is_the_default_everywhere():
    box = tumble.shapes.box()
    for options in ({}, {"method": "stack"}, {"tree": "sphere"}, {"method": "brute"}):
        found = tumble.collide(box, box, settings=tumble.WalkSettings("exact"), stats=True, **options)
        np.testing.assert_array_equal(found.pairs, tumble.collide(box, box, stats=True, **options).pairs)


@pytest.mark.parametrize("method", thinned(["stack", "brute", "stackless-post"], by=3))
def test_no_reference_counting(method):
    """Compiled anew, as machine code from the cache cannot be inspected."""
    prepared = prepare(forest.soup(1, 9), forest.soup(2, 9), method=method, narrow=UNIT)
    fresh = njit(**BORROWING)(query.run.py_func)
    fresh(
        *prepared._arguments,
        collecting(prepared.narrow, 9),
        new_counters(),
    )
    (code,) = fresh.inspect_llvm().values()
    assert "tumble_unit_triangle_verdict" in code
    assert "tumble_triangles_touch" in code  # where the verdict is unsure
    assert "NRT_incref" not in code
    assert "NRT_decref" not in code
