"""Following a front: leaf pairs by brute force and as bulk finds them, for every setting, however meshes move."""

import numpy as np
import pytest

import bulk_cases
import forest
import front_cases
import tumble
from covering import crossed, sized
from oracle import touching_pairs
from tumble import BulkSettings
from tumble.errors import OptionError
from tumble.hierarchy.implicit import implicit_trees
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.entry import tree_pairs
from tumble.traversal.bulk.rounds import leaf_pairs
from tumble.traversal.front.follow import front_pairs

SLOW_SCENES = ("cloth-ball", "n-body-simulation")
WAYS = pytest.mark.parametrize("way", front_cases.SETTINGS)


def in_bulk(trees, wanted, adjacent=True):
    return np.sort(leaf_pairs(trees, wanted, BulkSettings(depth_step=1), adjacent=adjacent, threads=2)[0])


@WAYS
def test_leaf_pairs_are_those_of_brute_force(way):
    meshes, poses = bulk_cases.scene()
    settings = front_cases.SETTINGS[way]
    trees = implicit_trees(meshes, poses, padded=settings.padded)
    wanted = tree_pairs(trees.posed, within=[0, 4, 6])
    keys, front, work = front_pairs(trees, None, wanted, settings, adjacent=True, threads=2)
    firsts = trees.posed.bodies.first_face
    expected = bulk_cases.brute_candidates(meshes, poses, within=(0, 4, 6))
    expected = np.concatenate([(firsts[a] + p[:, 0]) << 32 | firsts[b] + p[:, 1] for (a, b), p in expected.items()])
    np.testing.assert_array_equal(np.sort(keys), np.sort(expected))
    assert work.leaf_overlaps == len(keys)
    assert (work.repeated > 0) == (settings.first_capacity is not None)
    again, same, less = front_pairs(trees, front, wanted, settings, adjacent=False, threads=1)
    np.testing.assert_array_equal(np.sort(again), in_bulk(trees, wanted, adjacent=False))
    assert sorted(same.pairs) == sorted(front.pairs)
    # nothing moved: each pair of the front is tested once and stays
    assert (less.tests, less.rounds, less.overlaps) == (front.size, 1, work.leaf_overlaps)


def test_counts_do_not_depend_on_settings():
    meshes, poses = bulk_cases.scene()
    counted = set()
    for settings in front_cases.SETTINGS.values():
        trees = implicit_trees(meshes, poses, padded=settings.padded)
        wanted = tree_pairs(trees.posed, within=True)
        _, front, work = front_pairs(trees, None, wanted, settings, adjacent=True, threads=3)
        counted.add((work.tests, work.overlaps, work.leaf_overlaps, work.largest, front.size))
    assert len(counted) == 1
    # from the roots, it tests what bulk tests one level at a time, and the roots themselves
    bulk = leaf_pairs(trees, wanted, BulkSettings(depth_step=1), adjacent=True, threads=2)[1]
    roots = sum(len(meshes[a]) > 1 or a != b for a, b in wanted.tolist() if len(meshes[a]) and len(meshes[b]))
    assert (work.tests, work.overlaps) == (bulk.tests + roots, bulk.overlaps + roots)


@sized(24, 64)
@crossed(1, rebuild=[False, True], way=["default", "small stacks and segments"])
def test_fronts_of_meshes_in_motion(way, rebuild, count):
    """Whatever has moved, and whichever trees came near each other: no leaf pair is lost, none comes twice."""
    settings = front_cases.SETTINGS[way]
    sizes = 5 * count // 8, 1, count // 4 + 1, count
    meshes = [forest.soup(seed, size, 0.2) for seed, size in enumerate(sizes, 1)]
    trees, front, covered = implicit_trees(meshes), None, []
    for frame, poses in enumerate(front_cases.motion(5, len(meshes), 9)):
        trees.move([meshes[0].vertices * (1.0 + 0.1 * frame), None, None, None], poses, rebuild=rebuild)
        wanted = tree_pairs(trees.posed, within=[0, 1, 3])
        keys, front, _ = front_pairs(trees, front, wanted, settings, adjacent=True, threads=2)
        np.testing.assert_array_equal(np.sort(keys), in_bulk(trees, wanted))
        front_cases.assert_cut(trees.layout, front.pairs, front.tree_pairs)
        covered.append(len(front.tree_pairs))
    assert covered == sorted(covered)
    assert covered[0] < covered[-1]


@front_cases.real_steps
@pytest.mark.parametrize("rebuild", [False, True])
@pytest.mark.parametrize("scene", ["cloth-funnel", *(pytest.param(k, marks=pytest.mark.slow) for k in SLOW_SCENES)])
def test_real_frames_from_the_front_of_the_frame_before(scene, rebuild):
    before, after, count = front_cases.real_step(scene)
    trees, own = implicit_trees([before]), np.zeros((1, 2), np.int64)
    _, front, _ = front_pairs(trees, None, own, FrontSettings(), adjacent=True, threads=2)
    trees.move([after.vertices], rebuild=rebuild)
    keys, _, work = front_pairs(trees, front, own, FrontSettings(), adjacent=True, threads=2)
    assert len(keys) == work.leaf_overlaps == count
    np.testing.assert_array_equal(np.sort(keys), in_bulk(trees, own))


