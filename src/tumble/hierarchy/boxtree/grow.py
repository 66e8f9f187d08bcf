"""Grow a boxtree over a range of boxes, from the top down.

    waiting: the whole range, with the box that queries rebuild for it
    while ranges wait:
        take the last
        at most `leaf_size` triangles: its node is a leaf
        otherwise: cut it in two; each part gets a node with a plane (or more), and waits

The trunk of a large tree is grown first: ranges of at most `limit` boxes then do not wait but become branches, which
are grown apart, by several threads, each in nodes of its own.
"""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.poll import poll
from tumble.core.simd.eight import load, store
from tumble.core.simd.memory import int32_at, set_int32
from tumble.hierarchy.boxtree.halves import cut_in_halves
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT, MAX_DEPTH
from tumble.hierarchy.boxtree.nodes import kind_of, link_of, offset_of, write_link, write_plane
from tumble.hierarchy.boxtree.plane import ALL_AXES, best_side, cut_further, cut_off
from tumble.hierarchy.boxtree.scratch import DEPTH, NODE, REBUILT, RECORD, RECORD_BYTES, START, STOP, WAITING
from tumble.hierarchy.boxtree.surface import COPLANAR, FREE, NO_AXIS, TIGHT, cut_by_surface, halve_as_they_lie
from tumble.hierarchy.boxtree.volume import AS_THEY_LIE, LITERAL, LONGEST_ONLY, NONE, SHUFFLED, cut_by_volume
from tumble.hierarchy.packed.boxes import TAG
from tumble.hierarchy.packed.scratch import PART_BOXES, PART_CENTRES

SAH, MEDIAN, MIDDLE = 0, 1, 2
LEAST_VOLUME = 16
"""and more: the bits of `volume` say how"""
SPLITS = {
    "sah": SAH,
    "median": MEDIAN,
    "middle": MIDDLE,
    "least-volume": LEAST_VOLUME,
    "longest-axis": LEAST_VOLUME | LONGEST_ONLY,
}
LITERAL_SPLITS = {
    "literal": LEAST_VOLUME | LITERAL,
    "literal, shuffled": LEAST_VOLUME | LITERAL | SHUFFLED,
    "literal, as they lie": LEAST_VOLUME | LITERAL | AS_THEY_LIE,
    "shuffled": LEAST_VOLUME | SHUFFLED,
}
"""the criterion of paper `boxtree` in the words and the orders of the paper: for experiments, as no tree is good"""
CHAINED = TIGHT
"""nodes with as many planes as pay: their boxes are nearly tight, and the cost of parts is computed as if they were"""
PLANES = {"coplanar": COPLANAR, "free": FREE, "chained": CHAINED}

FEW_RANGES = 31
"""bits of a count of ranges that are zero where the loop calls `poll`"""
HALVING_DEPTH = MAX_DEPTH - 31
"""below, ranges are halved by count: 2**29 triangles then end within 30 more levels"""


@inlined_kernel
def copy_record(source, target):
    """Copy a record."""
    for row in range(4):
        store(target, np.int64(row), load(source, np.int64(row)))


@inlined_kernel
def write_leaf(boxes, total, start, stop, nodes, node, order):
    """Make a node a leaf, and write its triangles to their places in the order."""
    # the same position in either half of the array: leaves end up in the order of the tree
    first = start if start < total else start - total
    for k in range(stop - start):
        set_int32(order, first + k, int32_at(boxes, 8 * (start + k) + 3) - TAG)
    write_link(nodes, node, first, stop - start)


@inlined_kernel
def add_child(record, scratch, part, start, stop, axes, chained, nodes, node, free, child):
    """Write the node of a part of a range and its record; return the next node that is free."""
    tight = load(scratch, PART_BOXES + part)
    # with the parent's rebuilt box, of which the planes below make the child's
    copy_record(record, child)
    store(child, np.int64(0), tight)
    store(child, np.int64(1), load(scratch, PART_CENTRES + part))
    axis_and_side, _ = best_side(child + REBUILT, tight, axes)
    cut_off(child + REBUILT, tight, axis_and_side, nodes, node)
    if chained:
        node, free = cut_further(child + REBUILT, tight, nodes, node, free)
    set_int32(child, START, start)
    set_int32(child, STOP, stop)
    set_int32(child, NODE, node)
    set_int32(child, DEPTH, int32_at(record, DEPTH) + 1)
    return free


