"""The experiments on paper `boxtree`: Sections 3.1, 4.1, 4.2 and 6.1, and Figure 6 by the processor's time."""

import time

import numpy as np
import pytest

import tumble
from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.boxtree import contestants, outlook, splits
from tumble.bench.papers.boxtree.arity import node_pairs, widened
from tumble.bench.papers.boxtree.builds import add_builds
from tumble.bench.papers.boxtree.clock import processor_race
from tumble.bench.papers.boxtree.contestants import AABB, BUILDS, FREE, PRINTED, build_boxtree
from tumble.bench.papers.boxtree.criterion import add_estimates, boxes_of, rank_correlation, sum_bounds, walked
from tumble.bench.papers.boxtree.experiments import TWO_PLANE_BYTES, both_planes
from tumble.bench.papers.boxtree.outlook import EYE, RECTANGLE, bent, shadow_planes
from tumble.bench.papers.boxtree.races import BYTES
from tumble.bench.papers.boxtree.restricted_dops import rebuilt, restricted, rounded_outward
from tumble.bench.papers.boxtree.splits import triangle_levels
from tumble.bench.papers.boxtree.tightness import add_tightness, faults, looseness, shared_sides
from tumble.errors import TreeError
from tumble.hierarchy.boxtree.build import build_boxtree as build_uncached
from tumble.scenario.objects import shape_duo
from tumble.scenario.tumbling import tumbling_poses

ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)
KNOT = shape_duo("knot", 300).a


def test_bounds_of_minkowski_sums():
    """Two cubes of size 1: their sum is one of size 2, and Equation 5 allows 4; two squares: 4 of 4."""
    low, high, true = sum_bounds(np.ones((1, 3)), np.ones((1, 3)))
    assert (low[0], high[0], true[0]) == (4, 4, 8)
    low, high, true = sum_bounds(np.ones((1, 2)), np.ones((1, 2)))
    assert (low[0], high[0], true[0]) == (4, 4, 4)
    rng = np.random.default_rng(1)
    low, high, true = sum_bounds(*rng.uniform(0.1, 1, (2, 1000, 2)))
    assert ((low <= true) & (true <= high)).all()


def test_an_order_that_tells_all_and_one_that_tells_nothing():
    met = np.array([False, False, True, True])
    assert rank_correlation(np.array([1.0, 2.0, 3.0, 4.0]), met) == 1
    assert rank_correlation(np.array([4.0, 3.0, 2.0, 1.0]), met) == -1
    assert rank_correlation(np.ones(4), met) == 0
    assert rank_correlation(np.ones(2), np.ones(2, bool)) == 0


def test_estimates_are_of_the_children_of_overlapping_pairs():
    boxes, rng = boxes_of(KNOT), np.random.default_rng(0)
    size = boxes.high[0] - boxes.low[0]
    pairs, a, b = walked(boxes, 0.1 * size, rng)
    assert len(pairs.overlap) == 4 * len(a) == 4 * len(b)
    assert 0.2 < pairs.overlap.mean() < 0.9
    assert ((pairs.by_sums >= 0) & (pairs.by_sums <= 1 + 1e-9)).all()
    apart, sides, _ = walked(boxes, 3 * size, rng)
    # the roots are taken to overlap, and are opened; then nothing does
    assert not apart.overlap.any()
    assert len(sides) == 1


def test_equation_4_is_close():
    study = Table().study("criterion")
    add_estimates("knot", KNOT, study)
    for equation in ("Equation 4", "Equation 6"):
        assert abs(study.value("knot", equation, "estimated") - study.value("knot", "", "overlap")) < 0.1
        assert study.value("knot", equation, "rank") > 0.1
    assert study.value("knot", "plane", "upper bound") == 1 > study.value("knot", "space", "upper bound")


def test_levels_of_triangles():
    chain, even = (build_uncached(KNOT, split, 1, "coplanar") for split in ("literal", "median"))
    levels = triangle_levels(even)
    assert len(levels) == len(KNOT)
    assert levels.max() == even.depth
    assert levels.mean() <= np.log2(len(KNOT)) + 1 < triangle_levels(chain).mean()
    stored = tumble.build(KNOT, "aabb", leaf_size=1)
    assert triangle_levels(stored).max() == 9
    assert len(triangle_levels(stored)) == len(KNOT)


def test_wide_boxtrees_begin_with_what_kernels_count():
    """With two children the node pairs are the walk's; with more, every triangle is still there."""
    tree = tumble.build(KNOT, "boxtree", split="sah", leaf_size=1, planes="free")
    for pose in tumbling_poses(0.7, 3):
        counted = contestants.boxtree_collide()(tree, tree, None, pose, stats=True).stats.tests
        assert node_pairs(widened(tree, 2), pose) == counted > 100
    for arity in (2, 4, 8):
        children = widened(tree, arity).children
        reached, waiting = set(), [0]
        while waiting:
            node = waiting.pop()
            below = children[node][children[node] >= 0].tolist()
            assert len(below) <= arity
            waiting += below
            reached |= set() if below else {node}
        assert len(reached) == tree.leaf_count == len(KNOT)


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_trees_by_all_rules_find_the_same(every, monkeypatch):
    """By default without the trees and the rule that would be other kernels to compile."""
    if not every:
        monkeypatch.setattr(splits, "OTHER_TREES", (AABB,))
        monkeypatch.setattr(splits, "OTHER_SPLITS", ("median", "least-volume", "sah"))
    study = Table().study("splits")
    splits.add_splits("knot", KNOT, study)
    names = [name for name in study.contestants() if study.has("knot", name, "hits")]
    assert len({study.count("knot", name, "hits") for name in names}) == 1
    assert study.count("knot", splits.GUARDED, "hits") > 0
    # the rules are different ones, and more children are more children
    pairs = [study.count("knot", name, "node pairs") for name in names if name != splits.by_arity(AABB, 2)]
    assert len(set(pairs)) > 0.8 * len(pairs)
    assert study.value("knot", "AABB tree, 8 children", "mean depth") < 4
    assert study.value("knot", splits.LITERAL, "mean depth") > 1.2 * study.value("knot", splits.GUARDED, "mean depth")


