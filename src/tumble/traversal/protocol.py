"""What every traversal shares: the method's record, the query's record, one overlap test and one leaf pair.

A traversal is a NamedTuple that names it and carries the memory it needs, and an implementation of `traverse` for that
type. To add one, write a file like `stackless.py` and name it in `tumble.traversal.METHODS`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.layout.columns import COUNT, START
from tumble.jit import generic, inlined_kernel, kernel
from tumble.narrow.triangles import triangles_touch
from tumble.traversal.counters import ITERATIONS, LEAF_OVERLAPS, MOVES, OVERLAPS, TESTS, TRIANGLE_TESTS, tally
from tumble.traversal.sinks import emit
from tumble.volume.protocol import overlap


class Poses(NamedTuple):
    """Where the two meshes are: b as seen from a for the volumes, each by its own pose for the triangles."""

    relative: NDArray[np.float64]
    a: NDArray[np.float64]
    b: NDArray[np.float64]


@generic
def traverse(method, a, b, poses, sink, counters):
    """Find the touching triangles of a and b and hand them to the sink."""


@inlined_kernel
def link(nodes, i, column):
    """Read one column of a node. Always as int64: with one type for all indices, each kernel is compiled once."""
    return np.int64(nodes[i, column])


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
def posed(pose, vertices, v):
    """Return vertex v moved by a (3, 4) pose, in the order of operations of `tumble.mesh.apply_pose`."""
    x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
    return (
        ((pose[0, 0] * x + pose[0, 1] * y) + pose[0, 2] * z) + pose[0, 3],
        ((pose[1, 0] * x + pose[1, 1] * y) + pose[1, 2] * z) + pose[1, 3],
        ((pose[2, 0] * x + pose[2, 1] * y) + pose[2, 2] * z) + pose[2, 3],
    )


@kernel
def touch(a, i, b, j, poses):
    """Tell whether triangle i of a and triangle j of b touch where they are posed."""
    p1 = posed(poses.a, a.vertices, a.faces[i, 0])
    q1 = posed(poses.a, a.vertices, a.faces[i, 1])
    r1 = posed(poses.a, a.vertices, a.faces[i, 2])
    p2 = posed(poses.b, b.vertices, b.faces[j, 0])
    q2 = posed(poses.b, b.vertices, b.faces[j, 1])
    r2 = posed(poses.b, b.vertices, b.faces[j, 2])
    found = triangles_touch(
        p1[0], p1[1], p1[2], q1[0], q1[1], q1[2], r1[0], r1[1], r1[2],
        p2[0], p2[1], p2[2], q2[0], q2[1], q2[2], r2[0], r2[1], r2[2],
    )  # fmt: skip
    return found != 0


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
            if touch(a, p, b, q, poses):
                if emit(sink, p, q):
                    return True
    return False
