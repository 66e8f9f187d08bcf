"""Both broad phases find exactly the pairs of boxes that meet, whatever they remember from before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scene_cases
from covering import crossed
from tumble.broad import body_tree, choice, sweep
from tumble.broad.boxes import NOWHERE
from tumble.errors import OptionError
from tumble.scene import Scene

PHASES = ("sweep", "tree", "auto")
SEE_ALL = 0xFFFFFFFF


def random_boxes(rng, count, space=4.0, side=1.0):
    low = rng.uniform(0, space, (count, 3))
    return np.hstack((low, low + rng.uniform(0, side, (count, 3))))


def filters_of(count):
    return np.full((count, 2), (1, SEE_ALL), np.int64)


@pytest.mark.parametrize("name", PHASES)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 17, 200])
def test_first_call(name, count):
    boxes = random_boxes(np.random.default_rng(count), count)
    keys = choice.make_broad_phase(name).keys(boxes, filters_of(count))
    np.testing.assert_array_equal(keys, scene_cases.meeting_keys(boxes, filters_of(count)))
    assert len(keys) or count < 17


@crossed(1, name=PHASES, motion=[(0.02, 2.0), (0.3, 0.5), (1.0, 0.01), (1.0, 2.0)])
def test_boxes_that_move_come_and_go(name, motion):
    """A hundred steps in which some move, some vanish and some appear, in the same slots and in new ones."""
    share, distance = motion
    rng = np.random.default_rng(11)
    phase = choice.make_broad_phase(name)
    boxes = random_boxes(rng, 40)
    for turn in range(100):
        some = rng.random(len(boxes)) < share
        boxes[some] += np.tile(rng.uniform(-distance, distance, (some.sum(), 3)), 2)
        if turn % 3 == 0:
            boxes[rng.integers(len(boxes))] = NOWHERE
            boxes = np.vstack((boxes, random_boxes(rng, 1 + 20 * (turn % 10 == 0))))
        if turn % 17 == 0:
            boxes[: len(boxes) // 2] = NOWHERE
        if turn == 60:
            boxes[:] = NOWHERE
        filters = filters_of(len(boxes))
        np.testing.assert_array_equal(phase.keys(boxes, filters), scene_cases.meeting_keys(boxes, filters))


NUMBERS = st.integers(0, 3).map(float)
BOX = st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)


@pytest.mark.parametrize("name", PHASES)
@given(steps=st.lists(st.lists(BOX, min_size=9, max_size=9), min_size=1, max_size=4))
@settings(max_examples=settings().max_examples // 3)
def test_boxes_that_coincide_and_share_faces_edges_and_corners(name, steps):
    """Corners on a grid of 4³; where a low end lies above the high one there is no box."""
    phase = choice.make_broad_phase(name)
    for step in steps:
        boxes = np.array(step)
        boxes[(boxes[:, :3] > boxes[:, 3:]).any(axis=1)] = NOWHERE
        filters = filters_of(len(boxes))
        np.testing.assert_array_equal(phase.keys(boxes, filters), scene_cases.meeting_keys(boxes, filters))


@pytest.mark.parametrize("name", PHASES)
def test_filters_and_their_changes(name):
    rng = np.random.default_rng(12)
    phase = choice.make_broad_phase(name)
    boxes = random_boxes(rng, 60, space=2.0)
    for _ in range(10):
        filters = rng.integers(0, 8, (60, 2))
        expected = scene_cases.meeting_keys(boxes, filters)
        np.testing.assert_array_equal(phase.keys(boxes, filters), expected)
        boxes[rng.integers(60)] += 0.5
        filters[rng.integers(60)] = 7, SEE_ALL
        np.testing.assert_array_equal(phase.keys(boxes, filters), scene_cases.meeting_keys(boxes, filters))


@pytest.mark.parametrize("name", PHASES)
def test_a_reset_forgets_the_slots(name):
    rng = np.random.default_rng(13)
    phase = choice.make_broad_phase(name)
    for count in (50, 20, 70):
        boxes, filters = random_boxes(rng, count), filters_of(count)
        phase.reset()
        np.testing.assert_array_equal(phase.keys(boxes, filters), scene_cases.meeting_keys(boxes, filters))


@pytest.mark.parametrize("name", PHASES)
def test_more_pairs_than_the_buffer_holds(name):
    boxes, filters = np.tile([0.0, 0, 0, 1, 1, 1], (150, 1)), filters_of(150)
    keys = choice.make_broad_phase(name).keys(boxes, filters)
    assert len(keys) == 150 * 149 // 2 > 2 * 4096
    np.testing.assert_array_equal(keys, scene_cases.meeting_keys(boxes, filters))


def test_pairs_across_a_split():
    boxes, filters = random_boxes(np.random.default_rng(14), 80), filters_of(80)
    every = scene_cases.meeting_keys(boxes, filters)
    across = every[((every >> 32) < 30) & ((every & 0xFFFFFFFF) >= 30)]
    np.testing.assert_array_equal(sweep.Sweep().keys(boxes, filters, split=30), across)
    assert 0 < len(across) < len(every)


def test_the_sweep_turns_to_the_sparsest_axis():
    """Boxes in a row along each axis in turn: never are more than neighbours compared, from the second call on."""
    phase = sweep.Sweep()
    for axis in (2, 0, 1):
        boxes = np.tile([0.0, 0, 0, 1, 1, 1], (100, 1))
        boxes[:, [axis, 3 + axis]] += 0.9 * np.arange(100)[::-1, None]
        for _ in range(2):
            assert len(phase.keys(boxes, filters_of(100))) == 99
        assert phase.compared <= 200


def test_the_tree_is_kept_while_bodies_stay_in_their_fat_boxes(monkeypatch):
    boxes = random_boxes(np.random.default_rng(15), 100, side=1.0)
    boxes[:, 3:] = boxes[:, :3] + 1.0
    tree = body_tree.Tree()
    tree.keys(boxes, filters_of(100))

    def never(*_):
        raise AssertionError("nothing left its fat box")

    for name in ("build", "meeting_leaves"):
        monkeypatch.setattr(body_tree.tree, name, never)
    for shift in (0.04, -0.04, 0.09):
        moved = boxes + shift
        np.testing.assert_array_equal(
            tree.keys(moved, filters_of(100)), scene_cases.meeting_keys(moved, filters_of(100))
        )
    boxes[7] += 50.0
    with pytest.raises(AssertionError, match="fat box"):
        tree.keys(boxes, filters_of(100))


def check_tree(tree, boxes):
    """Links, boxes and free nodes are as they should be, and every body is in the tree once."""
    fat, links, (root, free) = tree._nodes
    leaves, inner, waiting = [], 0, [(root, -1)] if root >= 0 else []
    while waiting:
        node, parent = waiting.pop()
        assert links[node, 0] == parent
        if links[node, 1] < 0:
            leaves.append(node)
            assert (fat[node, :3] <= boxes[node, :3]).all()
            assert (boxes[node, 3:] <= fat[node, 3:]).all()
            continue
        inner += 1
        one, other = links[node, 1:]
        np.testing.assert_array_equal(fat[node, :3], np.minimum(fat[one, :3], fat[other, :3]))
        np.testing.assert_array_equal(fat[node, 3:], np.maximum(fat[one, 3:], fat[other, 3:]))
        waiting += [(one, node), (other, node)]
    while free >= 0:
        inner, free = inner + 1, links[free, 0]
    assert inner == tree._capacity
    assert sorted(leaves) == np.flatnonzero(boxes[:, 0] <= boxes[:, 3]).tolist()


def test_the_tree_stays_a_tree():
    rng = np.random.default_rng(17)
    tree = body_tree.Tree()
    boxes = random_boxes(rng, 60)
    for turn in range(60):
        boxes[rng.integers(60)] += 5 * rng.normal()
        if turn % 3 == 0:
            boxes[rng.integers(60)] = NOWHERE
        if turn % 5 == 0:
            boxes[rng.integers(60)] = random_boxes(rng, 1)
        tree.keys(boxes, filters_of(60))
        check_tree(tree, boxes)


def test_many_insertions_are_followed_by_a_new_tree(monkeypatch):
    """Insertion may make a poor tree, were it only by the order of the bodies; so it is not left at that."""
    built = []

    def counted(*arguments):
        built.append(1)
        body_tree.build.build(*arguments)

    monkeypatch.setattr(body_tree.tree, "build", counted)
    tree = body_tree.Tree()
    boxes = random_boxes(np.random.default_rng(18), 100)
    for turn in range(100):
        boxes[turn] += 3.0
        tree.keys(boxes, filters_of(100))
    assert 5 < len(built) < 12


def test_auto_sweeps_a_row_and_plants_a_tree_in_a_heap():
    auto = choice.Auto()
    row = np.arange(500.0)[:, None] + np.array([0, 0, 0, 1.5, 1.5, 1.5])
    heap = random_boxes(np.random.default_rng(16), 500, space=3.0)
    for boxes, sweeping in ((row, True), (heap, False)):
        for _ in range(2):
            keys = auto.keys(boxes, filters_of(500))
            np.testing.assert_array_equal(keys, scene_cases.meeting_keys(boxes, filters_of(500)))
        assert auto._sweeping is sweeping
    for _ in range(auto.PATIENCE + 1):
        auto.keys(row, filters_of(500))
    assert auto._sweeping is True


@pytest.mark.parametrize("name", ["grid", None, 3])
def test_unknown_broad_phases_are_refused(name):
    with pytest.raises(OptionError, match="'auto', 'sweep', 'tree'"):
        Scene(broad_phase=name)
