"""The stack traversal with volumes moved ahead goes the way of the stack traversal, test by test."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import tumble
from covering import crossed, sized
from volume.posed_contacts import ROTATIONS, SCALES, contacts

# volumes in a's frame are compared with every volume by the lists
VOLUMES = ["aabb", pytest.param("sphere", marks=pytest.mark.slow)]


@pytest.mark.parametrize("volume", VOLUMES)
@given(st.integers(0, 10**6), st.sampled_from(forest.POSES), st.sampled_from(forest.POSES))
@settings(max_examples=settings().max_examples // 3, deadline=None)
def test_same_pairs_and_same_counts_on_any_tree(volume, seed, pose_a, pose_b):
    a, b = forest.random_tree(seed, 30, volume), forest.random_tree(seed + 1, 25, volume)
    plain = tumble.collide(a, b, pose_a, pose_b, method="stack", stats=True)
    ahead = tumble.collide(a, b, pose_a, pose_b, method="stack-ahead", stats=True)
    np.testing.assert_array_equal(plain.pairs, ahead.pairs)
    assert plain.stats == replace(ahead.stats, moves=plain.stats.tests)
    assert ahead.stats.moves <= plain.stats.moves == plain.stats.tests


@sized(1, 4)
@crossed(rotation=ROTATIONS, scale=SCALES, volume=VOLUMES)
def test_a_common_vertex_is_never_lost(volume, rotation, scale, count):
    for pair in contacts(13, rotation, scale, count):
        meshes = [tumble.Mesh(corners, [[0, 1, 2]]) for corners in (pair.a, pair.b)]
        poses = [None if pose is None else np.vstack([pose, [0, 0, 0, 1]]) for pose in (pair.pose_a, pair.pose_b)]
        # with counters, as other tests have compiled it
        assert tumble.collide(*meshes, *poses, method="stack-ahead", tree=volume, stats=True)
        assert tumble.collide(*meshes[::-1], *poses[::-1], method="stack-ahead", tree=volume, stats=True)


@pytest.mark.parametrize("arity", [2, 3, 8])
def test_nothing_is_written_beyond_the_stack(arity):
    from tumble.narrow.touch import ExactTest
    from tumble.query.questions.touching import counting
    from tumble.traversal import query
    from tumble.traversal.every import prepare

    mesh = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (arity**3, 1)))
    tree = tumble.build(mesh, arity=arity)
    record, a, b, poses = prepare(tree, tree, method="stack-ahead")._arguments
    size = len(record.stack)
    stack, rows = np.full((size + 8, 2), -7, np.int32), np.full((size + 8, 9), -7.0)
    sink = counting(ExactTest())
    guarded = record._replace(stack=stack[:size], beside=type(record.beside)(rows[:size]))
    query.run(guarded, a, b, poses, sink, query.new_counters())
    assert sink.found[0] == len(mesh) ** 2
    assert (stack[size:] == -7).all()
    assert (rows[size:] == -7).all()
