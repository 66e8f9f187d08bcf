"""The nearest triangles of two packed trees that do not touch: branch and bound, nearest first, eight boxes at a time.

    push (root of a, root block of b)
    while the stack is not empty:
        pop (single, block, bound), or two leaves; drop it if the bound is beyond the best distance by now
        two leaves: compare triangles, four pairs at once
        else, where there are hulls, the gaps of the single's to those of eight lanes along the way of the best pair
            of lanes within the best distance, bounds of boxes and slabs: push those within it, the nearest last
            descend in the larger: (single, lane's children), or (lane as the single, single's children)

The first descent is greedy and soon finds a pair that is nearly the nearest; its distance and its direction then part
most of what is left. Nodes are kept up to the error of a distance beyond the best, so that every pair that could be
reported as nearest is met, whatever the order and wherever the search began: of those with the least distance, the one
with the lowest numbers is the answer (as in `query.questions.distance`, to the same bits).
"""

import numpy as np
from numba import float64, int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import (
    float32_at,
    float64_at,
    int64_at,
    lowest_bit,
    set_float32,
    set_float64,
    set_int64,
)
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, EXTENT, HULLS, SCALE, SLABS
from tumble.hierarchy.packed.hulls import HULL_BYTES, RADIUS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, MAX_DEPTH, SECOND, SIZE
from tumble.hierarchy.packed.slabs import SLAB_BYTES
from tumble.narrow.distance import TOLERANCE
from tumble.narrow.triangles.apart import FOUND_WORDS
from tumble.narrow.triangles.four_gaps import (
    KEPT_WORDS,
    LARGEST_SIZE,
    POSED_WORDS,
    SMALLEST_SIZE,
    keep_near,
)
from tumble.traversal.packed.nearest_leaves import (
    ALL_BLOCKS,
    ALL_HULLS,
    ALL_SLABS,
    BEST_LEAVES,
    ERROR,
    KEY,
    LEAVES,
    LIMIT,
    LIMITS,
    LOCAL_WAYS,
    NO_PAIR,
    POSES,
    SIDES_WORDS,
    STATE_WORDS,
    TREES,
    UNITS,
    USABLE,
    WAY,
    Search,
    compare_leaves,
    set_best,
    set_local_ways,
)
from tumble.traversal.packed.nearest_single import describe_single
from tumble.traversal.packed.nodes import NO_LEAF, RELATION_BYTES, field, link
from tumble.traversal.packed.relation import shift_size
from tumble.traversal.packed.walk import note
from tumble.volume.eight_boxes import MARGIN, RATIO
from tumble.volume.eight_distances import SINGLE_FLOATS, boxes_within
from tumble.volume.eight_hulls import hulls_along

# Each block that is opened leaves at most eight lanes on the stack, and at most both trees' depths of blocks are open
# at a time; an entry is two words: what waits, and its bound.
STACK_WORDS = 2 * (2 * MAX_DEPTH * LANES + LANES)
BOUNDS_WORDS, SINGLE_WORDS = LANES // 2, SINGLE_FLOATS // 2
# What waits: the single's node, the other tree's block or, for two leaves, node, and two bits.
NODE_BITS = 31
NODE_MASK = (1 << NODE_BITS) - 1
TWO_LEAVES = 2
ALL_LANES = (1 << LANES) - 1

MARGINS = np.float32(2.0)
"""times the margin of `relation`: that is for each component of a point, and bounds are lengths; and what
`eight_distances` computes is off by up to 90 (1 + r + |t|) 2**-24, where the margin has 64 (1 + r + |t|) 2**-24"""
ROUNDED_DOWN = 1.0 - 2.0**-20


@inlined_kernel
def posed_extent(tree, pose):
    """Return no less than the largest coordinate of a posed mesh: rotated, at most sqrt(3) times as large."""
    return 2.0 * float64_at(tree, EXTENT) + shift_size(pose)


