"""The entry point of times of impact: many queries in one kernel.

A query goes through the intervals in which both motions are one piece each. Before the first, it asks how near the
bodies are: if they touch, the answer is 0. If they are nearer than the tolerance but do not touch, that is lowered to
half their distance, so that what begins close together is not taken for a contact unless it comes closer.
"""

import math
from typing import Any

from numba import float64, int64

from tumble.core.interrupts import COUNTED
from tumble.core.jit import external, fixed_kernel, inlined_kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, float64_at, int64_at, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS
from tumble.hierarchy.packed.layout import CHILD
from tumble.mesh.motion_kernel import write_pose
from tumble.mesh.motion_pieces import END, POSE, START, WORDS
from tumble.mesh.rigid_kernel import POSE_WORDS
from tumble.narrow.triangles.four_gaps import LARGEST_SIZE, SMALLEST_SIZE
from tumble.traversal.packed.each import FEW_QUERIES
from tumble.traversal.packed.impact import find_impact
from tumble.traversal.packed.impact_state import (
    BEST,
    DEVIATION,
    KEY,
    LEAST_TOLERANCE,
    MARGIN,
    PIECES,
    SIDES_WORDS,
    STATE_WORDS,
    Impact,
    begin_interval,
    begin_state,
    go_to,
    length_of,
    piece_size,
)
from tumble.traversal.packed.nearest import write_sides
from tumble.traversal.packed.nearest_leaves import NO_PAIR
from tumble.traversal.packed.nearest_query import ANSWER_WORDS, FOUND, distance_of_pair, nearest_key
from tumble.traversal.packed.nodes import link

# The numbers of an answer, 64-bit words.
TIME = 0  # infinite where there is no contact
DISTANCE = 1
POINTS = 2  # of a and of b, six numbers
NORMAL = 8
PAIR = 11  # two whole numbers
COUNTS = 13
NUMBERS = COUNTS + COUNTED

AFTER_THE_END = 1.0 + 2.0**-52
ROUNDED_DOWN = 1.0 - 2.0**-51
PIECE_BYTES = 8 * WORDS


@inlined_kernel
def largest_size(pieces, count, tree):
    """Return no less than any coordinate that appears while a body moves."""
    size = 0.0
    for k in range(count):
        size = max(size, piece_size(pieces + k * PIECE_BYTES, tree))
    return size


@inlined_kernel
def write_impact(tree_a, pose_a, tree_b, pose_b, time, key, numbers):
    """Write the answer for a pair at a time, given by its key."""
    distance = distance_of_pair(tree_a, pose_a, tree_b, pose_b, key, numbers + 8 * POINTS)
    set_float64(numbers, TIME, time)
    set_float64(numbers, DISTANCE, distance)
    set_int64(numbers, PAIR, key >> 32)
    set_int64(numbers, PAIR + 1, key & LOWER_HALF)
    x = float64_at(numbers, POINTS + 3) - float64_at(numbers, POINTS)
    y = float64_at(numbers, POINTS + 4) - float64_at(numbers, POINTS + 1)
    z = float64_at(numbers, POINTS + 5) - float64_at(numbers, POINTS + 2)
    length = length_of((x, y, z))
    length = length if distance > 0.0 and length > 0.0 else math.inf
    set_float64(numbers, NORMAL, x / length)
    set_float64(numbers, NORMAL + 1, y / length)
    set_float64(numbers, NORMAL + 2, z / length)


@inlined_kernel
def share_of(piece, time):
    """Return which share of a piece has passed at a time."""
    start, end = float64_at(piece, START), float64_at(piece, END)
    return (time - start) / (end - start)


@inlined_kernel
def move_together(piece_a, piece_b):
    """Tell whether two pieces are the same motion, from wherever: then nothing approaches anything."""
    alike = 0
    for k in range(POSE):
        alike += float64_at(piece_a, k) == float64_at(piece_b, k)
    return alike == POSE


