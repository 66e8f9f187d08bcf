"""Sweep and prune: boxes sorted by their low end along one axis meet only what follows them and starts before they end.

    keep the boxes sorted along the axis on which the fewest overlap
    for each box: for each box that follows and starts before it ends:
        a pair, if they overlap along the other two axes as well

The order is kept between calls: after small moves it is nearly right, and an insertion sort puts it right in one pass.
For: a few plain loops over memory in order; nothing to rebuild. Against: boxes that overlap along the axis are
compared even when they are far apart across it, which in a cube full of n bodies happens n^(5/3) times.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.broad.boxes import Boxes, KeyBuffer, looked_at
from tumble.core.jit import kernel
from tumble.core.keys import Keys
from tumble.core.poll import OFTEN, poll

# places per body that insertion sort may shift before a full sort is cheaper
SHIFTS_PER_BODY = 16
# The axis is chosen again when the sweep compares this many times what it did when the axis was chosen.
REVISED_AT = 1.5

NO_SPLIT = -1

# Columns of the sorted rows; the four others are the low and high ends along the other two axes.
LOW, HIGH = 0, 1


class Sweep:
    """The sorted order of the boxes; `keys` brings it up to date and sweeps."""

    def __init__(self) -> None:
        self._buffer = KeyBuffer()
        self.reset()

    def reset(self) -> None:
        """Forget the order: slots have other owners now."""
        self._order = np.empty(0, np.int64)
        self._rows = np.empty((0, 6))
        self._axis = 0
        self._expected = 0.0
        self._compared = np.zeros(1, np.int64)

    def keys(self, boxes: Boxes, filters: NDArray[np.int64], split: int = NO_SPLIT) -> Keys:
        """Return the sorted keys of the pairs of boxes that meet and that the filters let through.

        With a split, only pairs of a box before it and one from it on are looked at.
        """
        self._follow(boxes)

        def fill(keys: Keys) -> int:
            return sweep_rows(self._order, self._rows, filters, split, keys, self._compared)

        keys = np.sort(self._buffer.fill(fill))
        if self.compared > self._expected:
            self.choose_axis(boxes)
        return keys

    def _follow(self, boxes: Boxes) -> None:
        """Bring order and rows up to date."""
        if len(self._order) != len(boxes):
            added = np.arange(len(self._order), len(boxes), dtype=np.int64)
            self._order = np.concatenate((self._order, added))
            self._rows = np.empty((len(boxes), 6))
            if len(added) > len(boxes) // 4:
                self.choose_axis(boxes)
        shifts = SHIFTS_PER_BODY * len(boxes)
        if not sort_rows(boxes, self._axis, self._order, self._rows, shifts):
            self._order = np.argsort(boxes[:, self._axis], kind="stable")
            sort_rows(boxes, self._axis, self._order, self._rows, shifts)

    @property
    def compared(self) -> int:
        """How many pairs of boxes the last sweep compared."""
        return int(self._compared[0])

    def choose_axis(self, boxes: Boxes) -> int:
        """Sweep along the axis on which the fewest pairs of boxes overlap from now on; return how many do."""
        solid = boxes[boxes[:, 0] <= boxes[:, 3]]
        counts = [overlaps(solid[:, axis], solid[:, 3 + axis]) for axis in range(3)]
        self._axis = int(np.argmin(counts))
        # The number of bodies keeps small scenes from choosing at every turn.
        self._expected = REVISED_AT * min(counts) + 4 * len(boxes)
        return min(counts)


def overlaps(lows: NDArray[np.float64], highs: NDArray[np.float64]) -> int:
    """Return how many pairs of intervals overlap."""
    before = np.searchsorted(np.sort(lows), highs, side="right")
    return int(before.sum()) - len(lows) * (len(lows) + 1) // 2


@kernel
def sort_rows(boxes: Boxes, axis: int, order: NDArray[np.int64], rows: Boxes, most_shifts: int) -> bool:
    """Sort `order` by the boxes' low ends along the axis and copy the boxes in that order; False if that took too long.

    Equal low ends may stand in any order: the sweep finds the same pairs.
    """
    shifts = 0
    second, third = (axis + 1) % 3, (axis + 2) % 3
    for k in range(len(order)):
        slot = order[k]
        low = boxes[slot, axis]
        at = k
        while at > 0 and rows[at - 1, LOW] > low:
            for column in range(6):
                rows[at, column] = rows[at - 1, column]
            order[at] = order[at - 1]
            at -= 1
            shifts += 1
        order[at] = slot
        rows[at, LOW], rows[at, HIGH] = low, boxes[slot, 3 + axis]
        rows[at, 2], rows[at, 3] = boxes[slot, second], boxes[slot, 3 + second]
        rows[at, 4], rows[at, 5] = boxes[slot, third], boxes[slot, 3 + third]
        if shifts > most_shifts:
            return False
    return True


@kernel
def sweep_rows(
    order: NDArray[np.int64],
    rows: Boxes,
    filters: NDArray[np.int64],
    split: int,
    keys: Keys,
    compared: NDArray[np.int64],
) -> int:
    """Write the key of every pair that meets, as far as they fit; return how many there are."""
    count = 0
    steps = 0
    for k in range(len(order)):
        high = rows[k, HIGH]
        low_2, high_2, low_3, high_3 = rows[k, 2], rows[k, 3], rows[k, 4], rows[k, 5]
        m = k + 1
        while m < len(order) and rows[m, LOW] <= high:
            m += 1
            if (steps + m) & OFTEN == 0 and poll(count) != 0:
                return count
            if rows[m - 1, 2] > high_2 or rows[m - 1, 3] < low_2 or rows[m - 1, 4] > high_3 or rows[m - 1, 5] < low_3:
                continue
            i, j = min(order[k], order[m - 1]), max(order[k], order[m - 1])
            if split != NO_SPLIT and (i < split) == (j < split):
                continue
            if not looked_at(filters, i, filters, j):
                continue
            if count < len(keys):
                keys[count] = i << 32 | j
            count += 1
        steps += m - k - 1
    compared[0] = steps
    return count
