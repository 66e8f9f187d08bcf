"""One round: every pair of a frontier is replaced by those pairs of its descendants that overlap.

Paper `bsp`, Algorithms 1 and 2, for threads of a CPU. Threads draw groups of the frontier from a counter:

    for each pair (a, b) of the group:                      # they overlap
        for each descendant of a, µ levels below, or fewer near the root:
            test it against the descendants of b, eight at a time
            put the overlapping pairs into the queue        # leaf pairs into another
    a full queue, and what is left at the end, is written behind all others: one atomic addition reserves the room

The paper writes all descendants, and tests them when it reads them in the next round; here they are tested before they
are written. The tests are the same, but frontiers hold what overlaps and no more, a fraction of the memory traffic.

For: rounds are few, all threads are busy, nothing is recursive. Against: frontiers take memory, nothing stops early.

A frontier or a list of leaf pairs that is full goes on counting; the host makes room, and does the round again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.implicit.layout import row_of
from tumble.jit import inlined_kernel, kernel
from tumble.simd.memory import address_of, int64_at, lowest_bit, set_int64
from tumble.traversal.bulk.atomic import atomic_add
from tumble.traversal.bulk.boxes import boxes_crossing, boxes_meeting
from tumble.traversal.bulk.leaves import exact_boxes_meet, ordered_key, share_a_vertex

LOW_HALF = 0xFFFFFFFF
LANES = 8
# Places in the counters.
NEXT, PAIRS, LEAVES, TESTS, OVERLAPS, LEAF_OVERLAPS = range(6)
COUNTERS = 8


class Walked(NamedTuple):
    """Trees and meshes as a round sees them."""

    starts: NDArray[np.int64]
    active: NDArray[np.int64]
    left: NDArray[np.int64]
    down: NDArray[np.int64]
    """levels that a pair goes down from each row"""
    tree: NDArray[np.int64]
    first_leaf: NDArray[np.int64]
    boxes: NDArray[np.float32]
    order: NDArray[np.int32]
    vertices: NDArray[np.float64]
    corners: NDArray[np.int32]
    """(m, 3) the vertices of the triangle of each leaf: side by side, unlike the faces of a mesh"""


@inlined_kernel
def flush(queue, base, size, target, counters, counter):
    """Write queued numbers behind all others, as far as there is room."""
    at = atomic_add(counters, np.int64(counter), size)
    room = min(size, target.shape[0] - at)
    for k in range(room):
        target[at + k] = int64_at(queue, base + k)


@inlined_kernel
def push(queue, base, room, queued, value, target, counters, counter):
    """Queue a number, and write all of the queue when it is full; return how many are queued then."""
    set_int64(queue, base + queued, value)
    if queued + 1 < room:
        return queued + 1
    flush(queue, base, room, target, counters, counter)
    return np.int64(0)


@kernel
def expand(walked, source, group, adjacent, queue, pairs, leaves, counters):
    """Replace pairs of the source by overlapping descendants, group by group, until none is left.

    queue      of this thread alone: one half for pairs of nodes, the other for leaf pairs
    adjacent   whether triangles that share a vertex count as leaf pairs
    """
    starts, active, left, boxes = walked.starts, walked.active, walked.left, walked.boxes
    at_boxes, stride = address_of(boxes), np.int64(boxes.shape[1])
    at_queue, shared, room = address_of(queue), address_of(counters), np.int64(queue.shape[0]) >> 1
    queued = queued_leaves = np.int64(0)
    tests = overlaps = leaf_overlaps = np.int64(0)
    total = np.int64(source.shape[0])
    while True:
        begin = atomic_add(shared, np.int64(NEXT), group)
        if begin >= total:
            break
        for item in range(begin, min(begin + group, total)):
            a, b = source[item] >> 32, source[item] & LOW_HALF
            row_a, row_b = row_of(starts, a), row_of(starts, b)
            step_a, step_b = walked.down[row_a], walked.down[row_b]
            place_a, place_b = (a - starts[row_a]) << step_a, (b - starts[row_b]) << step_b
            row_a, row_b = row_a + step_a, row_b + step_b
            count_a = min(np.int64(1) << step_a, active[row_a] - place_a)
            count_b = min(np.int64(1) << step_b, active[row_b] - place_b)
            first_a, first_b = starts[row_a] + place_a, starts[row_b] + place_b
            at_leaves = left[row_a] == 0 and left[row_b] == 0
            within = walked.tree[row_a] == walked.tree[row_b]
            # the descendants of a node among themselves: each pair once, and no leaf with itself
            skipped = np.int64(1) if at_leaves else np.int64(0)
            for i in range(count_a):
                node = first_a + i
                lx, ly, lz = boxes[0, node], boxes[1, node], boxes[2, node]
                hx, hy, hz = boxes[3, node], boxes[4, node], boxes[5, node]
                begin_b = i + skipped if a == b else np.int64(0)
                tests += max(count_b - begin_b, 0)
                for j in range(begin_b, count_b, LANES):
                    other = first_b + j
                    mask = boxes_meeting(at_boxes, stride, other, lx, ly, lz, hx, hy, hz)
                    mask &= (np.int64(1) << min(np.int64(LANES), count_b - j)) - 1
                    if mask == 0:
                        continue
                    if not at_leaves:
                        while mask != 0:
                            lane = lowest_bit(mask)
                            mask &= mask - 1
                            overlaps += 1
                            pair = node << 32 | (other + lane)
                            queued = push(at_queue, 0, room, queued, pair, pairs, shared, PAIRS)
                        continue
                    sure = boxes_crossing(at_boxes, stride, other, lx, ly, lz, hx, hy, hz)
                    leaf_a = walked.first_leaf[walked.tree[row_a]] + place_a + i
                    leaf_b = walked.first_leaf[walked.tree[row_b]] + place_b + j
                    while mask != 0:
                        lane = lowest_bit(mask)
                        mask &= mask - 1
                        shared_vertex = within and share_a_vertex(walked.corners, leaf_a, leaf_b + lane)
                        if sure >> lane & 1 == 0 and not shared_vertex:
                            if not exact_boxes_meet(walked.vertices, walked.corners, leaf_a, leaf_b + lane):
                                continue
                        overlaps += 1
                        leaf_overlaps += 1
                        if shared_vertex and not adjacent:
                            continue
                        key = ordered_key(walked.order[leaf_a], walked.order[leaf_b + lane], within)
                        queued_leaves = push(at_queue, room, room, queued_leaves, key, leaves, shared, LEAVES)
    flush(at_queue, np.int64(0), queued, pairs, shared, PAIRS)
    flush(at_queue, room, queued_leaves, leaves, shared, LEAVES)
    atomic_add(shared, np.int64(TESTS), tests)
    atomic_add(shared, np.int64(OVERLAPS), overlaps)
    atomic_add(shared, np.int64(LEAF_OVERLAPS), leaf_overlaps)
