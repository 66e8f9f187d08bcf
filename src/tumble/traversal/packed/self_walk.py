"""One packed tree against itself, block by block: boxes compared along the axes that they share, one against eight.

Two leaves have one lowest block in common, in which they lie below different lanes; or they are the same leaf. So

    for each block:
        for each lane that is a leaf of two: compare the two
        for each lane: (lane, this block) waits
        while pairs (single, block) wait:
            for each lane of the block whose box meets the single's:
                two leaves: compare what is in them
                else descend in the larger: (single, lane's children) waits, or (lane as the single, single's children)

finds each pair once, and blocks can be shared out among threads in any order. What to compare at leaves is defined by a
record, the step: see `compare` and `compare_within`.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from tumble.core.jit import generic, inlined_kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, HALF, LANES, MAX_DEPTH, MIDDLE, SECOND, SIZE
from tumble.traversal.packed.nodes import BLOCK_MASK, NODE_SHIFT, field, link, waiting_pair

MARGIN = np.float32(2.0**-20)  # more than float32 rounds: numbers are below 2, and three operations follow each other
# Each block that is opened leaves seven lanes waiting, and the lanes of a block against itself wait all together.
STACK_WORDS = 2 * MAX_DEPTH * (LANES - 1) + 2 * LANES
ALL_LANES = (1 << LANES) - 1
FEW_BLOCKS = 31  # bits of a block's number that are zero where the walk calls `poll`
NO_SIDE = np.int64(0)  # where `walk` notes whose the single is


@generic
def compare(step, node, one, two, three, four, found):
    """Compare two leaves and return how many pairs were found by now; `found` is how many were before.

    The leaf `node` has the elements one and two, the other three and four; a negative number: no second one.
    """


@generic
def compare_within(step, one, two, found):
    """Compare the two elements of one leaf and return how many pairs were found by now."""


@intrinsic
def overlapping_lanes(typing_context, block, px, py, pz, rx, ry, rz):
    """Return a bit for each lane of the block at an address whose box may meet the one about p that reaches r far."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = Lanes(builder, EIGHT_FLOATS)
        separated = []
        for axis in range(3):
            apart = lanes.load(arguments[0], MIDDLE + axis) - lanes.spread(arguments[1 + axis])
            gap = apart.magnitude() - lanes.load(arguments[0], HALF + axis)
            separated.append(gap > lanes.spread(arguments[4 + axis]))
        return lanes.bits(builder.not_(lanes.any_of(separated)))

    return types.int64(types.int64, *6 * (types.float32,)), generate


@inlined_kernel
def lanes_near(single, lane, block):
    """Return the lanes of a block that a node's box may meet."""
    # both boxes are in one frame: three axes are all, nothing is turned, and the margin is for float32 alone
    x, y, z = field(single, MIDDLE, lane), field(single, MIDDLE + 1, lane), field(single, MIDDLE + 2, lane)
    rx, ry, rz = field(single, HALF, lane), field(single, HALF + 1, lane), field(single, HALF + 2, lane)
    return overlapping_lanes(block, x, y, z, rx + MARGIN, ry + MARGIN, rz + MARGIN)


@inlined_kernel
def walk_down(step, blocks, stack, top, found, limit):
    """Go down from the pairs that wait until there are none, or more than `limit` pairs are found; return how many.

    A node may wait for its own block, and then meets the lanes behind it.
    """
    steps = 0
    # beyond the limit the block is done again from its beginning, so the rest of it is not needed
    while top > 0 and found <= limit:
        steps += 1
        if steps & OFTEN == 0 and poll(0) != 0:
            break
        top -= 1
        waiting = int64_at(stack, top)
        number, node = waiting >> 1 & BLOCK_MASK, waiting >> NODE_SHIFT
        single, lane, block = blocks + (node >> 3) * BLOCK_BYTES, node & 7, blocks + number * BLOCK_BYTES
        mask = lanes_near(single, lane, block)
        if single == block:
            # each pair of siblings once, and no node with itself
            mask &= ALL_LANES << (lane + 1)
        child = link(single, CHILD, lane)
        size = field(single, SIZE, lane)
        while mask != 0:
            other = lowest_bit(mask)
            mask &= mask - 1
            grandchild = link(block, CHILD, other)
            if grandchild == 0:  # an empty lane is a point in the middle
                continue
            # as in `walk`, into the larger box; there is one tree, so a word needs no side
            if grandchild > 0 and (child < 0 or field(block, SIZE, other) >= size):
                set_int64(stack, top, waiting_pair(node, grandchild, NO_SIDE))
                top += 1
            elif child > 0:
                set_int64(stack, top, waiting_pair(LANES * number + other, child, NO_SIDE))
                top += 1
            else:
                # second triangles are read only here, at two leaves: in inner nodes the row has sizes
                two, four = link(single, SECOND, lane), link(block, SECOND, other)
                found = compare(step, node, -1 - child, two, -1 - grandchild, four, found)
    return found


@inlined_kernel
def walk_block(step, blocks, number, stack, found, limit):
    """Find the pairs whose lowest common block this is; return how many are found by now."""
    block = blocks + number * BLOCK_BYTES
    top = np.int64(0)
    for lane in range(LANES):
        child = link(block, CHILD, lane)
        if child == 0:
            continue
        second = link(block, SECOND, lane)
        # the two triangles of one leaf: the only pair that is not below two different lanes
        if child < 0 and second >= 0:
            found = compare_within(step, -1 - child, second, found)
        set_int64(stack, top, waiting_pair(LANES * number + lane, number, NO_SIDE))
        top += 1
    # the stack begins and ends empty: a block needs nothing from the blocks before it, so threads can share them out
    return walk_down(step, blocks, stack, top, found, limit)


@inlined_kernel
def walk_blocks(step, blocks, start, stop, limit, count):
    """Find the pairs of some blocks; return the block with which more than `limit` are found, or `stop`.

    `count` is where the number of pairs is written: those of the blocks before the one returned.
    """
    stack = scratch(STACK_WORDS)
    found = np.int64(0)
    for number in range(start, stop):
        if number & FEW_BLOCKS == 0 and poll(0) != 0:
            break
        before = found
        found = walk_block(step, blocks, number, stack, found, limit)
        # the whole block again with more memory: half a block would have to be remembered
        if found > limit:
            set_int64(count, 0, before)
            return number
    set_int64(count, 0, found)
    return stop
