"""Eight points for each node of a packed tree: their hull, widened by a radius, contains the node. For distances.

Between the boxes and slabs (`tumble.hierarchy.packed.slabs`) of two pieces of surface that lie askew there is room that
the pieces do not fill; corners of the pieces themselves leave little.

    row 3 k + axis    that component of the points of lane k     float32, eight points
    row 24            radius                                     float32, eight lanes

Coordinates are local. In exact arithmetic every point of the node's triangles is within the radius of the hull. The
points of a leaf are its corners, six at most. Those of an inner node are chosen among the points of its children: again
and again the one that is farthest out along one of 26 directions as seen from those chosen before, and then, while
there is place, the one that is farthest from the hull. The radius is the largest distance of a point of the children
from the hull, with the child's own radius. Distances come from steps of Frank and Wolfe's algorithm that move weight
between two points: wherever they end, they end in the hull, so none is too small.

(S. Lacoste-Julien, M. Jaggi, "On the global linear convergence of Frank-Wolfe optimization variants", 2015.)
"""

import math

import numpy as np
from numba import int64
from numpy.typing import NDArray

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import float32_at, float64_at, int32_at, int64_at, set_float32, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS
from tumble.hierarchy.packed.layout import ALIGNMENT, BLOCK_BYTES, CHILD, LANES, SECOND
from tumble.hierarchy.packed.slabs import ROUND_UP, ROUNDING, local_corner

POINTS = LANES
RADIUS = 3 * LANES
HULL_ROWS = RADIUS + 1
HULL_BYTES = 4 * LANES * HULL_ROWS

# Points of which a hull is made: x, y, z and a radius each, in 64-bit words.
CANDIDATE = 4
MOST_CANDIDATES = POINTS * LANES
SIDE = 3
DIRECTIONS = SIDE**3 - (SIDE - 2) ** 3
"""those from the middle of a cube of 3×3×3 to its outermost parts"""
# Of each direction: its three components, the candidate that is farthest out, its value, and that of those chosen.
FARTHEST, VALUE, REACHED, DIRECTION = 3, 4, 5, 6
CANDIDATES_WORDS, DIRECTIONS_WORDS, HULL_WORDS = CANDIDATE * MOST_CANDIDATES, DIRECTION * DIRECTIONS, 3 * POINTS
STEPS = 32
NEGLIGIBLE = 2.0**-22
"""a few roundings of float32: a point this near to a hull gets no better place"""
NEAR_ENOUGH = 0.9
"""a distance within a tenth of the least will do"""


@inlined_kernel
def add_candidate(candidates, count, x, y, z, radius):
    """Add a point, unless it is there already, as corners that triangles share are; return how many there are."""
    for k in range(count):
        at = candidates + 8 * CANDIDATE * k
        if float64_at(at, 0) == x and float64_at(at, 1) == y and float64_at(at, 2) == z:
            set_float64(at, 3, max(float64_at(at, 3), radius))
            return count
    at = candidates + 8 * CANDIDATE * count
    set_float64(at, 0, x)
    set_float64(at, 1, y)
    set_float64(at, 2, z)
    set_float64(at, 3, radius)
    return count + 1


@inlined_kernel
def add_corners(tree, i, candidates, count):
    """Add the corners of a triangle."""
    for k in range(3):
        x, y, z = local_corner(tree, i, k)
        count = add_candidate(candidates, count, x, y, z, 0.0)
    return count


@inlined_kernel
def point_of(rows, lane, k):
    """Return a stored point."""
    at = LANES * 3 * lane + k
    x, y, z = float32_at(rows, at), float32_at(rows, at + LANES), float32_at(rows, at + 2 * LANES)
    return np.float64(x), np.float64(y), np.float64(z)


@inlined_kernel
def add_points(rows, lane, candidates, count):
    """Add the points of a child's lane."""
    radius = np.float64(float32_at(rows, LANES * RADIUS + lane))
    for k in range(POINTS):
        x, y, z = point_of(rows, lane, k)
        count = add_candidate(candidates, count, x, y, z, radius)
    return count


