"""One packed tree against itself, block by block.

Two leaves have one lowest block in common, in which they lie below different lanes; or they are the same leaf. So

    for each block:
        for each lane that is a leaf of two: compare the two
        for each two lanes whose boxes meet: descend from there

finds each pair once, and blocks can be shared out among threads in any order.
"""

import numpy as np

from tumble.core.jit import generic, inlined_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, SECOND
from tumble.traversal.packed.aligned import NO_SIDE, STACK_WORDS, walk_down
from tumble.traversal.packed.walk import link, waiting_pair

FEW_BLOCKS = 31
"""bits of a block's number that are zero where the walk calls `poll`"""


@generic
def compare_within(step, one, two, found):
    """Compare the two elements of one leaf and return how many pairs were found by now."""


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
        if child < 0 and second >= 0:
            found = compare_within(step, -1 - child, second, found)
        set_int64(stack, top, waiting_pair(LANES * number + lane, number, NO_SIDE))
        top += 1
    return walk_down(step, blocks, blocks, stack, top, found, limit)


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
