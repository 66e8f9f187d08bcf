"""Cut a range of boxes in two where the surface-area heuristic says, over bins on all three axes at once.

I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007. Boxes move between two halves of one
array, `boxes[0:n]` and `boxes[n:2n]`, so that each pass reads in order and writes two streams without a branch. A range
is named by its first and last place in that array.
"""

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.eight import all_lanes, choose, lane, least, least_lane, load, minus, store, three_whole, times
from tumble.core.simd.memory import float32_at, int32_at, set_float32, set_int32
from tumble.hierarchy.packed.boxes import FAR, doubled_centre, half_area, per_span
from tumble.hierarchy.packed.scratch import BIN_BOXES, BIN_COUNTS, BINS, PART_BOXES, PART_CENTRES, RIGHT_COSTS

SAMPLE = 512
"""the cuts of larger ranges are chosen by a sample of this many boxes, or a little more"""
BINS_TO_FILL = np.float32(0.99999 * BINS)
"""a little less than there are, so that rounding takes no centre past the last"""
NARROW = np.float32(1e-30)
"""an axis on which the centres span less is not cut"""


@inlined_kernel
def fill_bins(boxes, start, stop, step, centres, factors, scratch):
    """Collect every `step`-th box in the bins of its centre, on all three axes."""
    far = all_lanes(FAR)
    for k in range(BINS):
        for axis in range(3):
            store(scratch, BIN_BOXES + axis * BINS + k, far)
            set_int32(scratch, BIN_COUNTS + axis * BINS + k, np.int64(0))
    # three axes in one pass: reading the boxes is what takes the time
    for i in range(start, stop, step):
        box = load(boxes, i)
        x, y, z = three_whole(times(minus(doubled_centre(box), centres), factors))
        y += BINS
        z += 2 * BINS
        store(scratch, BIN_BOXES + x, least(load(scratch, BIN_BOXES + x), box))
        store(scratch, BIN_BOXES + y, least(load(scratch, BIN_BOXES + y), box))
        store(scratch, BIN_BOXES + z, least(load(scratch, BIN_BOXES + z), box))
        set_int32(scratch, BIN_COUNTS + x, int32_at(scratch, BIN_COUNTS + x) + 1)
        set_int32(scratch, BIN_COUNTS + y, int32_at(scratch, BIN_COUNTS + y) + 1)
        set_int32(scratch, BIN_COUNTS + z, int32_at(scratch, BIN_COUNTS + z) + 1)


@inlined_kernel
def surface(box, parent, factors, whole, tight):
    """Return half the surface of a part's node, by its tight box and the parent's, of half the surface `whole`."""
    if tight:
        return half_area(box)
    # in all six lanes the parent less the part is 0 or below: minus what a plane at that side may cut off
    return whole + least_lane(times(minus(parent, box), factors))


@inlined_kernel
def best_border(tight, parent, parent_factors, scratch):
    """Return the axis and border between bins with the least sum of surface times boxes; border 0 if there is none.

    The surface of a part is that of its tight box, or that of the parent's box, cut by one plane: see
    `tumble.hierarchy.boxtree.surface`, which writes the factors of the three axes to rows from `parent_factors` on.
    A border beside an empty bin is the one before it, and is not evaluated twice: small ranges have few others.
    """
    best, best_axis, best_border, evenest = FAR, 0, 0, 0
    whole = half_area(parent)
    for axis in range(3):
        first = axis * BINS
        factors = parent if tight else load(scratch, parent_factors + axis)
        box = all_lanes(FAR)
        count, cost = 0, FAR
        # costs from the right first, then from the left: each border gets its two costs from two linear passes
        for k in range(BINS - 1, 0, -1):
            more = int32_at(scratch, BIN_COUNTS + first + k)
            # a border beside an empty bin separates the same boxes as the one before
            if more > 0:
                count += more
                box = least(box, load(scratch, BIN_BOXES + first + k))
                cost = surface(box, parent, factors, whole, tight) * np.float32(count)
            set_float32(scratch, 8 * RIGHT_COSTS + k, cost)
        total = count + int32_at(scratch, BIN_COUNTS + first)
        box = all_lanes(FAR)
        count = 0
        for k in range(1, BINS):
            more = int32_at(scratch, BIN_COUNTS + first + k - 1)
            count += more
            # nothing is left for the other side of this border, or of any behind it
            if count == total:
                break
            if more > 0:
                box = least(box, load(scratch, BIN_BOXES + first + k - 1))
                cost = surface(box, parent, factors, whole, tight) * np.float32(count)
                cost += float32_at(scratch, 8 * RIGHT_COSTS + k)
                # boxes without surface all cost nothing: of equal costs, the evenest cut keeps the tree flat
                smaller = min(count, total - count)
                if cost < best or (cost == best and smaller > evenest):
                    best, best_axis, best_border, evenest = cost, axis, k, smaller
    return best_axis, best_border