@inlined_kernel
def write_all_directions(directions):
    """Write the unit vectors."""
    at, outermost = directions, SIDE // 2
    for i in range(-outermost, outermost + 1):
        for j in range(-outermost, outermost + 1):
            for k in range(-outermost, outermost + 1):
                if max(abs(i), abs(j), abs(k)) == outermost:
                    length = math.sqrt(np.float64(i * i + j * j + k * k))
                    set_float64(at, 0, i / length)
                    set_float64(at, 1, j / length)
                    set_float64(at, 2, k / length)
                    at += 8 * DIRECTION


@inlined_kernel
def along(at, direction):
    """Return how far out a point is along a direction."""
    return (
        float64_at(direction, 0) * float64_at(at, 0)
        + float64_at(direction, 1) * float64_at(at, 1)
        + float64_at(direction, 2) * float64_at(at, 2)
    )


@inlined_kernel
def note_farthest(candidates, count, directions):
    """Write for each direction the candidate that is farthest out, and its value, and that nothing is chosen yet."""
    for number in range(DIRECTIONS):
        direction = directions + 8 * DIRECTION * number
        best, value = np.int64(0), -math.inf
        for k in range(count):
            that = along(candidates + 8 * CANDIDATE * k, direction)
            best, value = (k, that) if that > value else (best, value)
        set_int64(direction, FARTHEST, best)
        set_float64(direction, VALUE, value)
        set_float64(direction, REACHED, -math.inf)


@inlined_kernel
def choose_points(candidates, count, directions, chosen):
    """Write the numbers of up to eight candidates whose hull is nearly that of all; return how many."""
    if count <= POINTS:
        for k in range(count):
            set_int64(chosen, k, k)
        return count
    note_farthest(candidates, count, directions)
    number = 0
    while number < POINTS:
        best, lack = directions, 0.0
        for k in range(DIRECTIONS):
            direction = directions + 8 * DIRECTION * k
            that = float64_at(direction, VALUE) - float64_at(direction, REACHED)
            best, lack = (direction, that) if that > lack else (best, lack)
        if lack == 0.0:
            break
        pick = int64_at(best, FARTHEST)
        set_int64(chosen, number, pick)
        number += 1
        for k in range(DIRECTIONS):
            direction = directions + 8 * DIRECTION * k
            value = along(candidates + 8 * CANDIDATE * pick, direction)
            set_float64(direction, REACHED, max(value, float64_at(direction, REACHED)))
    return number


@inlined_kernel
def difference(at, x, y, z):
    """Return the way from (x, y, z) to a point."""
    return float64_at(at, 0) - x, float64_at(at, 1) - y, float64_at(at, 2) - z


@inlined_kernel
def distance_from_hull(hull, number, x, y, z, weights, enough):
    """Return no less than the distance of a point from a hull; below `enough` it may be rough."""
    nearest, square = 0, math.inf
    for k in range(number):
        u, v, w = difference(hull + 24 * k, x, y, z)
        that = u * u + v * v + w * w
        nearest, square = (k, that) if that < square else (nearest, square)
        set_float64(weights, k, 0.0)
    set_float64(weights, nearest, 1.0)
    gx, gy, gz = difference(hull + 24 * nearest, x, y, z)
    for _ in range(STEPS):
        if gx * gx + gy * gy + gz * gz <= enough * enough:
            break
        # from the point of some weight that is farthest along the way to the one that is least far
        low, high, least, most = 0, 0, math.inf, -math.inf
        for k in range(number):
            u, v, w = difference(hull + 24 * k, x, y, z)
            value = gx * u + gy * v + gz * w
            low, least = (k, value) if value < least else (low, least)
            if float64_at(weights, k) > 0.0 and value > most:
                high, most = k, value
        if least > NEAR_ENOUGH * (gx * gx + gy * gy + gz * gz):
            break
        to, start = hull + 24 * low, hull + 24 * high
        u, v, w = difference(to, float64_at(start, 0), float64_at(start, 1), float64_at(start, 2))
        length = u * u + v * v + w * w
        if not (most > least and length > 0.0):
            break
        weight = float64_at(weights, high)
        step = min((most - least) / length, weight)
        set_float64(weights, high, weight - step if step < weight else 0.0)
        set_float64(weights, low, float64_at(weights, low) + step)
        gx, gy, gz = gx + step * u, gy + step * v, gz + step * w
    return math.sqrt(gx * gx + gy * gy + gz * gz)


