"""Where the nodes of many implicit trees lie in one array. Paper `bsp`, Section 4.

A tree over n triangles is complete: one triangle per leaf, 2**depth leaves, level behind level, so that the descendants
of a node δ levels below it lie side by side and their place follows from its own:

    place of descendant j = 2**δ · place + j        (Equation 1, with places counted within a level)

Only the first n leaves are active, and of each level above only the nodes with an active leaf below them: always a
front part of the level. Two forms differ in nothing but where levels start:

    padded       as in the paper, level l takes 2**l nodes, the inactive ones included
    compressed   the paper's future work: inactive nodes take no memory

The levels of all trees, one after the other, are the rows of the layout. A node is a number, its index in the array;
a lower-bound search in the starts of the rows tells its row, which says all that a traversal needs. (The paper
searches the tree, then takes a logarithm for the level. This takes one search for both, in either form.)
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel
from tumble.errors import OptionError

MOST_NODES = 2**31 - 1
"""a node must fit into half of a 64-bit number, with a bit left for a sign"""


class Layout(NamedTuple):
    """The layout arrays: the paper's three, one entry for each tree, and what follows from them for each row."""

    offset: NDArray[np.int64]
    """(t + 1,) the first node of each tree, and one past the last of all"""
    depth: NDArray[np.int64]
    """(t,) levels below the root"""
    triangles: NDArray[np.int64]
    """(t,) how many there are, which is how many leaves are active"""
    first_row: NDArray[np.int64]
    """(t,) the row of each root"""
    first_leaf: NDArray[np.int64]
    """(t + 1,) where the triangles of each tree begin in the order of all"""
    starts: NDArray[np.int64]
    """(rows,) the first node of each level"""
    active: NDArray[np.int64]
    """(rows,) how many nodes of the level are active"""
    left: NDArray[np.int64]
    """(rows,) how many levels are below this one"""
    tree: NDArray[np.int64]
    """(rows,) whose level it is"""

    @property
    def nodes(self) -> int:
        """How long an array of nodes is."""
        return int(self.offset[-1])


def steps_down(layout: Layout, most: int) -> NDArray[np.int64]:
    """Return how many levels a traversal that takes `most` at a time descends from each row.

    Steps are counted from the leaves, so that the short one, if there is any, is the first: near the root it is cheap,
    and the many pairs at the end descend as fast as allowed.
    """
    rest = layout.left % most
    return np.where(rest > 0, rest, np.minimum(layout.left, most))


def short_last_steps(layout: Layout, most: int) -> NDArray[np.int64]:
    """Return the same as in Equation 2 of the paper: whole steps from the root, and what is left over at the end."""
    return np.minimum(layout.left, most)


def layout_of(counts: NDArray[np.int64], padded: bool = True) -> Layout:
    """Return the layout of trees, given their numbers of triangles."""
    count = _checked_counts(counts)
    depth = np.array([max(int(n) - 1, 0).bit_length() for n in count], np.int64)
    first_row = _running_sum(depth + 1)
    tree = np.repeat(np.arange(len(count)), depth + 1)
    level = np.arange(first_row[-1]) - first_row[tree]
    left = depth[tree] - level
    # of the leaves below a node the first is active, if any: divide and round up
    active = (count[tree] + (1 << left) - 1) >> left
    sizes = np.where(count[tree] > 0, 1 << level, 0) if padded else active
    starts = _running_sum(sizes)
    if starts[-1] > MOST_NODES:
        raise OptionError(
            f"{int(count.sum())} triangles take {starts[-1]} nodes; {MOST_NODES} is the most there can be"
        )
    offset = starts[np.append(first_row[:-1], len(level))]
    return Layout(offset, depth, count, first_row[:-1], _running_sum(count), starts[:-1], active, left, tree)


def _checked_counts(given: Any) -> NDArray[np.int64]:
    try:
        counts = np.array(given).reshape(-1)
    except (ValueError, TypeError, OverflowError):  # rows of different lengths
        counts = np.array([None])
    whole = len(counts) == 0 or counts.dtype.kind in "iu"
    if not whole or ((counts < 0) | (counts > MOST_NODES)).any():
        raise OptionError(f"counts must be whole numbers of triangles from 0 to {MOST_NODES}, not {given!r}")
    return counts.astype(np.int64)


def _running_sum(values: NDArray[np.int64]) -> NDArray[np.int64]:
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


@inlined_kernel
def row_between(starts, low, high, node):
    """Return the row of a node, which is one of these, the last one not included."""
    # rows are few: the levels of all trees
    while high - low > 1:
        middle = (low + high) >> 1
        if starts[middle] <= node:
            low = middle
        else:
            high = middle
    return low


@inlined_kernel
def row_of(starts, node):
    """Return the last row that starts at a node or before it: rows without nodes share their start with the next."""
    return row_between(starts, np.int64(0), np.int64(starts.shape[0]), node)
