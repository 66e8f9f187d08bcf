"""Areas of slots for each pair of bodies, on whatever device is there: what is copied back, and what does not fit."""

import numpy as np
import pytest

from tumble.bench.framework.answers import wrong_answers
from tumble.bench.papers.binary_stack.published import SLOTS_PER_PAIR
from tumble.bench.papers.binary_stack.slots import copy_slots
from tumble.device import devices
from tumble.query.answer import PairTable


@pytest.fixture(scope="module")
def device():
    found = devices()
    if not found:
        pytest.skip("no OpenCL device")
    return found[0]


def table_of(*counts):
    """An answer with so many pairs of triangles for each pair of bodies, all different."""
    total = sum(counts)
    return PairTable(np.array(counts, np.int64), np.stack([np.arange(total), 7 * np.arange(total)], axis=1))


def test_all_slots_come_back_with_what_is_in_them(device):
    answer = table_of(3, 0, 40)
    copied = copy_slots(device, answer)
    assert copied.size == 3 * 4096 * 8
    assert [len(found) for found in copied.found] == [3, 0, 40]
    assert wrong_answers(copied.found, [answer.triangles[answer.rows(i)] for i in range(3)]) == 0
    assert copied.lost == 0
    assert copied.seconds > 0


def test_what_does_not_fit_is_lost_and_counted(device):
    copied = copy_slots(device, table_of(1, SLOTS_PER_PAIR + 5))
    assert [len(found) for found in copied.found] == [1, SLOTS_PER_PAIR]
    assert copied.lost == 5


def test_nothing_to_copy(device):
    assert copy_slots(device, table_of(0, 0)) is None
