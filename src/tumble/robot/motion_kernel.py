"""Does a robot touch anything on its way from one configuration to another, along the straight line between them?

    every question is open from time 0 on
    while one is open before time 1:
        take the one that is open earliest, put the robot where it is then
        how far are its two sides apart? no contact if that is 0; else none before they could have met:
            it is open again after distance / the speed at which they approach each other at most

Each question has a time of its own, so far links are looked at once or twice, and near ones often. A contact is thus
never missed; one that comes within the tolerance ends the search. Whether there really is one is then found out by
looking at configurations behind.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, int64_at
from tumble.core.simd.stack_memory import scratch
from tumble.robot.collisions.blocks import next_block
from tumble.robot.collisions.check_kernel import Work, any_hit, first_hit, place_bodies
from tumble.robot.collisions.distance_kernel import POINTS, distance_of, first_side, gap_of, other_side, sides_of
from tumble.robot.collisions.rejection import gap_of_parts, part_gap_to_obstacles
from tumble.traversal.packed.nearest_query import ANSWER_WORDS

FREE, HIT, UNDECIDED = 0, 1, 2
"""what is known of an edge: nothing is touched; something is; something comes within the tolerance, or steps ran out"""
ROUNDING = 2.0**-40
"""of all sizes and ways: many times as much as poses and distances are off by"""
LEAST_TOLERANCE = 16.0
"""of roundings"""
ROUGHLY = 0.08
"""of a radius: where balls leave such a gap, distances are not computed (0.25 and 0.02 took 1.5 times as long)"""
MOST_STEPS = 1 << 16
OFTEN = 63
FEW = 4
"""edges that a thread draws at a time: some tenths of a millisecond"""
NEVER = 2.0


class Motion(NamedTuple):
    """Memory that the search uses, for one thread."""

    open: NDArray[np.float64]
    """(questions,) the time from which on a question is open"""
    speeds: NDArray[np.float64]
    """(questions,) at which the two sides of a question approach each other at most, per unit of time"""
    tolerances: NDArray[np.float64]
    """(questions,)"""
    starts: NDArray[np.int64]
    """(questions,) see `distance_of`"""


class Found(NamedTuple):
    """What a kernel writes for each edge."""

    states: NDArray[np.int8]
    times: NDArray[np.float64]
    pairs: NDArray[np.int64]
    """(n, 2) as in `distance_kernel.Nearest`"""


class Search(NamedTuple):
    """What an edge is asked with."""

    kinematics: NamedTuple
    bodies: NamedTuple
    obstacles: NamedTuple
    levers: NamedTuple
    work: Work
    motion: Motion
    identity: int
    key: int
    points: int


@inlined_kernel
def go_to(search, Q0, Q1, edge, time):
    """Put the robot where it is at a time between 0 and 1."""
    q = search.work.q
    for column in range(q.shape[0]):
        start, end = Q0[edge, column], Q1[edge, column]
        q[column] = start + time * (end - start) if time < 1.0 else end
    place_bodies(search.kinematics, search.bodies, address_of(q), search.work)


@inlined_kernel
def begin(search, Q0, Q1, edge, tolerance):
    """Open all questions at time 0, with the speeds of an edge."""
    motion, levers = search.motion, search.levers
    for turn in range(search.work.asked.shape[0]):
        question, speed = search.work.asked[turn], 0.0
        for column in range(search.work.q.shape[0]):
            lever = levers.lengths[question, column]
            if levers.extensions.shape[0] > 0:
                for slide in range(search.work.q.shape[0]):
                    extension = max(abs(Q0[edge, slide]), abs(Q1[edge, slide]))
                    lever += levers.extensions[question, column, slide] * extension
            speed += abs(Q1[edge, column] - Q0[edge, column]) * lever
        motion.open[question], motion.speeds[question], motion.tolerances[question] = 0.0, speed, tolerance


@inlined_kernel
def earliest(search):
    """Return the question that is open earliest."""
    best = search.work.asked[0]
    for turn in range(1, search.work.asked.shape[0]):
        question = search.work.asked[turn]
        if search.motion.open[question] < search.motion.open[best]:
            best = question
    return best


@inlined_kernel
def rough_gap(search, question):
    """Return a distance that the sides of a question keep at least where balls tell that they are far apart, or 0."""
    bodies, work = search.bodies, search.work
    count, first = bodies.links.shape[0], first_side(bodies, question)
    gap = gap_of(bodies, search.obstacles, question, work)
    if gap < ROUGHLY * bodies.balls[first, 0, 3]:
        poses = address_of(work.poses)
        if question < count:
            gap = part_gap_to_obstacles(bodies, first, search.obstacles, poses, work.centres, work.placed)
        else:
            other = bodies.pairs[question - count, 1]
            gap = max(gap, gap_of_parts(bodies, first, other, poses, work.centres, work.placed))
    return gap if gap > ROUGHLY * bodies.balls[first, 1, 3] else 0.0


@inlined_kernel
def look(search, question, time, rounding):
    """Look at a question at a time, and write when it is open again; return what its sides are apart, or a code.

    Where they are within the tolerance, it stays open.
    """
    motion, bodies, obstacles = search.motion, search.bodies, search.obstacles
    speed = motion.speeds[question]
    rest = speed * (1.0 - time)
    gap = rough_gap(search, question) - rounding
    if gap > motion.tolerances[question]:  # else which triangles are near is not known yet
        motion.open[question] = NEVER if gap > rest else time + gap / speed
        return gap
    sides = sides_of(bodies, obstacles, question, search.work, search.identity)
    distance = distance_of(sides, rest + 4.0 * rounding, motion.starts, question, search.key, search.points)
    if distance < 0.0:
        return distance
    if distance == math.inf:
        motion.open[question] = NEVER
        return distance
    if time == 0.0:  # what begins close together is not taken for a contact unless it comes closer
        least = LEAST_TOLERANCE * rounding
        motion.tolerances[question] = max(min(motion.tolerances[question], 0.5 * distance), least)
    if distance > motion.tolerances[question]:
        motion.open[question] = NEVER if distance - rounding > rest else time + (distance - rounding) / speed
    return distance


@inlined_kernel
def note(search, found, edge, state, time, question):
    """Write what is known of an edge, and who touches whom: the triangles are those of the last look."""
    found.states[edge], found.times[edge] = state, time
    found.pairs[edge, 0] = first_side(search.bodies, question)
    found.pairs[edge, 1] = other_side(search.bodies, search.obstacles, question, int64_at(search.key, 0))


@inlined_kernel
def hit_at(search, Q0, Q1, edge, time):
    """Look for a contact of the robot at a time: 1 + the first question that has one, 0 or a negative code."""
    go_to(search, Q0, Q1, edge, time)
    hit = any_hit(search.bodies, search.obstacles, search.work, search.identity, search.key)
    if hit <= 0:
        return hit
    # which one is found there depends on what was asked before, and so on the threads
    return first_hit(search.bodies, search.obstacles, search.work, search.identity, search.key)


@inlined_kernel
def hit_behind(search, Q0, Q1, edge, time, step):
    """Look for a contact at times behind one, at steps that double, and at the end; return as `hit_at` does."""
    while time < 1.0:
        time += step
        step *= 2.0
        hit = hit_at(search, Q0, Q1, edge, min(time, 1.0))
        if hit != 0:
            return hit
    return 0


@inlined_kernel
def advance(search, Q0, Q1, edge, rounding, found):
    """Go along an edge until nothing is open, or something is within the tolerance; return 0 or a negative code."""
    now = -1.0
    for step in range(MOST_STEPS):
        if step & OFTEN == OFTEN:
            code = poll(0)
            if code != 0:
                return code
        question = earliest(search)
        time = search.motion.open[question]
        if time > 1.0:
            found.states[edge], found.times[edge] = FREE, math.inf
            return 0
        if time != now:
            go_to(search, Q0, Q1, edge, time)
            now = time
        distance = look(search, question, time, rounding)
        if distance < 0.0:
            return int(distance)
        if distance == 0.0:
            note(search, found, edge, HIT, time, question)
            return 0
        if distance <= search.motion.tolerances[question]:
            note(search, found, edge, UNDECIDED, time, question)
            speed = search.motion.speeds[question]
            hit = 0
            if speed > 0.0:
                hit = hit_behind(search, Q0, Q1, edge, time, search.motion.tolerances[question] / speed)
            if hit > 0:
                note(search, found, edge, HIT, time, hit - 1)
            return min(hit, 0)
    # steps ran out: nothing is known of what comes behind
    note(search, found, edge, UNDECIDED, search.motion.open[earliest(search)], earliest(search))
    return 0


@inlined_kernel
def hit_early(search, Q0, Q1, edge):
    """Look for a contact where most edges that hit anything do: 1 + the question, 0 or a negative code."""
    for time in (1.0, 0.5, 0.25, 0.75):
        hit = hit_at(search, Q0, Q1, edge, time)
        if hit != 0:
            return hit
    return 0


@inlined_kernel
def rounding_of(search, Q0, Q1, edge, size):
    """Return how much poses and distances on an edge are off by at most."""
    way, fastest = 0.0, 0.0
    for column in range(Q0.shape[1]):
        way = max(way, max(abs(Q0[edge, column]), abs(Q1[edge, column])))
    for turn in range(search.work.asked.shape[0]):
        fastest = max(fastest, search.motion.speeds[search.work.asked[turn]])
    return ROUNDING * ((1.0 + way) * size + fastest)


@inlined_kernel
def check_edge(search, Q0, Q1, edge, size, tolerance, timed, found):
    """Write what is known of an edge; return 0, or a negative code."""
    found.states[edge], found.times[edge] = FREE, math.inf
    if search.work.asked.shape[0] == 0:
        return 0
    if timed == 0:
        hit = hit_early(search, Q0, Q1, edge)
        if hit > 0:
            note(search, found, edge, HIT, 0.0, hit - 1)
        if hit != 0:
            return min(hit, 0)
    begin(search, Q0, Q1, edge, tolerance)
    return advance(search, Q0, Q1, edge, rounding_of(search, Q0, Q1, edge, size), found)


@kernel
def check_edges(
    kinematics, bodies, obstacles, levers, identity, size, tolerance, timed, Q0, Q1, drawn, work, motion, found
):  # fmt: skip
    """Write what is known of the edges that this thread draws, `timed`: with the first contact; return 0, or a code."""
    key, points, count = scratch(ANSWER_WORDS), scratch(POINTS), Q0.shape[0]
    search = Search(
        kinematics, bodies, obstacles, levers, work, motion, address_of(identity), key, points
    )  # fmt: skip
    start = next_block(drawn, FEW)
    while start < count:
        for edge in range(start, min(start + FEW, count)):
            code = poll(0)
            if code == 0:
                code = check_edge(search, Q0, Q1, edge, size, tolerance, timed, found)
            if code < 0:
                return code
        start = next_block(drawn, FEW)
    return 0
