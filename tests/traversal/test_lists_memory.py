"""Lists that outgrow their memory: the query starts again with more, and nothing is lost, doubled or overwritten."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import tumble
from tumble.narrow.touch import ExactTest
from tumble.query.questions import touching
from tumble.query.questions.touching import collecting, counting
from tumble.traversal import lists, query
from tumble.traversal.every import prepare
from tumble.traversal.query import new_counters

METHODS = ("lists", "lists-pairs")


@pytest.fixture
def one_entry(monkeypatch):
    """The smallest memory that can be: the root of a on the list of b's root, and room for nothing more."""
    monkeypatch.setattr(lists, "FIRST_ROOM", 1)


def all_equal(count):
    """Triangles on top of each other: everything overlaps, so that lists are as long as they can be."""
    return tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (count, 1)))


@pytest.mark.parametrize("method", METHODS)
def test_grown_memory_gives_the_same_pairs_and_the_same_counters(method, monkeypatch):
    a, b = forest.soup(1, 400, 0.2), forest.soup(2, 300, 0.2)
    roomy = tumble.collide(a, b, method=method, tree="aabb", stats=True)
    assert roomy.stats.hits > 1000
    monkeypatch.setattr(lists, "FIRST_ROOM", 1)
    tight = tumble.collide(a, b, method=method, tree="aabb", stats=True)
    np.testing.assert_array_equal(tight.pairs, roomy.pairs)
    assert tight.stats == roomy.stats


@pytest.mark.parametrize("method", ["lists", pytest.param("lists-pairs", marks=pytest.mark.slow)])
@pytest.mark.usefixtures("one_entry")
def test_every_question_grows_for_itself(method):
    a, b = forest.soup(1, 200, 0.2), forest.soup(2, 200, 0.2)
    expected = len(tumble.collide(a, b))
    assert expected > 0

    def fresh():
        asked = prepare(a, b, method=method, tree="aabb")
        assert len(asked._arguments[0].lists) == 1
        return asked

    assert fresh().count(new_counters()) == expected
    assert fresh().repeat(3) == expected
    assert len(fresh().collect(new_counters())) == expected
    assert len(fresh().first(new_counters())) == 1
    assert fresh().stats().hits == expected


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.usefixtures("one_entry")
def test_memory_grows_in_several_steps_and_is_kept(method, monkeypatch):
    mesh = all_equal(200)
    asked, steps = prepare(mesh, mesh, method=method, tree="aabb"), []
    run = query.run
    monkeypatch.setattr(query, "run", lambda memory, *others: (steps.append(len(memory.lists)), run(memory, *others)))
    counters = new_counters()
    assert asked.count(counters) == 200 * 200
    assert len(steps) > 5
    assert all(after >= 2 * before for before, after in pairwise(steps))
    once = counters.values.copy()
    steps.clear()
    assert asked.count(counters) == 200 * 200
    assert len(steps) == 1
    np.testing.assert_array_equal(counters.values, once)


@pytest.mark.parametrize("method", METHODS)
@given(st.integers(0, 10**6), st.sampled_from(forest.POSES), st.integers(1, 9))
@settings(max_examples=25)
def test_random_trees_in_little_room(method, seed, pose, room):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lists, "FIRST_ROOM", room)
        a, b = forest.random_tree(seed, 40), forest.random_tree(seed + 1, 40)
        # with counters, as other tests have compiled it
        expected = tumble.collide(a, b, None, pose, method="stack", stats=True).pairs
        np.testing.assert_array_equal(tumble.collide(a, b, None, pose, method=method, stats=True).pairs, expected)
        assert len(tumble.collide(a, b, None, pose, method=method, first=True, stats=True)) == (len(expected) > 0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("arity", [2, 3, 5])
@pytest.mark.parametrize("short_by", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in range(2, 7))])
def test_nothing_is_written_beyond_the_buffer(method, arity, short_by):
    """Buffers from just large enough to a little too small, between guards."""
    tree = tumble.build(all_equal(arity**3), arity=arity)
    record, *others = prepare(tree, tree, method=method)._arguments
    used = smallest_room(record, others)
    size = used - short_by
    guarded = np.full(size + 16, -7, np.int32)
    memory = record._replace(lists=guarded[8 : 8 + size], wanted=np.zeros(1, np.int64))
    sink = counting(ExactTest())
    query.run(memory, *others, sink, new_counters())
    assert (guarded[:8] == -7).all()
    assert (guarded[8 + size :] == -7).all()
    assert (memory.grown() is None) == (short_by == 0)
    if short_by == 0:
        assert sink.found[0] == len(tree.mesh) ** 2


def smallest_room(record, others):
    """Return the smallest size with which a run is content, by bisection."""
    low, high = 0, len(record.lists)
    while high - low > 1:
        size = (low + high) // 2
        memory = record._replace(lists=np.empty(size, np.int32), wanted=np.zeros(1, np.int64))
        query.run(memory, *others, counting(ExactTest()), new_counters())
        low, high = (low, size) if memory.grown() is None else (size, high)
    return high


@pytest.mark.parametrize("method", METHODS)
def test_small_trees_never_run_out(method):
    """The bound holds where everything overlaps, on trees of any shape."""
    for seed in range(20):
        a, b = forest.random_tree(seed, 30, size=1), forest.random_tree(seed + 100, 30, size=1)
        asked = prepare(a, b, method=method)
        memory = asked._arguments[0]
        asked.count(new_counters())
        assert asked._arguments[0] is memory


@pytest.mark.parametrize("method", METHODS)
def test_a_full_buffer_of_pairs_and_full_lists_at_once(method, monkeypatch):
    monkeypatch.setattr(lists, "FIRST_ROOM", 3)
    monkeypatch.setattr(touching, "FIRST_CAPACITY", 5)
    mesh = all_equal(60)
    pairs = tumble.collide(mesh, mesh, method=method, tree="aabb", stats=True).pairs
    assert len(pairs) == len({tuple(pair) for pair in pairs.tolist()}) == 3600


def test_a_run_that_wants_more_says_how_much():
    mesh = all_equal(64)
    record, *others = prepare(mesh, mesh, method="lists", tree="aabb")._arguments
    memory = record._replace(lists=np.empty(4, np.int32))
    query.run(memory, *others, collecting(ExactTest(), 1), new_counters())
    assert memory.wanted[0] == 1 + 2 + 4  # the root, its children and grandchildren: the third list does not fit
    larger = memory.grown()
    assert len(larger.lists) == 8
    assert larger.wanted[0] == 0
