"""How far is a robot from touching itself or an obstacle? For many configurations in one kernel.

Questions are numbered as in `check_kernel`. That which was nearest in the configuration before is asked first; its
distance then excludes most others. Of equal distances that of the first question counts, whatever came before.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, float64_at, int64_at
from tumble.core.simd.stack_memory import scratch
from tumble.robot.collisions.blocks import BLOCK, next_block
from tumble.robot.collisions.check_kernel import place_bodies
from tumble.robot.collisions.rejection import gap_by_table, gap_to_obstacles, gap_to_other
from tumble.robot.kinematics_kernel import POSE_WORDS
from tumble.traversal.packed.nearest_leaves import NO_PAIR
from tumble.traversal.packed.nearest_query import ANSWER_WORDS, NOTHING, distance_of_pair, nearest_key

POINTS = 6


class Sides(NamedTuple):
    """The two trees of a question, and where they are."""

    tree_a: int
    pose_a: int
    tree_b: int
    pose_b: int
    deviation: float


@inlined_kernel
def sides_of(bodies, obstacles, question, work, identity):
    """Return the trees and the addresses of the poses of a question."""
    poses, count = address_of(work.poses), bodies.links.shape[0]
    a, b = question, question
    if question >= count:
        a, b = bodies.pairs[question - count, 0], bodies.pairs[question - count, 1]
    pose_a = poses + 8 * POSE_WORDS * bodies.links[a]
    if question < count:
        return Sides(bodies.trees[a], pose_a, obstacles.tree, identity, bodies.deviations[a])
    pose_b = poses + 8 * POSE_WORDS * bodies.links[b]
    return Sides(bodies.trees[a], pose_a, bodies.trees[b], pose_b, bodies.deviations[a] + bodies.deviations[b])


@inlined_kernel
def gap_of(bodies, obstacles, question, work):
    """Return a distance that the two sides of a question keep at least, by their balls; it may be negative."""
    count = bodies.links.shape[0]
    if question < count:
        return gap_to_obstacles(bodies, question, obstacles, work.centres)
    gap = gap_to_other(bodies, bodies.pairs[question - count, 0], bodies.pairs[question - count, 1], work.centres)
    return max(gap, gap_by_table(bodies.tables, question - count, work.q))


@inlined_kernel
def distance_of(sides, most, starts, question, found, points):
    """Return how far the two sides of a question are apart: infinity beyond `most`, or a negative code.

    `found` gets the pair of triangles, and `points` the nearest points. `starts` has the leaves that were nearest when
    the question was asked before, where the search begins.
    """
    tree_a, pose_a, tree_b, pose_b = sides.tree_a, sides.pose_a, sides.tree_b, sides.pose_b
    code = nearest_key(tree_a, pose_a, tree_b, pose_b, sides.deviation, most, starts[question], found, 0)
    if code < 0:
        return float(code)
    if code == NOTHING:
        return math.inf
    if int64_at(found, 1) != NO_PAIR:
        starts[question] = int64_at(found, 1)
    return distance_of_pair(tree_a, pose_a, tree_b, pose_b, int64_at(found, 0), points)


@inlined_kernel
def other_side(bodies, obstacles, question, key):
    """Return the number of the second body of a question, or -1 - that of the obstacle that has the second triangle."""
    count = bodies.links.shape[0]
    return -1 - obstacles.owners[key & LOWER_HALF] if question < count else bodies.pairs[question - count, 1]


@inlined_kernel
def first_side(bodies, question):
    """Return the number of the first body of a question."""
    count = bodies.links.shape[0]
    return question if question < count else bodies.pairs[question - count, 0]


class Nearest(NamedTuple):
    """What a kernel writes for each configuration."""

    distances: NDArray[np.float64]
    """(n,)"""
    points: NDArray[np.float64]
    """(n, 2, 3)"""
    pairs: NDArray[np.int64]
    """(n, 2) numbers of a body, and of another body or -1 - that of an obstacle"""


@inlined_kernel
def write_points(points, place):
    """Copy two points to a (2, 3) array."""
    for i in range(POINTS):
        place[i // 3, i % 3] = float64_at(points, i)


@inlined_kernel
def nearest_of(bodies, obstacles, most, work, starts, identity, last, found, points, nearest, k):
    """Write what is nearest in configuration k, where the robot is; return 1 + its question, 0, or a negative code.

    The question `last` is asked first.
    """
    best, best_question = most, np.int64(-1)
    for turn in range(-1, work.asked.shape[0]):
        question = last if turn < 0 else work.asked[turn]
        if (turn < 0 and last < 0) or (turn >= 0 and question == best_question):
            continue
        if gap_of(bodies, obstacles, question, work) > best:
            continue
        sides = sides_of(bodies, obstacles, question, work, identity)
        distance = distance_of(sides, best, starts, question, found, points)
        if distance < 0.0:
            return int(distance)
        first = best_question < 0 or question < best_question
        if distance < best or (distance == best and distance < math.inf and first):
            best, best_question = distance, question
            nearest.distances[k] = distance
            nearest.pairs[k, 0] = first_side(bodies, question)
            nearest.pairs[k, 1] = other_side(bodies, obstacles, question, int64_at(found, 0))
            write_points(points, nearest.points[k])
    return 1 + best_question


@kernel
def nearest_links(kinematics, bodies, obstacles, identity, most, Q, drawn, work, starts, nearest):
    """Write how far links are from each other or an obstacle, where that is at most `most`; return 0, or a code."""
    count, row_bytes, at = Q.shape[0], 8 * Q.shape[1], address_of(identity)
    found, points, last = scratch(ANSWER_WORDS), scratch(POINTS), np.int64(-1)
    start = next_block(drawn, BLOCK)
    while start < count:
        code = poll(0)
        if code != 0:
            return code
        for k in range(start, min(start + BLOCK, count)):
            place_bodies(kinematics, bodies, address_of(Q) + k * row_bytes, work)
            answer = nearest_of(bodies, obstacles, most, work, starts, at, last, found, points, nearest, k)
            if answer < 0:
                return answer
            last = answer - 1 if answer > 0 else last
        start = next_block(drawn, BLOCK)
    return 0