@inlined_kernel
def cut_range(split, planes, boxes, total, start, stop, rebuilt, scratch):
    """Cut a range into parts 0 and 1 of scratch memory; return where the second begins, times four, plus the axis."""
    if split == SAH:
        return cut_by_surface(boxes, total, start, stop, rebuilt, planes, scratch)
    if split >= LEAST_VOLUME:
        answer = cut_by_volume(boxes, total, start, stop, rebuilt, split - LEAST_VOLUME, scratch)
        # without a candidate that is even enough, half the triangles go to each side
        if answer != NONE:
            return answer
    return cut_in_halves(boxes, total, start, stop, np.int64(split == MIDDLE), scratch)


@kernel
def grow(boxes, total, branch, nodes, order, split, planes, leaf_size, limit, branches, scratch):
    """Grow the branch at an address; return the numbers of nodes and of new branches.

    `boxes` has twice `total` places. The branch's own node is the first of `nodes`, with a plane that cuts off nothing:
    the right one stands where the branch was found. `limit` is 0 to grow everything.
    """
    waiting, record = scratch + WAITING, scratch + RECORD
    copy_record(branch, waiting)
    set_int32(waiting, NODE, np.int64(0))
    write_plane(nodes, np.int64(0), np.float32(0.0), np.int64(0))
    top, used, found = np.int64(1), np.int64(1), np.int64(0)
    steps = 0
    while top > 0:
        steps += 1
        if steps & FEW_RANGES == 0 and poll(0) != 0:
            break
        # the last first: then each level leaves one sibling waiting, and their memory has a fixed size
        top -= 1
        copy_record(waiting + RECORD_BYTES * top, record)
        start, stop = int32_at(record, START), int32_at(record, STOP)
        node = int32_at(record, NODE)
        if stop - start <= leaf_size:
            write_leaf(boxes, total, start, stop, nodes, node, order)
            continue
        store(scratch, PART_BOXES, load(record, np.int64(0)))
        store(scratch, PART_CENTRES, load(record, np.int64(1)))
        if int32_at(record, DEPTH) >= HALVING_DEPTH:
            answer = halve_as_they_lie(boxes, start, stop, scratch)
        else:
            answer = cut_range(split, planes, boxes, total, start, stop, record + REBUILT, scratch)
        middle, axis = answer >> 2, answer & 3
        axes = np.int64(1) << axis if planes == COPLANAR and axis != NO_AXIS else np.int64(ALL_AXES)
        # the parts may have moved to the other half of the array
        shift = (total if middle >= total else 0) - (total if start >= total else 0)
        write_link(nodes, node, used, np.int64(0))
        free = used + 2
        # the second first: what waits last is taken first, and a first child's children follow it
        for part in range(1, -1, -1):
            begin, end = (start + shift, middle) if part == 0 else (middle, stop + shift)
            child = waiting + RECORD_BYTES * top
            free = add_child(
                record, scratch, part, begin, end, axes, planes == CHAINED, nodes, used + part, free, child
            )
            if leaf_size < end - begin <= limit:
                copy_record(child, branches + RECORD_BYTES * found)
                found += 1
            else:
                top += 1
        used = free
    return used, found


@kernel
def copy_nodes(source, count, target, first):
    """Copy nodes 1 to count - 1 of a branch to the places from `first` on; links among them follow."""
    for k in range(1, count):
        kind, link = kind_of(source, k), link_of(source, k)
        if kind >> COUNT_SHIFT == 0:
            # negative links, of chains, are complements: they move the other way
            link += first - 1 if link >= 0 else 1 - first
        write_plane(target, first + k - 1, np.float32(offset_of(source, k)), kind)
        write_link(target, first + k - 1, link, np.int64(0))
