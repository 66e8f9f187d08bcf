"""The bulk-synchronous traversal: leaf pairs by brute force, touching triangles by the oracle, for every setting."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bulk_cases
import forest
import tumble
from adjacent_oracle import meeting_pairs
from covering import cover, crossed
from oracle import touching_pairs
from tumble import BulkSettings
from tumble.hierarchy.implicit import implicit_trees
from tumble.traversal.bulk import entry, rounds
from tumble.traversal.bulk.entry import tree_pairs

WAYS = pytest.mark.parametrize("way", bulk_cases.SETTINGS)


@pytest.fixture(scope="module")
def expected():
    return bulk_cases.brute_candidates(*bulk_cases.scene(), within=(0, 4, 6))


@WAYS
def test_leaf_pairs_are_those_of_brute_force(way, expected):
    meshes, poses = bulk_cases.scene()
    bulk = bulk_cases.SETTINGS[way]
    options = {"within": [0, 4, 6], "candidates": True, "settings": bulk}
    found = tumble.collide_all(meshes, poses, neighbours=True, stats=True, **options)
    bulk_cases.assert_same(found, expected)
    assert found.stats.leaf_overlaps == found.stats.hits == sum(len(pairs) for pairs in expected.values())
    apart = {
        (a, b): bulk_cases.without_neighbours(meshes[a], pairs) if a == b else pairs
        for (a, b), pairs in expected.items()
    }
    bulk_cases.assert_same(
        tumble.collide_all(meshes, poses, threads=1, **options), {k: p for k, p in apart.items() if len(p)}
    )


@pytest.mark.parametrize("strength", [2, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("entry", [0, pytest.param(2, marks=pytest.mark.slow), 5])
def test_sweep_of_parameters(entry, strength):
    """Entry level × µ × κ × |G| and room: always the same pairs. By default any two values of these stand together."""
    meshes = [forest.soup(1, 70, 0.3), forest.soup(2, 41, 0.3)]
    reference = tumble.collide_all(meshes, within=True, candidates=True)
    assert len(reference.triangles) > 1000
    values = (1, 2, 3, 4), (1, 2, 7, 512), (1, 3, 256), (1, 1 << 16)
    for row in cover([len(each) for each in values], strength):
        step, queue, group, room = (each[k] for each, k in zip(values, row, strict=True))
        bulk = BulkSettings(
            entry_level=entry, depth_step=step, queue=queue, group=group, first_capacity=room, most_pairs=max(50, room)
        )
        found = tumble.collide_all(meshes, within=True, candidates=True, settings=bulk)
        np.testing.assert_array_equal(found.triangles, reference.triangles, err_msg=str(bulk))
        np.testing.assert_array_equal(found.meshes, reference.meshes)


@crossed(1, way=bulk_cases.SETTINGS, pose=range(len(forest.POSES)))
def test_touching_triangles_by_the_oracle(way, pose):
    a, b, expected = judged_meshes(pose)
    pose = forest.POSES[pose]
    found = tumble.collide(a, b, pose_b=pose, pose_a=pose, method="bulk", settings=bulk_cases.SETTINGS[way])
    np.testing.assert_array_equal(found.pairs, expected)


@cache
def judged_meshes(number):
    rng = np.random.default_rng(number)
    a, b, pose = forest.random_mesh(rng, 37), forest.random_mesh(rng, 20), forest.POSES[number]
    return a, b, touching_pairs(a.vertices, a.faces, b.vertices, b.faces, pose, pose)


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 60), st.sampled_from(forest.POSES))
@settings(max_examples=settings().max_examples // 2)
def test_two_meshes_as_by_all_other_methods(seed, count_a, count_b, pose):
    rng = np.random.default_rng(seed)
    a, b = forest.random_mesh(rng, count_a, 8), forest.random_mesh(rng, count_b, 8)
    for poses in ((None, None), (None, pose), (pose, None)):
        found = tumble.collide(a, b, *poses, method="bulk")
        np.testing.assert_array_equal(found.pairs, tumble.collide(a, b, *poses).pairs)


@given(st.integers(0, 2**32 - 1), st.sampled_from([5, 12, 40]), st.integers(1, 10), st.sampled_from([1, 3, 9]))
@settings(max_examples=settings().max_examples // 4)
def test_self_collisions_by_the_oracle(seed, vertices, faces, size):
    mesh = bulk_cases.crumpled(seed, vertices, faces, size)
    found = tumble.collide_all([mesh], within=True)
    np.testing.assert_array_equal(found.pairs(0, 0), meeting_pairs(mesh.vertices, mesh.faces))


def test_many_meshes_in_one_question():
    meshes, poses = bulk_cases.scene()
    found = tumble.collide_all(meshes, poses, within=[0, 6])
    expected = {}
    for a, b in tree_pairs(implicit_trees(meshes, poses).posed, within=[0, 6]).tolist():
        if a == b:
            # self_collide asks about a mesh as it is; these two are not moved, or touch nothing of themselves
            pairs = tumble.self_collide(meshes[a]).pairs
        else:
            pairs = tumble.collide(meshes[a], meshes[b], poses[a], poses[b]).pairs
        if len(pairs):
            expected[a, b] = pairs
    assert len(expected) > 8
    bulk_cases.assert_same(found, expected)
    a, b = next(key for key in expected if key[0] != key[1])
    turned = tumble.collide(meshes[b], meshes[a], poses[b], poses[a]).pairs
    np.testing.assert_array_equal(found.pairs(b, a), turned)
    assert found.pairs(1, 2).shape == (0, 2)


def test_threads_change_nothing():
    meshes = [forest.soup(seed, 3000, 0.05) for seed in (1, 2)]
    one, three = (tumble.collide_all(meshes, within=True, stats=True, threads=threads) for threads in (1, 3))
    np.testing.assert_array_equal(one.triangles, three.triangles)
    assert one.stats == three.stats
    assert one.stats.hits == len(one.triangles) > 0


def test_frontiers_grow_and_are_split():
    """What is too small for a frontier is enlarged or cut, and the work says so."""
    trees = implicit_trees([forest.soup(3, 200, 0.3)])
    own = np.zeros((1, 2), np.int64)
    every, work = rounds.leaf_pairs(trees, own, BulkSettings(), adjacent=True, threads=2)
    assert work.repeated == work.split == 0
    grown, more = rounds.leaf_pairs(trees, own, BulkSettings(first_capacity=7), adjacent=True, threads=2)
    assert more.repeated > 0
    small = BulkSettings(first_capacity=7, most_pairs=100, depth_step=2)
    cut, most = rounds.leaf_pairs(trees, own, small, adjacent=True, threads=2)
    assert most.split > 0
    assert most.largest <= 100 < more.largest
    for keys in (grown, cut):
        np.testing.assert_array_equal(np.sort(keys), np.sort(every))
    assert (work.tests, work.leaf_overlaps) == (more.tests, more.leaf_overlaps)
    assert most.leaf_overlaps == len(every) == work.leaf_overlaps


@pytest.mark.parametrize("scale", [1e-160, 1e80])
def test_far_away_and_of_any_size(scale):
    """Boxes that share a face in float64 only, far from the origin, where float32 cannot tell them apart."""
    rng = np.random.default_rng(9)
    corners = (rng.integers(0, 9, (120, 3, 3)) + np.array([2**40, 0, -(2**30)])) * scale
    mesh = tumble.Mesh(corners.reshape(-1, 3), np.arange(360).reshape(-1, 3))
    other = tumble.Mesh(mesh.vertices + 2.0**30 * scale, mesh.faces)
    expected = bulk_cases.brute_candidates([mesh, other], within=(0,))
    found = tumble.collide_all([mesh, other], within=[0], candidates=True, neighbours=True)
    bulk_cases.assert_same(found, expected)


def test_moved_trees_answer_for_where_they_are():
    meshes = [forest.soup(5, 90, 0.2), forest.soup(6, 50, 0.2)]
    trees = implicit_trees(meshes)
    pose = tumble.translation(0.3, 0.1, 0.0)
    for rebuild in (False, True):
        trees.move([meshes[0].vertices * 1.5, None], [None, pose], rebuild=rebuild)
        grown = tumble.Mesh(meshes[0].vertices * 1.5, meshes[0].faces)
        expected = tumble.collide(grown, meshes[1], None, pose).pairs
        assert len(expected) > 0
        np.testing.assert_array_equal(tumble.collide_all(trees).pairs(0, 1), expected)


def test_an_entry_level_that_is_too_deep_is_left():
    """A level of which all pairs cannot be looked at; kernels have the limit compiled in, so the trees are large."""
    mesh = forest.soup(1, 33_000, 0.01)
    other = tumble.transformed(mesh, tumble.translation(0.001, 0, 0))
    assert len(mesh) * len(other) > entry.MOST_TESTED
    deep = tumble.collide_all([mesh, other], candidates=True, settings=BulkSettings(entry_level=20))
    np.testing.assert_array_equal(deep.triangles, tumble.collide_all([mesh, other], candidates=True).triangles)


def counts_of(meshes, within=True, **settings):
    trees = implicit_trees(meshes, padded=settings.get("padded", True))
    pairs = tree_pairs(trees.posed, within)
    return rounds.leaf_pairs(trees, pairs, BulkSettings(**settings), adjacent=True, threads=2)


@pytest.mark.parametrize("step", [1, 2, 3, 4])
@pytest.mark.parametrize("entry", [0, 3])
def test_untested_pairs_are_tests_and_end_with_the_depth(step, entry):
    """Algorithm 1: a pair of a frontier is a test; with Equation 2 the depth tells the number of rounds."""
    meshes = [forest.soup(1, 70, 0.3), forest.soup(2, 41, 0.3)]
    keys, work = counts_of(meshes, entry_level=entry, depth_step=step, tested=False)
    tested, before = counts_of(meshes, depth_step=1)
    np.testing.assert_array_equal(np.sort(keys), np.sort(tested))
    assert work.tests == sum(work.frontiers)
    assert work.leaf_overlaps == before.leaf_overlaps
    depth = 7
    assert len(work.frontiers) == work.rounds == 1 + -(-(depth - entry) // step)
    if step == 1 and entry == 0:
        # both visit the same pairs; the roots are tested in a round of their own here
        assert work.tests == before.tests + 3
        assert work.overlaps == before.overlaps + 3


def test_variants_of_devices_are_refused_here_and_where_they_make_no_sense():
    mesh = forest.soup(1, 8)
    for variant in ({"search": "local"}, {"places": "scan"}):
        with pytest.raises(tumble.OptionError, match="only on devices"):
            tumble.collide(mesh, mesh, method="bulk", settings=BulkSettings(tested=False, **variant))
        with pytest.raises(tumble.OptionError, match="only for tested=False"):
            BulkSettings(**variant)
    with pytest.raises(tumble.OptionError, match="for padded trees only"):
        BulkSettings(tested=False, search="local", padded=False)
    with pytest.raises(tumble.OptionError, match="search must be one of global, local, table, not 'far'"):
        BulkSettings(tested=False, search="far")


def test_untested_frontiers_in_parts_are_the_same():
    meshes = [forest.soup(1, 70, 0.3), forest.soup(2, 41, 0.3)]
    keys, work = counts_of(meshes, entry_level=2, depth_step=2, tested=False)
    cut, parts = counts_of(meshes, entry_level=2, depth_step=2, tested=False, first_capacity=1, most_pairs=100)
    np.testing.assert_array_equal(np.sort(cut), np.sort(keys))
    assert parts.split > 0
    assert parts.rounds > work.rounds
    assert (parts.frontiers, parts.tests, parts.overlaps) == (work.frontiers, work.tests, work.overlaps)


def test_inactive_nodes_cost_tests_and_nothing_else():
    meshes = [forest.soup(1, 70, 0.3), forest.soup(2, 41, 0.3)]
    keys, work = counts_of(meshes, depth_step=3, tested=False)
    same, more = counts_of(meshes, depth_step=3, tested=False, inactive=True)
    np.testing.assert_array_equal(np.sort(same), np.sort(keys))
    assert more.tests > work.tests
    assert (more.overlaps, more.leaf_overlaps) == (work.overlaps, work.leaf_overlaps)
    full = [forest.soup(3, 64, 0.3)]  # trees without padding have no such nodes
    assert (
        counts_of(full, depth_step=3, tested=False, inactive=True)[1] == counts_of(full, depth_step=3, tested=False)[1]
    )
    for wrong in ({"padded": False, "tested": False}, {}):
        with pytest.raises(tumble.OptionError, match="inactive=True"):
            BulkSettings(inactive=True, **wrong)
