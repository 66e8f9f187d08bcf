"""Areas of slots for each pair of bodies, on whatever device is there: what a walk leaves, and what does not fit."""

import numpy as np
import pytest

import tumble
from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.binary_stack import slots
from tumble.bench.papers.binary_stack.fall import Moment
from tumble.bench.papers.binary_stack.races import leaf_traversal, queries
from tumble.bench.papers.binary_stack.slots import DENSE, IN_SLOTS, SLOTS_STUDY, by_way, copy_moment, race_copies
from tumble.device import devices
from tumble.mesh import shapes, translation

BODY = shapes.icosphere(2)
ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)


@pytest.fixture(scope="module")
def device():
    found = devices()
    if not found:
        pytest.skip("no OpenCL device")
    return found[0]


def moment_of(*places):
    """Bodies in a row, each beside the next."""
    poses = np.array([translation(x, 0.1, 0.0) for x in places])
    return Moment(0, poses, np.array([(k, k + 1) for k in range(len(places) - 1)], np.int64).reshape(-1, 2))


def copied_at(device, moment):
    return race_copies(device, tumble.build(BODY, "obb", leaf_size=1), moment, ONE_ROUND)


def touching(moment):
    poses = moment.poses
    return [tumble.collide(BODY, BODY, poses[i], poses[j]).pairs for i, j in moment.pairs.tolist()]


def test_slots_hold_the_pairs_of_leaves_of_the_walk(device):
    moment = moment_of(0.0, 1.9, 4.5)
    copied = copied_at(device, moment)
    leaves = leaf_traversal(queries(BODY, moment, "binary-stack"))()
    assert [len(found) for found in copied.in_slots] == [len(found) for found in copied.dense]
    assert len(copied.dense[0]) >= len(leaves[0]) > len(touching(moment)[0]) > 0  # boxes in float32 are a bit wider
    assert len(copied.dense[1]) == 0
    assert copied.wrong(touching(moment)) == copied.lost == 0
    assert copied.sizes == {"slot bytes": 2 * 4096 * 8, "dense bytes": 12 * len(copied.dense[0])}


def test_what_is_missing_or_other_is_a_wrong_answer(device):
    moment = moment_of(0.0, 1.9)
    copied, truth = copied_at(device, moment), touching(moment)
    assert copied._replace(in_slots=[copied.in_slots[0][1:]]).wrong(truth) == 1
    assert copied._replace(in_slots=[copied.in_slots[0] + 1]).wrong(truth) == 1
    assert copied.wrong([np.array([[0, 0]])]) == 1


def test_what_does_not_fit_is_lost_and_counted(device, monkeypatch):
    moment = moment_of(0.0, 1.9)
    pairs = len(copied_at(device, moment).dense[0])
    monkeypatch.setattr(slots, "SLOTS_PER_PAIR", 7)
    monkeypatch.setattr(slots, "AREA", 8)
    copied = copied_at(device, moment)
    assert len(copied.in_slots[0]) == 7
    assert copied.lost == pairs - 7 > 0
    assert copied.wrong(touching(moment)) == 0


def test_both_ways_are_in_one_race(device):
    moment, study = moment_of(0.0, 1.9), Table().study(SLOTS_STUDY)
    copy_moment(BODY, moment, touching(moment), [device], Effort(0.0, least_rounds=6, most_rounds=6), study)
    areas, dense = by_way(device.name, IN_SLOTS), by_way(device.name, DENSE)
    assert study.count("step 0", areas, "rounds") == study.count("step 0", dense, "rounds") == 6
    assert study.interval("step 0", areas, dense).low > 0
    assert study.value("step 0", areas, "wrong answers") == 0


def test_nothing_to_copy(device):
    assert copied_at(device, moment_of(0.0)) is None
    assert copied_at(device, moment_of(0.0, 50.0)) is None
