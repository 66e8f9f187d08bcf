"""How far is each link of a robot from what it must not touch? For many configurations in one kernel.

Questions are numbered as in `check_kernel`. One is asked where it may be nearer than what was found for one of its
links. Those that were nearest in the configuration before are asked first. Of equal distances that of the first
question counts, whatever came before.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, int64_at
from tumble.core.simd.stack_memory import scratch
from tumble.robot.collisions.blocks import BLOCK, next_block
from tumble.robot.collisions.check_kernel import place_bodies
from tumble.robot.collisions.distance_kernel import (
    POINTS,
    distance_of,
    first_side,
    gap_of,
    other_side,
    sides_of,
    write_points,
)
from tumble.traversal.packed.nearest_query import ANSWER_WORDS

NO_QUESTION = -1


class OfLinks(NamedTuple):
    """What a kernel writes for each configuration and link."""

    distances: NDArray[np.float64]
    """(n, links)"""
    points: NDArray[np.float64]
    """(n, links, 2, 3) that of the link first"""
    others: NDArray[np.int64]
    """(n, links) the number of another link, or -1 - that of an obstacle"""
    nearest: NDArray[np.int64]
    """(n,) the number of the link that has the nearest of all"""


class Best(NamedTuple):
    """What was found for each body so far; for one thread."""

    distances: NDArray[np.float64]
    """(bodies,)"""
    questions: NDArray[np.int64]
    """(bodies,) that had it, or NO_QUESTION"""
    before: NDArray[np.int64]
    """(bodies,) the same in the configuration before"""
    asked: NDArray[np.int64]
    """(questions,) in which configuration each was asked last"""


@inlined_kernel
def is_nearer(best, body, distance, question):
    """Tell whether what a question found is to take the place of what is known of a body."""
    if distance == best.distances[body] and distance < math.inf:
        return best.questions[body] == NO_QUESTION or question < best.questions[body]
    return distance < best.distances[body]


@inlined_kernel
def note(bodies, best, body, distance, question, other, points, found, k, swapped):
    """Write what is nearest to a body."""
    link = bodies.links[body]
    best.distances[body], best.questions[body] = distance, question
    found.distances[k, link], found.others[k, link] = distance, other
    write_points(points, found.points[k, link])
    if swapped:
        for i in range(3):
            place = found.points[k, link]
            place[0, i], place[1, i] = place[1, i], place[0, i]


@inlined_kernel
def ask(bodies, obstacles, question, work, starts, identity, key, points, best, found, k):
    """Ask a question, unless it cannot matter to its bodies; return 0, or a negative code."""
    count, a = bodies.links.shape[0], first_side(bodies, question)
    b = a if question < count else bodies.pairs[question - count, 1]
    best.asked[question] = k
    most = max(best.distances[a], best.distances[b])
    if gap_of(bodies, obstacles, question, work) > most:
        return 0
    sides = sides_of(bodies, obstacles, question, work, identity)
    distance = distance_of(sides, most, starts, question, key, points)
    if distance < 0.0:
        return int(distance)
    if is_nearer(best, a, distance, question):
        other = other_side(bodies, obstacles, question, int64_at(key, 0))
        other = bodies.links[other] if other >= 0 else other
        note(bodies, best, a, distance, question, other, points, found, k, False)
    if b != a and is_nearer(best, b, distance, question):
        note(bodies, best, b, distance, question, bodies.links[a], points, found, k, True)
    return 0


@inlined_kernel
def begin(best, most):
    """Forget what was found, but for the questions that had it."""
    for body in range(best.distances.shape[0]):
        if best.questions[body] != NO_QUESTION:
            best.before[body] = best.questions[body]
        best.distances[body], best.questions[body] = most, NO_QUESTION


@inlined_kernel
def nearest_of_all(bodies, best):
    """Return the number of the link that has the nearest of all, 0 where nothing is near."""
    nearest = 0
    for body in range(1, best.distances.shape[0]):
        question = best.questions[body]
        if question != NO_QUESTION and is_nearer(best, nearest, best.distances[body], question):
            nearest = body
    return nearest


@kernel
def distances_of_links(kinematics, bodies, obstacles, identity, most, Q, drawn, work, starts, best, found):
    """Write how far each link is from others and obstacles, where that is at most `most`; return 0, or a code."""
    count, row_bytes, at = Q.shape[0], 8 * Q.shape[1], address_of(identity)
    key, points = scratch(ANSWER_WORDS), scratch(POINTS)
    start = next_block(drawn, BLOCK)
    while start < count:
        code = poll(0)
        if code != 0:
            return code
        for k in range(start, min(start + BLOCK, count)):
            place_bodies(kinematics, bodies, address_of(Q) + k * row_bytes, work)
            begin(best, most)
            early = best.before.shape[0]
            for turn in range(early + work.asked.shape[0]):
                question = best.before[turn] if turn < early else work.asked[turn - early]
                if question == NO_QUESTION or best.asked[question] == k:
                    continue
                code = ask(bodies, obstacles, question, work, starts, at, key, points, best, found, k)
                if code < 0:
                    return code
            if best.distances.shape[0] > 0:
                found.nearest[k] = nearest_of_all(bodies, best)
        start = next_block(drawn, BLOCK)
    return 0
