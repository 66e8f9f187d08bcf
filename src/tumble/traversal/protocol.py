"""What every traversal shares: the method's record, the query's record, one overlap test and one leaf pair.

A traversal is a NamedTuple that names it and carries the memory it needs, and an implementation of `traverse` for that
type. To add one, write a file like `stackless.py` and name it in `tumble.traversal.METHODS`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import generic, inlined_kernel, kernel
from tumble.core.poll import OFTEN, poll
from tumble.hierarchy.layout.columns import COUNT, START
from tumble.narrow.touch import ExactTest, touch
from tumble.traversal.counters import ITERATIONS, LEAF_OVERLAPS, MOVES, OVERLAPS, TESTS, TRIANGLE_TESTS, tally
from tumble.traversal.sinks import emit, pairs_kept
from tumble.volume.protocol import overlap


class Poses(NamedTuple):
    """Where the two meshes are: b as seen from a for the volumes, each by its own pose for the triangles."""

    relative: NDArray[np.float64]
    a: NDArray[np.float64]
    b: NDArray[np.float64]
    narrow: Any = ExactTest()
    """the test of two triangles, see `tumble.narrow.touch`"""


@generic
def traverse(method, a, b, poses, sink, counters):
    """Find the touching triangles of a and b and hand them to the sink."""


@inlined_kernel
def link(nodes, i, column):
    """Read one column of a node. Always as int64: with one type for all indices, each kernel is compiled once."""
    return np.int64(nodes[i, column])


@inlined_kernel
def told_to_end(steps, sink):
    """Look, once in many steps of a loop, whether the call is to end early or has found too many pairs."""
    return steps & OFTEN == 0 and poll(pairs_kept(sink)) != 0


@inlined_kernel
def visit(volumes, i, others, j, relative, counters):
    """Test two volumes, as one turn of a traversal's loop; the other one is moved on the way.

    It takes just the arrays that it reads: handing over whole trees would cost more than the test.
    """
    tally(counters, ITERATIONS)
    tally(counters, TESTS)
    tally(counters, MOVES)
    if overlap(volumes, i, others, j, relative):
        tally(counters, OVERLAPS)
        return True
    return False


@kernel
def leaf_pair(a, i, b, j, poses, sink, counters):
    """Test the triangles of two overlapping leaves; return whether to stop."""
    tally(counters, LEAF_OVERLAPS)
    start_a, start_b = link(a.layout.nodes, i, START), link(b.layout.nodes, j, START)
    stop_a, stop_b = start_a + link(a.layout.nodes, i, COUNT), start_b + link(b.layout.nodes, j, COUNT)
    for k in range(start_a, stop_a):
        for m in range(start_b, stop_b):
            p, q = np.int64(a.order[k]), np.int64(b.order[m])
            tally(counters, TRIANGLE_TESTS)
            if touch(poses.narrow, a, p, b, q, poses):
                if emit(sink, p, q):
                    return True
    return False
