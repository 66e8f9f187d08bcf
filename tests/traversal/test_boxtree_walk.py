"""Boxtrees give the judge's pairs by all four tests, in all forms and both directions."""

from functools import cache

import numpy as np
import pytest
from boxtree_pairs import assert_exact, assert_trees_exact, boxtree, judged
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import pairs
import tumble
from covering import crossed, sized
from tumble import scenario
from tumble.hierarchy.boxtree import BoxTree
from tumble.hierarchy.boxtree.layout import MAX_DEPTH, NODE
from tumble.hierarchy.build import BOXTREE_PLANES, BOXTREE_SPLITS
from tumble.mesh import random_pose
from tumble.narrow.triangles.exact import triangles_touch_many
from tumble.traversal.boxtree import query
from tumble.traversal.boxtree.overlaps import OVERLAPS, overlap_number
from tumble.traversal.boxtree.query import boxtree_collide

SMALL = [
    name
    for name in scenario.pair_scene_names()
    if not name.startswith(("scalability", "different-counts")) or name == "scalability-0"
]

TURNED = tumble.rotation((1.0, 2.0, 3.0), 0.7, (0.5, 0.5, 0.5))


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 60), st.sampled_from([1, 2, 4, 16]),
    st.sampled_from(forest.POSES), st.sampled_from(forest.POSES), st.sampled_from([1, 2, 3, 7, 31]),
)  # fmt: skip
@settings(max_examples=settings().max_examples // 3)
def test_triangles_on_a_grid(seed, count_a, count_b, size, pose_a, pose_b, leaf_size):
    rng = np.random.default_rng(seed)
    a, b = forest.random_mesh(rng, count_a, size), forest.random_mesh(rng, count_b, size)
    assert_exact(a, b, pose_a, pose_b, leaf_size)


@crossed(
    1,
    seed=[0, 1, pytest.param(2, marks=pytest.mark.slow)],
    leaf_size=[1, pytest.param(2, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow), 31],
)
def test_soups_under_random_poses(seed, leaf_size):
    a, b = forest.soup(seed, 150, 0.3), forest.soup(seed + 100, 90, 0.3)
    assert len(assert_exact(a, b, random_pose(seed, 0.2), random_pose(seed + 50, 0.2), leaf_size)) > 0


@crossed(1, planes=BOXTREE_PLANES, split=BOXTREE_SPLITS)
def test_whatever_the_builder_does(split, planes):
    a, b = forest.soup(1, 80, 0.2), forest.soup(2, 60, 0.2)
    assert len(assert_exact(a, b, None, TURNED, split=split, planes=planes)) > 0


def test_trees_of_different_make_work_together():
    a, b = forest.soup(1, 80, 0.2), forest.soup(2, 60, 0.2)
    trees = boxtree(a, 1, planes="chained"), boxtree(b, 5, split="median", planes="coplanar")
    pose = TURNED
    assert_trees_exact(trees, None, pose, judged(a, b, None, pose))


@pytest.mark.parametrize("name", SMALL)
def test_scenes(name):
    scene = scenario.pair_scene(name)
    arguments = scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b
    expected = tumble.collide(*arguments).pairs  # judged in test_wide.py and tests/scenario
    assert_exact(*arguments, expected=expected)


@sized(300, 700)
def test_contacts_built_to_the_last_bit(count):
    """Vertex on face, edge on edge, coplanar, far away, tiny, nudged by one ulp; each pair a query of its own."""
    cases = pairs.touching_float_pairs(count, seed=12)
    expected = triangles_touch_many(cases.a, cases.b)  # itself judged in tests/narrow
    trees = [[boxtree(tumble.Mesh(corners, [[0, 1, 2]]), 1) for corners in side] for side in (cases.a, cases.b)]
    for overlap in OVERLAPS:
        found = [len(boxtree_collide(a, b, overlap=overlap)) > 0 for a, b in zip(*trees, strict=True)]
        wrong = cases.names[found != expected]
        assert len(wrong) == 0, (overlap, wrong[:5])
    assert 0.2 < expected.mean() < 0.98


@crossed(1, scale=[1.0, 1e-6, 2.0**-900, 1e60], offset=[0.0, 1e7, -1e12])
@sized(14, 25)
def test_anywhere_at_any_scale(offset, scale, count):
    corners = [np.random.default_rng(k).uniform(size=(count, 3, 3)) for k in (1, 2)]
    a, b = (tumble.Mesh((c.reshape(-1, 3) + offset) * scale, np.arange(3 * count).reshape(-1, 3)) for c in corners)
    expected = assert_exact(a, b)
    if abs(offset) < 1e9:
        assert len(expected) > 0


def test_denormal_meshes():
    corners = [np.random.default_rng(k).integers(-9, 10, (30, 3, 3)) * 5e-324 for k in (1, 2)]
    a, b = (tumble.Mesh(c.reshape(-1, 3), np.arange(90).reshape(-1, 3)) for c in corners)
    assert len(assert_exact(a, b)) > 0


@pytest.mark.parametrize("ratio", [1e3, 1e20, 1e90])
@pytest.mark.parametrize("turn", [None, tumble.rotation((1, 2, 3), 0.5)])
def test_meshes_of_very_different_size(ratio, turn):
    small = forest.soup(1, 30)
    huge = tumble.Mesh(forest.soup(2, 30).vertices * ratio, small.faces)
    pose = tumble.translation(*-huge.triangles[7].mean(axis=0))
    assert_exact(small, huge, turn, pose if turn is None else turn @ pose)


@pytest.mark.parametrize("small", [5e-324, 1e-310, 1e-200])
def test_the_smallest_against_the_largest(small):
    """The ratio of their units overflows: nothing is parted that touches."""
    rng = np.random.default_rng(3)
    a = tumble.Mesh(rng.integers(-3, 4, (9, 3)) * small, np.arange(9).reshape(-1, 3))
    b = tumble.Mesh(rng.integers(-1, 2, (30, 3)) * 1e99, np.arange(30).reshape(-1, 3))
    for pose in (None, tumble.rotation((1, 2, 3), 0.5)):
        assert_exact(a, b, None, pose)


def comb(mesh, chained):
    """The deepest tree there may be: a leaf on every level, and the rest cut off by a plane (or a chain of three)."""
    plain = boxtree(mesh, 1)
    local = (mesh.triangles - plain.origin) * plain.scale
    box, rest, rows, order = plain.box.copy(), list(range(len(mesh))), [(0.0, 1, 0)], []
    for level in range(MAX_DEPTH):
        axes = [(level + k) % 3 for k in range(3 if chained else 1)]
        leaf = max(rest, key=lambda k, axis=axes[0]: local[k, :, axis].max())
        rest.remove(leaf)
        rows.append((0.0, level, 1 << 3))
        order.append(leaf)
        for k, axis in enumerate(axes):
            goal = local[rest, :, axis].max() + 2.0**-22
            offset = np.nextafter(np.float32(max(box[3 + axis] - goal, 0.0)), np.float32(0.0))
            box[3 + axis] -= np.float64(offset)
            # behind the leaf; further planes of a chain lie behind that, and the last node's children behind those
            rows.append((offset, ~(len(rows) + 1) if k + 1 < len(axes) else len(rows) + 1, axis))
    offset, _, axis = rows[-1]
    rows[-1] = (offset, len(order), axis | len(rest) << 3)
    nodes = np.zeros(len(rows), NODE)
    for k, row in enumerate(rows):
        nodes[k] = row
    order = np.array(order + rest, np.int32)
    tree = BoxTree(mesh, nodes.view(np.uint8).reshape(-1, 9), order, plain.box, plain.origin, plain.scale)
    tree.validate()
    assert tree.depth == MAX_DEPTH
    return tree


@cache
def judged_soups():
    a, b = forest.soup(1, MAX_DEPTH + 3, 0.2), forest.soup(2, MAX_DEPTH + 1, 0.2)
    return a, b, judged(a, b, None, TURNED)


@pytest.mark.parametrize("chained", [False, True])
def test_the_deepest_trees(chained):
    a, b, expected = judged_soups()
    assert len(expected) > 50
    deep, other = comb(a, chained), comb(b, chained)
    for trees in ((deep, other), (deep, boxtree(b, 1)), (boxtree(a, 3, planes="chained"), other)):
        assert_trees_exact(trees, None, TURNED, expected)


def test_nested_and_apart():
    inner, outer = tumble.shapes.icosphere(1), tumble.shapes.icosphere(2)
    small = tumble.Mesh(inner.vertices * 0.3, inner.faces)
    assert len(assert_exact(small, outer, None, random_pose(1, 0.05))) == 0
    assert len(assert_exact(small, outer, None, tumble.translation(50.0, 0, 0))) == 0


def test_flat_and_degenerate_meshes():
    square = tumble.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3], [0, 0, 1], [2, 2, 2]])
    for pose in (None, tumble.translation(1, 0, 0), tumble.translation(0.5, 0, 0), tumble.rotation("x", 0.3)):
        assert len(assert_exact(square, square, None, pose, 1)) > 0


