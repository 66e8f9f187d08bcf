"""One round in the paper's way: every pair of a frontier is tested, and replaced by all pairs of its descendants.

Paper `bsp`, Algorithm 1, for threads of a CPU; the twin of device/kernels/bulk.cl, with the same counts:

    for each pair (a, b) of the group, one test:
        if the boxes share no point: nothing
        if both are leaves: a leaf pair into its queue
        else: all pairs of their descendants, min(µ, levels left) below, into the queue, untested

`expand` writes only what overlaps. This is what the paper's numbers are about: a pair of a frontier is a test.
"""

import numpy as np

from tumble.core.jit import kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, atomic_add, int64_at
from tumble.traversal.bulk.boxes import exact_boxes_meet, ordered_key, share_a_vertex
from tumble.traversal.bulk.entry import overlap
from tumble.traversal.bulk.expand import (
    LEAF_OVERLAPS,
    LEAVES,
    NEXT,
    OVERLAPS,
    PAIRS,
    TESTS,
    cross,
    descendants,
    flush,
    push,
    row_near,
)


@kernel
def expand_untested(walked, source, group, adjacent, inactive, queue, pairs, leaves, counters):
    """Test pairs of the source and write the descendants of those that overlap, group by group, until none is left.

    inactive   whether descendants without triangles are written, too: padded trees have room for them
    """
    starts, left, corners = walked.starts, walked.left, walked.corners
    boxes, stride = address_of(walked.boxes), np.int64(walked.boxes.shape[1])
    at_queue, shared, capacity = address_of(queue), address_of(counters), np.int64(queue.shape[0]) >> 1
    queued = queued_leaves = np.int64(0)
    tests = overlaps = leaf_overlaps = np.int64(0)
    total = np.int64(source.shape[0])
    row_a = row_b = np.int64(0)
    while True:
        begin = atomic_add(shared, np.int64(NEXT), group)
        if begin >= total or poll(int64_at(shared, LEAVES)) != 0:
            break
        for item in range(begin, min(begin + group, total)):
            tests += 1
            a, b = source[item] >> 32, source[item] & LOWER_HALF
            if not overlap(walked.boxes, a, b):
                continue
            row_a, row_b = row_near(starts, row_a, a), row_near(starts, row_b, b)
            if left[row_a] != 0 or left[row_b] != 0:
                overlaps += 1
                below_a, place_a, count_a = descendants(walked, row_a, a, walked.down[row_a])
                below_b, place_b, count_b = descendants(walked, row_b, b, walked.down[row_b])
                if inactive:
                    count_a, count_b = np.int64(1) << walked.down[row_a], np.int64(1) << walked.down[row_b]
                first_a, first_b = starts[below_a] + place_a, starts[below_b] + place_b
                # the descendants of a node among themselves: each pair once, and no leaf with itself
                skipped = np.int64(1) if left[below_a] == 0 else np.int64(0)
                for i in range(count_a):
                    for j in range(i + skipped if a == b else 0, count_b):
                        pair = (first_a + i) << 32 | (first_b + j)
                        queued = push(at_queue, 0, capacity, queued, pair, pairs, shared, PAIRS)
            elif a != b:  # a frontier may be entered at the leaves, where a tree with itself has each with itself
                i = a + walked.first_leaf[walked.tree[row_a]] - starts[row_a]
                j = b + walked.first_leaf[walked.tree[row_b]] - starts[row_b]
                shared_vertex = share_a_vertex(corners, i, j)
                if not shared_vertex and not cross(boxes, stride, a, b):
                    if not exact_boxes_meet(walked.vertices, corners, i, j):
                        continue
                leaf_overlaps += 1
                if shared_vertex and not adjacent:
                    continue
                key = ordered_key(walked.order[i], walked.order[j], walked.tree[row_a] == walked.tree[row_b])
                queued_leaves = push(at_queue, capacity, capacity, queued_leaves, key, leaves, shared, LEAVES)
    flush(at_queue, np.int64(0), queued, pairs, shared, PAIRS)
    flush(at_queue, capacity, queued_leaves, leaves, shared, LEAVES)
    atomic_add(shared, np.int64(TESTS), tests)
    atomic_add(shared, np.int64(OVERLAPS), overlaps + leaf_overlaps)
    atomic_add(shared, np.int64(LEAF_OVERLAPS), leaf_overlaps)
