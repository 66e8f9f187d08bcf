"""A few triangles become leaves of one or two: those are paired that fit together best.

All pairs of at most sixteen boxes are priced by how much area a common box adds, and the cheapest goes first, until the
leaves fit into the lanes. Pairs that cost next to nothing (the two halves of a quad) are made even when lanes are left.
"""

import numpy as np

from tumble.hierarchy.packed.boxes import FAR, TAG
from tumble.hierarchy.packed.lanes import (
    all_lanes,
    fetch,
    float_bits,
    greatest,
    half_area,
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
from tumble.hierarchy.packed.layout import CHILD, HALF, LANES, MIDDLE, ROWS, SECOND
from tumble.hierarchy.packed.room import BOTTOM, COLUMNS, PARTNERS, PRICES
from tumble.jit import inlined_kernel, kernel

ROUND_UP = np.float32(1.0 + 2.0**-22)
LEAST_HALF = np.float32(2.0**-120)
BARGAIN = np.float32(0.75)
"""a pair whose box has at most this part of its boxes' common area is made without need"""
NONE = -1


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
        blocks[first + axis * LANES] = middle
        blocks[first + (HALF + axis) * LANES] = half
        size += half
    return size


@inlined_kernel
def triangle_of(boxes, i):
    """Return the number of the triangle that a box encloses."""
    return float_bits(fetch(boxes, 8 * i + 3)) - TAG


@inlined_kernel
def write_leaf(boxes, i, j, blocks, links, block, place):
    """Write a leaf over box i and, unless that is NONE, box j to a lane."""
    box = load(boxes, i)
    second = NONE
    if j != NONE:
        box = least(box, load(boxes, j))
        second = triangle_of(boxes, j)
    write_box(blocks, block, place, box)
    links[(block * ROWS + CHILD) * LANES + place] = -1 - triangle_of(boxes, i)
    links[(block * ROWS + SECOND) * LANES + place] = second


@inlined_kernel
def price_pairs(boxes, start, count, room, wide):
    """Write the area that each pair would add, with the pair's number in its lowest bits.

    The boxes are turned to columns first: one operation then prices one box with eight others.
    """
    for i in range(8 * wide):
        if i < count:
            box = load(boxes, start + i)
            area = half_area(box)
            for axis in range(3):
                room[8 * COLUMNS + BOTTOM * axis + i] = lane(box, axis)
                room[8 * COLUMNS + BOTTOM * (3 + axis) + i] = lane(box, axis + 4)
            room[8 * COLUMNS + BOTTOM * 6 + i] = area
        else:
            for column in range(7):
                room[8 * COLUMNS + BOTTOM * column + i] = 0.0
    for i in range(count):
        for half in range(wide):
            x = plus(union(room, 0, half, i), union(room, 3, half, i))
            y = plus(union(room, 1, half, i), union(room, 4, half, i))
            z = plus(union(room, 2, half, i), union(room, 5, half, i))
            area = plus(times(x, plus(y, z)), times(y, z))
            own = plus(all_lanes(room[8 * COLUMNS + BOTTOM * 6 + i]), load(room, COLUMNS + BOTTOM // 8 * 6 + half))
            price = greatest(minus(plus(area, area), own), all_lanes(np.float32(0.0)))
            store(room, PRICES + 2 * i + half, numbered(price, BOTTOM * i + 8 * half))
        room[8 * PRICES + BOTTOM * i + i] = FAR


@inlined_kernel
def union(room, column, half, i):
    """Return the least of box i's number in a column and those of eight boxes."""
    return least(load(room, COLUMNS + BOTTOM // 8 * column + half), all_lanes(room[8 * COLUMNS + BOTTOM * column + i]))


@inlined_kernel
def make_pairs(count, lanes, room, partners, wide):
    """Pair boxes, the cheapest first; partners[i] is the other of a pair, or NONE. Return the number of leaves."""
    for i in range(count):
        partners[PARTNERS + i] = NONE
    taken = COLUMNS  # the columns have been read, and their first row now marks who is paired
    for i in range(8 * wide):
        room[8 * taken + i] = -FAR if i < count else FAR
    leaves = count
    while leaves > 1:
        cheapest = all_lanes(FAR)
        for i in range(count):
            if partners[PARTNERS + i] == NONE:
                for half in range(wide):
                    cheapest = least(cheapest, greatest(load(room, PRICES + 2 * i + half), load(room, taken + half)))
        price = least_lane(cheapest)
        if not price < FAR:
            break
        pair = float_bits(price) & 255
        i, j = pair // BOTTOM, pair % BOTTOM
        if leaves <= lanes:
            own = room[8 * COLUMNS + BOTTOM * 6 + i] + room[8 * COLUMNS + BOTTOM * 6 + j]
            if not price <= (np.float32(2.0) * BARGAIN - np.float32(1.0)) * own:
                break
        partners[PARTNERS + i], partners[PARTNERS + j] = j, i
        room[8 * taken + i], room[8 * taken + j] = FAR, FAR
        leaves -= 1
    return leaves


@kernel
def write_leaves(boxes, start, count, blocks, links, block, place, lanes, room, partners):
    """Turn a range of boxes into at most `lanes` leaves, from lane `place` on; return the first lane left over."""
    wide = 1 if count <= 8 else 2
    price_pairs(boxes, start, count, room, wide)
    make_pairs(count, lanes, room, partners, wide)
    for i in range(count):
        j = np.int64(partners[PARTNERS + i])
        if j == NONE:
            write_leaf(boxes, start + i, NONE, blocks, links, block, place)
            place += 1
        elif j > i:
            write_leaf(boxes, start + i, start + j, blocks, links, block, place)
            place += 1
    return place