@external(int64(*6 * (int64,), float64, int64, int64, float64))
def first_impact(tree_a, pieces_a, count_a, tree_b, pieces_b, count_b, tolerance, first, numbers, until):
    """Write the first contact of two bodies that move through some pieces; return 0, or a negative code.

    Contacts from the time `until` on do not count, unless that is 1.
    """
    set_float64(numbers, TIME, math.inf)
    for k in range(COUNTED):
        set_int64(numbers, COUNTS + k, 0)
    if link(int64_at(tree_a, BLOCKS), CHILD, 0) == 0 or link(int64_at(tree_b, BLOCKS), CHILD, 0) == 0:
        return 0
    pose_a, pose_b = scratch(POSE_WORDS), scratch(POSE_WORDS)
    sides, state, key = scratch(SIDES_WORDS), scratch(STATE_WORDS), scratch(ANSWER_WORDS)
    size = max(largest_size(pieces_a, count_a, tree_a), largest_size(pieces_b, count_b, tree_b))
    margin = MARGIN * size + 1e-300
    tolerance = max(tolerance, LEAST_TOLERANCE * margin)
    write_pose(pieces_a, 0.0, pose_a)
    write_pose(pieces_b, 0.0, pose_b)
    found = nearest_key(tree_a, pose_a, tree_b, pose_b, DEVIATION, tolerance, NO_PAIR, key, numbers + 8 * COUNTS)
    if found < 0:
        return found
    if found == FOUND:
        write_impact(tree_a, pose_a, tree_b, pose_b, 0.0, int64_at(key, 0), numbers)
        near = float64_at(numbers, DISTANCE)
        if near <= LEAST_TOLERANCE * margin:
            return 0
        set_float64(numbers, TIME, math.inf)
        tolerance = max(0.5 * near, LEAST_TOLERANCE * margin)
    write_sides(sides, tree_a, pose_a, tree_b, pose_b)
    # less than asked for: what is within it is within the tolerance for the poses of the rounded time, too
    begin_state(state, tolerance - 2.0 * margin, 1.0 if SMALLEST_SIZE < size < LARGEST_SIZE else 0.0)
    return run_intervals(pieces_a, pieces_b, sides, state, first, numbers, until)


@inlined_kernel
def run_intervals(pieces_a, pieces_b, sides, state, first, numbers, until):
    """Go through the intervals of two motions until there is a contact, or the time is over, and write it."""
    search = Impact(sides, state, 0, 0, 0, 0, 0)
    piece_a, piece_b, start = pieces_a, pieces_b, 0.0
    while start < 1.0 and start < until:
        end_a, end_b = float64_at(piece_a, END), float64_at(piece_b, END)
        end = min(end_a, end_b)
        set_int64(sides, PIECES, piece_a)
        set_int64(sides, PIECES + 1, piece_b)
        begin_interval(
            search, share_of(piece_a, start), share_of(piece_a, end), share_of(piece_b, start), share_of(piece_b, end)
        )
        set_float64(state, BEST, min(AFTER_THE_END, (until - start) / (end - start) * AFTER_THE_END))
        code = 0 if move_together(piece_a, piece_b) else find_impact(sides, state, first, numbers + 8 * COUNTS)
        if code != 0:
            return code
        key = int64_at(state, KEY)
        if key >= 0:
            share = float64_at(state, BEST)
            time = start if share == 0.0 else max(start, (start + (end - start) * share) * ROUNDED_DOWN)
            go_to(search, share)
            write_impact(
                int64_at(sides, 0), int64_at(sides, 2), int64_at(sides, 1), int64_at(sides, 3), time, key, numbers
            )
            return 0
        piece_a = piece_a + PIECE_BYTES if end_a == end else piece_a
        piece_b = piece_b + PIECE_BYTES if end_b == end else piece_b
        start = end
    return 0


_SIDE = (int64[::1], int64[:, ::1])


@fixed_kernel(int64(*_SIDE, *_SIDE, int64[:, ::1], int64, int64, float64[::1], int64, float64[:, ::1], float64))
def impact_many_until(trees_a, motions_a, trees_b, motions_b, pairs, start, stop, tolerances, first, numbers, until):
    """Answer pairs[start:stop] in turn, each in a row of `numbers`; return `stop`, or a negative code.

    Of each motion, where its pieces are and how many. A row begins with infinity where there is no contact. Contacts
    from the time `until` on do not count, unless that is 1.
    """
    place = address_of(numbers)
    for k in range(start, stop):
        if k & FEW_QUERIES == 0:
            code = poll(0)
            if code != 0:
                return code
        i, j = pairs[k, 0], pairs[k, 1]
        code = first_impact(
            trees_a[i], motions_a[i, 0], motions_a[i, 1], trees_b[j], motions_b[j, 0], motions_b[j, 1],
            tolerances[k], first, place + 8 * NUMBERS * k, until,
        )  # fmt: skip
        if code != 0:
            return code
    return stop


def impact_many(*arguments: Any) -> int:
    """Answer as `impact_many_until` does, to the end of the motions."""
    return int(impact_many_until(*arguments, 1.0))
