"""One ray down a packed tree: eight boxes at a time, the nearest child first.

    push the root's block
    while the stack is not empty:
        pop a block; leave it when it begins beyond the nearest hit
        for each lane whose box the ray meets before the nearest hit:
            a leaf: list its triangles
            else push the lane's block, so that nearer ones are popped first
        test the listed triangles

A block that waits is one word: where the ray enters its box, as the bits of a float32, above its number. Positive
floats are ordered like their bits.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import int64, types
from numba.extending import intrinsic

from tumble.core.jit import external, inlined_kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.simd import memory
from tumble.core.simd.memory import float64_at, float_bits, int32_at, int64_at, lowest_bit, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Vector
from tumble.hierarchy.packed.header import BLOCKS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, HALF, LANES, MAX_DEPTH, MIDDLE, SECOND
from tumble.traversal.rays.prepare import OFFSETS, SINGLES, SLOPES, STEEPNESS, WIDENINGS, reach
from tumble.traversal.rays.triangles import NO_TRIANGLE, nearer

STACK_WORDS = MAX_DEPTH * (LANES - 1) + LANES
NEARS_WORDS = LANES // 2
LISTED = 2 * LANES


def _slab(lanes: Lanes, block: Any, singles: Any, axis: int) -> tuple[Vector, Vector]:
    """Return where the ray enters and leaves the slabs of one axis."""
    offset, slope, steepness, widening = (
        lanes.spread(lanes.scalar(singles, first + axis)) for first in (OFFSETS, SLOPES, STEEPNESS, WIDENINGS)
    )
    middle = lanes.load(block, MIDDLE + axis).times_plus(slope, -offset)
    half = lanes.load(block, HALF + axis).times_plus(steepness, widening)
    return middle - half, middle + half


def _prefetch(builder: Any, address: Any) -> None:
    """Ask for a cache line that is needed soon: here the children, while the boxes are compared."""
    place = memory.pointer_to(builder, address, ir.IntType(8))
    memory.call_symbol(builder, "llvm.prefetch.p0", ir.VoidType(), [place, *(memory.INT32(k) for k in (0, 3, 1))])


@intrinsic
def boxes_on_ray(typing_context, block, singles, reach, nears):
    """Return a bit for each lane whose box the ray may meet between 0 and `reach`; write where it enters to `nears`."""

    def generate(context, builder, signature, arguments):
        block, singles, reach, nears = arguments
        lanes = Lanes(builder, EIGHT_FLOATS)
        near, far = lanes.constant(0.0), lanes.spread(reach)
        # links lie in other cache lines than boxes, and are read right after them
        _prefetch(builder, builder.add(block, memory.INT64(4 * LANES * CHILD)))
        for axis in range(3):
            enter, leave = _slab(lanes, block, singles, axis)
            near, far = near.or_larger(enter), far.or_smaller(leave)
        lanes.store(near, nears, 0)
        return lanes.bits(builder.not_(near > far))

    return types.int64(types.int64, types.int64, types.float32, types.int64), generate


@inlined_kernel
def push(stack, base, top, word):
    """Put a word on the stack, among those from `base` on: the least comes out first."""
    while top > base and int64_at(stack, top - 1) < word:
        set_int64(stack, top, int64_at(stack, top - 1))
        top -= 1
    set_int64(stack, top, word)


@external(int64(*5 * (int64,)))
def nearest_in_packed(tree, pose, ray, any_hit, distance_at):
    """Return the triangle that a ray hits, or NO_TRIANGLE; `ray` was prepared.

    Hits count up to the distance at `distance_at`, and that of the hit is written there; `any_hit` ends the search at
    the first one.
    """
    stack, nears, listed, place = scratch(STACK_WORDS), scratch(NEARS_WORDS), scratch(LISTED), scratch(4)
    blocks = int64_at(tree, BLOCKS)
    distance, triangle = float64_at(distance_at, 0), np.int64(NO_TRIANGLE)
    limit = np.float32(reach(ray, distance))
    if not limit >= np.float32(0.0):
        return triangle
    limit_bits = float_bits(limit)
    set_int64(stack, 0, 0)
    top = 1
    while top > 0:
        top -= 1
        word = int64_at(stack, top)
        # a hit was found since this was pushed
        if word >> 32 > limit_bits:
            continue
        block = blocks + (word & LOWER_HALF) * BLOCK_BYTES
        mask = boxes_on_ray(block, ray + SINGLES, limit, nears)
        base, count = top, 0
        while mask != 0:
            lane = lowest_bit(mask)
            mask &= mask - 1
            child = int32_at(block, LANES * CHILD + lane)
            if child > 0:
                # sorted among the children of this block only: the walk is depth first, and takes the nearest child
                # first
                push(stack, base, top, int32_at(nears, lane) << 32 | child)
                top += 1
            elif child < 0:
                set_int64(listed, count, -1 - child)
                count += 1
                second = int32_at(block, LANES * SECOND + lane)
                if second >= 0:
                    set_int64(listed, count, second)
                    count += 1
        # all leaves of a block together: four triangles are tested at a time
        if count > 0:
            before = triangle
            distance, triangle = nearer(tree, pose, ray, listed, count, distance, triangle, place)
            if triangle != before:
                if any_hit != 0:
                    break
                limit = np.float32(reach(ray, distance))
                limit_bits = float_bits(max(limit, np.float32(0.0)))
    set_float64(distance_at, 0, distance)
    return triangle
