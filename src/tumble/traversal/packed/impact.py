"""The first contact of two packed trees that move: branch and bound in time, earliest first, eight boxes at a time.

    push (root of a, root block of b) at time 0
    while the stack is not empty:
        pop (single, block) or two leaves, and the time before which they do not touch
        drop it if that is not before the earliest contact so far
        two leaves: advance pairs of triangles
        else bodies are put where they are at that time; for each lane of the block, how long does it stay apart?
            push those that may touch before the earliest contact so far, latest first
            descend in the larger: (single, lane's children), or (lane as the single, single's children)

Each pair of nodes has a time of its own. Far pairs are dropped, or looked at again much later, and do not hold up near
ones; a node is measured by its own speed, not by that of the fastest point of its body. The first descent is greedy and
soon finds a contact, before which little is left.
"""

import math

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import float32_at, float64_at, int64_at, lowest_bit, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import SCALE
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, SECOND, SIZE
from tumble.hierarchy.packed.slabs import SLAB_BYTES
from tumble.narrow.triangles.apart import FOUND_WORDS
from tumble.narrow.triangles.four_gaps import KEPT_WORDS, POSED_WORDS
from tumble.traversal.packed.impact_leaves import advance_leaves
from tumble.traversal.packed.impact_state import (
    BEST,
    FIELD_WORDS,
    KEY,
    REST,
    ROUNDED_UP,
    Impact,
    describe_moving,
    go_to,
    relate_side,
)
from tumble.traversal.packed.nearest import (
    MARGINS,
    NODE_BITS,
    NODE_MASK,
    SINGLE_WORDS,
    STACK_WORDS,
    TWO_LEAVES,
)
from tumble.traversal.packed.nearest_leaves import ALL_BLOCKS, ALL_SLABS, TREES
from tumble.traversal.packed.nearest_single import describe_single
from tumble.traversal.packed.nodes import RELATION_BYTES, field, link
from tumble.volume.eight_boxes import MARGIN, RATIO
from tumble.volume.eight_times import MOVING_FLOATS, boxes_before

ROUNDED_DOWN = 1.0 - 2.0**-18
MOVING_WORDS = MOVING_FLOATS // 2
BOUNDS_WORDS = 2 * LANES // 2
FAR = np.float32(0.1)
"""gaps in radii of both nodes: those that are farther apart are looked at again later before they are taken apart"""
SHORTEST_STEP = 2.0**-14
"""what a second look must gain: points have no radius, and are always far apart"""
RELATIONS_WORDS, FIELDS_WORDS = 2 * RELATION_BYTES // 8, 2 * FIELD_WORDS


@inlined_kernel
def push_in_order(stack, bottom, top, waiting, time):
    """Put what waits onto the stack, among what lies on it from `bottom` on, the earliest on top."""
    place = top
    while place > bottom and float64_at(stack, 2 * place - 1) < time:
        set_int64(stack, 2 * place, int64_at(stack, 2 * place - 2))
        set_float64(stack, 2 * place + 1, float64_at(stack, 2 * place - 1))
        place -= 1
    set_int64(stack, 2 * place, waiting)
    set_float64(stack, 2 * place + 1, time)