def test_looseness_is_that_of_the_builders():
    loose = {name: looseness(build_boxtree(KNOT, name)) for name in (PRINTED, FREE, "chained boxtree")}
    for found in loose.values():
        assert found.min() >= 1 - 1e-12  # a box that is smaller than the tight one would lose triangles
        assert found[0] == pytest.approx(1)  # the root's
    assert np.median(loose["chained boxtree"]) < np.median(loose[FREE])
    tree = build_boxtree(KNOT, PRINTED)
    assert len(loose[PRINTED]) == len(tree) == 2 * len(KNOT) - 1


def test_shared_sides_of_boxes():
    shared = shared_sides(KNOT, "kdop6")
    assert len(shared) == 2 * len(KNOT) - 2
    # each side of a parent is a side of one of its two children at least
    assert 3 <= shared.mean() <= 5


def test_restricted_dops_contain_what_they_are_made_of():
    tree = tumble.build(KNOT, "kdop14", split="sah", leaf_size=1)
    small = restricted(tree)
    rows, whole = rebuilt(small, 14), tree.rows
    assert (rows[:, :7] <= whole[:, :7]).all()
    assert (rows[:, 7:] >= whole[:, 7:]).all()
    assert np.allclose(rows, whole, rtol=1e-6, atol=1e-7)
    assert np.array_equal(rows, rounded_outward(whole))
    assert len(small.sides) < 0.5 * whole.size
    assert small.nbytes == 4 * len(tree) + 2 * len(tree) + 4 * len(small.sides)


def test_faults_are_noticed(monkeypatch):
    tree = build_boxtree(KNOT, FREE)
    assert faults(tree) == 0

    def refuse(tree):
        raise TreeError("no")

    monkeypatch.setattr(type(tree), "validate", refuse)
    assert faults(tree) == 1


@pytest.mark.slow
def test_tightness_of_one_object():
    study = Table().study("tightness")
    add_tightness("knot", KNOT, study)
    for name in ("kdop14", "kdop26"):
        assert study.value("knot", name, "bytes") < study.value("knot", name, "whole bytes")
    assert study.value("knot", "kdop24", "whole bytes") == 100


def test_the_processor_does_not_count_sleep():
    seconds = processor_race({"sleep": lambda: time.sleep(0.05), "work": lambda: sum(range(2_000_000))}, ONE_ROUND)
    assert 0 < seconds["sleep"][0] < 0.04
    assert seconds["work"][0] > seconds["sleep"][0]
    assert len(processor_race({"a": int}, Effort(0.0, 4, 9))["a"]) == 4


def test_builds_are_timed_and_their_levels_counted():
    study = Table().study("build")
    add_builds(study, ONE_ROUND, "torus", 200, lambda label, done=0.0: None)
    for name in BUILDS:
        assert study.value("torus 200", name, "time") > 0
        assert 4 < study.value("torus 200", name, "levels") < 20


def test_both_planes_in_the_parent_need_more_bytes():
    table = Table()
    table.study(BYTES).add("knot", "", "triangles", 100)
    table.study(BYTES).add(*("knot", PRINTED, "nodes"), 199)

    class Stand:
        study = table.study

    (row,) = both_planes(Stand)
    assert (float(row[2]), float(row[3])) == pytest.approx(((9 * 199 + 400) / 100, TWO_PLANE_BYTES * 1.99), rel=1e-2)


def test_shadows_contain_what_lies_behind():
    planes = shadow_planes(EYE, RECTANGLE)

    def hidden(point):
        return bool((planes[:, :3] @ point + planes[:, 3] >= 0).all())

    assert hidden([0, 0, 0])
    assert hidden([0.22, 0.14, 0.0])
    assert not hidden([0.23, 0.0, 0.0])
    assert not hidden([0.0, 0.16, 0.0])
    assert not hidden([0.0, 0.0, -1.5])


def test_the_outlook_is_measured():
    table = Table()
    outlook.add_deformation("torus", 100, ONE_ROUND, table.study("deformation"))
    deformed = table.study("deformation")
    assert len(deformed.cases()) == 2 * len(outlook.AMOUNTS)
    for case in deformed.cases():
        hits = {deformed.count(case, way, "hits") for way in (outlook.REFITTED, outlook.REBUILT)}
        assert len(hits) == 1
        if deformed.value(case, "", "amount") == 0:
            pairs = {deformed.count(case, way, "node pairs") for way in (outlook.REFITTED, outlook.REBUILT)}
            assert len(pairs) == 1
    outlook.add_rays("torus", 100, ONE_ROUND, table.study("rays"))
    assert table.study("rays").count("torus 100", outlook.BOXES, "differ") == 0
    assert 14 < table.study("rays").value("torus 100", "", "more") < 18
    outlook.add_occlusion("torus", 400, ONE_ROUND, table.study("occlusion"))
    assert table.study("occlusion").count("torus 400", "", "wrong") == 0
    assert 0 < table.study("occlusion").count("torus 400", "", "hidden") < 6 * 400


def test_bending_moves_no_further_than_it_says():
    moved = np.abs(bent(KNOT, 0.1).vertices - KNOT.vertices).max(axis=0)
    assert moved[1] == 0
    assert 0.05 < moved[0] <= 0.1
    assert 0.02 < moved[2] <= 0.05 + 1e-15
