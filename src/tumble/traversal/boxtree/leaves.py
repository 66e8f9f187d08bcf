"""The triangles of two leaves of boxtrees, two by two; those of a's leaf stay posed while the leaf is the same."""

from typing import NamedTuple

import numpy as np

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import int32_at, int64_at, lowest_bit, set_int64
from tumble.hierarchy.boxtree.header import ORDER
from tumble.hierarchy.boxtree.layout import MOST_IN_LEAF
from tumble.narrow.triangles.filter import open_pair_touch
from tumble.narrow.triangles.four_pairs import KEPT_WORDS
from tumble.traversal.packed.leaves import keep_leaf, meeting_pairs, present_pairs

KEPT_BYTES = 8 * KEPT_WORDS
ALL_KEPT_WORDS = (MOST_IN_LEAF + 1) // 2 * KEPT_WORDS
NO_TRIANGLE = -1


class Leaf(NamedTuple):
    """A leaf: the address of its tree, and its triangles in the tree's order."""

    tree: int
    start: int
    triangles: int


@inlined_kernel
def triangle_at(order, start, k, count):
    """Return triangle k of a leaf, or NO_TRIANGLE behind its last."""
    return int32_at(order, start + k) if k < count else np.int64(NO_TRIANGLE)


@inlined_kernel
def keep_triangles(tree, pose, start, count, kept):
    """Pose the triangles of a leaf of tree a."""
    order = int64_at(tree, ORDER)
    for k in range(0, count, 2):
        one, two = triangle_at(order, start, k, count), triangle_at(order, start, k + 1, count)
        keep_leaf(tree, pose, one, two, kept + (k >> 1) * KEPT_BYTES)


@inlined_kernel
def compare_leaves(a, b, pose_b, kept, posed, first, keys, capacity, found):
    """Test the triangles of two leaves, a's posed and kept; return how many pairs are found by now, and the tests."""
    order_a, order_b = int64_at(a.tree, ORDER), int64_at(b.tree, ORDER)
    tests = 0
    for m in range(0, b.triangles, 2):
        three, four = triangle_at(order_b, b.start, m, b.triangles), triangle_at(order_b, b.start, m + 1, b.triangles)
        for k in range(0, a.triangles, 2):
            one, two = triangle_at(order_a, a.start, k, a.triangles), triangle_at(order_a, a.start, k + 1, a.triangles)
            ours = kept + (k >> 1) * KEPT_BYTES
            word = meeting_pairs(b.tree, pose_b, three, four, ours, posed)
            pairs = word & present_pairs(two, four)
            while pairs != 0:
                pair = lowest_bit(pairs)
                pairs &= pairs - 1
                tests += 1
                if open_pair_touch(word, pair, ours, posed):
                    if found < capacity:
                        set_int64(keys, found, (two if pair & 1 else one) << 32 | (four if pair & 2 else three))
                    found += 1
                    if first != 0:
                        return found, tests
    return found, tests
