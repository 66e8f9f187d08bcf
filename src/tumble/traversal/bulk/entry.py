"""The first frontier: which trees meet, and the overlapping pairs of their nodes at the entry level.

Paper `bsp`, Section 5.2. The paper pairs every tree with every other; here a sweep along x finds the pairs whose roots
overlap, so that scenes of thousands of meshes do not start with millions of pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.implicit import ImplicitTrees
from tumble.jit import inlined_kernel, kernel


def meeting_trees(trees: ImplicitTrees) -> NDArray[np.int64]:
    """Return (n, 2): all pairs of different trees whose roots overlap, the lower number first, sorted."""
    layout = trees.layout
    filled = np.flatnonzero(layout.triangles > 0)
    roots = layout.starts[layout.first_row[filled]]
    by_x = np.argsort(trees.boxes[0, roots], kind="stable")
    filled, roots = filled[by_x], np.ascontiguousarray(roots[by_x])
    found = np.empty((4 * len(roots) + 16, 2), np.int64)
    while (count := sweep(trees.boxes, roots, found)) > len(found):
        found = np.empty((count, 2), np.int64)
    pairs = np.sort(filled[found[:count]], axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


@inlined_kernel
def overlap(boxes, i, j):
    """Tell whether two boxes share a point."""
    apart = False
    for axis in range(3):
        apart |= (boxes[axis, i] > boxes[3 + axis, j]) | (boxes[axis, j] > boxes[3 + axis, i])
    return not apart


@kernel
def sweep(boxes, roots, found):
    """Write the pairs of overlapping boxes among nodes in the order of lowest x; return how many there are."""
    count = 0
    for i in range(len(roots)):
        for j in range(i + 1, len(roots)):
            if boxes[0, roots[j]] > boxes[3, roots[i]]:
                break
            if overlap(boxes, roots[i], roots[j]):
                if count < found.shape[0]:
                    found[count, 0], found[count, 1] = i, j
                count += 1
    return count


@kernel
def enter(starts, active, first_row, depth, boxes, tree_pairs, start, stop, level, pairs):
    """Write the overlapping pairs of nodes at a level, or at the leaves of trees that end above it.

    Return how many there are; those for which there is no room are only counted.
    """
    count = 0
    for k in range(start, stop):
        a, b = tree_pairs[k, 0], tree_pairs[k, 1]
        row_a, row_b = first_row[a] + min(level, depth[a]), first_row[b] + min(level, depth[b])
        for i in range(active[row_a]):
            for j in range(i if a == b else 0, active[row_b]):
                if overlap(boxes, starts[row_a] + i, starts[row_b] + j):
                    if count < pairs.shape[0]:
                        pairs[count] = (starts[row_a] + i) << 32 | (starts[row_b] + j)
                    count += 1
    return count
