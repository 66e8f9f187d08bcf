"""Section 4 of paper `boxtree`: fit the boxes of a range into two subsets with the least total volume.

    for each axis (or the longest), and each case: both subsets lower boxes, both upper, one of each:
        seeds: the two boxes nearest to the border that their subset's box keeps
        for each other box, from both ends of the array in turn: to the subset whose volume grows least
    the candidate with the least sum of volumes wins

A lower subset's box reaches from the parent's lower side to its highest box, an upper one's from its lowest box to the
parent's upper side. Planes of one candidate are on one axis, so that volumes are lengths along it, and those of two
axes compare after a division by the parent's size.

The least total volume alone would often be that of one box beside all others, as nothing else in the criterion counts
triangles, and trees would be chains of single triangles. So a candidate counts only when its smaller subset has an
eighth of the boxes; where no candidate has, the range is halved.

The order from both ends in turn is the paper's guard against "creeping greediness", where each box enlarges one
subset by a little and the other never gets any. Where both grow alike, up to rounding, the smaller subset gets the box.

For experiments the criterion can be taken literally, without the share of an eighth, and boxes can come in a fixed
pseudo-random order, the paper's alternative, or as they lie, which has no guard at all.
"""

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.eight import all_lanes, choose, least, load, store
from tumble.core.simd.memory import float32_at, float64_at
from tumble.hierarchy.boxtree.surface import other_half
from tumble.hierarchy.packed.boxes import FAR, doubled_centre
from tumble.hierarchy.packed.scratch import PART_BOXES, PART_CENTRES

BOTH_LOWER, LOWER_AND_UPPER, BOTH_UPPER = 0, 1, 2
TRY = -1
NONE = -1
LONGEST_ONLY, LITERAL, SHUFFLED, AS_THEY_LIE = 1, 2, 4, 8
"""how to cut, as bits: one axis alone, no least share, boxes in another order than from both ends in turn"""
SHUFFLE = 2654435761
"""a prime above all counts: its multiples modulo a count reach every place once, in an order that looks random"""
LEAST_SHARE = 8
"""the part of the boxes that the smaller subset must have"""
ALIKE = 1e-6
"""of the parent's size: growths that differ by less count as equal"""


@inlined_kernel
def low_of(boxes, i, axis):
    """Return the lower end of a box."""
    return np.float64(float32_at(boxes, 8 * i + axis))


@inlined_kernel
def high_of(boxes, i, axis):
    """Return the upper end of a box."""
    return -np.float64(float32_at(boxes, 8 * i + 4 + axis))


@inlined_kernel
def reach(boxes, i, axis, upper, low, high):
    """Return how long a subset's box must be, from the border that it keeps, to contain a box."""
    return high - low_of(boxes, i, axis) if upper else high_of(boxes, i, axis) - low


@inlined_kernel
def nearest(boxes, start, stop, axis, upper, low, high, other):
    """Return the box nearest to a border, and not the one at `other`."""
    best, found = np.inf, start
    for i in range(start, stop):
        length = reach(boxes, i, axis, upper, low, high)
        if length < best and i != other:
            best, found = length, i
    return found


@inlined_kernel
def in_turn(start, stop, k, how):
    """Return place k of the order in which boxes are shared out."""
    if how & SHUFFLED:
        return start + (k * SHUFFLE + stop) % (stop - start)
    if how & AS_THEY_LIE:
        return start + k
    return stop - 1 - (k >> 1) if k & 1 else start + (k >> 1)


