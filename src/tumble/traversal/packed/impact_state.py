"""What a search for the first contact knows: where both bodies are at the time it looks at, and how they move.

Time runs from 0 to 1 within an interval in which both motions are one piece each; a piece is used from one share of it
to another. Velocities are per such unit of time, in the world.
"""

import math
from typing import NamedTuple

import numpy as np

from tumble.core.jit import inlined_kernel
from tumble.core.linear import cross, dot
from tumble.core.simd.memory import float32_at, float64_at, int64_at, set_float32, set_float64, set_int64
from tumble.hierarchy.packed.header import EXTENT, RADIUS, SCALE
from tumble.mesh.motion_kernel import write_pose
from tumble.mesh.motion_pieces import ANGLE, AXIS, CENTRE, POSE, WAY
from tumble.traversal.packed.nearest_leaves import POSES, TREES
from tumble.traversal.packed.nearest_leaves import SIDES_WORDS as FIRST_FREE
from tumble.traversal.packed.nodes import RELATION_BYTES
from tumble.traversal.packed.relation import posed_origin, relate_apart
from tumble.volume import eight_distances as eight
from tumble.volume import eight_times as times

# Addresses of both sides, behind those of a search for the nearest.
PIECES = FIRST_FREE
SIDES_WORDS = PIECES + 2

# The state of a search, in 64-bit words.
BEST = 0  # the earliest contact so far; a little more than 1 before there is one
KEY = 1  # its pair, a's triangle in the upper half; -1 before there is one
TIME = 2  # at which the poses are those that are written
RELATED = 3  # the time at which the relation of each side is, two numbers
TOLERANCE = 5  # triangles that are as near as this count as touching
REST = 6  # what a step leaves of a gap
SPEED = 7  # no two points of the bodies approach each other faster
USABLE = 8  # 1.0 where coordinates are of a size for vectors
SHARES = 9  # of the pieces: where the interval begins and how much of the piece it is, for each side
LINEAR = 13  # the velocities of both centres, six numbers
TURNING = 19  # the angular velocities, six numbers
RATES = 25  # their lengths
CENTRES = 27  # where the centres are at the time, six numbers
STATE_WORDS = 34

# The field of velocities of both bodies in the frame of a block, in 64-bit words.
OF_SINGLE = 0  # the velocity that the single's body has, or would have, at the origin
SINGLE_LINEAR = 3  # that of its centre
SINGLE_TURNING = 6
OF_BLOCK = 9
BLOCK_TURNING = 12
BLOCK_SPEED = 15  # no point of the block's body turns faster about its axis
FIELD_WORDS = 16

DEVIATION = 2.0**-42
"""how far poses of motions are from rotations, both together: see `tumble.mesh.motion_pieces`"""
MARGIN = 2.0**-42
"""relative to the size of the whole motion: how far posed vertices may be off from those of the exact motion, and
distances from those of the posed vertices. Angles are off by 2**-44 at most, and so is where one piece ends from where
the next begins; all else by some 2**-52"""
LEAST_TOLERANCE = 16.0
"""margins: below, the tolerance would be about rounding alone"""
SLACK = 2.0**-19
"""of float32 velocities: many times as much as they can be off"""
STANDSTILL = 2.0**-40
ROUNDED_UP = 1.0 + 2.0**-20


class Impact(NamedTuple):
    """What stays the same throughout a search: addresses."""

    sides: int
    state: int
    relations: int
    fields: int
    kept: int  # memory for the single's leaf, posed
    posed: int  # memory for the other leaf, posed
    found: int  # memory for what `apart_distance` writes


@inlined_kernel
def vector_at(address, k):
    """Read three numbers."""
    return float64_at(address, k), float64_at(address, k + 1), float64_at(address, k + 2)


@inlined_kernel
def set_vector(address, k, u):
    """Write three numbers."""
    set_float64(address, k, u[0])
    set_float64(address, k + 1, u[1])
    set_float64(address, k + 2, u[2])


@inlined_kernel
def length_of(u):
    """Return the length of a vector, scaled, so that no square leaves the range of float64."""
    size = max(max(abs(u[0]), abs(u[1])), abs(u[2]))
    if not 0.0 < size < math.inf:
        return size
    x, y, z = u[0] / size, u[1] / size, u[2] / size
    return size * math.sqrt(x * x + y * y + z * z)


