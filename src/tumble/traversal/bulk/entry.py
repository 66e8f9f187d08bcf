"""The first frontier: which trees meet, and the overlapping pairs of their nodes at the entry level.

Paper `bsp`, Section 5.2. The paper pairs every tree with every other; here a broad phase finds the pairs whose roots
overlap, so that scenes of thousands of meshes do not start with millions of pairs.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.broad.choice import Auto
from tumble.core.jit import inlined_kernel, kernel
from tumble.core.keys import Keys, pairs_of_keys, unique_pairs
from tumble.core.poll import OFTEN, poll
from tumble.hierarchy.implicit.layout import Layout
from tumble.hierarchy.implicit.posed import Posed
from tumble.query.settings import BulkSettings

MOST_TESTED = 1 << 28
"""pairs of a level that are tested to find a first frontier: deeper levels take longer than they save"""


def meeting_trees(posed: Posed) -> NDArray[np.int64]:
    """Return (n, 2): all pairs of different meshes whose boxes overlap, the lower number first, sorted.

    The box of a mesh is the rounded one of its bounds, which is that of the root of its tree.
    """
    world = posed.world
    boxes = ((world.bounds - np.tile(world.frame[:3], 2)) * world.frame[3]).astype(np.float32)
    return pairs_of_keys(Auto().keys(boxes.astype(np.float64), np.ones((len(boxes), 2), np.int64)))


def tree_pairs(posed: Posed, within: bool | Sequence[int] = False) -> NDArray[np.int64]:
    """Return (n, 2) pairs of meshes whose boxes overlap, and of all meshes, or some, with themselves."""
    return _with_own(posed, meeting_trees(posed), within)


def every_tree_pair(posed: Posed, within: bool | Sequence[int] = False) -> NDArray[np.int64]:
    """Return the same without looking at boxes: the paper's N (N - 1) / 2 + S, Section 5.2."""
    return _with_own(posed, np.stack(np.triu_indices(len(posed.bodies.first_face) - 1, 1), axis=1), within)


def _with_own(posed: Posed, pairs: NDArray[np.int64], within: bool | Sequence[int]) -> NDArray[np.int64]:
    count = len(posed.bodies.first_face) - 1
    own = np.arange(count if within else 0) if isinstance(within, bool) else np.array(within, np.int64)
    return unique_pairs(np.concatenate([pairs, np.stack([own, own], axis=1)]))


@inlined_kernel
def overlap(boxes, i, j):
    """Tell whether two boxes share a point."""
    apart = False
    for axis in range(3):
        apart |= (boxes[axis, i] > boxes[3 + axis, j]) | (boxes[axis, j] > boxes[3 + axis, i])
    return not apart


@inlined_kernel
def pairs_of_nodes(active, first_row, depth, tree_pairs, start, stop, level):
    """Return how many pairs of active nodes there are at a level, or at the leaves of trees that end above it."""
    total = 0
    for k in range(start, stop):
        a, b = tree_pairs[k, 0], tree_pairs[k, 1]
        count = active[first_row[a] + min(level, depth[a])]
        total += count * (count + 1) // 2 if a == b else count * active[first_row[b] + min(level, depth[b])]
    return total


def pairs_entered(layout: Layout, tree_pairs: NDArray[np.int64], level: int) -> int:
    """Return how many pairs of nodes make up the first frontier at a level, if none is tested."""
    return int(count_entered(layout.active, layout.first_row, layout.depth, tree_pairs, level))


@kernel
def count_entered(active, first_row, depth, tree_pairs, level):
    """Return the number of pairs of nodes of all pairs of trees."""
    return pairs_of_nodes(active, first_row, depth, tree_pairs, 0, tree_pairs.shape[0], level)


@kernel
def enter(starts, active, first_row, depth, boxes, tree_pairs, start, stop, level, pairs):
    """Write the overlapping pairs of nodes at a level, or at the leaves of trees that end above it.

    Return how many there are; those that do not fit are only counted. Where that would take more than
    MOST_TESTED tests, return how many instead. Without boxes (None), all pairs count as overlapping; then nothing is
    written where not all fit.
    """
    # counting is cheap, so it comes first: a level that is too deep is not tested at all
    total = pairs_of_nodes(active, first_row, depth, tree_pairs, start, stop, level)
    if total > (pairs.shape[0] if boxes is None else MOST_TESTED):
        return total
    count = steps = 0
    for k in range(start, stop):
        a, b = tree_pairs[k, 0], tree_pairs[k, 1]
        row_a, row_b = first_row[a] + min(level, depth[a]), first_row[b] + min(level, depth[b])
        for i in range(active[row_a]):
            steps += 1
            if steps & OFTEN == 0 and poll(0) != 0:
                return count
            for j in range(i if a == b else 0, active[row_b]):
                if boxes is None or overlap(boxes, starts[row_a] + i, starts[row_b] + j):
                    if count < pairs.shape[0]:
                        pairs[count] = (starts[row_a] + i) << 32 | (starts[row_b] + j)
                    count += 1
    return count


def first_frontiers(
    enter_range: Callable[[int, int, int, Keys], int], tree_pairs: int, settings: BulkSettings, capacity: int
) -> Iterator[Keys]:
    """Yield first frontiers that are not too large: fewer pairs of trees at a time, or entered higher up.

    enter_range(start, stop, level, pairs) calls `enter`.
    """
    waiting = [(0, tree_pairs, settings.entry_level)]
    pairs = np.empty(capacity, np.int64)
    while waiting:
        start, stop, level = waiting.pop()
        count = enter_range(start, stop, level, pairs)
        # too large: half of the pairs of trees, or, for a single pair, one level higher up
        if count > min(settings.most, MOST_TESTED):
            middle = (start + stop) // 2
            halves = [(middle, stop, level), (start, middle, level)]
            waiting += [(start, stop, level - 1)] if middle == start else halves
        elif count > len(pairs):
            pairs = np.empty(count, np.int64)
            waiting.append((start, stop, level))
        else:
            yield pairs[:count]