def test_empty_meshes_touch_nothing():
    nothing, box = boxtree(tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))), boxtree(tumble.shapes.box())
    for a, b in ((nothing, box), (box, nothing), (nothing, nothing)):
        for overlap in OVERLAPS:
            found = boxtree_collide(a, b, overlap=overlap, stats=True)
            assert len(found) == 0
            assert found.stats.tests == 0


def equal_triangles(count):
    return tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (count, 1)))


@pytest.mark.parametrize("capacity", [10, 99, 100, 101])
@pytest.mark.parametrize("leaf_size", [1, 3, 31])
def test_buffer_grows_until_all_pairs_fit(capacity, leaf_size, monkeypatch):
    monkeypatch.setattr(query, "FIRST_CAPACITY", capacity)
    tree = boxtree(equal_triangles(10), leaf_size)
    every = np.stack(np.meshgrid(np.arange(10), np.arange(10), indexing="ij"), axis=-1).reshape(-1, 2)
    for overlap in OVERLAPS:
        np.testing.assert_array_equal(boxtree_collide(tree, tree, overlap=overlap).pairs, every)


def test_nothing_is_written_behind_the_keys():
    tree = boxtree(equal_triangles(10))
    keys = np.full(200, -7, np.int64)
    setup = 50 + query.COUNTED
    assert query.all_hits(tree.address, tree.address, np.eye(4), np.eye(4), False, 0, True, keys[:setup]) == 100
    assert (keys[setup:] == -7).all()
    assert (keys[:setup] != -7).all()