@inlined_kernel
def begin_search(search, deviation, most):
    """Fill the state of a search that knows no pair yet."""
    state, sides = search.state, search.sides
    tree_a, tree_b = int64_at(sides, TREES), int64_at(sides, TREES + 1)
    size = max(posed_extent(tree_a, int64_at(sides, POSES)), posed_extent(tree_b, int64_at(sides, POSES + 1)))
    set_float64(state, ERROR, 2.0 * size * TOLERANCE)
    set_float64(state, USABLE, 1.0 if SMALLEST_SIZE < size < LARGEST_SIZE else 0.0)
    stretch = ROUNDED_DOWN / (1.0 + 4.0 * deviation)
    set_float64(state, UNITS, stretch / float64_at(tree_b, SCALE))
    set_float64(state, UNITS + 1, stretch / float64_at(tree_a, SCALE))
    set_best(state, most, NO_PAIR)
    set_int64(state, BEST_LEAVES, NO_PAIR)
    for k in range(6):
        set_float64(state, WAY + k, 0.0)
    set_local_ways(search)


@inlined_kernel
def swap(stack, i, j):
    """Let two that wait change places."""
    waiting, bound = int64_at(stack, 2 * i), float64_at(stack, 2 * i + 1)
    set_int64(stack, 2 * i, int64_at(stack, 2 * j))
    set_float64(stack, 2 * i + 1, float64_at(stack, 2 * j + 1))
    set_int64(stack, 2 * j, waiting)
    set_float64(stack, 2 * j + 1, bound)


@inlined_kernel
def write_sides(sides, tree_a, pose_a, tree_b, pose_b):
    """Write the addresses of both sides."""
    for side, tree, pose in ((0, tree_a, pose_a), (1, tree_b, pose_b)):
        set_int64(sides, TREES + side, tree)
        set_int64(sides, POSES + side, pose)
        set_int64(sides, ALL_BLOCKS + side, int64_at(tree, BLOCKS))
        set_int64(sides, ALL_SLABS + side, int64_at(tree, SLABS))
        set_int64(sides, ALL_HULLS + side, int64_at(tree, HULLS))


