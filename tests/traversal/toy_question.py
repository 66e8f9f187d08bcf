"""A toy question, added as CONTRIBUTING says: how many pairs of triangles are within a distance."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.simd.memory import address_of
from tumble.narrow.distance import triangle_distance
from tumble.query.question import Asker, at_leaves, begin, by_distance, keep_bound, pairs_kept
from tumble.query.questions.distance import corners


@by_distance
class ToyNear(NamedTuple):
    """How many pairs are near."""

    found: NDArray[np.int64]
    points: NDArray[np.float64]
    within: float


def near(asker: Asker, within: float, counters: Any = None) -> int:
    """Return how many pairs of triangles are within a distance, clearly not at it."""
    question = ToyNear(np.zeros(1, np.int64), np.empty(6), within)
    asker.ask(question, counters)
    return int(question.found[0])


@begin.register(ToyNear)
def _begin(question):
    question.found[0] = 0


@pairs_kept.register(ToyNear)
def _none_kept(question):
    return np.int64(0)


@keep_bound.register(ToyNear)
def _keep_bound(question, distance):
    return distance <= question.within


@at_leaves.register(ToyNear)
def _count(question, a, p, b, q, poses):
    p1, q1, r1 = corners(poses.a, a, p)
    p2, q2, r2 = corners(poses.b, b, q)
    distance = triangle_distance(
        p1[0], p1[1], p1[2], q1[0], q1[1], q1[2], r1[0], r1[1], r1[2],
        p2[0], p2[1], p2[2], q2[0], q2[1], q2[2], r2[0], r2[1], r2[2], address_of(question.points),
    )  # fmt: skip
    if distance <= question.within:
        question.found[0] += 1
    return False
