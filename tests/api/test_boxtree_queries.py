"""Boxtrees behind the public functions: the same answers as every other tree, and options that make sense."""

import pickle
from functools import cache

import numpy as np
import pytest

import forest
import oracle
import tumble
from tumble import shapes
from tumble.mesh import random_pose

OVERLAPS = ("axis", "lookup", "sat", "sat-lite")
A, B = shapes.knot(segments=40, sides=6), shapes.torus(segments=24, sides=10)
POSES = np.stack([random_pose(seed, 1.5) for seed in range(12)])


@cache
def expected_pairs():
    """The pairs for each pose; not at import, as every process of a run imports all files."""
    return [tumble.collide(A, B, None, pose).pairs for pose in POSES]


@pytest.mark.parametrize("ahead", [True, False])
@pytest.mark.parametrize("overlap", OVERLAPS)
def test_every_overlap_test_gives_the_same_pairs(overlap, ahead):
    for pose, expected in zip(POSES, expected_pairs(), strict=True):
        found = tumble.collide(A, B, None, pose, tree="boxtree", settings=tumble.BoxtreeSettings(overlap, ahead))
        np.testing.assert_array_equal(found.pairs, expected)
    assert sum(map(len, expected_pairs())) > 100


@cache
def judged_soups():
    a, b = forest.soup(1, 60, 0.5), forest.soup(2, 50, 0.5)
    pose = random_pose(3, 0.2)
    return a, b, pose, oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces, None, pose)


@pytest.mark.parametrize("planes", ["coplanar", "free", "chained"])
@pytest.mark.parametrize("split", ["sah", "least-volume", "longest-axis"])
def test_every_builder_gives_the_judges_pairs(split, planes):
    a, b, pose, expected = judged_soups()
    trees = [tumble.build(mesh, "boxtree", split, 1, planes=planes) for mesh in (a, b)]
    assert len(expected) > 10
    for overlap in OVERLAPS:
        np.testing.assert_array_equal(
            tumble.collide(*trees, None, pose, settings=tumble.BoxtreeSettings(overlap)).pairs, expected
        )
    np.testing.assert_array_equal(tumble.collide(a, trees[1], None, pose).pairs, expected)
    assert tumble.collides(trees[0], b, None, pose)
    assert len(tumble.collide(*trees, None, pose, first=True)) == 1


def test_many_poses():
    for threads in (1, 2):
        found = tumble.collide_many(A, B, POSES, first=False, threads=threads, tree="boxtree")
        for k, expected in enumerate(expected_pairs()):
            np.testing.assert_array_equal(found.pairs(k), expected)
    hits = tumble.collide_many(A, B, POSES, tree="boxtree").hit
    np.testing.assert_array_equal(hits, [len(expected) > 0 for expected in expected_pairs()])


def scene_of(tree):
    scene = tumble.Scene(tree=tree)
    for k, pose in enumerate(POSES):
        scene.add(f"{k}", A if k % 2 else B, pose)
    return scene


def records(found):
    return [(each.a, each.b, each.pairs.tolist()) for each in found]


def test_scenes():
    plain, small = scene_of("auto"), scene_of("boxtree")
    expected = records(plain.collisions())
    assert len(expected) > 5
    assert records(small.collisions()) == expected
    assert records(pickle.loads(pickle.dumps(small)).collisions()) == expected
    assert records(small.collisions_with("3")) == records(plain.collisions_with("3"))
    assert records(small.collisions_between(plain)) == records(plain.collisions_between(small))
    assert small.collides()
    assert not tumble.Scene(tree="boxtree").collides()


def test_empty_meshes_and_stats():
    empty = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    assert len(tumble.collide(empty, A, tree="boxtree")) == 0
    assert not tumble.collide_many(A, empty, POSES, tree="boxtree").hit.any()
    stats = tumble.collide(A, B, None, POSES[0], tree="boxtree", stats=True).stats
    assert stats.hits == len(expected_pairs()[0])
    assert stats.tests >= stats.overlaps >= stats.leaf_overlaps > 0


def test_options_that_make_no_sense():
    box = tumble.build(A, "boxtree")
    with pytest.raises(tumble.OptionError, match="overlap"):
        tumble.collide(A, B, tree="boxtree", settings=tumble.BoxtreeSettings("sphere"))
    with pytest.raises(tumble.OptionError, match=r"settings=.* cannot be used with tree='aabb'.*WalkSettings"):
        tumble.collide(A, B, tree="aabb", settings=tumble.BoxtreeSettings())
    assert len(tumble.collide(A, B, settings=tumble.BoxtreeSettings("sat"))) == len(tumble.collide(A, B))
    with pytest.raises(tumble.OptionError, match="stackless"):
        tumble.collide(A, B, tree="boxtree", method="stackless")
    with pytest.raises(tumble.OptionError, match="aabb"):
        tumble.collide(box, B, tree="aabb")
    with pytest.raises(tumble.OptionError, match="aabb"):
        tumble.collide(box, tumble.build(B))
    with pytest.raises(tumble.OptionError, match="unknown tree 'cone'; choose one of: auto, packed"):
        tumble.collide_many(A, B, POSES, tree="cone")
    with pytest.raises(tumble.OptionError, match="unknown tree 'cone'"):
        tumble.Scene(tree="cone")
    with pytest.raises(tumble.PoseError):
        tumble.collide(box, box, None, np.diag([2.0, 2.0, 2.0, 1.0]))
    with pytest.raises(tumble.MeshError):
        tumble.collide(box, "a mesh")