@inlined_kernel
def piece_size(piece, tree):
    """Return no less than any coordinate that appears while a body moves through a piece."""
    size = 2.0 * float64_at(tree, EXTENT)
    for k in range(3):
        size = max(size, 2.0 * float64_at(tree, EXTENT) + 2.0 * abs(float64_at(piece, POSE + 4 * k + 3)))
    centre, way = length_of(vector_at(piece, CENTRE)), length_of(vector_at(piece, WAY))
    return 2.0 * size + (centre + way if float64_at(piece, ANGLE) != 0.0 else way)


@inlined_kernel
def turning_speed(search, side):
    """Return no less than the speed of any point of a body about its centre."""
    state, sides = search.state, search.sides
    tree, pose = int64_at(sides, TREES + side), int64_at(sides, POSES + side)
    w, centre = vector_at(state, TURNING + 3 * side), vector_at(state, CENTRES + 3 * side)
    origin = posed_origin(tree, pose, 0), posed_origin(tree, pose, 1), posed_origin(tree, pose, 2)
    arm = cross(w, (origin[0] - centre[0], origin[1] - centre[1], origin[2] - centre[2]))
    return (length_of(arm) + float64_at(state, RATES + side) * float64_at(tree, RADIUS)) * ROUNDED_UP


@inlined_kernel
def begin_interval(search, start_a, stop_a, start_b, stop_b):
    """Write how both bodies move from some shares of their pieces to others, and go to the beginning."""
    state, sides = search.state, search.sides
    for side, start, stop in ((0, start_a, stop_a), (1, start_b, stop_b)):
        piece = int64_at(sides, PIECES + side)
        share = stop - start
        set_float64(state, SHARES + 2 * side, start)
        set_float64(state, SHARES + 2 * side + 1, share)
        rate = float64_at(piece, ANGLE) * share
        set_float64(state, RATES + side, abs(rate) * ROUNDED_UP)
        for k in range(3):
            set_float64(state, LINEAR + 3 * side + k, float64_at(piece, WAY + k) * share)
            set_float64(state, TURNING + 3 * side + k, float64_at(piece, AXIS + k) * rate)
    set_float64(state, TIME, -1.0)
    go_to(search, 0.0)
    a, b = vector_at(state, LINEAR), vector_at(state, LINEAR + 3)
    linear = length_of((a[0] - b[0], a[1] - b[1], a[2] - b[2])) * ROUNDED_UP
    set_float64(state, SPEED, linear + turning_speed(search, 0) + turning_speed(search, 1))


@inlined_kernel
def go_to(search, time):
    """Write both poses, and where the centres are, at a time."""
    state, sides = search.state, search.sides
    if float64_at(state, TIME) == time:
        return
    set_float64(state, TIME, time)
    for side in range(2):
        piece = int64_at(sides, PIECES + side)
        s = float64_at(state, SHARES + 2 * side) + time * float64_at(state, SHARES + 2 * side + 1)
        write_pose(piece, s, int64_at(sides, POSES + side))
        set_float64(state, RELATED + side, -1.0)
        for k in range(3):
            place = float64_at(piece, CENTRE + k) + s * float64_at(piece, WAY + k)
            set_float64(state, CENTRES + 3 * side + k, place)


@inlined_kernel
def in_frame(pose, u):
    """Return a vector of the world in the frame of a pose."""
    return (
        float64_at(pose, 0) * u[0] + float64_at(pose, 4) * u[1] + float64_at(pose, 8) * u[2],
        float64_at(pose, 1) * u[0] + float64_at(pose, 5) * u[1] + float64_at(pose, 9) * u[2],
        float64_at(pose, 2) * u[0] + float64_at(pose, 6) * u[1] + float64_at(pose, 10) * u[2],
    )


@inlined_kernel
def velocity_at(state, side, point):
    """Return the velocity that a point of the world has as a point of a body."""
    v, w = vector_at(state, LINEAR + 3 * side), vector_at(state, TURNING + 3 * side)
    c = vector_at(state, CENTRES + 3 * side)
    arm = cross(w, (point[0] - c[0], point[1] - c[1], point[2] - c[2]))
    return (v[0] + arm[0], v[1] + arm[1], v[2] + arm[2]), arm


@inlined_kernel
def scaled_into(pose, u, scale):
    """Return a vector of the world in the frame and the unit of a tree."""
    x, y, z = in_frame(pose, u)
    return x * scale, y * scale, z * scale


