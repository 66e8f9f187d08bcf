"""Does a robot touch itself or an obstacle? For many configurations in one kernel, each ended by its first contact.

    for each configuration:
        poses of links; centres of their balls
        for each question, those that were answered by yes most often first:
            balls tell that it is no; or the triangles are searched for a first contact

Questions are numbered: first each body with all obstacles, then the pairs of bodies.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, float64_at
from tumble.core.simd.stack_memory import scratch
from tumble.robot.collisions.blocks import BLOCK, next_block
from tumble.robot.collisions.rejection import bodies_are_free, body_is_free, gap_by_table, place_ball
from tumble.robot.kinematics_kernel import POSE_WORDS, link_poses
from tumble.traversal.packed.near_query import near_keys
from tumble.traversal.packed.query import boxes_may_meet, describe_frames, query
from tumble.traversal.packed.search import RELATIONS_WORDS, TIGHT_B
from tumble.traversal.packed.walk import walk

TURNED = 2.0**-44
"""how far the frame of the obstacles' boxes is from a rotation, with the rounding of vertices in it"""


class Work(NamedTuple):
    """Memory that a kernel uses, for one thread."""

    q: NDArray[np.float64]
    """(columns,) the configuration in which the robot is"""
    poses: NDArray[np.float64]
    """(links, 4, 4)"""
    centres: NDArray[np.float64]
    """(bodies, BALLS, 3)"""
    placed: NDArray[np.bool_]
    """(bodies,) whether the balls around parts are placed"""
    asked: NDArray[np.int64]
    """the numbers of the questions that are asked, sorted"""
    order: NDArray[np.int64]
    """the same, those first that hit most often so far: what an answer depends on must not depend on it"""
    hits: NDArray[np.int64]
    """(questions,) how often each was answered by yes"""
    clearances: NDArray[np.float64]
    """(questions,) nearer to each other than this, its two sides count as touching"""


@inlined_kernel
def place_bodies(kinematics, bodies, q, work):
    """Write where links and the balls around them are in a configuration, given by its address."""
    for column in range(work.q.shape[0]):
        work.q[column] = float64_at(q, column)
    poses = address_of(work.poses)
    link_poses(kinematics, q, poses)
    for body in range(bodies.links.shape[0]):
        place_ball(bodies, body, 0, poses, work.centres)
        work.placed[body] = False


@inlined_kernel
def search_obstacles(obstacles, tree, pose, deviation, clearance, identity, first, keys, capacity):
    """Look for triangles of a body and obstacles that touch, or are nearer than the clearance: how many, or a code."""
    if clearance > 0.0:
        return near_keys(tree, pose, obstacles.tree, identity, deviation, clearance, first, keys, capacity, 0)
    relations = scratch(RELATIONS_WORDS)
    # boxes are in a frame of their own, triangles are not: see `turned_tree`
    turned, turn = obstacles.turned, address_of(obstacles.turn)
    if not boxes_may_meet(tree, pose, turned, turn, deviation + TURNED, relations):
        return 0
    describe_frames(tree, pose, turned, identity, deviation, relations, TIGHT_B)
    return walk(tree, pose, turned, identity, relations, first, keys, capacity, 0)


@inlined_kernel
def search(tree_a, pose_a, tree_b, pose_b, deviation, clearance, key):
    """Look for two triangles of two bodies that touch, or are nearer than the clearance; 1, 0 or a negative code."""
    if clearance > 0.0:
        return near_keys(tree_a, pose_a, tree_b, pose_b, deviation, clearance, 1, key, 1, 0)
    return query(tree_a, pose_a, deviation, tree_b, pose_b, 0.0, 1, key, 1, 0)


@inlined_kernel
def answer(bodies, obstacles, question, work, identity, key):
    """Answer a question: 1, 0 or a negative code."""
    poses, count, clearance = address_of(work.poses), bodies.links.shape[0], work.clearances[question]
    if question < count:
        if obstacles.tree == 0 or body_is_free(
            bodies, question, obstacles, clearance, poses, work.centres, work.placed
        ):
            return 0
        pose = poses + 8 * POSE_WORDS * bodies.links[question]
        return search(
            bodies.trees[question], pose, obstacles.tree, identity, bodies.deviations[question], clearance, key
        )
    a, b = bodies.pairs[question - count, 0], bodies.pairs[question - count, 1]
    if gap_by_table(bodies.tables, question - count, work.q) > clearance:
        return 0
    if bodies_are_free(bodies, a, b, clearance, poses, work.centres, work.placed):
        return 0
    pose_a, pose_b = poses + 8 * POSE_WORDS * bodies.links[a], poses + 8 * POSE_WORDS * bodies.links[b]
    deviation = bodies.deviations[a] + bodies.deviations[b]
    return search(bodies.trees[a], pose_a, bodies.trees[b], pose_b, deviation, clearance, key)


@inlined_kernel
def move_forward(work, slot):
    """Count a hit, and let its question change places with those before it that had fewer."""
    question = work.order[slot]
    work.hits[question] += 1
    while slot > 0 and work.hits[work.order[slot - 1]] < work.hits[question]:
        work.order[slot] = work.order[slot - 1]
        slot -= 1
    work.order[slot] = question


@inlined_kernel
def any_hit(bodies, obstacles, work, identity, key):
    """Return 1 + a question that is answered by yes, 0 or a negative code; write its triangles to `key`."""
    for slot in range(work.order.shape[0]):
        question = work.order[slot]
        found = answer(bodies, obstacles, question, work, identity, key)
        if found != 0:
            if found < 0:
                return found
            move_forward(work, slot)
            return 1 + question
    return 0


@inlined_kernel
def first_hit(bodies, obstacles, work, identity, key):
    """Return as `any_hit` does, but always the question with the least number."""
    for slot in range(work.asked.shape[0]):
        found = answer(bodies, obstacles, work.asked[slot], work, identity, key)
        if found != 0:
            return found if found < 0 else 1 + work.asked[slot]
    return 0


@kernel
def check_configurations(kinematics, bodies, obstacles, identity, Q, drawn, work, hit):
    """Write which configurations collide, of the blocks that this thread draws; return 0, or a negative code."""
    key, count, row_bytes = scratch(1), Q.shape[0], 8 * Q.shape[1]
    start = next_block(drawn, BLOCK)
    while start < count:
        code = poll(0)
        if code != 0:
            return code
        for k in range(start, min(start + BLOCK, count)):
            place_bodies(kinematics, bodies, address_of(Q) + k * row_bytes, work)
            found = any_hit(bodies, obstacles, work, address_of(identity), key)
            if found < 0:
                return found
            hit[k] = found != 0
        start = next_block(drawn, BLOCK)
    return 0