@external(int64(*4 * (int64,)))
def find_impact(sides, state, first, counts):
    """Look for a contact before the earliest so far, in an interval that has begun; return 0, or a negative code.

    The trees, with their slabs, must not be empty, nor touch when the interval begins. `first` ends the search at any
    contact. What was done is added to `counts`. A negative number is not an answer: see `tumble.core.poll`.
    """
    stack, bounds = scratch(STACK_WORDS), scratch(BOUNDS_WORDS)
    box, moving = scratch(SINGLE_WORDS), scratch(MOVING_WORDS)
    search = Impact(
        sides, state, scratch(RELATIONS_WORDS), scratch(FIELDS_WORDS),
        scratch(KEPT_WORDS), scratch(POSED_WORDS), scratch(FOUND_WORDS),
    )  # fmt: skip
    set_int64(stack, 0, 0)
    set_float64(stack, 1, 0.0)
    top, visited, overlaps, leaf_pairs, triangle_tests = 1, 0, 0, 0, 0
    while top > 0:
        answer = poll(0) if visited > 0 else 0
        if answer != 0:
            return answer
        pause = visited + leaf_pairs + OFTEN
        while top > 0 and visited + leaf_pairs < pause:
            top -= 1
            time = float64_at(stack, 2 * top + 1)
            if not time < float64_at(state, BEST):  # an earlier contact was found meanwhile
                continue
            waiting = int64_at(stack, 2 * top)
            side, node, number = waiting & 1, waiting >> (NODE_BITS + 2), waiting >> 2 & NODE_MASK
            block, lane = int64_at(sides, ALL_BLOCKS + side) + (node >> 3) * BLOCK_BYTES, node & 7
            their_blocks = int64_at(sides, ALL_BLOCKS + 1 - side)
            child = link(block, CHILD, lane)
            if waiting & TWO_LEAVES != 0:
                leaf_pairs += 1
                other = their_blocks + (number >> 3) * BLOCK_BYTES
                three, four = -1 - link(other, CHILD, number & 7), link(other, SECOND, number & 7)
                tests = advance_leaves(search, side, -1 - child, link(block, SECOND, lane), three, four, time)
                if tests < 0:
                    return tests
                triangle_tests += tests
                if first != 0 and int64_at(state, KEY) >= 0:
                    top = 0
                continue
            visited += 1
            go_to(search, time)
            relate_side(search, side)
            relation = search.relations + side * RELATION_BYTES
            slabs = int64_at(sides, ALL_SLABS + side) + (node >> 3) * SLAB_BYTES
            describe_single(block, slabs, lane, relation, box)
            describe_moving(search, side, box, moving)
            others = their_blocks + number * BLOCK_BYTES
            slabs = int64_at(sides, ALL_SLABS + 1 - side) + number * SLAB_BYTES
            rest = float64_at(state, REST) * float64_at(int64_at(sides, TREES + 1 - side), SCALE) * ROUNDED_UP
            margin = MARGINS * float32_at(relation, MARGIN) + np.float32(rest)
            limit = np.float32((float64_at(state, BEST) - time) * 1.001)
            mask = boxes_before(others, slabs, relation, box, margin, moving, limit, bounds)
            size = float32_at(relation, RATIO) * field(block, SIZE, lane)
            least, bottom, nearest = math.inf, top, np.float32(np.inf)
            while mask != 0:
                other = lowest_bit(mask)
                mask &= mask - 1
                grandchild = link(others, CHILD, other)
                if grandchild == 0:
                    continue
                overlaps += 1
                next_one = LANES * number + other
                into_lane = (grandchild > 0) & ((child < 0) | (field(others, SIZE, other) >= size))
                stays = node << (NODE_BITS + 2) | (grandchild << 2 if into_lane else next_one << 2 | TWO_LEAVES) | side
                turned = next_one << (NODE_BITS + 2) | child << 2 | 1 - side
                step = np.float64(float32_at(bounds, other)) * ROUNDED_DOWN
                # what is not a number says nothing
                then = time + step if step > 0.0 else time
                push_in_order(stack, bottom, top, stays if into_lane | (child < 0) else turned, then)
                nearest = min(nearest, float32_at(bounds, LANES + other))
                least = min(least, then)
                top += 1
            if nearest >= FAR and top > bottom + 1 and least - time >= SHORTEST_STEP:
                # all are far apart for their sizes: smaller nodes would tell little more, a later time does
                top = bottom + 1
                set_int64(stack, 2 * bottom, waiting)
                set_float64(stack, 2 * bottom + 1, least)
    for k, done in ((0, visited), (1, overlaps), (2, leaf_pairs), (3, triangle_tests)):
        set_int64(counts, k, int64_at(counts, k) + done)
    return 0
