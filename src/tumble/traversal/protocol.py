"""What every traversal shares: the method's record, the poses, counters, one step at two nodes and one at two leaves.

A traversal is a NamedTuple that names it and carries the memory it needs, and an implementation of `traverse` for that
type. What it looks for is the question's business (`tumble.query.question`): the traversal only says which nodes and
which leaves are compared, and in which order. What it did is counted in the columns of papers `stackless` and `chip`,
by code that is compiled away when nothing asks for it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import generic, inlined_kernel, kernel
from tumble.core.poll import OFTEN, poll
from tumble.hierarchy.layout import COUNT, START
from tumble.query.question import at_leaves, keep, keep_in_frame_of_a, pairs_kept

ITERATIONS = 0
"""turns of the traversal's loop"""
TESTS = 1
"""overlap tests of two volumes"""
OVERLAPS = 2
"""of those, how many overlapped (the paper's "standard overlaps")"""
LEAF_OVERLAPS = 3
"""of those, how many were two leaves"""
MOVES = 4
"""volumes of b moved into a's frame (the paper `chip`'s tumbled nodes, when each is moved once)"""
TRIANGLE_TESTS = 5
"""pairs of triangles tested (its polygon checks)"""
COLUMNS = 6


class Counters(NamedTuple):
    """One number for each column."""

    values: NDArray[np.int64]


@generic
def tally(counters, column):
    """Add one to a column; nothing at all when counters is None."""


@tally.register(Counters)
def _tally(counters, column):
    counters.values[column] += 1


@tally.register(type(None))
def _ignore(counters, column):
    pass


class Poses(NamedTuple):
    """Where the two meshes are: b as seen from a for the volumes, each by its own pose for the triangles."""

    relative: NDArray[np.float64]
    a: NDArray[np.float64]
    b: NDArray[np.float64]


@generic
def traverse(method, a, b, poses, question, counters):
    """Put the question to all pairs of triangles of a and b that it keeps."""


@inlined_kernel
def link(nodes, i, column):
    """Read one column of a node. Always as int64: with one type for all indices, each kernel is compiled once."""
    return np.int64(nodes[i, column])


@inlined_kernel
def told_to_end(steps, question):
    """Check, once in many steps of a loop, whether the call is to end early or has found too many pairs."""
    return steps & OFTEN == 0 and poll(pairs_kept(question)) != 0


@inlined_kernel
def visit(question, volumes, i, others, j, relative, counters):
    """Compare two nodes, as one turn of a traversal's loop; the other one is brought into a's frame on the way.

    It takes just the arrays that it reads: handing over whole trees would cost more than the test.
    """
    tally(counters, ITERATIONS)
    tally(counters, TESTS)
    tally(counters, MOVES)
    if keep(question, volumes, i, others, j, relative):
        tally(counters, OVERLAPS)
        return True
    return False


@inlined_kernel
def visit_in_frame_of_a(question, volumes, i, rows, k, relative, counters):
    """Compare node i of a with the volume of b that row k holds in a's frame; the caller counts the turn."""
    tally(counters, TESTS)
    if keep_in_frame_of_a(question, volumes, i, rows, k, relative):
        tally(counters, OVERLAPS)
        return True
    return False


@kernel
def leaf_pair(a, i, b, j, poses, question, counters):
    """Put the question to the triangles of two leaves; return whether to stop."""
    tally(counters, LEAF_OVERLAPS)
    start_a, start_b = link(a.layout.nodes, i, START), link(b.layout.nodes, j, START)
    stop_a, stop_b = start_a + link(a.layout.nodes, i, COUNT), start_b + link(b.layout.nodes, j, COUNT)
    for k in range(start_a, stop_a):
        for m in range(start_b, stop_b):
            tally(counters, TRIANGLE_TESTS)
            if at_leaves(question, a, np.int64(a.order[k]), b, np.int64(b.order[m]), poses):
                return True
    return False