@inlined_kernel
def relate_side(search, side):
    """Write how the frames lie to each other for singles of a side, and the field of velocities, unless it is known."""
    state, sides = search.state, search.sides
    time = float64_at(state, TIME)
    if float64_at(state, RELATED + side) == time:
        return
    set_float64(state, RELATED + side, time)
    other = 1 - side
    tree, pose = int64_at(sides, TREES + side), int64_at(sides, POSES + side)
    block, frame = int64_at(sides, TREES + other), int64_at(sides, POSES + other)
    relate_apart(tree, pose, block, frame, DEVIATION, search.relations + side * RELATION_BYTES)
    field, scale = search.fields + 8 * FIELD_WORDS * side, float64_at(block, SCALE)
    origin = posed_origin(block, frame, 0), posed_origin(block, frame, 1), posed_origin(block, frame, 2)
    ours, _ = velocity_at(state, side, origin)
    theirs, arm = velocity_at(state, other, origin)
    set_vector(field, OF_SINGLE, scaled_into(frame, ours, scale))
    set_vector(field, SINGLE_LINEAR, scaled_into(frame, vector_at(state, LINEAR + 3 * side), scale))
    set_vector(field, SINGLE_TURNING, in_frame(frame, vector_at(state, TURNING + 3 * side)))
    set_vector(field, OF_BLOCK, scaled_into(frame, theirs, scale))
    set_vector(field, BLOCK_TURNING, in_frame(frame, vector_at(state, TURNING + 3 * other)))
    rate = float64_at(state, RATES + other)
    set_float64(field, BLOCK_SPEED, (math.sqrt(dot(arm, arm)) + rate * float64_at(block, RADIUS)) * scale)


@inlined_kernel
def describe_moving(search, side, single, moving):
    """Write how a single moves relative to the lanes of a block, as `eight_times` takes it."""
    field, rate = search.fields + 8 * FIELD_WORDS * side, float64_at(search.state, RATES + side)
    x = np.float64(float32_at(single, eight.PLACE))
    y = np.float64(float32_at(single, eight.PLACE + 1))
    z = np.float64(float32_at(single, eight.PLACE + 2))
    hx = np.float64(float32_at(single, eight.SIZES))
    hy = np.float64(float32_at(single, eight.SIZES + 1))
    hz = np.float64(float32_at(single, eight.SIZES + 2))
    radius = math.sqrt(hx * hx + hy * hy + hz * hz)
    v, u = vector_at(field, SINGLE_LINEAR), vector_at(field, OF_SINGLE)
    arm = cross(vector_at(field, SINGLE_TURNING), (x, y, z))
    u = u[0] + arm[0], u[1] + arm[1], u[2] + arm[2]
    about = u[0] - v[0], u[1] - v[1], u[2] - v[2]
    theirs = vector_at(field, OF_BLOCK)
    fast = abs(u[0]) + abs(u[1]) + abs(u[2]) + abs(theirs[0]) + abs(theirs[1]) + abs(theirs[2])
    their_rate = float64_at(search.state, RATES + 1 - side)
    for k in range(3):
        set_float32(moving, times.VELOCITY + k, np.float32(u[k] - theirs[k]))
        set_float32(moving, times.TURNING + k, np.float32(float64_at(field, BLOCK_TURNING + k)))
        set_float32(moving, times.OWN_TURNING + k, np.float32(float64_at(field, SINGLE_TURNING + k)))
    set_float32(moving, times.SQUARE, np.float32(their_rate * their_rate * ROUNDED_UP))
    set_float32(moving, times.OWN_SQUARE, np.float32(rate * rate * ROUNDED_UP))
    set_float32(moving, times.RADIUS, np.float32(radius * ROUNDED_UP))
    slack = SLACK * (fast + 4.0 * (rate * radius + their_rate)) + STANDSTILL
    set_float32(moving, times.SLACK, np.float32(slack * ROUNDED_UP))
    set_float32(moving, times.SPEED, np.float32(float64_at(field, BLOCK_SPEED) * ROUNDED_UP + STANDSTILL))
    own_speed = math.sqrt(dot(about, about)) + rate * radius
    set_float32(moving, times.OWN_SPEED, np.float32(own_speed * ROUNDED_UP + STANDSTILL))


@inlined_kernel
def begin_state(state, tolerance, usable):
    """Write what is known before the first interval."""
    set_float64(state, TOLERANCE, tolerance)
    set_float64(state, REST, 0.5 * tolerance)
    set_float64(state, USABLE, usable)
    set_int64(state, KEY, -1)
