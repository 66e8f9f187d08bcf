"""Grow a boxtree over a range of boxes, from the top down.

    waiting: the whole range, with the box that queries rebuild for it
    while ranges wait:
        take the last
        at most `leaf_size` triangles: its node is a leaf
        otherwise: cut it in two; each part gets a node with a plane, and waits

The trunk of a large tree is grown first: ranges of at most `limit` boxes then do not wait but become branches, which
are grown apart, by several threads, each in nodes of its own.

A range that waits, and a branch, is a record of four rows of eight float32: the box about its boxes, that about their
centres, then its rebuilt box in float64 and start, stop, node and depth in int32.
"""

import numpy as np

from tumble.hierarchy.boxtree.layout import (
    COUNT_SHIFT,
    KIND_BYTE,
    LINK_BYTE,
    MAX_DEPTH,
    NODE_BYTES,
    write_link,
    write_plane,
)
from tumble.hierarchy.boxtree.plane import ALL_AXES, best_side, cut_off
from tumble.hierarchy.packed.boxes import TAG
from tumble.hierarchy.packed.cut import cut_range
from tumble.hierarchy.packed.lanes import get_int32, load, set_int32, store
from tumble.hierarchy.packed.room import PART_BOXES, PART_CENTRES
from tumble.hierarchy.packed.room import WORDS as CUT_WORDS
from tumble.jit import inlined_kernel, kernel
from tumble.simd.memory import (
    byte_at,
    set_byte,
    set_unaligned_float32,
    set_unaligned_int32,
    unaligned_float32,
    unaligned_int32,
)

RECORD_BYTES = 128
REBUILT = 64
"""byte of the rebuilt box"""
START, STOP, NODE, DEPTH = 28, 29, 30, 31
"""int32 of a record"""
HALVING_DEPTH = MAX_DEPTH - 31
"""below, ranges are halved by count: 2**29 triangles then end within 30 more levels"""
MOST_WAITING = MAX_DEPTH + 2
"""each level leaves one sibling behind"""
WORDS = CUT_WORDS + MOST_WAITING * RECORD_BYTES // 8
"""64-bit words of working memory: that of the cuts, then the ranges that wait"""


@inlined_kernel
def copy_record(source, target):
    """Copy a record."""
    for row in range(4):
        store(target, np.int64(row), load(source, np.int64(row)))


@inlined_kernel
def write_leaf(boxes, total, start, stop, nodes, node, order):
    """Make a node a leaf, and write its triangles to their places in the order."""
    first = start if start < total else start - total
    for k in range(stop - start):
        set_int32(order, first + k, get_int32(boxes, 8 * (start + k) + 3) - TAG)
    write_link(nodes, node, first, stop - start)


@kernel
def grow(boxes, total, branch, nodes, order, leaf_size, limit, branches, room):
    """Grow the branch at an address; return the numbers of nodes and of new branches.

    `boxes` has twice `total` places. The branch's own node is the first of `nodes`, with a plane that cuts off nothing:
    the right one stands where the branch was found. `limit` is 0 to grow everything.
    """
    waiting = room + 8 * CUT_WORDS
    record = waiting + RECORD_BYTES * (MOST_WAITING - 1)
    copy_record(branch, waiting)
    set_int32(waiting, NODE, np.int64(0))
    write_plane(nodes, np.int64(0), np.float32(0.0), np.int64(0))
    top, used, found = np.int64(1), np.int64(1), np.int64(0)
    while top > 0:
        top -= 1
        copy_record(waiting + RECORD_BYTES * top, record)
        start, stop = get_int32(record, START), get_int32(record, STOP)
        node, depth = get_int32(record, NODE), get_int32(record, DEPTH)
        if stop - start <= leaf_size:
            write_leaf(boxes, total, start, stop, nodes, node, order)
            continue
        store(room, PART_BOXES, load(record, np.int64(0)))
        store(room, PART_CENTRES, load(record, np.int64(1)))
        middle = cut_range(boxes, total, start, stop, np.int64(depth >= HALVING_DEPTH), room, np.int64(8))
        # the parts may have moved to the other half of the array
        shift = (total if middle >= total else 0) - (total if start >= total else 0)
        write_link(nodes, node, used, np.int64(0))
        # the second first: what waits last is taken first, and a first child's children follow it
        for part in range(1, -1, -1):
            begin, end = (start + shift, middle) if part == 0 else (middle, stop + shift)
            child = waiting + RECORD_BYTES * top
            tight = load(room, PART_BOXES + part)
            axis_and_side = best_side(record + REBUILT, tight, ALL_AXES)
            cut_off(record + REBUILT, tight, axis_and_side, nodes, used + part, child + REBUILT)
            store(child, np.int64(0), tight)
            store(child, np.int64(1), load(room, PART_CENTRES + part))
            set_int32(child, START, begin)
            set_int32(child, STOP, end)
            set_int32(child, NODE, used + part)
            set_int32(child, DEPTH, depth + 1)
            if leaf_size < end - begin <= limit:
                copy_record(child, branches + RECORD_BYTES * found)
                found += 1
            else:
                top += 1
        used += 2
    return used, found


@kernel
def copy_nodes(source, count, target, first):
    """Copy nodes 1 to count - 1 of a piece to the places from `first` on; links among them follow."""
    for k in range(1, count):
        place, goal = source + NODE_BYTES * k, target + NODE_BYTES * (first + k - 1)
        kind, link = byte_at(place + KIND_BYTE), unaligned_int32(place + LINK_BYTE)
        set_unaligned_float32(goal, unaligned_float32(place))
        set_unaligned_int32(goal + LINK_BYTE, link if kind >> COUNT_SHIFT else link + first - 1)
        set_byte(goal + KIND_BYTE, kind)
