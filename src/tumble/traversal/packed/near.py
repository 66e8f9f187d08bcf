"""The triangles of two packed trees that are nearer than a clearance, or touch: as `walk`, with bounds as in `nearest`.

    push (root of a, root block of b)
    while the stack is not empty:
        pop (single, block)
        for each lane of the block that may be within the clearance of the single:
            two leaves: compare triangles
            else descend in the larger: push (single, lane's children), or (lane as the single, single's children)

Of two leaves, four pairs of triangles, most are parted along a direction of their own (`four_gaps`). What is left is
measured in vectors: a pair that is certain to be nearer is listed. For the others `nearer_than` decides exactly; those
are pairs as good as at the clearance, and triangles that pierce each other, whose edges may be far apart.
"""

from typing import NamedTuple

import numpy as np
from numba import float64, int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import float32_at, float64_at, int64_at, lowest_bit, set_float32, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import SCALE
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, SECOND, SIZE
from tumble.hierarchy.packed.slabs import SLAB_BYTES
from tumble.narrow.distance import TOLERANCE
from tumble.narrow.triangles.apart import FOUND_WORDS, apart_distance
from tumble.narrow.triangles.filter import vertex
from tumble.narrow.triangles.four_gaps import (
    GAPS_WORDS,
    KEPT_WORDS,
    LARGEST_SIZE,
    PAIRS,
    POSED_WORDS,
    SMALLEST_SIZE,
    keep_near,
    near_pairs,
)
from tumble.narrow.triangles.four_pairs import present_pairs
from tumble.narrow.triangles.within import corners_nearer_than
from tumble.traversal.packed.nearest import (
    BOUNDS_WORDS,
    MARGINS,
    ROUNDED_DOWN,
    SINGLE_WORDS,
    posed_extent,
    write_sides,
)
from tumble.traversal.packed.nearest_leaves import (
    ALL_BLOCKS,
    ALL_SLABS,
    LEAST_LIMIT,
    POSES,
    ROUNDED_UP,
    SIDES_WORDS,
    TREES,
)
from tumble.traversal.packed.nearest_single import describe_single
from tumble.traversal.packed.nodes import (
    BLOCK_MASK,
    NO_LEAF,
    NODE_SHIFT,
    RELATION_BYTES,
    STACK_WORDS,
    field,
    link,
    waiting_pair,
)
from tumble.traversal.packed.walk import note
from tumble.volume.eight_boxes import MARGIN, RATIO
from tumble.volume.eight_distances import boxes_within

# The state of a search, in 64-bit words.
CLEARANCE = 0
LIMIT = 1  # the clearance and how far a gap may be off
CERTAIN = 2  # pairs whose distance in vectors is below this are nearer than the clearance
LIMITS = 3  # the limit in the unit of b's frame, then in that of a's: two float32 numbers
USABLE = 4  # 1.0 where coordinates are of a size for `near_pairs`
NO_WAY = 5  # three zeros: no direction is known in which pairs are parted
STATE_WORDS = 8
LARGEST_LIMIT = 1e37
"""in the unit of a frame: beyond, float32 bounds may be infinite, and nothing is excluded"""


class Near(NamedTuple):
    """What stays the same throughout a search: addresses, and numbers of the query."""

    sides: int
    state: int
    first: int  # not 0: end the search at the first pair
    keys: int
    capacity: int
    kept: int  # memory for the single's leaf, posed
    posed: int  # memory for the other leaf, posed
    found: int  # memory for what `apart_distance` writes


@inlined_kernel
def begin_near(search, deviation, clearance):
    """Fill the state of a search."""
    state, sides = search.state, search.sides
    tree_a, tree_b = int64_at(sides, TREES), int64_at(sides, TREES + 1)
    size = max(posed_extent(tree_a, int64_at(sides, POSES)), posed_extent(tree_b, int64_at(sides, POSES + 1)))
    error = 4.0 * size * TOLERANCE
    set_float64(state, CLEARANCE, clearance)
    set_float64(state, LIMIT, clearance + error)
    set_float64(state, CERTAIN, clearance - error)
    set_float64(state, USABLE, 1.0 if SMALLEST_SIZE < size < LARGEST_SIZE else 0.0)
    stretch = ROUNDED_DOWN / (1.0 + 4.0 * deviation)
    for side in range(2):
        unit = stretch / float64_at(int64_at(sides, TREES + 1 - side), SCALE)
        limit = (clearance + error) * ROUNDED_UP / unit
        set_float32(state, 2 * LIMITS + side, np.float32(limit) + LEAST_LIMIT if limit < LARGEST_LIMIT else np.inf)
    for k in range(3):
        set_float64(state, NO_WAY + k, 0.0)


@inlined_kernel
def is_nearer(search, word, lane):
    """Tell whether the triangles of a lane are nearer than the clearance, or touch, exactly."""
    state = search.state
    if float64_at(state, USABLE) != 0.0:
        apart_distance(word, search.kept, search.posed, lane, search.found)
        if float64_at(search.found, 0) < float64_at(state, CERTAIN):
            return True
    p, q, r = vertex(search.kept, lane, 0), vertex(search.kept, lane, 1), vertex(search.kept, lane, 2)
    u, v, w = vertex(search.posed, lane, 0), vertex(search.posed, lane, 1), vertex(search.posed, lane, 2)
    return corners_nearer_than(p, q, r, u, v, w, float64_at(state, CLEARANCE))


