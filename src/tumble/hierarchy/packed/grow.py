"""Grow a tree of blocks over a range of boxes, from the top down.

    waiting: the whole range
    while ranges wait:
        take the last
        at most BOTTOM triangles: its block gets leaves only
        otherwise: cut it, then the part with the largest surface, until there are eight parts or none above BOTTOM;
            small parts become leaves in the lanes that are left, the smallest first: each of them spares a block
            the others wait, with a block each

A part of at most BOTTOM triangles is not cut for the sake of its surface: one full block is smaller than two half
empty ones, and is passed no more often.
"""

import numpy as np

from tumble.hierarchy.packed.cut import cut_range
from tumble.hierarchy.packed.lanes import half_area, load, store
from tumble.hierarchy.packed.layout import CHILD, LANES, LEAF_SIZE, ROWS, SIZE
from tumble.hierarchy.packed.pair import NONE, write_box, write_leaf, write_leaves
from tumble.hierarchy.packed.room import (
    BOTTOM,
    COMFORTABLE,
    PART_BOXES,
    PART_CENTRES,
    PART_LANES,
    PART_STARTS,
    PART_STOPS,
    WAITING,
    WAITING_BOXES,
    WAITING_FIELDS,
)
from tumble.jit import inlined_kernel, kernel

HALVING_DEPTH = 40
"""below, ranges are halved by count: 2**31 triangles then end within 16 more levels, as eight parts are a quarter each"""


@inlined_kernel
def part_to_cut(parts, by_count, room, ints):
    """Return the part above BOTTOM triangles with the largest surface (or the most triangles), or -1."""
    chosen, largest = -1, np.float32(-1.0)
    for p in range(parts):
        count = ints[PART_STOPS + p] - ints[PART_STARTS + p]
        if count > COMFORTABLE:
            size = np.float32(count) if by_count else half_area(load(room, PART_BOXES + p))
            if size > largest:
                chosen, largest = p, size
    return chosen


@inlined_kernel
def cut_into_parts(boxes, start, stop, by_count, room, ints):
    """Cut the range of part 0 into at most eight parts; return their number."""
    ints[PART_STARTS], ints[PART_STOPS] = start, stop
    parts = 1
    while parts < LANES:
        p = part_to_cut(parts, by_count, room, ints)
        if p < 0:
            break
        begin, end = np.int64(ints[PART_STARTS + p]), np.int64(ints[PART_STOPS + p])
        left, right = cut_range(boxes, begin, end, by_count, room, ints, p, parts)
        ints[PART_STARTS + parts], ints[PART_STOPS + parts] = right, left + end - begin
        ints[PART_STARTS + p], ints[PART_STOPS + p] = left, right
        parts += 1
    return parts


@inlined_kernel
def share_lanes(parts, ints):
    """Give each part a lane, and the smallest parts as many as they need to become leaves, while there are enough."""
    for p in range(parts):
        ints[PART_LANES + p] = 1
    free = LANES - parts
    while free > 0:
        chosen, need = -1, free + 1
        for p in range(parts):
            count = ints[PART_STOPS + p] - ints[PART_STARTS + p]
            if count > LEAF_SIZE and ints[PART_LANES + p] == 1 and (count - 1) // 2 < need:
                chosen, need = p, (count - 1) // 2
        if chosen < 0:
            break
        ints[PART_LANES + chosen] += need
        free -= need


@kernel
def grow(boxes, start, stop, depth, blocks, links, room, ints):
    """Write the blocks of a range, whose bounds are part 0 in the room; the first is block 0. Return their number."""
    store(room, WAITING_BOXES, load(room, PART_BOXES))
    store(room, WAITING_BOXES + 1, load(room, PART_CENTRES))
    ints[WAITING], ints[WAITING + 1], ints[WAITING + 2], ints[WAITING + 3] = start, stop, 0, depth
    top, used = 1, 1
    while top > 0:
        top -= 1
        entry = WAITING + WAITING_FIELDS * top
        start, stop = np.int64(ints[entry]), np.int64(ints[entry + 1])
        block, depth = np.int64(ints[entry + 2]), np.int64(ints[entry + 3])
        for k in range(ROWS * LANES):
            links[block * (ROWS * LANES) + k] = 0
        if stop - start <= BOTTOM:
            write_leaves(boxes, start, stop - start, blocks, links, block, 0, LANES, room, ints)
            continue
        store(room, PART_BOXES, load(room, WAITING_BOXES + 2 * top))
        store(room, PART_CENTRES, load(room, WAITING_BOXES + 2 * top + 1))
        parts = cut_into_parts(boxes, start, stop, depth >= HALVING_DEPTH, room, ints)
        share_lanes(parts, ints)
        place = 0
        for p in range(parts):
            start, stop, lanes = np.int64(ints[PART_STARTS + p]), np.int64(ints[PART_STOPS + p]), ints[PART_LANES + p]
            count = stop - start
            if lanes > 1:
                place = write_leaves(boxes, start, count, blocks, links, block, place, np.int64(lanes), room, ints)
                continue
            box = load(room, PART_BOXES + p)
            if count <= LEAF_SIZE:
                write_leaf(boxes, start, start + 1 if count == 2 else NONE, blocks, links, block, place)
            else:
                blocks[(block * ROWS + SIZE) * LANES + place] = write_box(blocks, block, place, box)
                links[(block * ROWS + CHILD) * LANES + place] = used
                entry = WAITING + WAITING_FIELDS * top
                ints[entry], ints[entry + 1], ints[entry + 2], ints[entry + 3] = start, stop, used, depth + 1
                store(room, WAITING_BOXES + 2 * top, box)
                store(room, WAITING_BOXES + 2 * top + 1, load(room, PART_CENTRES + p))
                used += 1
                top += 1
            place += 1
    return used