@inlined_kernel
def divide(boxes, start, stop, target, axis, low, factor, border, scratch, left_part, right_part):
    """Move the boxes before the border to the front of the range at `target`, the others to its end.

    The bounds of both parts go to the scratch memory. Return where the second part begins.
    """
    far = all_lanes(FAR)
    left_box, left_centres, right_box, right_centres = far, far, far, far
    front = target
    back = target + stop - start - 1
    for i in range(start, stop):
        box = load(boxes, i)
        centre = doubled_centre(box)
        # the same operations as in fill_bins, so that no box changes sides
        before = (float32_at(boxes, 8 * i + axis) - float32_at(boxes, 8 * i + 4 + axis) - low) * factor < border
        # the second part is filled from its end: neither part's size is known before the last box
        store(boxes, front if before else back, box)
        front += np.int64(before)
        back -= np.int64(not before)
        # bounds of both parts on the way, without a branch: which side a box goes to cannot be predicted
        left_box = least(left_box, choose(before, box, far))
        right_box = least(right_box, choose(before, far, box))
        left_centres = least(left_centres, choose(before, centre, far))
        right_centres = least(right_centres, choose(before, far, centre))
    store(scratch, PART_BOXES + left_part, left_box)
    store(scratch, PART_CENTRES + left_part, left_centres)
    store(scratch, PART_BOXES + right_part, right_box)
    store(scratch, PART_CENTRES + right_part, right_centres)
    return front


@inlined_kernel
def bound(boxes, start, stop, scratch, part):
    """Write the bounds of a range to the scratch memory."""
    box, centres = all_lanes(FAR), all_lanes(FAR)
    for i in range(start, stop):
        box = least(box, load(boxes, i))
        centres = least(centres, doubled_centre(load(boxes, i)))
    store(scratch, PART_BOXES + part, box)
    store(scratch, PART_CENTRES + part, centres)


@external(int64(*7 * (int64,)))
def cut_range(boxes, total, start, stop, by_count, scratch, part_and_right):
    """Cut the range of a part in two; `part_and_right` are the two parts' numbers, the second times 8 plus the first.

    Return where the second part begins; when that is in the other half of the array, the first part is there too.
    Without a border that separates the centres, or on demand, the range is halved by count.
    """
    part, right_part = part_and_right & 7, part_and_right >> 3
    count = stop - start
    centres = load(scratch, PART_CENTRES + part)
    # bins span the centres, by which boxes are divided: spanning the boxes, the outer bins would stay empty
    factors = per_span(BINS_TO_FILL, centres, NARROW)
    axis, border = 0, 0
    if not by_count:
        fill_bins(boxes, start, stop, 1 + count // SAMPLE, centres, factors, scratch)
        axis, border = best_border(True, all_lanes(FAR), 0, scratch)
    if border == 0:
        # no border separates the centres, or the range is so deep that it is halved by count
        middle = start + count // 2
        bound(boxes, start, middle, scratch, part)
        bound(boxes, middle, stop, scratch, right_part)
        return middle
    target = start + total if start < total else start - total
    low, factor = lane(centres, axis), lane(factors, axis)
    return divide(boxes, start, stop, target, axis, low, factor, np.float32(border), scratch, part, right_part)
