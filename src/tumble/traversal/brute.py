"""Every triangle of a against every triangle of b, without a tree: the reference for the other methods.

For: small meshes, and checking everything else. Against: n × m tests of triangles.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.query.question import at_leaves
from tumble.traversal.protocol import ITERATIONS, TRIANGLE_TESTS, Method, must_end, tally, traverse


class Brute(NamedTuple):
    """All pairs of triangles."""


class Soup(NamedTuple):
    """A mesh without a tree."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]


@traverse.register(Brute)
def _traverse(method, a, b, poses, question, counters):
    steps = 0
    for i in range(a.faces.shape[0]):
        for j in range(b.faces.shape[0]):
            steps += 1
            if must_end(steps, question):
                return
            tally(counters, ITERATIONS)
            tally(counters, TRIANGLE_TESTS)
            if at_leaves(question, a, i, b, j, poses):
                return


METHOD = Method("brute", None, lambda sizes, rule: Brute())
