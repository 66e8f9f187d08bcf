"""Every triangle of a against every triangle of b: no tree, nothing to go wrong. The yardstick of the other methods.

For: small meshes, and judging everything else. Against: n × m exact tests.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.narrow.touch import touch
from tumble.traversal.counters import ITERATIONS, TRIANGLE_TESTS, tally
from tumble.traversal.protocol import told_to_end, traverse
from tumble.traversal.sinks import emit


class Brute(NamedTuple):
    """All pairs of triangles."""


class Soup(NamedTuple):
    """A mesh without a tree."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]


@traverse.register(Brute)
def _traverse(method, a, b, poses, sink, counters):
    steps = 0
    for i in range(a.faces.shape[0]):
        for j in range(b.faces.shape[0]):
            steps += 1
            if told_to_end(steps, sink):
                return
            tally(counters, ITERATIONS)
            tally(counters, TRIANGLE_TESTS)
            if touch(poses.narrow, a, i, b, j, poses):
                if emit(sink, i, j):
                    return
