"""Cut a range of boxes in two where the surface-area heuristic says, over bins on all three axes at once.

I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007. Boxes move between two halves of one
array, `boxes[0:n]` and `boxes[n:2n]`, so that each pass reads in order and writes two streams without a branch. A range
is named by its first and last place in that array.
"""

import numpy as np

from tumble.hierarchy.packed.boxes import FAR
from tumble.hierarchy.packed.lanes import (
    all_lanes,
    choose,
    doubled_centre,
    fetch,
    half_area,
    lane,
    least,
    load,
    minus,
    store,
    three_lanes,
    three_whole,
    times,
)
from tumble.hierarchy.packed.room import BIN_BOXES, BIN_COUNTS, BINS, PART_BOXES, PART_CENTRES, RIGHT_COSTS
from tumble.jit import inlined_kernel, kernel

SAMPLE = 512
"""larger ranges are judged by a sample of this many boxes, or a little more"""
NARROW = np.float32(1e-30)
"""an axis on which the centres span less is not cut"""


@inlined_kernel
def bins_per_unit(centres, axis, bins):
    """Return the factor from a distance along an axis to bins; a little less, so that no centre gets past the last."""
    span = -(lane(centres, axis) + lane(centres, axis + 4))
    return np.float32(0.99999) * np.float32(bins) / span if span > NARROW else np.float32(0.0)


@inlined_kernel
def fill_bins(boxes, start, stop, step, centres, factors, bins, room, counts):
    """Collect every `step`-th box in the bins of its centre, on all three axes."""
    far = all_lanes(FAR)
    for k in range(BINS):
        if k < bins:
            for axis in range(3):
                store(room, BIN_BOXES + axis * BINS + k, far)
                counts[BIN_COUNTS + axis * BINS + k] = 0
    for i in range(start, stop, step):
        box = load(boxes, i)
        x, y, z = three_whole(times(minus(doubled_centre(box), centres), factors))
        y += BINS
        z += 2 * BINS
        store(room, BIN_BOXES + x, least(load(room, BIN_BOXES + x), box))
        store(room, BIN_BOXES + y, least(load(room, BIN_BOXES + y), box))
        store(room, BIN_BOXES + z, least(load(room, BIN_BOXES + z), box))
        counts[BIN_COUNTS + x] += 1
        counts[BIN_COUNTS + y] += 1
        counts[BIN_COUNTS + z] += 1


@inlined_kernel
def best_border(room, counts, bins):
    """Return the axis and the border between bins with the least sum of area times boxes; border 0 if there is none."""
    best, best_axis, best_border, evenest = FAR, 0, 0, 0
    for axis in range(3):
        first = axis * BINS
        box = all_lanes(FAR)
        count = 0
        for k in range(bins - 1, 0, -1):
            box = least(box, load(room, BIN_BOXES + first + k))
            count += counts[BIN_COUNTS + first + k]
            # without boxes this is infinity times zero, which compares as no gain below
            room[8 * RIGHT_COSTS + k] = half_area(box) * np.float32(count)
        total = count + counts[BIN_COUNTS + first]
        box = all_lanes(FAR)
        count = 0
        for k in range(1, bins):
            box = least(box, load(room, BIN_BOXES + first + k - 1))
            count += counts[BIN_COUNTS + first + k - 1]
            cost = half_area(box) * np.float32(count) + room[8 * RIGHT_COSTS + k]
            # boxes without area all cost nothing: of equal costs, the evenest cut keeps the tree flat
            if cost <= best:
                smaller = min(count, total - count)
                if cost < best or smaller > evenest:
                    best, best_axis, best_border, evenest = cost, axis, k, smaller
    return best_axis, best_border


@inlined_kernel
def divide(boxes, start, stop, target, axis, low, factor, border, room, left_part, right_part):
    """Move the boxes before the border to the front of the range at `target`, the others to its end.

    The bounds of both parts go to the room. Return where the second part begins.
    """
    far = all_lanes(FAR)
    left_box, left_centres, right_box, right_centres = far, far, far, far
    front = target
    back = target + stop - start - 1
    for i in range(start, stop):
        box = load(boxes, i)
        centre = doubled_centre(box)
        # the same operations as in fill_bins, so that no box changes sides
        before = (fetch(boxes, 8 * i + axis) - fetch(boxes, 8 * i + 4 + axis) - low) * factor < border
        store(boxes, front if before else back, box)
        front += np.int64(before)
        back -= np.int64(not before)
        left_box = least(left_box, choose(before, box, far))
        right_box = least(right_box, choose(before, far, box))
        left_centres = least(left_centres, choose(before, centre, far))
        right_centres = least(right_centres, choose(before, far, centre))
    store(room, PART_BOXES + left_part, left_box)
    store(room, PART_CENTRES + left_part, left_centres)
    store(room, PART_BOXES + right_part, right_box)
    store(room, PART_CENTRES + right_part, right_centres)
    return front


@inlined_kernel
def bound(boxes, start, stop, room, part):
    """Write the bounds of a range to the room."""
    box, centres = all_lanes(FAR), all_lanes(FAR)
    for i in range(start, stop):
        box = least(box, load(boxes, i))
        centres = least(centres, doubled_centre(load(boxes, i)))
    store(room, PART_BOXES + part, box)
    store(room, PART_CENTRES + part, centres)


@kernel
def cut_range(boxes, start, stop, by_count, room, counts, part, right_part):
    """Cut the range of a part in two; the second becomes `right_part`.

    Return the two starts. Without a border that separates the centres, or on demand, the range is halved by count.
    """
    total = boxes.size // 16
    count = stop - start
    centres = load(room, PART_CENTRES + part)
    axis, border = 0, 0
    bins = BINS
    if not by_count:
        factors = three_lanes(
            bins_per_unit(centres, 0, bins), bins_per_unit(centres, 1, bins), bins_per_unit(centres, 2, bins)
        )
        fill_bins(boxes, start, stop, 1 + count // SAMPLE, centres, factors, bins, room, counts)
        axis, border = best_border(room, counts, bins)
    if border == 0:
        middle = start + count // 2
        bound(boxes, start, middle, room, part)
        bound(boxes, middle, stop, room, right_part)
        return start, middle
    target = start + total if start < total else start - total
    low, factor = lane(centres, axis), bins_per_unit(centres, axis, bins)
    middle = divide(boxes, start, stop, target, axis, low, factor, np.float32(border), room, part, right_part)
    return target, middle