@external(int64(*5 * (int64,), float64, float64, *3 * (int64,)))
def find_nearest(tree_a, pose_a, tree_b, pose_b, relations, deviation, most, start, answer, counts):
    """Write the key of the pair at the least distance to `answer`, or -1 where none is as near as `most`.

    The trees, with their slabs, must neither be empty nor touch. `relations` is the address of a's frame in b's and
    b's in a's. `start` is -1, or the two leaves of a pair that may be near, which are looked at first: no answer
    depends on it. Those of the answer are written behind its key. `counts`, if not 0, is where to write what was done.
    A negative number is not an answer: see `tumble.core.poll`.
    """
    stack, bounds, single = scratch(STACK_WORDS), scratch(BOUNDS_WORDS), scratch(SINGLE_WORDS)
    gaps = scratch(BOUNDS_WORDS)
    for k in range(LANES):
        set_float32(gaps, k, -np.float32(np.inf))
    hulled = int64_at(tree_a, HULLS) != 0 and int64_at(tree_b, HULLS) != 0
    search = Search(
        scratch(SIDES_WORDS), scratch(STATE_WORDS), scratch(KEPT_WORDS), scratch(POSED_WORDS), scratch(FOUND_WORDS)
    )
    state, sides = search.state, search.sides
    write_sides(sides, tree_a, pose_a, tree_b, pose_b)
    begin_search(search, deviation, most)
    set_int64(stack, 0, 0)
    set_float64(stack, 1, -np.inf)
    set_int64(stack, 2, start)
    set_float64(stack, 3, -np.inf)
    top = 1 if start == NO_PAIR else 2
    posed_leaf, one, two = np.int64(NO_LEAF), np.int64(0), np.int64(0)
    visited, overlaps, leaf_pairs, triangle_tests = 0, 0, 0, 0
    while top > 0:
        answer_now = poll(0) if visited > 0 else 0
        if answer_now != 0:
            return answer_now
        pause = visited + leaf_pairs + OFTEN
        while top > 0 and visited + leaf_pairs < pause:
            top -= 1
            if float64_at(stack, 2 * top + 1) > float64_at(state, LIMIT):  # the best has become nearer meanwhile
                continue
            waiting = int64_at(stack, 2 * top)
            side, node, number = waiting & 1, waiting >> (NODE_BITS + 2), waiting >> 2 & NODE_MASK
            block, lane = int64_at(sides, ALL_BLOCKS + side) + (node >> 3) * BLOCK_BYTES, node & 7
            their_blocks = int64_at(sides, ALL_BLOCKS + 1 - side)
            child = link(block, CHILD, lane)
            if waiting & TWO_LEAVES != 0:
                leaf_pairs += 1
                set_int64(state, LEAVES, waiting)
                leaf = node << 1 | side
                if leaf != posed_leaf:
                    posed_leaf, one, two = leaf, -1 - child, link(block, SECOND, lane)
                    tree, pose = int64_at(sides, TREES + side), int64_at(sides, POSES + side)
                    keep_near(tree, pose, one, two, search.kept)
                other = their_blocks + (number >> 3) * BLOCK_BYTES
                three, four = -1 - link(other, CHILD, number & 7), link(other, SECOND, number & 7)
                triangle_tests += compare_leaves(search, side, one, two, three, four)
                continue
            visited += 1
            relation = relations + side * RELATION_BYTES
            margin, limit = MARGINS * float32_at(relation, MARGIN), float32_at(state, 2 * LIMITS + side)
            way = state + 8 * LOCAL_WAYS + 16 * side
            others, mask = their_blocks + number * BLOCK_BYTES, np.int64(ALL_LANES)
            if hulled and limit < np.inf:
                hulls = int64_at(sides, ALL_HULLS + 1 - side) + number * HULL_BYTES
                ours = int64_at(sides, ALL_HULLS + side) + (node >> 3) * HULL_BYTES
                points, radius = ours + 12 * LANES * lane, ours + 4 * (LANES * RADIUS + lane)
                mask = hulls_along(hulls, points, radius, relation, margin, way, limit, gaps)
                if mask == 0:
                    continue
            slabs = int64_at(sides, ALL_SLABS + side) + (node >> 3) * SLAB_BYTES
            describe_single(block, slabs, lane, relation, single)
            slabs = int64_at(sides, ALL_SLABS + 1 - side) + number * SLAB_BYTES
            mask &= boxes_within(others, slabs, relation, single, margin, limit, bounds)
            size = float32_at(relation, RATIO) * field(block, SIZE, lane)
            unit, nearest, least = float64_at(state, UNITS + side), top, np.inf
            while mask != 0:
                other = lowest_bit(mask)
                mask &= mask - 1
                grandchild = link(others, CHILD, other)
                if grandchild == 0:
                    continue
                overlaps += 1
                next_one = LANES * number + other
                # without branches, which could not be predicted either
                into_lane = (grandchild > 0) & ((child < 0) | (field(others, SIZE, other) >= size))
                stays = node << (NODE_BITS + 2) | (grandchild << 2 if into_lane else next_one << 2 | TWO_LEAVES) | side
                turned = next_one << (NODE_BITS + 2) | child << 2 | 1 - side
                set_int64(stack, 2 * top, stays if into_lane | (child < 0) else turned)
                gap, bound = float32_at(gaps, other), float32_at(bounds, other)
                bound = np.float64(gap if gap > bound else bound) * unit
                # float32 ends at 3e38 times the size of a mesh: what is beyond says nothing
                bound = bound if bound < np.inf else -np.inf
                set_float64(stack, 2 * top + 1, bound)
                nearer = bound < least
                nearest, least = top if nearer else nearest, bound if nearer else least
                top += 1
            if least < np.inf:
                swap(stack, nearest, top - 1)
    note(counts, visited, overlaps, leaf_pairs, triangle_tests, 0)
    set_int64(answer, 0, int64_at(state, KEY))
    set_int64(answer, 1, int64_at(state, BEST_LEAVES))
    return 0
