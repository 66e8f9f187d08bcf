"""A few triangles become leaves of one or two: those are paired that fit together best.

The price of each pair of at most sixteen boxes is the area that their common box adds, and the cheapest goes first
until the leaves fit into the lanes. Pairs whose box is no larger than both boxes together (the halves of a quad, say)
are made even when lanes are left: a leaf of two costs a query little more than a leaf of one.
"""

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.eight import (
    all_lanes,
    greatest,
    lane,
    least,
    least_lane,
    load,
    minus,
    numbered,
    plus,
    store,
    times,
)
from tumble.core.simd.memory import float32_at, float_bits, int32_at, set_float32, set_int32
from tumble.hierarchy.packed.boxes import FAR, TAG, half_area
from tumble.hierarchy.packed.layout import CHILD, HALF, LANES, MIDDLE, ROWS, SECOND
from tumble.hierarchy.packed.scratch import BOTTOM, COLUMNS, PARTNERS, PRICES

ROUND_UP = np.float32(1.0 + 2.0**-22)
LEAST_HALF = np.float32(2.0**-120)
NONE = np.int64(-1)
# Columns: low x, y, z, minus high x, y, z, half the surface. Kernels would be compiled for each of Python's integers.
LOW_X, LOW_Y, LOW_Z, AREA = np.int64(0), np.int64(1), np.int64(2), np.int64(6)


@inlined_kernel
def write_box(blocks, block, place, box):
    """Write a box to a lane as middle and half size; return the sum of its half sizes.

    The half size is measured from the rounded middle. The larger difference is rounded once, by at most 2**-24 of its
    size, which the factor outweighs.
    """
    first = (block * ROWS + MIDDLE) * LANES + place
    size = np.float32(0.0)
    for axis in range(3):
        low, high = lane(box, axis), -lane(box, axis + 4)
        middle = np.float32(0.5) * (low + high)
        half = max(high - middle, middle - low) * ROUND_UP + LEAST_HALF
        set_float32(blocks, first + axis * LANES, middle)
        set_float32(blocks, first + (HALF + axis) * LANES, half)
        size += half
    return size


@inlined_kernel
def triangle_of(boxes, i):
    """Return the number of the triangle that a box encloses."""
    return float_bits(float32_at(boxes, 8 * i + 3)) - TAG


@inlined_kernel
def write_leaf(boxes, i, j, blocks, block, place):
    """Write a leaf over box i and, unless that is NONE, box j to a lane."""
    box = load(boxes, i)
    second = NONE
    if j != NONE:
        box = least(box, load(boxes, j))
        # two slabs of one triangle: it is named once
        second = NONE if triangle_of(boxes, j) == triangle_of(boxes, i) else triangle_of(boxes, j)
    write_box(blocks, block, place, box)
    set_int32(blocks, (block * ROWS + CHILD) * LANES + place, -1 - triangle_of(boxes, i))
    set_int32(blocks, (block * ROWS + SECOND) * LANES + place, second)


@inlined_kernel
def price_pairs(boxes, start, count, scratch, halves):
    """Write the area that each pair would add, with the pair's number in its lowest bits.

    The boxes are turned to columns first: one operation then prices one box with eight others.
    """
    for i in range(8 * halves):
        if i < count:
            box = load(boxes, start + i)
            area = half_area(box)
            for axis in range(3):
                set_float32(scratch, 8 * COLUMNS + BOTTOM * axis + i, lane(box, axis))
                set_float32(scratch, 8 * COLUMNS + BOTTOM * (3 + axis) + i, lane(box, axis + 4))
            set_float32(scratch, 8 * COLUMNS + BOTTOM * AREA + i, area)
        else:
            for number in range(7):
                set_float32(scratch, 8 * COLUMNS + BOTTOM * number + i, np.float32(0.0))
    for i in range(count):
        for half in range(halves):
            x = minus_union_size(scratch, LOW_X, half, i)
            y = minus_union_size(scratch, LOW_Y, half, i)
            z = minus_union_size(scratch, LOW_Z, half, i)
            # minus the sizes: the signs cancel in the products
            area = plus(times(x, plus(y, z)), times(y, z))
            own = plus(all_lanes(float32_at(scratch, 8 * COLUMNS + BOTTOM * AREA + i)), column(scratch, AREA, half))
            # twice the area of the union less both areas; rounding must not make it negative, because the number of the
            # pair is written into the bits below, which keep their order only for positive floats
            price = greatest(minus(plus(area, area), own), all_lanes(np.float32(0.0)))
            store(scratch, PRICES + 2 * i + half, numbered(price, BOTTOM * i + 8 * half))
        set_float32(scratch, 8 * PRICES + BOTTOM * i + i, FAR)