@inlined_kernel
def radius_of_hull(candidates, count, hull, number, weights):
    """Return how far a hull must be widened to contain all with their radii, and due to which."""
    radius, worst = 0.0, np.int64(-1)
    for k in range(count):
        at = candidates + 8 * CANDIDATE * k
        own = float64_at(at, 3)
        enough = max(radius - own, NEGLIGIBLE)
        x, y, z = float64_at(at, 0), float64_at(at, 1), float64_at(at, 2)
        distance = distance_from_hull(hull, number, x, y, z, weights, enough)
        if own + distance > radius:
            radius, worst = own + distance, (k if distance > NEGLIGIBLE else np.int64(-1))
    return radius, worst


@inlined_kernel
def write_point(rows, lane, k, at, hull):
    """Write point k of a lane, and what it is in float32 to `hull`."""
    for axis in range(3):
        x = np.float32(float64_at(at, axis))
        set_float32(rows, LANES * (3 * lane + axis) + k, x)
        set_float64(hull, 3 * k + axis, np.float64(x))


@inlined_kernel
def write_hull(rows, lane, candidates, count, memory):
    """Write the points of a lane, the first of them as often as some are missing, and the radius, rounded up."""
    directions, chosen, hull, weights = memory
    number = choose_points(candidates, count, directions, chosen)
    for k in range(number):
        write_point(rows, lane, k, candidates + 8 * CANDIDATE * int64_at(chosen, k), hull)
    radius, worst = radius_of_hull(candidates, count, hull, number, weights)
    while number < POINTS and worst >= 0:
        write_point(rows, lane, number, candidates + 8 * CANDIDATE * worst, hull)
        number += 1
        radius, worst = radius_of_hull(candidates, count, hull, number, weights)
    for k in range(number, POINTS):
        write_point(rows, lane, k, hull, hull)
    set_float32(rows, LANES * RADIUS + lane, np.float32(radius) * ROUND_UP + ROUNDING)


@inlined_kernel
def add_leaf(tree, block, lane, candidates):
    """Add the corners of a leaf's triangles; return how many points there are."""
    count = add_corners(tree, -1 - int32_at(block, LANES * CHILD + lane), candidates, 0)
    second = int32_at(block, LANES * SECOND + lane)
    return add_corners(tree, second, candidates, count) if second >= 0 else count


@inlined_kernel
def add_children(block, rows, candidates):
    """Add the points of all nodes of a block; return how many there are."""
    count = 0
    for lane in range(LANES):
        if int32_at(block, LANES * CHILD + lane) != 0:
            count = add_points(rows, lane, candidates, count)
    return count


@fixed_kernel(int64(*3 * (int64,)))
def write_hulls(tree, count, hulls):
    """Write the hulls of all nodes of a tree of `count` blocks, given by addresses; return 0, or why it ended early."""
    candidates, directions = scratch(CANDIDATES_WORDS), scratch(DIRECTIONS_WORDS)
    memory = directions, scratch(POINTS), scratch(HULL_WORDS), scratch(POINTS)
    write_all_directions(directions)
    blocks = int64_at(tree, BLOCKS)
    for number in range(count - 1, -1, -1):  # children have higher numbers than their parents
        if poll(0) != 0:
            return -1
        block = blocks + number * BLOCK_BYTES
        for lane in range(LANES):
            child = int32_at(block, LANES * CHILD + lane)
            if child == 0:
                continue
            if child < 0:
                found = add_leaf(tree, block, lane, candidates)
            else:
                found = add_children(blocks + child * BLOCK_BYTES, hulls + child * HULL_BYTES, candidates)
            write_hull(hulls + number * HULL_BYTES, lane, candidates, found, memory)
    return 0


def build_hulls(header: NDArray[np.float64], count: int) -> NDArray[np.float32]:
    """Return the hulls of a packed tree of `count` blocks, given by its header, starting at a cache line."""
    raw = np.zeros(count * HULL_BYTES + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    hulls = raw[start : start + count * HULL_BYTES].view(np.float32).reshape(count, HULL_ROWS * LANES)
    write_hulls(header.ctypes.data, count, hulls.ctypes.data)
    return hulls
