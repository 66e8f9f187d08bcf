"""The innermost step of a search for the first contact: two leaves, four pairs of triangles, advanced in time.

    at the time at which the leaves may touch at the earliest:
        a pair that is as near as the tolerance: this is the earliest contact so far
        else along the way between its nearest points, its gap stays open for some time
        pairs for which that is longer than until the earliest contact so far are done
    go on to the earliest time of those that are left

Conservative advancement (B. Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996), with a speed and
an acceleration for each corner, as in `tumble.volume.eight_times`: along a fixed direction the displacement of a point
of a triangle is an average of those of its corners, so the gap closes when that of two corners does.
"""

import math

from numba import float64, int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.linear import cross, dot, normal_of
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import float64_at, int64_at, lowest_bit, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.narrow.triangles.apart import WAY as FOUND_WAY
from tumble.narrow.triangles.apart import apart_distance
from tumble.narrow.triangles.filter import vertex
from tumble.narrow.triangles.four_gaps import GAPS_WORDS, PAIRS, keep_near, near_pairs
from tumble.narrow.triangles.four_pairs import present_pairs
from tumble.traversal.packed.impact_state import (
    BEST,
    KEY,
    REST,
    ROUNDED_UP,
    SPEED,
    TOLERANCE,
    TURNING,
    USABLE,
    Impact,
    go_to,
    length_of,
    vector_at,
    velocity_at,
)
from tumble.traversal.packed.nearest_leaves import POSES, TREES, Search, scalar_distance

ROUNDED_DOWN = 1.0 - 2.0**-30


@inlined_kernel
def time_open(gap, speed, bend):
    """Return how long a gap stays open that closes at a speed, which grows by at most `bend`."""
    if not gap > 0.0:
        return 0.0
    p, q = speed / gap, bend / gap
    root = math.sqrt(p * p + 2.0 * q)
    if p >= 0.0:
        return 2.0 / (p + root)
    return (root - p) / q


@inlined_kernel
def write_corners(search, side, place, lane, n, from_point, numbers):
    """Write where the corners of a triangle are along n, how fast they move along it, and their accelerations."""
    state = search.state
    rate = length_of(cross(n, vector_at(state, TURNING + 3 * side))) * ROUNDED_UP
    for k in range(3):
        corner = vertex(place, lane, k)
        u, arm = velocity_at(state, side, corner)
        away = corner[0] - from_point[0], corner[1] - from_point[1], corner[2] - from_point[2]
        set_float64(numbers, 3 * k, dot(n, away))
        set_float64(numbers, 3 * k + 1, dot(n, u))
        set_float64(numbers, 3 * k + 2, rate * length_of(arm) if rate > 0.0 else 0.0)


@inlined_kernel
def time_apart(search, side, lane, n, numbers):
    """Return how long the triangles of a lane stay apart along a unit vector, which leads to the second of them."""
    kept, posed, rest = search.kept, search.posed, float64_at(search.state, REST)
    origin = vertex(kept, lane, 0)
    write_corners(search, side, kept, lane, n, origin, numbers)
    write_corners(search, 1 - side, posed, lane, n, origin, numbers + 8 * 9)
    least = math.inf
    for i in range(0, 9, 3):
        place, speed, bend = vector_at(numbers, i)
        for j in range(9, 18, 3):
            other, their_speed, their_bend = vector_at(numbers, j)
            least = min(least, time_open(other - place - rest, speed - their_speed, bend + their_bend))
    return least


@inlined_kernel
def time_across(search, place, side, lane, way, numbers):
    """Return how long the triangles of a lane stay apart across the plane of one of them.

    What slides along a face stays apart across its plane, where the way between the nearest points turns.
    """
    n = normal_of(vertex(place, lane, 0), vertex(place, lane, 1), vertex(place, lane, 2))
    if dot(n, way) < 0.0:
        n = -n[0], -n[1], -n[2]
    return time_apart(search, side, lane, n, numbers) if dot(n, n) > 0.5 else 0.0


@external(float64(*7 * (int64,), float64, float64, int64))
def step_of_pair(sides, state, kept, posed, found, side, lane, distance, limit, numbers):
    """Return how long the triangles of a lane stay apart at least, given what `apart_distance` found.

    Beyond the limit it does not matter how much longer.
    """
    search = Impact(sides, state, 0, 0, kept, posed, found)
    x, y, z = vector_at(found, FOUND_WAY)
    length = length_of((x, y, z))
    # whatever the direction: no two points approach each other faster than this
    step = (distance - float64_at(state, REST)) / float64_at(state, SPEED)
    if 0.0 < length < math.inf:
        n = x / length, y / length, z / length
        step = max(step, time_apart(search, side, lane, n, numbers))
        if step < limit:
            step = max(step, time_across(search, kept, side, lane, n, numbers))
        if step < limit:
            step = max(step, time_across(search, posed, side, lane, n, numbers))
    return step * ROUNDED_DOWN


@inlined_kernel
def measured(search, word, lane):
    """Return the distance of the triangles of a lane, and write the way between them."""
    apart_distance(word, search.kept, search.posed, lane, search.found)
    distance = float64_at(search.found, 0)
    if not distance > 0.0:
        near = Search(search.sides, search.state, search.kept, search.posed, search.found)
        distance = scalar_distance(near, lane)
    return distance


@inlined_kernel
def advance_leaves(search, side, one, two, three, four, time):
    """Look for contacts of the triangles one and two with three and four, from a time on, before the earliest so far.

    Return how many pairs were measured; a negative number is not an answer: see `tumble.core.poll`.
    """
    state, sides, other = search.state, search.sides, 1 - side
    tree, pose = int64_at(sides, TREES + side), int64_at(sides, POSES + side)
    their_tree, their_pose = int64_at(sides, TREES + other), int64_at(sides, POSES + other)
    pairs, tests, steps = present_pairs(two, four), 0, 0
    gaps, nowhere, numbers = scratch(GAPS_WORDS), scratch(3), scratch(18)
    for k in range(3):
        set_float64(nowhere, k, 0.0)
    while pairs != 0:
        steps += 1
        if steps & OFTEN == 0:
            answer = poll(0)
            if answer != 0:
                return answer
        go_to(search, time)
        keep_near(tree, pose, one, two, search.kept)
        # farther apart than they can come before the earliest contact so far
        reach = (float64_at(state, BEST) - time) * float64_at(state, SPEED) + float64_at(state, TOLERANCE)
        word = near_pairs(their_tree, their_pose, three, four, search.kept, search.posed, nowhere, reach, gaps)
        pairs &= word if float64_at(state, USABLE) != 0.0 else PAIRS
        following, left = math.inf, pairs
        while left != 0:
            lane = lowest_bit(left)
            left &= left - 1
            tests += 1
            distance = measured(search, word, lane)
            if distance <= float64_at(state, TOLERANCE):
                our, their = (two if lane & 1 else one), (four if lane & 2 else three)
                set_float64(state, BEST, time)
                set_int64(state, KEY, our << 32 | their if side == 0 else their << 32 | our)
                return tests
            limit = float64_at(state, BEST) - time
            step = step_of_pair(
                sides, state, search.kept, search.posed, search.found, side, lane, distance, limit, numbers
            )  # fmt: skip
            then = time + step
            if not then < float64_at(state, BEST):
                pairs &= ~(1 << lane)
            else:
                following = min(following, then)
        # where float64 cannot tell the times apart, the next number
        time = following if following > time else time + 2.0**-53
    return tests