@inlined_kernel
def fill_subsets(boxes, start, stop, axis, low, high, first_upper, second_upper, seeds, how, target, scratch):
    """Share out the boxes; return the sum of both lengths, and how many boxes are in the first subset.

    `target` is where the boxes are moved to, the first subset in front, or TRY to move nothing. Where boxes are
    moved, the bounds of both subsets go to the scratch memory.
    """
    first = reach(boxes, seeds[0], axis, first_upper, low, high)
    second = reach(boxes, seeds[1], axis, second_upper, low, high)
    # in regular meshes many boxes would enlarge both subsets equally, and rounding would decide
    alike = ALIKE * (high - low)
    far = all_lanes(FAR)
    first_box, first_centres, second_box, second_centres = far, far, far, far
    front, back = np.int64(0), stop - start
    for k in range(stop - start):
        i = in_turn(start, stop, k, how)
        long_first = reach(boxes, i, axis, first_upper, low, high)
        long_second = reach(boxes, i, axis, second_upper, low, high)
        grows_first, grows_second = max(long_first - first, 0.0), max(long_second - second, 0.0)
        to_first = grows_first < grows_second
        if abs(grows_first - grows_second) <= alike:
            to_first = front <= stop - start - back
        # the seeds are where their subsets began, whatever they would enlarge
        if i == seeds[0] or i == seeds[1]:
            to_first = i == seeds[0]
        if to_first:
            first = max(first, long_first)
            front += 1
        else:
            second = max(second, long_second)
            back -= 1
        if target != TRY:
            box = load(boxes, i)
            centre = doubled_centre(box)
            store(boxes, target + (front - 1 if to_first else back), box)
            first_box = least(first_box, choose(to_first, box, far))
            second_box = least(second_box, choose(to_first, far, box))
            first_centres = least(first_centres, choose(to_first, centre, far))
            second_centres = least(second_centres, choose(to_first, far, centre))
    if target != TRY:
        store(scratch, PART_BOXES, first_box)
        store(scratch, PART_CENTRES, first_centres)
        store(scratch, PART_BOXES + 1, second_box)
        store(scratch, PART_CENTRES + 1, second_centres)
    return first + second, front


@inlined_kernel
def seeds_of(boxes, start, stop, axis, low, high, first_upper, second_upper):
    """Return the two seeds of a case."""
    # never the same box twice: where both subsets keep one border, the second seed is the second nearest to it
    one = nearest(boxes, start, stop, axis, first_upper, low, high, np.int64(-1))
    return one, nearest(boxes, start, stop, axis, second_upper, low, high, one)


@inlined_kernel
def longest_side(rebuilt):
    """Return the axis along which a box is longest."""
    chosen, longest = np.int64(0), -1.0
    for axis in range(3):
        size = float64_at(rebuilt, 3 + axis) - float64_at(rebuilt, axis)
        if size > longest:
            chosen, longest = np.int64(axis), size
    return chosen


@external(int64(*7 * (int64,)))
def cut_by_volume(boxes, total, start, stop, rebuilt, how, scratch):
    """Cut a range into parts 0 and 1 of the scratch memory; return its border and axis as in `surface`, or NONE."""
    best, best_axis, best_case = np.inf, np.int64(NONE), np.int64(0)
    longest = longest_side(rebuilt)
    for axis in range(3):
        if how & LONGEST_ONLY and axis != longest:
            continue
        low, high = float64_at(rebuilt, axis), float64_at(rebuilt, 3 + axis)
        for case in range(3):
            uppers = case == BOTH_UPPER, case != BOTH_LOWER
            seeds = seeds_of(boxes, start, stop, axis, low, high, uppers[0], uppers[1])
            length, first = fill_subsets(
                boxes, start, stop, axis, low, high, uppers[0], uppers[1], seeds, how, np.int64(TRY), scratch
            )
            # without this, trees become chains: see above
            uneven = how & LITERAL == 0 and min(first, stop - start - first) * LEAST_SHARE < stop - start
            if length / (high - low) < best and not uneven:
                best, best_axis, best_case = length / (high - low), np.int64(axis), np.int64(case)
    if best_axis == NONE:
        return np.int64(NONE)
    low, high = float64_at(rebuilt, best_axis), float64_at(rebuilt, 3 + best_axis)
    uppers = best_case == BOTH_UPPER, best_case != BOTH_LOWER
    seeds = seeds_of(boxes, start, stop, best_axis, low, high, uppers[0], uppers[1])
    target = other_half(start, total)
    # the same decisions again, and this time boxes move: candidates are tried without moving anything
    _, first = fill_subsets(boxes, start, stop, best_axis, low, high, uppers[0], uppers[1], seeds, how, target, scratch)
    return target + first << 2 | best_axis
