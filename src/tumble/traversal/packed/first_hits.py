"""Whether bodies touch, for many pairs of bodies or poses: several searches take turns.

    while there are rows left, or searches under way:
        begin searches until there are `TOGETHER`: for each row, perhaps try the last pair that touched, then the roots
        each search visits the pair of nodes on top of its stack
        leaves that were found by any of them are compared; a search that found a pair is over

One search is a chain: which nodes come next is known when the last ones were compared, and the processor waits. Those
of different rows do not wait for each other, and their leaves fill vectors together.

Neighbouring poses of a motion touch with the same triangles more often than not, so a row begins with the pair that was
found last. Where that helps, rows are searched one after the other; where it seldom does, it is tried seldom.
"""

import numpy as np
from numba import float64, int64

from tumble.core.interrupts import NO_MEMORY
from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import address_of, atomic_add, float64_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.processor import float32_lanes
from tumble.core.simd.stack_memory import from_heap, scratch, to_heap
from tumble.hierarchy.packed.layout import LANES
from tumble.mesh.rigid_kernel import POSE_BYTES
from tumble.narrow.triangles.certain_pairs import KEPT_AT, PAIR_WORDS, TRIANGLE_PAIRS
from tumble.narrow.triangles.four_pairs import KEPT_WORDS as POSED_LEAF_WORDS
from tumble.traversal.packed.leaf_pairs import (
    FILLING,
    LEAF_LANES,
    OF_SEARCH,
    PAIR_BYTES,
    THEIR_KEYS,
    WAITING_WORDS,
    prepare_waiting,
    touching_lanes,
)
from tumble.traversal.packed.leaves import OUR_KEYS, SLOT_BYTES, SLOT_WORDS
from tumble.traversal.packed.nodes import STACK_WORDS, waiting_pair
from tumble.traversal.packed.query import may_meet, still_touch
from tumble.traversal.packed.search import LAST_WAITS, RELATIONS_WORDS, SEARCH_WORDS, begin_search, search_at
from tumble.traversal.packed.walk import fetch, visit, walk
from tumble.volume.tight_leaf import TIGHT_WORDS