def test_few_pairs_of_nodes_are_looked_at():
    """Boxes are worth something, wherever the meshes stand, and the better tests look at fewer."""
    for offset in (0.0, 1e6):
        near = tumble.shapes.torus(segments=48, sides=24)
        mesh = tumble.Mesh(near.vertices + offset, near.faces)
        pose = tumble.rotation((1, 2, 3), 0.5, (offset,) * 3) @ tumble.translation(1.5, 0.2, 0.1)
        tree = boxtree(mesh, planes="free")
        stats = {name: boxtree_collide(tree, tree, None, pose, overlap=name, stats=True).stats for name in OVERLAPS}
        assert stats["sat"].tests < stats["sat-lite"].tests < stats["axis"].tests <= stats["lookup"].tests
        assert stats["lookup"].tests < 1.1 * stats["axis"].tests
        assert stats["sat-lite"].tests < 100 * stats["sat-lite"].hits
        assert stats["sat-lite"].leaf_overlaps < 20 * stats["sat-lite"].hits
        chained = boxtree(mesh, planes="chained")
        fewer = boxtree_collide(chained, chained, None, pose, stats=True).stats
        assert fewer.leaf_overlaps < 0.6 * stats["sat-lite"].leaf_overlaps


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("overlap", OVERLAPS)
def test_many_queries_at_once(overlap, first):
    """Along a motion, in one kernel and one by one."""
    a, b = tumble.shapes.torus(segments=24, sides=12), tumble.shapes.box()
    trees = boxtree(a), boxtree(b)
    poses = np.stack([tumble.translation(x, 0.1, 0.2) @ tumble.rotation((1, 2, 3), x) for x in np.linspace(0, 3, 40)])
    for pre_transformed in (True, False):
        settings = tumble.BoxtreeSettings(overlap, pre_transformed)
        many = tumble.collide_many(a, b, poses, tree="boxtree", settings=settings, first=first)
        for k, pose in enumerate(poses):
            alone = boxtree_collide(*trees, None, pose, overlap=overlap).pairs
            if first:
                assert set(map(tuple, many.pairs(k).tolist())) <= set(map(tuple, alone.tolist()))
                assert len(many.pairs(k)) == min(1, len(alone))
            else:
                np.testing.assert_array_equal(many.pairs(k), alone)
    assert 5 < many.hit.sum() < 40


def test_the_first_hit_ends_the_search():
    tree = boxtree(equal_triangles(100), 1)
    stats = boxtree_collide(tree, tree, first=True, stats=True).stats
    assert stats.hits == 1
    assert stats.leaf_overlaps == 1
    assert stats.iterations < 20


def test_refusals():
    tree = boxtree(tumble.shapes.box())
    with pytest.raises(tumble.OptionError, match="'obb'; choose one of: axis, lookup, sat, sat-lite"):
        overlap_number("obb")
    with pytest.raises(tumble.OptionError, match="None"):
        boxtree_collide(tree, tree, overlap=None)
    keys = np.empty(9, np.int64)
    for bad in (np.diag([2.0, 2, 2, 1]), np.eye(3), np.full((4, 4), np.nan)):
        assert query.all_hits(tree.address, tree.address, bad, np.eye(4), False, 0, True, keys) == query.REFUSED
        assert query.all_hits(tree.address, tree.address, np.eye(4), bad, False, 0, True, keys) == query.REFUSED
    assert query.all_hits(0, tree.address, np.eye(4), np.eye(4), False, 0, True, keys) == query.REFUSED
