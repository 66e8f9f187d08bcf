"""Binned surface-area heuristic: the cut with the least sum of area times triangles, over 16 bins on each axis.

I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007. The tightest trees of the three rules
and the slowest to build. Triangles whose centres fall into one bin are halved by count.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.hierarchy.split.protocol import halve, split

BINS = 16


class Sah(NamedTuple):
    """Split by surface area."""

    bins: NDArray[np.float64]
    """a row for each bin: the box of its triangles and their number"""
    right_costs: NDArray[np.float64]
    box: NDArray[np.float64]


def sah_rule() -> Sah:
    """Make the rule with its memory."""
    return Sah(np.empty((BINS, 7)), np.empty(BINS), np.empty(6))


@kernel
def half_area(box):
    """Return half the surface of a box, or zero when it is empty."""
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    # an empty box is inverted on all axes alike, so one of them tells
    return x * y + y * z + z * x if x >= 0.0 else 0.0


@kernel
def clear(box):
    """Make a box empty."""
    box[:3] = np.inf
    box[3:6] = -np.inf


@kernel
def grow(box, other):
    """Enlarge a box to hold another."""
    for axis in range(3):
        box[axis] = min(box[axis], other[axis])
        box[3 + axis] = max(box[3 + axis], other[3 + axis])


@kernel
def bin_of(value, low, high):
    """Return the bin of a value between low and high, which differ."""
    # the quotient first: it is at most 1, so no size overflows; the largest value belongs to the last bin
    return min(BINS - 1, int(BINS * ((value - low) / (high - low))))


@kernel
def fill_bins(bins, boxes, axis, low, high, order, start, stop):
    """Collect the boxes of the triangles in the bins of their centres."""
    for k in range(BINS):
        clear(bins[k])
        bins[k, 6] = 0.0
    for k in range(start, stop):
        row = bins[bin_of(boxes.centres[order[k], axis], low, high)]
        grow(row, boxes.bounds[order[k]])
        row[6] += 1.0


@kernel
def best_cut(bins, right_costs, box):
    """Return the least cost over the borders between bins, and the bin that begins the right side."""
    # from the right, then from the left: two passes give both sides of every border
    clear(box)
    count = 0.0
    for k in range(BINS - 1, 0, -1):
        grow(box, bins[k])
        count += bins[k, 6]
        right_costs[k] = half_area(box) * count if count > 0.0 else np.inf
    total = count + bins[0, 6]
    clear(box)
    count = 0.0
    best, cut, uneven = np.inf, 0, np.inf
    for k in range(1, BINS):
        grow(box, bins[k - 1])
        count += bins[k - 1, 6]
        cost = half_area(box) * count + right_costs[k]
        # boxes without area (segments in a row) all cost nothing: of equal costs, the evenest cut keeps the tree flat
        if count > 0.0 and (cost < best or (cost == best and abs(2.0 * count - total) < uneven)):
            best, cut, uneven = cost, k, abs(2.0 * count - total)
    return best, cut


@kernel
def move_left_bins(cut, boxes, axis, low, high, order, start, stop):
    """Move the triangles in bins before the cut to the front; return where the others begin."""
    # by bins, as they were counted: a plane between two bins could disagree about a centre by rounding
    front = start
    for k in range(start, stop):
        if bin_of(boxes.centres[order[k], axis], low, high) < cut:
            order[k], order[front] = order[front], order[k]
            front += 1
    return front


@split.register(Sah)
def _split(rule, boxes, order, start, stop):
    best, best_axis, best_bin, best_low, best_high = np.inf, 0, 0, 0.0, 0.0
    for axis in range(3):
        low = high = boxes.centres[order[start], axis]
        for k in range(start + 1, stop):
            value = boxes.centres[order[k], axis]
            low, high = min(low, value), max(high, value)
        # no border separates equal centres
        if low == high:
            continue
        fill_bins(rule.bins, boxes, axis, low, high, order, start, stop)
        cost, cut = best_cut(rule.bins, rule.right_costs, rule.box)
        if cost < best:
            best, best_axis, best_bin, best_low, best_high = cost, axis, cut, low, high
    if best < np.inf:
        return move_left_bins(best_bin, boxes, best_axis, best_low, best_high, order, start, stop)
    return halve(boxes.centres, 0, order, start, stop)
