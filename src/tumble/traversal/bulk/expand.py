"""One round: every pair of a frontier is replaced by those pairs of its descendants that overlap.

Paper `bsp`, Algorithms 1 and 2, for threads of a CPU. Threads draw groups of the frontier from a counter:

    for each pair (a, b) of the group:                      # they overlap
        for each tile of 8 × 8 of their descendants, µ levels below, or fewer near the root:
            test the ones in turn against the eight others at once, into 64 bits
            put the overlapping pairs into the queue        # leaf pairs into another
    a full queue, and what is left at the end, is written behind all others: one atomic addition reserves the places

The paper writes all descendants, and tests them when it reads them in the next round; here they are tested before they
are written. The tests are the same, but frontiers contain only what overlaps, a fraction of the memory traffic.

For: few rounds, all threads busy, no recursion. Against: frontiers take memory, and the search cannot stop early.

When a frontier or a list of leaf pairs is full, the kernel keeps counting; the host makes memory and repeats the round.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, atomic_add, float32_at, int64_at, lowest_bit, set_int64
from tumble.hierarchy.implicit.layout import row_of
from tumble.traversal.bulk.boxes import boxes_meeting, exact_boxes_meet, ordered_key, share_a_vertex

LANES = 8
# Bit 8 i + j of a mask is pair (i, j): all with j = 0, all with i <= j, all with i < j; as signed numbers.
EVERY_EIGHTH = 0x0101010101010101
FROM_DIAGONAL = 0x80C0E0F0F8FCFEFF - (1 << 64)
ABOVE_DIAGONAL = 0x0080C0E0F0F8FCFE
# Places in the counters.
NEXT, PAIRS, LEAVES, TESTS, OVERLAPS, LEAF_OVERLAPS = range(6)
COUNTERS = 8


class Walked(NamedTuple):
    """Trees and meshes as a round sees them: see `rounds.walked`."""

    starts: NDArray[np.int64]
    active: NDArray[np.int64]
    left: NDArray[np.int64]
    down: NDArray[np.int64]
    """levels by which pairs descend from each row at once; fronts descend level by level instead"""
    tree: NDArray[np.int64]
    first_leaf: NDArray[np.int64]
    boxes: NDArray[np.float32]
    order: NDArray[np.int32]
    vertices: NDArray[np.float64]
    corners: NDArray[np.int32]
    """(m, 3) the vertices of each leaf's triangle, in the order of leaves: neighbours share cache lines"""


@inlined_kernel
def flush(queue, base, size, target, counters, counter):
    """Write queued numbers behind all others, as far as they fit, and count them all."""
    # places are reserved even beyond the end of the target: so the counter says how large it must be for the next try
    at = atomic_add(counters, np.int64(counter), size)
    for k in range(min(size, target.shape[0] - at)):
        target[at + k] = int64_at(queue, base + k)


@inlined_kernel
def push(queue, base, capacity, queued, value, target, counters, counter):
    """Queue a number, and write all of the queue when it is full; return how many are queued then."""
    # one atomic addition for a whole queue: with one for each pair, threads would wait for each other all the time
    set_int64(queue, base + queued, value)
    if queued + 1 < capacity:
        return queued + 1
    flush(queue, base, capacity, target, counters, counter)
    return np.int64(0)


@inlined_kernel
def row_near(starts, row, node):
    """Return the row of a node, which is often that of the node before it."""
    # a frontier is written tile by tile, so the next pair mostly comes from the same rows: no bisection
    if starts[row] <= node and row + 1 < starts.shape[0] and node < starts[row + 1]:
        return row
    return row_of(starts, node)


@inlined_kernel
def descendants(walked, row, node, step):
    """Return the row `step` levels below a node, the place of its first descendant there, and how many are active."""
    place, below = (node - walked.starts[row]) << step, row + step
    return below, place, min(np.int64(1) << step, walked.active[below] - place)


@inlined_kernel
def meeting(boxes, stride, first, few, first_of_eight):
    """Test boxes in turn against eight at once: bit 8 i + j tells whether number i and number j of the eight meet."""
    # a row of `boxes` is one coordinate of all nodes: the eight are six loads side by side, without gathering
    mask = np.int64(0)
    for i in range(few):
        at = first + i
        lx, ly, lz = float32_at(boxes, at), float32_at(boxes, stride + at), float32_at(boxes, 2 * stride + at)
        at += 3 * stride
        hx, hy, hz = float32_at(boxes, at), float32_at(boxes, stride + at), float32_at(boxes, 2 * stride + at)
        mask |= boxes_meeting(boxes, stride, first_of_eight, lx, ly, lz, hx, hy, hz) << (LANES * i)
    return mask


@inlined_kernel
def cross(boxes, stride, a, b):
    """Tell whether two boxes share more than their surfaces."""
    found = True
    for axis in range(3):
        low, high = axis * stride, (3 + axis) * stride
        found &= float32_at(boxes, low + a) < float32_at(boxes, high + b)
        found &= float32_at(boxes, low + b) < float32_at(boxes, high + a)
    return found


