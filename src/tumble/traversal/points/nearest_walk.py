"""The triangle nearest to a point: down a packed tree, eight boxes at a time, the nearest child first.

    push the root's block
    while the stack is not empty:
        pop a block; leave it when it is farther away than the nearest triangle so far
        for each lane whose box is not farther away:
            a leaf: list its triangles
            else push the lane's block, so that nearer ones are popped first
        compute the distances of the listed triangles

A block that waits is one word: the square of its distance, as the bits of a float32, above its number, as in
`rays.packed_walk`. Of two triangles the nearer is kept, of two equally near the one with the lower number: whatever the
order, and whatever triangle the search began with, the answer is the same.
"""

import numpy as np
from llvmlite import ir
from numba import int64, types
from numba.extending import intrinsic

from tumble.core.jit import external, inlined_kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.simd.eight import EIGHT_INTS
from tumble.core.simd.memory import (
    INT64,
    float64_at,
    float_bits,
    int32_at,
    int64_at,
    lowest_bit,
    set_float64,
    set_int64,
)
from tumble.core.simd.stack_memory import scratch
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes
from tumble.hierarchy.packed.header import BLOCKS, FACES, VERTICES
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, HALF, LANES, MIDDLE, SECOND
from tumble.narrow.points.four_nearest import WRITTEN_WORDS, four_nearest
from tumble.traversal.points.prepare import SINGLES, limit_of
from tumble.traversal.rays.packed_walk import LISTED, NEARS_WORDS, STACK_WORDS, push
from tumble.traversal.rays.triangles import NO_POSE, NO_TRIANGLE

# What is found: the distance, then the nearest point as seen from the given one.
DISTANCE = 0
WAY = 1
FOUND_WORDS = 4

ALL_LANES = (1 << LANES) - 1
LISTED_WORDS = LISTED + 4


@intrinsic
def boxes_near(typing_context, block, singles, limit, nears):
    """Return a bit for each lane whose box is within a limit of a point; write squared distances to `nears`.

    Bits 0 to 7 are those of leaves, bits 8 to 15 those of other nodes.
    """

    def generate(context, builder, signature, arguments):
        block, singles, limit, nears = arguments
        lanes = Lanes(builder, EIGHT_FLOATS)
        square = zero = lanes.constant(0.0)
        for axis in range(3):
            gap = lanes.spread(lanes.scalar(singles, axis)) - lanes.load(block, MIDDLE + axis)
            gap = (gap.magnitude() - lanes.load(block, HALF + axis)).or_larger(zero)
            square = gap.times_plus(gap, square)
        lanes.store(square, nears, 0)
        near = lanes.bits(builder.not_(square > lanes.spread(limit)))
        child = builder.bitcast(lanes.load(block, CHILD).value, EIGHT_INTS)
        nothing = ir.Constant(EIGHT_INTS, [0] * LANES)
        leaves, inner = (lanes.bits(builder.icmp_signed(sign, child, nothing)) for sign in ("<", ">"))
        return builder.or_(builder.and_(near, leaves), builder.shl(builder.and_(near, inner), INT64(LANES)))

    return types.int64(types.int64, types.int64, types.float32, types.int64), generate


@inlined_kernel
def list_triangles(block, leaves, listed):
    """List the triangles of some leaves of a block; return how many there are."""
    count = 0
    while leaves != 0:
        lane = lowest_bit(leaves)
        leaves &= leaves - 1
        # the second is written in any case, and counts if there is one: no branch
        second = int32_at(block, LANES * SECOND + lane)
        set_int64(listed, count, -1 - int32_at(block, LANES * CHILD + lane))
        set_int64(listed, count + 1, second)
        count += 1 + (second >= 0)
    return count


@inlined_kernel
def keep_nearer(tree, pose, point, listed, count, triangle, found, place):
    """Compare `count` listed triangles with the nearest so far; write what is nearer to `found`, return its triangle.

    `listed` has memory for three more; `place` is memory for what `four_nearest` writes.
    """
    vertices, faces = int64_at(tree, VERTICES), int64_at(tree, FACES)
    # lanes behind the last repeat the first triangle
    for k in range(count, count + 3):
        set_int64(listed, k, int64_at(listed, 0))
    for first in range(0, count, 4):
        i, j = int64_at(listed, first), int64_at(listed, first + 1)
        k, l = int64_at(listed, first + 2), int64_at(listed, first + 3)
        distance = float64_at(found, DISTANCE)
        if pose == NO_POSE:
            mask = four_nearest(vertices, faces, point, i, j, k, l, distance, place, None)
        else:
            mask = four_nearest(vertices, faces, point, i, j, k, l, distance, place, pose)
        while mask != 0:
            lane = lowest_bit(mask)
            mask &= mask - 1
            here, number = float64_at(place, lane), int64_at(listed, first + lane)
            if here < distance or (here == distance and number < triangle):
                distance, triangle = here, number
                set_float64(found, DISTANCE, here)
                for axis in range(3):
                    set_float64(found, WAY + axis, float64_at(place, 4 + 4 * axis + lane))
    return triangle


@external(int64(*5 * (int64,)))
def nearest_in_packed_tree(tree, pose, point, begin, found):
    """Return the triangle nearest to a prepared point; write its distance and the way to it to `found`.

    `begin` is a triangle that may be near, or NO_TRIANGLE.
    """
    stack, nears, listed, place = (
        scratch(STACK_WORDS), scratch(NEARS_WORDS), scratch(LISTED_WORDS), scratch(WRITTEN_WORDS),
    )  # fmt: skip
    blocks = int64_at(tree, BLOCKS)
    triangle = np.int64(NO_TRIANGLE)
    set_float64(found, DISTANCE, np.inf)
    if begin != NO_TRIANGLE:
        set_int64(listed, 0, begin)
        triangle = keep_nearer(tree, pose, point, listed, 1, triangle, found, place)
    limit = limit_of(point, float64_at(found, DISTANCE))
    limit_bits = float_bits(limit)
    set_int64(stack, 0, 0)
    top = 1
    while top > 0:
        top -= 1
        word = int64_at(stack, top)
        # something nearer was found since this was pushed
        if word >> 32 > limit_bits:
            continue
        block = blocks + (word & LOWER_HALF) * BLOCK_BYTES
        mask = boxes_near(block, point + SINGLES, limit, nears)
        base, inner = top, mask >> LANES
        while inner != 0:
            lane = lowest_bit(inner)
            inner &= inner - 1
            # sorted among the children of this block only: the walk is depth first, and takes the nearest child first
            push(stack, base, top, int32_at(nears, lane) << 32 | int32_at(block, LANES * CHILD + lane))
            top += 1
        leaves = mask & ALL_LANES
        if leaves != 0:
            count = list_triangles(block, leaves, listed)
            before = float64_at(found, DISTANCE)
            triangle = keep_nearer(tree, pose, point, listed, count, triangle, found, place)
            if float64_at(found, DISTANCE) < before:
                limit = limit_of(point, float64_at(found, DISTANCE))
                limit_bits = float_bits(limit)
    return triangle
