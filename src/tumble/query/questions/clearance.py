"""Which triangles are nearer to each other than a given distance, or touch: collected, or the first pair alone.

Nodes are kept while the lower bound of their distance does not exceed the clearance; triangles are decided exactly
(`tumble.narrow.triangles.within`). As in `touching`, a full buffer goes on counting.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import check_pairs
from tumble.narrow.touch import posed_triangle
from tumble.narrow.triangles.within import corners_nearer_than
from tumble.query.question import Asker, at_leaves, begin, keep_bound, pairs_kept, within_distance
from tumble.query.questions.touching import ALL, FIRST_CAPACITY


@within_distance
class Clearance(NamedTuple):
    """Pairs, as far as the buffer reaches, and their true number."""

    found: NDArray[np.int64]
    """(1,): how many there are so far"""
    pairs: NDArray[np.int64]
    """(n, 2): the first n of them"""
    most: int
    """pairs at which the search ends"""
    limited: int
    """1 if pairs count against the limit; else 0"""
    distance: float
    """pairs that are as far apart, or farther, do not count"""


def near_pairs(asker: Asker, clearance: float, only_one: bool, counters: Any = None) -> NDArray[np.int64]:
    """Return the pairs that are nearer than the clearance, or touch, in the order of the traversal; or the first."""
    capacity = 1 if only_one else FIRST_CAPACITY
    while True:
        pairs, most = np.empty((capacity, 2), np.int64), 1 if only_one else ALL
        question = Clearance(np.zeros(1, np.int64), pairs, most, int(not only_one), clearance)
        asker.ask(question, counters)
        found = int(question.found[0])
        check_pairs(found)
        if found <= capacity:
            return question.pairs[:found]
        capacity = found


@begin.register(Clearance)
def _begin(question):
    question.found[0] = 0


@pairs_kept.register(Clearance)
def _kept(question):
    return question.limited * question.found[0]


@keep_bound.register(Clearance)
def _keep_bound(question, distance):
    return distance <= question.distance


@at_leaves.register(Clearance)
def _add(question, a, p, b, q, poses):
    x, y, z = posed_triangle(poses.a, a.vertices, a.faces, p)
    u, v, w = posed_triangle(poses.b, b.vertices, b.faces, q)
    if not corners_nearer_than(x, y, z, u, v, w, question.distance):
        return False
    k = question.found[0]
    if k < question.pairs.shape[0]:
        question.pairs[k, 0] = p
        question.pairs[k, 1] = q
    question.found[0] = k + 1
    return k + 1 >= question.most