@kernel
def expand(walked, source, group, adjacent, queue, pairs, leaves, counters):
    """Replace pairs of the source by overlapping descendants, group by group, until none is left.

    queue      of this thread alone: one half for pairs of nodes, the other for leaf pairs
    adjacent   whether triangles that share a vertex count as leaf pairs
    """
    starts, left, corners = walked.starts, walked.left, walked.corners
    boxes, stride = address_of(walked.boxes), np.int64(walked.boxes.shape[1])
    at_queue, shared, capacity = address_of(queue), address_of(counters), np.int64(queue.shape[0]) >> 1
    queued = queued_leaves = np.int64(0)
    tests = overlaps = leaf_overlaps = np.int64(0)
    total = np.int64(source.shape[0])
    from_a = from_b = np.int64(0)
    while True:
        # threads draw groups until none is left: pairs differ in work by orders of magnitude, equal shares would not do
        begin = atomic_add(shared, np.int64(NEXT), group)
        if begin >= total or poll(int64_at(shared, LEAVES)) != 0:
            break
        for item in range(begin, min(begin + group, total)):
            a, b = source[item] >> 32, source[item] & LOWER_HALF
            from_a, from_b = row_near(starts, from_a, a), row_near(starts, from_b, b)
            row_a, place_a, count_a = descendants(walked, from_a, a, walked.down[from_a])
            row_b, place_b, count_b = descendants(walked, from_b, b, walked.down[from_b])
            at_leaves = left[row_a] == 0 and left[row_b] == 0
            within = walked.tree[row_a] == walked.tree[row_b]
            # what to add to a node for its place among all leaves
            leaf_a = walked.first_leaf[walked.tree[row_a]] - starts[row_a]
            leaf_b = walked.first_leaf[walked.tree[row_b]] - starts[row_b]
            # 8 × 8 tests fill the 64 bits of a word: what follows visits set bits only, and pairs that are apart cost
            # nothing more. One tile takes both sides' eight boxes from a few cache lines.
            for tile_a in range(0, count_a, LANES):
                for tile_b in range(tile_a if a == b else 0, count_b, LANES):
                    few, many = min(LANES, count_a - tile_a), min(LANES, count_b - tile_b)
                    first, first_of_eight = starts[row_a] + place_a + tile_a, starts[row_b] + place_b + tile_b
                    # one against eight: the side with more boxes fills the lanes, the other takes turns
                    turned = few > many
                    if turned:
                        few, many, first, first_of_eight = many, few, first_of_eight, first
                    mask = meeting(boxes, stride, first, few, first_of_eight)
                    mask &= EVERY_EIGHTH * ((np.int64(1) << many) - 1)
                    tests += few * many
                    if a == b and tile_a == tile_b:
                        # the descendants of a node among themselves: each pair once, and no leaf with itself
                        mask &= ABOVE_DIAGONAL if at_leaves else FROM_DIAGONAL
                        # computed with the others, but not tests: counts are those of a traversal that skips them
                        tests -= (few * (few + 1) if at_leaves else few * (few - 1)) >> 1
                    while mask != 0:
                        bit = lowest_bit(mask)
                        mask &= mask - 1
                        node_a, node_b = first + (bit >> 3), first_of_eight + (bit & 7)
                        if turned:
                            node_a, node_b = node_b, node_a
                        if not at_leaves:
                            overlaps += 1
                            queued = push(at_queue, 0, capacity, queued, node_a << 32 | node_b, pairs, shared, PAIRS)
                            continue
                        # not a step of its own: returning the key or a code for none, and comparing it again, cost 5 to
                        # 9 %
                        i, j = node_a + leaf_a, node_b + leaf_b
                        # vertices of different meshes have different numbers
                        shared_vertex = share_a_vertex(corners, i, j)
                        # float32 boxes that overlap by more than touching come from float64 boxes that meet (see
                        # `implicit.joined`), so the vertices are rarely needed
                        if not shared_vertex and not cross(boxes, stride, node_a, node_b):
                            if not exact_boxes_meet(walked.vertices, corners, i, j):
                                continue
                        leaf_overlaps += 1
                        if shared_vertex and not adjacent:
                            continue
                        key = ordered_key(walked.order[i], walked.order[j], within)
                        queued_leaves = push(at_queue, capacity, capacity, queued_leaves, key, leaves, shared, LEAVES)
    flush(at_queue, np.int64(0), queued, pairs, shared, PAIRS)
    flush(at_queue, capacity, queued_leaves, leaves, shared, LEAVES)
    # counters are kept in registers until here: additions to shared memory would have threads wait for each other
    atomic_add(shared, np.int64(TESTS), tests)
    atomic_add(shared, np.int64(OVERLAPS), overlaps + leaf_overlaps)
    atomic_add(shared, np.int64(LEAF_OVERLAPS), leaf_overlaps)