@inlined_kernel
def column(scratch, number, half):
    """Return a number of eight boxes: the first or the second half of a column."""
    return load(scratch, COLUMNS + BOTTOM // 8 * number + half)


@inlined_kernel
def minus_union_size(scratch, low, half, i):
    """Return minus the size on one axis of the boxes about box i and each of eight others."""
    lowest = least(column(scratch, low, half), all_lanes(float32_at(scratch, 8 * COLUMNS + BOTTOM * low + i)))
    high = low + 3
    return plus(
        lowest, least(column(scratch, high, half), all_lanes(float32_at(scratch, 8 * COLUMNS + BOTTOM * high + i)))
    )


@inlined_kernel
def make_pairs(count, lanes, scratch, halves):
    """Pair boxes, the cheapest first; write each one's partner, or NONE, to scratch memory. Return how many leaves."""
    for i in range(count):
        set_int32(scratch, PARTNERS + i, NONE)
    taken = COLUMNS  # the columns have been read, and their first row now marks those that are paired
    for i in range(8 * halves):
        set_float32(scratch, 8 * taken + i, -FAR if i < count else FAR)
    leaves = count
    while leaves > 1:
        cheapest = all_lanes(FAR)
        for i in range(count):
            if int32_at(scratch, PARTNERS + i) == NONE:
                for half in range(halves):
                    # the larger of price and mark: -FAR lets the price through, FAR hides a box that is taken
                    cheapest = least(
                        cheapest, greatest(load(scratch, PRICES + 2 * i + half), load(scratch, taken + half))
                    )
        price = least_lane(cheapest)
        # no two are left that are both unpaired
        if not price < FAR:
            break
        # sixteen times sixteen boxes: the number of a pair has just the eight bits that `numbered` replaces
        pair = float_bits(price) & 255
        i, j = pair // BOTTOM, pair % BOTTOM
        # all fit: a further pair only where the common box is no larger than both together
        if leaves <= lanes:
            own = float32_at(scratch, 8 * COLUMNS + BOTTOM * AREA + i) + float32_at(
                scratch, 8 * COLUMNS + BOTTOM * AREA + j
            )
            if not price <= own:
                break
        set_int32(scratch, PARTNERS + i, j)
        set_int32(scratch, PARTNERS + j, i)
        set_float32(scratch, 8 * taken + i, FAR)
        set_float32(scratch, 8 * taken + j, FAR)
        leaves -= 1
    return leaves


@external(int64(*8 * (int64,)))
def write_leaves(boxes, start, count, blocks, block, place, lanes, scratch):
    """Turn a range of boxes into at most `lanes` leaves, from lane `place` on; return the first lane left over."""
    # prices of up to eight boxes take one vector per box, half of the work
    halves = 1 if count <= 8 else 2
    price_pairs(boxes, start, count, scratch, halves)
    make_pairs(count, lanes, scratch, halves)
    for i in range(count):
        j = int32_at(scratch, PARTNERS + i)
        if j == NONE:
            write_leaf(boxes, start + i, NONE, blocks, block, place)
            place += 1
        elif j > i:
            write_leaf(boxes, start + i, start + j, blocks, block, place)
            place += 1
    return place