@inlined_kernel
def compare_leaves(search, side, one, two, three, four, found):
    """Compare the kept leaf's triangles, one and two, with three and four of the other tree's leaf.

    Write the near ones; return how many pairs are found by now, and how many were not parted.
    """
    state, other, tests = search.state, 1 - side, 0
    tree, pose = int64_at(search.sides, TREES + other), int64_at(search.sides, POSES + other)
    limit, gaps = float64_at(state, LIMIT), scratch(GAPS_WORDS)
    word = near_pairs(tree, pose, three, four, search.kept, search.posed, state + 8 * NO_WAY, limit, gaps)
    # the squares of numbers that are too small or too large for vectors would part what is near
    pairs = (word if float64_at(state, USABLE) != 0.0 else PAIRS) & present_pairs(two, four)
    while pairs != 0:
        lane = lowest_bit(pairs)
        pairs &= pairs - 1
        tests += 1
        if is_nearer(search, word, lane):
            our, their = (two if lane & 1 else one), (four if lane & 2 else three)
            # a full buffer goes on counting: the caller then knows how large the next one must be
            if found < search.capacity:
                set_int64(search.keys, found, our << 32 | their if side == 0 else their << 32 | our)
            found += 1
            if search.first != 0:
                return found, tests
    return found, tests


@external(int64(*5 * (int64,), float64, float64, *4 * (int64,)))
def find_near(tree_a, pose_a, tree_b, pose_b, relations, deviation, clearance, first, keys, capacity, counts):
    """Write the near triangles as keys, a's number in the upper half, and return how many there are.

    The trees, with their slabs, must not be empty. `relations` is the address of a's frame in b's and b's in a's;
    the rest is as in `walk`. A negative number is not an answer: see `tumble.core.poll`.
    """
    stack, bounds, box = scratch(STACK_WORDS), scratch(BOUNDS_WORDS), scratch(SINGLE_WORDS)
    search = Near(
        scratch(SIDES_WORDS), scratch(STATE_WORDS), first, keys, capacity,
        scratch(KEPT_WORDS), scratch(POSED_WORDS), scratch(FOUND_WORDS),
    )  # fmt: skip
    state, sides = search.state, search.sides
    write_sides(sides, tree_a, pose_a, tree_b, pose_b)
    begin_near(search, deviation, clearance)
    set_int64(stack, 0, waiting_pair(np.int64(0), np.int64(0), np.int64(0)))
    top, found = 1, 0
    posed_leaf, one, two = np.int64(NO_LEAF), np.int64(0), np.int64(0)
    visited, overlaps, leaf_pairs, triangle_tests = 0, 0, 0, 0
    while top > 0:
        answer = poll(found) if visited > 0 else 0
        if answer != 0:
            return answer
        pause = visited + leaf_pairs + OFTEN
        while top > 0 and visited + leaf_pairs < pause:
            top -= 1
            waiting = int64_at(stack, top)
            side, number, node = waiting & 1, waiting >> 1 & BLOCK_MASK, waiting >> NODE_SHIFT
            single, lane = int64_at(sides, ALL_BLOCKS + side) + (node >> 3) * BLOCK_BYTES, node & 7
            block = int64_at(sides, ALL_BLOCKS + 1 - side) + number * BLOCK_BYTES
            relation = relations + side * RELATION_BYTES
            slabs = int64_at(sides, ALL_SLABS + side) + (node >> 3) * SLAB_BYTES
            describe_single(single, slabs, lane, relation, box)
            slabs = int64_at(sides, ALL_SLABS + 1 - side) + number * SLAB_BYTES
            margin, limit = MARGINS * float32_at(relation, MARGIN), float32_at(state, 2 * LIMITS + side)
            mask = boxes_within(block, slabs, relation, box, margin, limit, bounds)
            visited += 1
            child, leaf = link(single, CHILD, lane), node << 1 | side
            size = float32_at(relation, RATIO) * field(single, SIZE, lane)
            nearest, least = top, np.float32(np.inf)
            while mask != 0:
                other = lowest_bit(mask)
                mask &= mask - 1
                grandchild = link(block, CHILD, other)
                if grandchild == 0:
                    continue
                overlaps += 1
                into_lane = grandchild > 0 and (child < 0 or field(block, SIZE, other) >= size)
                if into_lane or child > 0:
                    turned = waiting_pair(LANES * number + other, child, 1 - side)
                    set_int64(stack, top, waiting_pair(node, grandchild, side) if into_lane else turned)
                    bound = float32_at(bounds, other)
                    nearest, least = (top, bound) if bound < least else (nearest, least)
                    top += 1
                    continue
                leaf_pairs += 1
                if leaf != posed_leaf:
                    posed_leaf, one, two = leaf, -1 - child, link(single, SECOND, lane)
                    tree, pose = int64_at(sides, TREES + side), int64_at(sides, POSES + side)
                    keep_near(tree, pose, one, two, search.kept)
                three, four = -1 - grandchild, link(block, SECOND, other)
                found, tests = compare_leaves(search, side, one, two, three, four, found)
                triangle_tests += tests
                if first != 0 and found != 0:
                    note(counts, visited, overlaps, leaf_pairs, triangle_tests, 0)
                    return found
            # the nearest lane on top: where one pair will do, it is found soon
            if nearest < top - 1:
                waiting = int64_at(stack, nearest)
                set_int64(stack, nearest, int64_at(stack, top - 1))
                set_int64(stack, top - 1, waiting)
    note(counts, visited, overlaps, leaf_pairs, triangle_tests, 0)
    return found