TOGETHER = 8
_SIDE = (int64[::1], float64[:, :, ::1], float64[::1])
NONE = -1
# The memory of a search, in 64-bit words: what `Search` says, the row, the top of the stack, the key that was found;
# then what `Search` leads to. Vectors begin at multiples of 32 bytes.
ROW, TOP, KEY = (SEARCH_WORDS + k for k in range(3))
SLOT = SEARCH_WORDS + 4
POSED = SLOT + SLOT_WORDS
RELATIONS = POSED + POSED_LEAF_WORDS
TIGHT = RELATIONS + -(-RELATIONS_WORDS // 4) * 4
STACK = TIGHT + TIGHT_WORDS
WORDS = STACK + STACK_WORDS + LANES
BYTES = 64 * -(-WORDS // 8)
ALL_WORDS = TOGETHER * BYTES // 8
QUEUE_WORDS = WAITING_WORDS * (TOGETHER + 1)
PAIRS_WORDS = PAIR_WORDS * (TOGETHER * LANES + FILLING)
# Trying the pair that was found last costs a tenth of a search. Luck grows with each try that succeeds, and falls with
# each pair that had to be searched for. With luck, rows are neighbours along a motion: one search after the other, as
# the pair that one finds most likely saves the next. Without, searches take turns, and few rows are worth a try.
MOST_LUCK, FIRST_LUCK, WON, SELDOM = 32, 8, 4, 31


@inlined_kernel
def begin(place, row, tree_a, pose_a, tree_b, pose_b, deviation):
    """Begin the search for a row in this memory, unless the roots' boxes settle it; return whether it has begun."""
    relations = place + 8 * RELATIONS
    if may_meet(tree_a, pose_a, tree_b, pose_b, deviation, relations) == 0:
        return False
    slot = place + 8 * SLOT
    begin_search(
        place, tree_a, pose_a, tree_b, pose_b, relations, slot, slot + SLOT_BYTES, place + 8 * POSED, place + 8 * TIGHT
    )
    set_int64(place, ROW, row)
    set_int64(place, TOP, 1)
    set_int64(place, KEY, NONE)
    set_int64(place, STACK, waiting_pair(np.int64(0), np.int64(0), np.int64(0)))
    return True


@inlined_kernel
def visit_each(order, active, queue):
    """Let each search visit the pair of nodes on top of its stack; return how many singles and leaf pairs wait."""
    for k in range(active):
        place = int64_at(order, k)
        fetch(search_at(place), int64_at(place, STACK + int64_at(place, TOP) - 1))
    queued, total = np.int64(0), np.int64(0)
    for k in range(active):
        place = int64_at(order, k)
        search, top = search_at(place), int64_at(place, TOP) - 1
        waiting = int64_at(place, STACK + top)
        top, queued, leaves, _ = visit(search, waiting, search.slots, place + 8 * STACK, top, queue, queued)
        set_int64(place, TOP, top)
        set_int64(place, LAST_WAITS, 0)  # what waits is compared before the next visit
        total += leaves
    return queued, total


@inlined_kernel
def note_found(pairs, touching):
    """Write the first key that each search found; `touching` has the lanes of some pairs of leaves."""
    while touching != 0:
        lane = lowest_bit(touching)
        k = lane // TRIANGLE_PAIRS
        touching &= ~(LEAF_LANES << TRIANGLE_PAIRS * k)
        pair, lane = pairs + PAIR_BYTES * k, lane & TRIANGLE_PAIRS - 1
        place = int64_at(pair, OF_SEARCH)
        if int64_at(place, KEY) == NONE:
            ours = int64_at(int64_at(pair, KEPT_AT), OUR_KEYS + (lane & 1))
            set_int64(place, KEY, ours | int64_at(pair, THEIR_KEYS + (lane >> 1)))


@inlined_kernel
def compare_leaves(queue, queued, total, pairs):
    """Compare what waits, and write the key of each search that finds one."""
    prepare_waiting(queue, queued, total, pairs)
    for start in range(0, total, float32_lanes() // TRIANGLE_PAIRS):
        some = pairs + PAIR_BYTES * start
        touching, _ = touching_lanes(some)
        note_found(some, touching)


@inlined_kernel
def first_hits(
    memory, trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, counts, keys
):
    """Write for rows from `start` to `stop` whether their bodies touch, as a count, and keys of those that do.

    All but these two are addresses. Return `stop`, or a row whose count is not an answer: see `tumble.core.poll`.
    """
    order, queue, leaves = scratch(TOGETHER), scratch(QUEUE_WORDS), scratch(PAIRS_WORDS)
    for k in range(TOGETHER):
        set_int64(order, k, memory + k * BYTES)
    active, row, steps = np.int64(0), start, np.int64(0)
    tree_a, tree_b, witness, luck = np.int64(0), np.int64(0), np.int64(NONE), np.int64(FIRST_LUCK)
    while row < stop or active > 0:
        if steps > OFTEN:
            steps, answer = np.int64(0), poll(0)
            if answer != 0:
                # any row will do that has no count yet
                unfinished = row if active == 0 else int64_at(int64_at(order, 0), ROW)
                set_int64(counts, unfinished, answer)
                return unfinished
        steps += 1
        while active < TOGETHER and row < stop and steps <= OFTEN:
            alone = luck > 0
            if alone and active > 0:
                break
            steps += 1
            i, j = int64_at(pairs, 2 * row), int64_at(pairs, 2 * row + 1)
            if int64_at(trees_a, i) != tree_a or int64_at(trees_b, j) != tree_b:
                tree_a, tree_b, witness = int64_at(trees_a, i), int64_at(trees_b, j), np.int64(NONE)
            pose_a, pose_b = poses_a + i * POSE_BYTES, poses_b + j * POSE_BYTES
            touched = False
            if witness != NONE and (alone or (row - start) & SELDOM == 0):
                touched = still_touch(tree_a, pose_a, tree_b, pose_b, witness) != 0
            if touched:
                set_int64(keys, row, witness)
                luck = min(luck + WON, MOST_LUCK)
            deviation = float64_at(deviations_a, i) + float64_at(deviations_b, j)
            set_int64(counts, row, np.int64(touched))
            place = int64_at(order, active)
            if not touched and begin(place, row, tree_a, pose_a, tree_b, pose_b, deviation):
                if alone:
                    found = walk(tree_a, pose_a, tree_b, pose_b, place + 8 * RELATIONS, 1, keys + 8 * row, 1, 0)
                    set_int64(counts, row, found)
                    if found < 0:
                        return row
                    luck -= found
                    witness = int64_at(keys, row) if found > 0 else witness
                else:
                    active += 1
            row += 1
        if active == 0:
            continue
        queued, total = visit_each(order, active, queue)
        if total > 0:
            compare_leaves(queue, queued, total, leaves)
        k = np.int64(0)
        while k < active:
            place = int64_at(order, k)
            key = int64_at(place, KEY)
            if key == NONE and int64_at(place, TOP) > 0:
                k += 1
                continue
            done = int64_at(place, ROW)
            active -= 1
            set_int64(order, k, int64_at(order, active))
            set_int64(order, active, place)
            if key != NONE:
                set_int64(counts, done, 1)
                set_int64(keys, done, key)
                if int64_at(place, 0) == tree_a and int64_at(place, 2) == tree_b:
                    witness = key
    return stop


@fixed_kernel(int64(*_SIDE, *_SIDE, int64[:, ::1], int64, int64[::1], int64[::1], int64[::1]))
def first_hits_of_pieces(
    trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, size, counts, keys, taken
):
    """Write for each row whether its bodies touch, as a count, and a key at its place if they do.

    Rows come in pieces of this size, which threads that share `taken`, a number that is zero at first, take in turn.
    Return how many rows there are, or one whose count is not an answer, or a negative number that is none either.
    """
    memory = from_heap(ALL_WORDS)
    if memory == 0:
        return NO_MEMORY
    while True:
        start = atomic_add(address_of(taken), 0, 1) * size
        stop = min(start + size, pairs.shape[0])
        if start >= stop:
            to_heap(memory)
            return pairs.shape[0]
        ended = first_hits(
            memory, address_of(trees_a), address_of(poses_a), address_of(deviations_a), address_of(trees_b),
            address_of(poses_b), address_of(deviations_b), address_of(pairs), start, stop, address_of(counts),
            address_of(keys),
        )  # fmt: skip
        if ended < stop:
            to_heap(memory)
            return ended
