"""What a search for the nearest triangles knows, and its innermost step: two leaves, four pairs of triangles."""

import math
from typing import NamedTuple

import numpy as np

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float64_at, int64_at, lowest_bit, set_float32, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.narrow.distance import triangle_distance
from tumble.narrow.triangles.apart import WAY as FOUND_WAY
from tumble.narrow.triangles.apart import apart_distance
from tumble.narrow.triangles.filter import vertex
from tumble.narrow.triangles.four_gaps import GAPS_WORDS, PAIRS, near_pairs
from tumble.narrow.triangles.four_pairs import present_pairs

NO_PAIR = np.int64(-1)

# The state of a search, in 64-bit words.
BEST = 0  # the least distance so far
KEY = 1  # its pair, a's triangle in the upper half; -1 before there is one
ERROR = 2  # how far a distance may be off
LIMIT = 3  # the best distance and the error
WAY = 4  # from a's nearest point to b's, of length one, three numbers; then the same turned round
LIMITS = 10  # the limit in the unit of b's frame, then in that of a's: two float32 numbers
UNITS = 11  # from the unit of b's frame, then of a's, to no more than the world's, for poses that are not quite rigid
USABLE = 13  # 1.0 where coordinates are of a size for `near_pairs`
LEAVES = 14  # the two leaves that are compared, as they wait on the stack
BEST_LEAVES = 15  # those of the pair at the least distance
LOCAL_WAYS = 16  # the way in the unit and frame of b, then turned round in those of a: two times four float32 numbers
STATE_WORDS = 20

ROUNDED_UP = 1.0 + 2.0**-20
LEAST_LIMIT = np.float32(2.0**-100)

# Addresses of both sides, those of a first: a side is looked up, as branches on it could not be predicted.
TREES, POSES, ALL_BLOCKS, ALL_SLABS, ALL_HULLS = range(0, 10, 2)
SIDES_WORDS = 10


class Search(NamedTuple):
    """What stays the same throughout a search: addresses."""

    sides: int
    state: int
    kept: int  # memory for the single's leaf, posed
    posed: int  # memory for the other leaf, posed
    found: int  # memory for what `apart_distance` writes


@inlined_kernel
def set_best(state, distance, key):
    """Take over a distance and its pair, and what follows from it."""
    set_float64(state, BEST, distance)
    set_int64(state, KEY, key)
    limit = distance + float64_at(state, ERROR)
    set_float64(state, LIMIT, limit)
    for side in range(2):
        local = np.float32(limit * ROUNDED_UP / float64_at(state, UNITS + side))
        set_float32(state, 2 * LIMITS + side, local + LEAST_LIMIT)


@inlined_kernel
def set_local_ways(search):
    """Write the way as the frame of the other tree sees it, for singles of either side."""
    state = search.state
    for side in range(2):
        pose, way = int64_at(search.sides, POSES + 1 - side), state + 8 * (WAY + 3 * side)
        for k in range(3):
            turned = 0.0
            for j in range(3):
                turned += float64_at(pose, 4 * j + k) * float64_at(way, j)
            set_float32(state, 2 * LOCAL_WAYS + 4 * side + k, np.float32(turned))


@inlined_kernel
def take(search, side, key, distance):
    """Take over a pair if it is nearer, or as near and comes first."""
    state = search.state
    best = float64_at(state, BEST)
    known = int64_at(state, KEY)
    if distance > best or (distance == best and known != NO_PAIR and key > known):
        return
    set_best(state, distance, key)
    set_int64(state, BEST_LEAVES, int64_at(state, LEAVES))
    at = search.found
    x, y, z = float64_at(at, FOUND_WAY), float64_at(at, FOUND_WAY + 1), float64_at(at, FOUND_WAY + 2)
    # by its own length: points are rounded, so the way between them may be longer or shorter than the distance
    length = math.sqrt(x * x + y * y + z * z)
    if 0.0 < length < math.inf:
        length = length if side == 0 else -length
        for k in range(3):
            component = float64_at(at, FOUND_WAY + k) / length
            set_float64(state, WAY + k, component)
            set_float64(state, WAY + 3 + k, -component)
        set_local_ways(search)


@inlined_kernel
def scalar_distance(search, lane):
    """Return the distance of a pair that vectors did not tell, and write the way between its nearest points."""
    points = scratch(6)
    p, q, r = vertex(search.kept, lane, 0), vertex(search.kept, lane, 1), vertex(search.kept, lane, 2)
    u, v, w = vertex(search.posed, lane, 0), vertex(search.posed, lane, 1), vertex(search.posed, lane, 2)
    distance = triangle_distance(
        p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2],
        u[0], u[1], u[2], v[0], v[1], v[2], w[0], w[1], w[2], points,
    )  # fmt: skip
    for k in range(3):
        set_float64(search.found, FOUND_WAY + k, float64_at(points, 3 + k) - float64_at(points, k))
    return distance


@inlined_kernel
def least_gap(gaps, pairs):
    """Return which of some pairs, given by their bits, has the least gap: measured first, it may save the others."""
    least = lowest_bit(pairs)
    pairs &= pairs - 1
    while pairs != 0:
        lane = lowest_bit(pairs)
        pairs &= pairs - 1
        least = lane if float64_at(gaps, lane) < float64_at(gaps, least) else least
    return least


@inlined_kernel
def compare_leaves(search, side, one, two, three, four):
    """Compare the kept leaf's triangles with those of the other tree's leaf; return how many pairs were not parted."""
    state, other = search.state, 1 - side
    tree, pose = int64_at(search.sides, TREES + other), int64_at(search.sides, POSES + other)
    way, limit = state + 8 * (WAY + 3 * side), float64_at(state, LIMIT)
    gaps = scratch(GAPS_WORDS)
    word = near_pairs(tree, pose, three, four, search.kept, search.posed, way, limit, gaps)
    usable = float64_at(state, USABLE) != 0.0
    # where it is not, the squares of numbers that are too small would part what is near
    pairs, tests = (word if usable else PAIRS) & present_pairs(two, four), 0
    while pairs != 0:
        lane = least_gap(gaps, pairs)
        pairs &= ~(1 << lane)
        if usable and float64_at(gaps, lane) > float64_at(state, LIMIT):
            break
        tests += 1
        # to the bits of the answer
        apart_distance(word, search.kept, search.posed, lane, search.found)
        distance = float64_at(search.found, 0)
        if distance > float64_at(state, LIMIT):
            continue
        if not distance > 0.0:
            distance = scalar_distance(search, lane)
        our, their = (two if lane & 1 else one), (four if lane & 2 else three)
        take(search, side, our << 32 | their if side == 0 else their << 32 | our, distance)
    return tests
