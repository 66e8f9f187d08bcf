"""How far apart two meshes are: the nearest pair of triangles and its nearest points.

The best distance so far decides which nodes still matter. The distance of a pair of triangles is off by `error` at most
(`tumble.narrow.distance`), so nodes are kept up to that beyond the best: then every traversal meets all pairs that
could be reported as nearest, and reports the one with the lowest numbers, whatever the order. Touching triangles end
the search at distance 0.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.core.linear import posed
from tumble.core.simd.memory import address_of
from tumble.narrow.distance import TOLERANCE, triangle_distance
from tumble.query.nearest import Nearest
from tumble.query.question import Asker, at_leaves, begin, by_distance, keep_bound, pairs_kept


@by_distance
class Distance(NamedTuple):
    """The nearest pair so far."""

    best: NDArray[np.float64]
    """(1,): its distance; the upper bound before any was seen"""
    pair: NDArray[np.int64]
    """(2,): its triangles, -1 before any was seen"""
    points: NDArray[np.float64]
    """(2, 6): its nearest points, and those of the pair that is being looked at"""
    error: float
    """how far the distance of a pair may be off"""
    upper_bound: float
    """pairs that are farther apart do not count"""


def nearest(asker: Asker, counters: Any = None, upper_bound: float = math.inf) -> Nearest:
    """Return the distance of two meshes and where it is; infinity without a pair where it exceeds the upper bound."""
    error = 2.0 * asker.extent * TOLERANCE
    question = Distance(np.empty(1), np.empty(2, np.int64), np.empty((2, 6)), error, upper_bound)
    asker.ask(question, counters)
    i, j = question.pair.tolist()
    if i < 0:
        return Nearest(math.inf)
    return Nearest(float(question.best[0]), (i, j), question.points[0].reshape(2, 3))


@begin.register(Distance)
def _begin(question):
    question.best[0] = question.upper_bound
    question.pair[0] = question.pair[1] = -1


@pairs_kept.register(Distance)
def _none_kept(question):
    return np.int64(0)


@keep_bound.register(Distance)
def _keep_bound(question, distance):
    return distance <= question.best[0] + question.error


@at_leaves.register(Distance)
def _tighten(question, a, p, b, q, poses):
    return tighten(question.best, question.pair, question.points, a, p, b, q, poses)


@kernel
def tighten(best, pair, points, a, p, b, q, poses):
    """Take over a pair that is nearer than the best; return whether it touches."""
    p1, q1, r1 = corners(poses.a, a, p)
    p2, q2, r2 = corners(poses.b, b, q)
    distance = triangle_distance(
        p1[0], p1[1], p1[2], q1[0], q1[1], q1[2], r1[0], r1[1], r1[2],
        p2[0], p2[1], p2[2], q2[0], q2[1], q2[2], r2[0], r2[1], r2[2], address_of(points[1]),
    )  # fmt: skip
    if distance > best[0]:
        return False
    if distance == best[0] and pair[0] >= 0 and (p > pair[0] or (p == pair[0] and q > pair[1])):
        return False
    best[0] = distance
    pair[0], pair[1] = p, q
    for k in range(6):
        points[0, k] = points[1, k]
    return distance == 0.0


@kernel
def corners(pose, mesh, i):
    """Return the posed corners of triangle i."""
    return (
        posed(pose, mesh.vertices, mesh.faces[i, 0]),
        posed(pose, mesh.vertices, mesh.faces[i, 1]),
        posed(pose, mesh.vertices, mesh.faces[i, 2]),
    )
