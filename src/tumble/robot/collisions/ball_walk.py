"""A ball against the boxes of a packed tree that stands still: is it away from all leaves, and how far?

Most links are not near any obstacle. To see that, no frames need be related and no box turned: the ball is compared
with eight boxes at a time, as they are stored.
"""

import numpy as np
from numba import float64, int64

from tumble.core.jit import external
from tumble.core.simd.memory import float32_at, float64_at, int64_at, lowest_bit, set_float32, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, ORIGIN, SCALE
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, MAX_DEPTH
from tumble.traversal.packed.walk import link
from tumble.volume.eight_balls import lanes_near, write_squares

STACK_WORDS = MAX_DEPTH * (LANES - 1) + LANES
NEAREST_WORDS = 2 * (MAX_DEPTH * LANES + LANES)
SQUARES_WORDS = LANES // 2
ROUNDING = 2.0**-20
"""of all numbers in the unit of the tree: sixteen times as much as float32 is off by"""
LARGEST = 1e15
"""in that unit: beyond, squares leave float32"""


@external(int64(int64, float64, float64, float64, float64))
def ball_is_away(tree, x, y, z, radius):
    """Return 1 if a ball in the frame of a tree is certain to touch none of its triangles, else 0."""
    scale = float64_at(tree, SCALE)
    x, y, z = (x - float64_at(tree, ORIGIN)) * scale, (y - float64_at(tree, ORIGIN + 1)) * scale, z * scale
    z -= float64_at(tree, ORIGIN + 2) * scale
    reach = radius * scale + ROUNDING * (abs(x) + abs(y) + abs(z) + radius * scale + 4.0)
    px, py, pz, square = np.float32(x), np.float32(y), np.float32(z), np.float32(reach * reach)
    stack, blocks, top = scratch(STACK_WORDS), int64_at(tree, BLOCKS), 1
    set_int64(stack, 0, 0)
    while top > 0:
        top -= 1
        block = blocks + int64_at(stack, top) * BLOCK_BYTES
        mask = lanes_near(block, px, py, pz, square)
        while mask != 0:
            lane = lowest_bit(mask)
            mask &= mask - 1
            child = link(block, CHILD, lane)
            if child < 0:
                return 0
            if child > 0:
                set_int64(stack, top, child)
                top += 1
    return 1


@external(float64(int64, float64, float64, float64))
def gap_to_boxes(tree, x, y, z):
    """Return a distance that no triangle of a tree is nearer to a point in its frame than; 0 where boxes contain it."""
    scale = float64_at(tree, SCALE)
    x, y, z = (x - float64_at(tree, ORIGIN)) * scale, (y - float64_at(tree, ORIGIN + 1)) * scale, z * scale
    z -= float64_at(tree, ORIGIN + 2) * scale
    px, py, pz = np.float32(x), np.float32(y), np.float32(z)
    stack, squares, blocks = scratch(NEAREST_WORDS), scratch(SQUARES_WORDS), int64_at(tree, BLOCKS)
    best, top = np.float32(np.inf), 1
    set_int64(stack, 0, 0)
    set_float32(stack, 2, np.float32(0.0))
    while top > 0:
        top -= 1
        if not float32_at(stack, 4 * top + 2) < best:
            continue
        block = blocks + int64_at(stack, 2 * top) * BLOCK_BYTES
        write_squares(block, px, py, pz, squares)
        nearest, least = top, np.float32(np.inf)
        for lane in range(LANES):
            child, square = link(block, CHILD, lane), float32_at(squares, lane)
            if child < 0:
                best = min(best, square)
            elif child > 0 and square < best:
                set_int64(stack, 2 * top, child)
                set_float32(stack, 4 * top + 2, square)
                nearest, least = (top, square) if square < least else (nearest, least)
                top += 1
        if nearest < top - 1:  # the nearest lane on top
            child, square = int64_at(stack, 2 * nearest), float32_at(stack, 4 * nearest + 2)
            set_int64(stack, 2 * nearest, int64_at(stack, 2 * top - 2))
            set_float32(stack, 4 * nearest + 2, float32_at(stack, 4 * top - 2))
            set_int64(stack, 2 * top - 2, child)
            set_float32(stack, 4 * top - 2, square)
    way = np.sqrt(np.float64(best))
    slack = ROUNDING * (abs(x) + abs(y) + abs(z) + way + 4.0)
    return max(0.0, way - slack) / scale if way < LARGEST else 0.0