def test_a_front_that_was_followed_is_still_good():
    trees = implicit_trees([forest.soup(1, 60, 0.2), forest.soup(2, 60, 0.2)])
    wanted = tree_pairs(trees.posed)
    _, front, _ = front_pairs(trees, None, wanted, FrontSettings(), adjacent=True, threads=2)
    kept = front.pairs.copy()
    trees.move(poses=[None, tumble.translation(0.3, 0, 0)])
    for _ in range(2):
        keys, _, _ = front_pairs(trees, front, wanted, FrontSettings(), adjacent=True, threads=2)
        np.testing.assert_array_equal(np.sort(keys), in_bulk(trees, wanted))
        np.testing.assert_array_equal(front.pairs, kept)


def test_float64_has_the_last_word():
    meshes = [front_cases.clusters(1, 60), front_cases.clusters(2, 50)]
    trees = implicit_trees(meshes)
    wanted = tree_pairs(trees.posed, within=[0])
    keys, _, work = front_pairs(trees, None, wanted, FrontSettings(), adjacent=True, threads=2)
    expected = bulk_cases.brute_candidates(meshes, within=(0,))
    assert len(keys) == work.leaf_overlaps == sum(len(pairs) for pairs in expected.values()) > 10
    np.testing.assert_array_equal(np.sort(keys), in_bulk(trees, wanted))


@pytest.mark.parametrize("pose", range(len(forest.POSES)))
def test_touching_triangles_by_the_oracle(pose):
    rng = np.random.default_rng(pose)
    a, b, pose = forest.random_mesh(rng, 37), forest.random_mesh(rng, 20), forest.POSES[pose]
    expected = touching_pairs(a.vertices, a.faces, b.vertices, b.faces, pose, pose)
    for settings in front_cases.SETTINGS.values():
        found = tumble.collide(a, b, pose, pose, method="front", settings=settings, stats=True, contacts=True)
        np.testing.assert_array_equal(found.pairs, expected)
        assert found.stats.hits == len(found.contacts) == len(expected)
    np.testing.assert_array_equal(tumble.collide(a, b, pose, pose, method="front", first=True).pairs, expected[:1])


def test_what_is_for_other_methods_is_refused():
    a = forest.soup(1, 9)
    for words, options in (
        (r"with method='front'; settings= can be: None, tumble.FrontSettings\(...\)", {"settings": BulkSettings()}),
        (r"tree='obb' cannot be used with method='front'; tree= can be: auto, implicit", {"tree": "obb"}),
    ):
        with pytest.raises(OptionError, match=words):
            tumble.collide(a, a, method="front", **options)
    for method in ("stack", "packed", "bulk"):
        with pytest.raises(OptionError, match=f"FrontSettings.* cannot be used with method={method!r}"):
            tumble.collide(a, a, method=method, settings=FrontSettings())
    with pytest.raises(OptionError, match="with method='front'; pass the mesh"):
        tumble.collide(tumble.build(a), a, method="front")


def test_a_front_of_other_trees_is_refused():
    trees = implicit_trees([forest.soup(1, 60), forest.soup(2, 60)])
    wanted = np.array([[0, 1]])
    _, front, _ = front_pairs(trees, None, wanted, FrontSettings(), adjacent=True, threads=1)
    for other in (implicit_trees([forest.soup(1, 60), forest.soup(2, 61)]), implicit_trees([forest.soup(1, 60)] * 3)):
        with pytest.raises(OptionError, match="over other meshes"):
            front_pairs(other, front, wanted, FrontSettings(), adjacent=True, threads=1)


def test_nothing_to_follow():
    trees = implicit_trees([bulk_cases.EMPTY, bulk_cases.EMPTY, forest.soup(1, 1)])
    every = np.array([[0, 0], [0, 1], [0, 2], [2, 2]])
    for pairs in (every, every[:0]):
        keys, front, work = front_pairs(trees, None, pairs, FrontSettings(), adjacent=True, threads=2)
        assert (len(keys), front.size, work.tests) == (0, 0, 0)
        assert len(front_pairs(trees, front, pairs, FrontSettings(), adjacent=True, threads=2)[0]) == 0


@pytest.mark.parametrize(
    "wrong", [{"stack": 0}, {"steps": -1}, {"group": 0}, {"segments": 0}, {"queue": 0}, {"first_capacity": 0}]
)
def test_settings_that_make_no_sense_are_refused(wrong):
    (name,) = wrong
    with pytest.raises(OptionError, match=f"{name} must be a whole number from"):
        FrontSettings(**wrong)
