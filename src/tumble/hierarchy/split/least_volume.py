"""Least volume: the criterion of paper `boxtree`, Section 4.2, for trees that store their volumes.

    for each axis:
        seeds: the triangles nearest to the two borders
        for each other triangle, from both ends of the range in turn: to the part whose box grows least in volume
    the axis with the least sum of both volumes wins

The paper suspects that the volumes of axis-aligned boxes serve other kinds of volumes as well. Boxes that are flat have
no volume: no side counts as shorter than a thousandth of the longest of the whole range. As for boxtrees, a candidate
counts only when its smaller part has an eighth of the triangles, as the least volume alone splits off single triangles;
where no candidate has, the range is halved.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.hierarchy.split.protocol import halve, longest_axis, split
from tumble.hierarchy.split.sah import clear, grow

LEAST_SHARE = 8
FLAT = 1e-3


class LeastVolume(NamedTuple):
    """Split by volume."""

    parts: NDArray[np.float64]
    """the boxes of both parts"""
    larger: NDArray[np.float64]
    """a part's box with one more triangle"""


def least_volume_rule() -> LeastVolume:
    """Make the rule with its memory."""
    return LeastVolume(np.empty((2, 6)), np.empty(6))


@kernel
def volume(box, flat):
    """Return the volume of a box, no side of which counts as shorter than `flat`; zero when it is empty."""
    if box[3] < box[0]:
        return 0.0
    return max(box[3] - box[0], flat) * max(box[4] - box[1], flat) * max(box[5] - box[2], flat)


@kernel
def growth(rule, part, box, flat):
    """Return how much volume a part gains by a triangle."""
    for k in range(6):
        rule.larger[k] = rule.parts[part, k]
    grow(rule.larger, box)
    return volume(rule.larger, flat) - volume(rule.parts[part], flat)


@kernel
def outermost(bounds, axis, order, start, stop):
    """Return the places of the triangles with the lowest lower and the highest upper end, which are not the same."""
    low, high = start, start + 1
    for k in range(start, stop):
        if bounds[order[k], axis] < bounds[order[low], axis]:
            low = k
    if low == high:
        high = start
    for k in range(start, stop):
        if k != low and bounds[order[k], 3 + axis] > bounds[order[high], 3 + axis]:
            high = k
    return low, high


@kernel
def share_out(rule, bounds, axis, order, start, stop, flat, mark):
    """Give each triangle to a part; return the sum of volumes and the size of the first part.

    With `mark`, the triangles of the second part become negative in `order`.
    """
    low, high = outermost(bounds, axis, order, start, stop)
    clear(rule.parts[0])
    clear(rule.parts[1])
    grow(rule.parts[0], bounds[order[low]])
    grow(rule.parts[1], bounds[order[high]])
    sizes = 0
    for turn in range(stop - start):
        k = stop - 1 - (turn >> 1) if turn & 1 else start + (turn >> 1)
        box = bounds[order[k]]
        first, second = growth(rule, 0, box, flat), growth(rule, 1, box, flat)
        # of equal growths, the smaller part gets the triangle
        to_first = first < second or (first == second and 2 * sizes <= turn)
        if k in (low, high):
            to_first = k == low
        grow(rule.parts[0 if to_first else 1], box)
        if to_first:
            sizes += 1
        elif mark:
            order[k] = ~order[k]
    return volume(rule.parts[0], flat) + volume(rule.parts[1], flat), sizes


@kernel
def unmarked_first(order, start, stop):
    """Move what is marked behind the rest, and take the marks away; return where the second part begins."""
    front = start
    for k in range(start, stop):
        if order[k] >= 0:
            order[k], order[front] = order[front], order[k]
            front += 1
    for k in range(front, stop):
        order[k] = ~order[k]
    return front


@split.register(LeastVolume)
def _split(rule, boxes, order, start, stop):
    longest, low, high = longest_axis(boxes.bounds, 0, 3, order, start, stop)
    flat = FLAT * (high - low)
    best, best_axis = np.inf, -1
    for axis in range(3):
        total, first = share_out(rule, boxes.bounds, axis, order, start, stop, flat, False)
        uneven = min(first, stop - start - first) * LEAST_SHARE < stop - start
        if total < best and not uneven:
            best, best_axis = total, axis
    if best_axis < 0:
        return halve(boxes.centres, longest, order, start, stop)
    share_out(rule, boxes.bounds, best_axis, order, start, stop, flat, True)
    return unmarked_first(order, start, stop)
