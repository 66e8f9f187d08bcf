"""The measures behind the figures of paper `boxtree`: empty space, growth of build time, Table 1, contestants."""

import sys

import numpy as np
import pytest

import tumble
from tumble.bench.boxtree import contestants, node_costs
from tumble.bench.boxtree.building import fit
from tumble.bench.boxtree.contestants import BUILDS, LEAF_SIZE, build_boxtree
from tumble.bench.boxtree.emptiness import emptiness, empty_shares
from tumble.bench.boxtree.published import TABLE_1
from tumble.scenario.objects import shape_duo
from tumble.scenario.tumbling import tumbling_poses

PARENT = [0, 0, 0, 10, 10, 10]


def share(box, sibling, parent=PARENT):
    return empty_shares(*(np.array([row], float) for row in (box, sibling, parent)))[0]


def test_the_side_of_the_split_is_not_counted():
    halves = [0, 0, 0, 5, 10, 10], [5, 0, 0, 10, 10, 10]
    assert share(*halves) == share(*halves[::-1]) == 0.0


def test_other_sides_are_counted():
    # a tenth is missing below x, though the split is above x; another tenth above y
    assert share([1, 0, 0, 5, 10, 10], [5, 0, 0, 10, 10, 10]) == pytest.approx(0.1)
    assert share([1, 0, 0, 5, 9, 10], [5, 0, 0, 10, 10, 10]) == pytest.approx(1 - 0.9 * 0.9)
    assert share([5, 0, 0, 9, 10, 10], [0, 0, 0, 5, 10, 10]) == pytest.approx(0.1)


def test_flat_boxes_are_neither_empty_nor_full():
    flat = [0, 0, 3, 10, 10, 3]
    assert share([0, 0, 3, 5, 10, 3], [5, 0, 3, 10, 10, 3], flat) == 0.0
    assert share([0, 0, 3, 5, 8, 3], [5, 0, 3, 10, 10, 3], flat) == pytest.approx(0.2)


def test_all_nodes_but_the_root_are_measured():
    one = emptiness("gear", shape_duo("gear", 500).a)
    tree = tumble.build(shape_duo("gear", 500).a, "aabb", split="sah", leaf_size=1)
    assert len(one.shares) == len(one.leaf) == len(one.touching) == len(tree) - 1
    assert one.leaf.sum() == tree.leaf_count
    assert ((one.shares >= 0) & (one.shares <= 1)).all()
    # every side of a parent's box is a side of one of its two children's at least: three a child on average
    assert one.touching.mean() >= 3
    assert one.touching.max() <= 6


def test_a_mesh_of_one_triangle_has_no_nodes_to_measure():
    one = emptiness("one", tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    assert len(one.shares) == 0


SIZES = np.array([1_000, 10_000, 100_000, 1_000_000])


def test_a_fit_finds_the_factor_and_the_power():
    found = fit(SIZES, 3e-9 * SIZES * np.log2(SIZES))
    assert (found.factor, found.worst) == pytest.approx((3e-9, 1.0))
    assert found.power == pytest.approx(found.expected_power)
    assert 1.0 < found.expected_power < 1.2
    assert found.holds


def test_growth_by_the_square_is_noticed():
    found = fit(SIZES, 1e-12 * SIZES.astype(float) ** 2)
    assert found.power == pytest.approx(2.0)
    assert not found.holds
    assert found.worst > 10


def test_table_1_as_printed():
    printed = [(9, 12), (9, 24), (9, 82), (16, 29), (28, 90), (64, 243), (100, 168)]
    assert [tuple(row) for row in TABLE_1.values()] == printed


def test_table_1_as_measured(monkeypatch):
    monkeypatch.setattr("tumble.bench.operation_counts.MOST_OPENED", 100)
    costs = {cost.name: cost for cost in node_costs.node_costs(shape_duo("knot", 300).a)}
    assert set(TABLE_1) < set(costs)
    assert {costs[f"boxtree, {test}"].nbytes for test in ("axis", "lookup", "sat-lite", "sat")} == {9.0}
    assert (costs["AABB tree"].nbytes, costs["sphere tree"].nbytes, costs[node_costs.PACKED].nbytes) == (80, 64, 32)
    assert costs["AABB tree"].nbytes_a_triangle > 4 * costs["boxtree, sat"].nbytes_a_triangle
    # 24 numbers of 8 bytes, and links of 32
    assert costs["24-DOP tree"].nbytes == 224
    # directions, centre and half sizes, and links
    assert costs["OBB tree"].nbytes == 15 * 8 + 32
    assert costs["OBB tree"].worst > TABLE_1["OBB tree"].operations > costs["OBB tree"].mean
    for name in ("boxtree, axis", "boxtree, sat-lite", "boxtree, sat", "AABB tree", "OBB tree", "24-DOP tree"):
        assert 0 < costs[name].mean <= costs[name].worst
        assert costs[name].worst_ahead < costs[name].worst
        # each DOP of b is compared in all its slabs, where the test of a pair may end with the first three
        assert name == "24-DOP tree" or costs[name].mean_ahead < costs[name].mean


def test_without_counters_bytes_remain(monkeypatch):
    monkeypatch.setitem(sys.modules, "tumble.bench.operation_counts", None)
    costs = {cost.name: cost for cost in node_costs.node_costs(shape_duo("knot", 300).a)}
    assert (costs["boxtree, sat"].nbytes, costs["boxtree, sat"].worst) == (9.0, None)


def test_the_default_boxtree_is_what_build_makes():
    mesh = shape_duo("torus", 200).a
    assert build_boxtree(mesh) is tumble.build(mesh, "boxtree")
    assert {build_boxtree(mesh, name).leaf_size for name in BUILDS} == {LEAF_SIZE}
    assert len({id(build_boxtree(mesh, name)) for name in BUILDS}) == len(BUILDS)


@pytest.mark.parametrize("first", [False, True])
def test_contestants_answer_alike(first):
    mesh, poses = shape_duo("knot", 300).a, tumbling_poses(0.6, 5)
    answers = {}
    ahead, notes = contestants.ahead_elsewhere()
    for one in (*contestants.overlap_tests(), *contestants.trees()[0], *(one for pair in ahead for one in pair)):
        tree = one.prepare(mesh)
        found = one.ask(tree, tree, poses, first)()
        answers[one.name] = [hit if first else sorted(map(tuple, hit.tolist())) for hit in found]
    truth = answers[contestants.PACKED]
    assert any(truth)
    assert not all(truth)
    assert all(answer == truth for answer in answers.values())
    assert not notes
    ahead_too = {f"{name}, ahead" for name in ("24-DOP tree", "AABB tree", "OBB tree", "sphere tree")}
    assert {"24-DOP tree", "OBB tree", "axis, each pair", *ahead_too, *BUILDS} < set(answers)


def test_every_test_is_asked_by_its_own_name():
    mesh, poses = shape_duo("knot", 1_000).a, tumbling_poses(0.8, 6)
    tree = build_boxtree(mesh)
    tests = {one.name: sum(each.tests for each in one.stats(tree, tree, poses)) for one in contestants.overlap_tests()}
    assert tests["sat"] < tests["sat-lite"] < tests["axis"] <= tests["lookup"]
    assert all(tests[f"{name}, each pair"] == tests[name] for name in contestants.OVERLAPS)


def test_without_fcl_the_others_compete(monkeypatch):
    monkeypatch.setitem(sys.modules, "fcl", None)
    found, notes = contestants.trees()
    assert contestants.FCL not in [one.name for one in found]
    assert "tumble[bench]" in notes[0]
