"""Down a tree with a frustum: what lies outside of a plane is left out, what lies inside of all is taken whole."""

import numpy as np
from numba import int64

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import int32_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.boxtree import nodes as boxtree
from tumble.hierarchy.boxtree.header import BOX, NODE_COUNT, NODES, ORDER
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT
from tumble.hierarchy.boxtree.layout import MAX_DEPTH as BOXTREE_DEPTH
from tumble.hierarchy.packed.header import BLOCKS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, MAX_DEPTH, SECOND
from tumble.traversal.frustum.planes import CUT, SINGLE_NUMBERS, kept, side_of_box, sides_of_eight
from tumble.traversal.rays.boxtree_walk import copy_box

ALL_LANES = (1 << LANES) - 1
PLANE_BYTES = 4 * SINGLE_NUMBERS
STACK_WORDS = MAX_DEPTH * (LANES - 1) + LANES

BOX_WORDS, NODE_WORD, WHOLE_WORD = 6, 6, 7
WAITING_BYTES = 8 * 8
BOXTREE_STACK_WORDS = 8 * (BOXTREE_DEPTH + 2)
_SIGNATURE = int64(*7 * (int64,))


@inlined_kernel
def sides_of_block(block, locals_, count):
    """Return which boxes of a block lie outside of some plane, and which are cut by some."""
    sides = np.int64(0)
    for k in range(count):
        sides |= sides_of_eight(block, locals_ + k * PLANE_BYTES)
        # all eight boxes are outside of some plane: the other planes do not matter
        if sides & ALL_LANES == ALL_LANES:
            break
    return sides


@fixed_kernel(_SIGNATURE)
def frustum_in_packed(tree, pose, planes, locals_, count, contained, target):
    """Write the triangles that are kept to `target`, in any order; return how many."""
    stack = scratch(STACK_WORDS)
    blocks, found, top = int64_at(tree, BLOCKS), 0, 1
    set_int64(stack, 0, 0)
    steps = 0
    while top > 0:
        steps += 1
        if steps & OFTEN == 0 and poll(0) != 0:
            break
        top -= 1
        word = int64_at(stack, top)
        whole, block = word & 1, blocks + (word >> 1) * BLOCK_BYTES
        sides = np.int64(0) if whole else sides_of_block(block, locals_, count)
        mask = ~sides & ALL_LANES
        while mask != 0:
            lane = lowest_bit(mask)
            mask &= mask - 1
            # inside of all planes: everything below is taken without further tests
            inside = 1 - (sides >> (CUT + lane) & 1)
            child = int32_at(block, LANES * CHILD + lane)
            if child > 0:
                set_int64(stack, top, child << 1 | inside)
                top += 1
            elif child < 0:
                second = int32_at(block, LANES * SECOND + lane)
                if inside or kept(tree, pose, planes, count, contained, -1 - child):
                    set_int64(target, found, -1 - child)
                    found += 1
                if second >= 0 and (inside or kept(tree, pose, planes, count, contained, second)):
                    set_int64(target, found, second)
                    found += 1
    return found


@inlined_kernel
def side_of_all(box, locals_, count):
    """Return -1 for a box outside of some plane, 1 for one inside of all, else 0."""
    inside = 1
    for k in range(count):
        side = side_of_box(box, locals_ + k * PLANE_BYTES)
        if side < 0:
            return -1
        inside &= side
    return inside


@fixed_kernel(_SIGNATURE)
def frustum_in_boxtree(tree, pose, planes, locals_, count, contained, target):
    """Do the same with a boxtree."""
    stack, box = scratch(BOXTREE_STACK_WORDS), scratch(BOX_WORDS)
    nodes, order, found, top = int64_at(tree, NODES), int64_at(tree, ORDER), 0, 0
    if int64_at(tree, NODE_COUNT) > 0:
        copy_box(tree + 8 * BOX, stack)
        set_int64(stack, NODE_WORD, 0)
        set_int64(stack, WHOLE_WORD, 0)
        top = 1
    steps = 0
    while top > 0:
        steps += 1
        if steps & OFTEN == 0 and poll(0) != 0:
            break
        top -= 1
        place = stack + top * WAITING_BYTES
        copy_box(place, box)
        node, inside = int64_at(place, NODE_WORD), int64_at(place, WHOLE_WORD)
        if not inside:
            side = side_of_all(box, locals_, count)
            if side < 0:
                continue
            inside = np.int64(side)
        link, triangles = boxtree.link_of(nodes, node), boxtree.kind_of(nodes, node) >> COUNT_SHIFT
        for k in range(triangles):
            triangle = int32_at(order, link + k)
            if inside or kept(tree, pose, planes, count, contained, triangle):
                set_int64(target, found, triangle)
                found += 1
        if triangles == 0:
            for child in range(link, link + 2):
                place = stack + top * WAITING_BYTES
                copy_box(box, place)
                set_int64(place, NODE_WORD, boxtree.rebuild_chain(place, nodes, child))
                set_int64(place, WHOLE_WORD, inside)
                top += 1
    return found
