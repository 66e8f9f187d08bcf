"""What every traversal shares: its row and its record, the poses, counters, a step at two nodes and one at two leaves.

A traversal is a NamedTuple that names it and carries the memory it needs, and an implementation of `traverse` for that
type; its file ends with its row, a `Method`. What it looks for is the question's business (`tumble.query.question`):
the traversal only says which nodes and which leaves are compared, and in which order. What it did is counted in the
columns of papers `stackless` and `chip`, by code that is compiled away when nothing asks for it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import generic, inlined_kernel, kernel
from tumble.core.poll import OFTEN, poll
from tumble.hierarchy.layout import COUNT, START
from tumble.query.question import at_leaves, begin, keep, keep_in_frame_of_a, pairs_kept

ITERATIONS = 0  # turns of the traversal's loop
TESTS = 1  # overlap tests of two volumes
OVERLAPS = 2  # of those, how many overlapped (the paper's "standard overlaps")
LEAF_OVERLAPS = 3  # of those, how many were two leaves
MOVES = 4  # volumes of b moved into a's frame (the paper `chip`'s tumbled nodes, when each is moved once)
TRIANGLE_TESTS = 5  # pairs of triangles tested (its polygon checks)
COLUMNS = 6


class Sizes(NamedTuple):
    """What the memory of a method depends on."""

    waiting: int  # node pairs that can wait on a stack
    leaves_a: int  # leaves of a, or more
    depth_b: int  # levels of b below its root
    row_width: int  # numbers of a volume in the other tree's frame
    depths: int  # levels of both trees below their roots: the longest way down


class Method(NamedTuple):
    """A traversal by name."""

    name: str
    layout: str | None  # the order of nodes that it walks: "preorder", "postorder", or None when it needs no tree
    make: Callable[[Sizes, int], Any]
    """makes the method's record from sizes and a descent rule; one with a method `grown` can run out of memory, and one
    with a method `nearest_first` can visit near pairs before far ones: see `tumble.traversal.query`"""
    takes_rule: bool = False  # whether the descent rule can be chosen
    rule_for: Callable[[Any, Any, int, bool], int] | None = None
    """for a method that cannot follow every rule in every tree: returns the rule for two trees, from the one chosen and
    whether it was named, or refuses it"""


METHODS: dict[str, Method] = {}
"""the traversals by name, see `tumble.traversal.generic.add_method`"""


def stack_of_pairs(sizes: Sizes) -> NDArray[np.int32]:
    """Return memory for all node pairs that can wait on a stack."""
    return np.empty((sizes.waiting, 2), np.int32)


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


@kernel
def run(method, a, b, poses, question, counters):
    """Put a question to two trees, from the beginning: what Python calls."""
    begin(question)
    traverse(method, a, b, poses, question, counters)


@kernel
def run_repeatedly(times, method, a, b, poses, question):
    """Put a question many times in one call, for timing."""
    for _ in range(times):
        begin(question)
        traverse(method, a, b, poses, question, None)


@inlined_kernel
def link(nodes, i, column):
    """Read one column of a node. Always as int64: with one type for all indices, each kernel is compiled once."""
    return np.int64(nodes[i, column])


@inlined_kernel
def must_end(steps, question):
    """Check, once in many steps of a loop, whether the call is to end early or has found too many pairs."""
    return steps & OFTEN == 0 and poll(pairs_kept(question)) != 0


@inlined_kernel
def counted(kept, counters):
    """Count a test of two volumes, and an overlap if the pair is kept; return whether it is."""
    tally(counters, TESTS)
    if kept:
        tally(counters, OVERLAPS)
    return kept


@inlined_kernel
def visit(question, volumes, i, others, j, relative, counters):
    """Compare two nodes, as one turn of a traversal's loop; the other one is brought into a's frame on the way.

    It takes just the arrays that it reads: handing over whole trees would cost more than the test.
    """
    tally(counters, ITERATIONS)
    tally(counters, MOVES)
    return counted(keep(question, volumes, i, others, j, relative), counters)


@inlined_kernel
def visit_row(question, volumes, i, rows, k, relative, counters):
    """Compare node i of a with the volume of b that row k holds in a's frame; the caller counts the turn."""
    return counted(keep_in_frame_of_a(question, volumes, i, rows, k, relative), counters)


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
