"""How far pieces of faces reach into a solid: all rounds of `clash.fit` in one kernel.

while there are pieces:
    find what is nearest to their middles, on which side of it they are, and what that says of them
    leave out pieces that touch the solid nowhere, when made smaller by the tolerance
    cut those of which nothing is said yet
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import dot, minus, plus, row
from tumble.core.poll import GO_ON, poll
from tumble.core.simd.memory import address_of
from tumble.core.simd.stack_memory import scratch
from tumble.errors import PointError
from tumble.mesh.arrays import MAX_COORDINATE
from tumble.narrow.overlap.near_faces import ABOVE, Placed, corner, cut_pieces, sort_pieces, write_piece
from tumble.traversal.points import nearest, turns
from tumble.traversal.points.crossing_walk import SURFACE
from tumble.traversal.points.nearest import find_nearest
from tumble.traversal.points.prepare import POINT_WORDS, prepare_point, read_point
from tumble.traversal.points.single_triangle import meets_triangle
from tumble.traversal.points.turns import count_turns

DONE, TOO_DEEP, TOO_MANY, NO_MEMORY, REFUSED, STOPPED = range(6)
"""how a search ends: all pieces are near or outside; one is too deep; more were to be looked at than
are allowed, or fit into memory; one is beyond all coordinates; by an interrupt"""

# Places in the array of addresses and numbers that describes a solid in its place.
TREE, POSE, POSE_OR_IDENTITY, RAY_FRAME, POINT_FRAME, BOUNDS, TRIANGLES, ORIENTED = range(8)

SMALLEST = 5e-324
"""what is not on a surface is no nearer"""
SHARE = 0.99
"""of the tolerance, by which pieces are made smaller"""
WIDER = 1.0 + 2.0**-30
"""what the radius of a ball is multiplied by, for rounding"""
CUT = 1e-6
"""a cut leaves at least this part of a triangle's longest edge on both sides"""
FEW = 200
"""pieces that are cut twice in a round: then a round costs more than what it looks at"""
DEEPEST, AREAS = 0, 1
"""places in what is found: how deep a middle is, then the sums of `sort_pieces`"""


class Limits(NamedTuple):
    """What counts as what."""

    tolerance: float
    flush: float
    largest: float
    """the largest coordinate"""
    most: int
    """pieces that are looked at"""


class Memory(NamedTuple):
    """For as many pieces as fit."""

    pieces: NDArray[np.float64]  # (n, 3, 3)
    owners: NDArray[np.int64]  # (n,)
    more: NDArray[np.float64]  # (n, 3, 3)
    more_owners: NDArray[np.int64]  # (n,)
    rows: NDArray[np.int64]  # (n,)
    middles: NDArray[np.float64]  # (n, 3)
    nearest_points: NDArray[np.float64]  # (n, 3)
    heights: NDArray[np.float64]  # (n,)
    faces: NDArray[np.int64]  # (n,)
    more_faces: NDArray[np.int64]  # (n,)
    turns: NDArray[np.int64]  # (n,)
    keys: NDArray[np.int64]  # (n,)
    states: NDArray[np.int8]  # (n,)
    small: NDArray[np.float64]  # (1, 3, 3)
    nearest_job: NDArray[np.int64]
    turns_job: NDArray[np.int64]


def memory_for(count: int) -> Memory:
    """Return memory for so many pieces."""
    piece, vector, number = (count, 3, 3), (count, 3), count
    return Memory(
        np.empty(piece), np.empty(number, np.int64), np.empty(piece), np.empty(number, np.int64),
        np.empty(number, np.int64), np.empty(vector), np.empty(vector), np.empty(number), np.empty(number, np.int64),
        np.empty(number, np.int64), np.empty(number, np.int64), np.arange(count), np.empty(number, np.int8),
        np.empty((1, 3, 3)), np.empty(8, np.int64), np.empty(9, np.int64),
    )  # fmt: skip


def refuse(ending: int) -> None:
    """Raise an error if that is how a search has ended."""
    if ending == REFUSED:
        raise PointError(f"the middles of faces are beyond the supported ±{MAX_COORDINATE:g}")


@inlined_kernel
def write_jobs(solid, memory):
    """Write what `find_nearest` and `count_turns` are to do; the order of points has no influence on what they find."""
    job = memory.nearest_job
    job[nearest.TREE], job[nearest.FRAME], job[nearest.POSE] = solid[TREE], solid[POINT_FRAME], solid[POSE]
    job[nearest.POINTS], job[nearest.KEYS] = address_of(memory.middles), address_of(memory.keys)
    job[nearest.NEAREST], job[nearest.DISTANCES] = address_of(memory.nearest_points), address_of(memory.heights)
    job[nearest.TRIANGLES] = address_of(memory.faces)
    job = memory.turns_job
    job[turns.TREE], job[turns.FRAME], job[turns.POSE] = solid[TREE], solid[RAY_FRAME], solid[POSE]
    job[turns.POINTS], job[turns.BOUNDS] = address_of(memory.middles), solid[BOUNDS]
    job[turns.TURNS], job[turns.COUNT] = address_of(memory.turns), solid[TRIANGLES]
    job[turns.KEYS], job[turns.DISTANCES] = address_of(memory.keys), address_of(memory.heights)


@inlined_kernel
def locate(memory, count, oriented):
    """Find what is nearest to the middles of pieces, and how far above it they are; return DONE, or why not."""
    for i in range(count):
        for k in range(3):
            total = (memory.pieces[i, 0, k] + memory.pieces[i, 1, k]) + memory.pieces[i, 2, k]
            memory.middles[i, k] = total / 3.0
    if find_nearest(memory.nearest_job, 0, count) >= 0:
        return REFUSED
    if poll(0) != GO_ON:
        return STOPPED
    if count_turns(memory.turns_job, 0, count) >= 0:
        return REFUSED
    if poll(0) != GO_ON:
        return STOPPED
    for i in range(count):
        wound, height = memory.turns[i], max(memory.heights[i], SMALLEST)
        if wound == SURFACE:
            height = 0.0
        elif (oriented and wound != 0) or (not oriented and wound & 1 == 1):
            height = -height
        memory.heights[i] = height
    return DONE


@inlined_kernel
def radius_of(memory, i):
    """Return how far a point of a piece can be from its middle."""
    middle, square = row(memory.middles, i), 0.0
    for k in range(3):
        way = minus(corner(memory.pieces, i, k), middle)
        square = max(square, dot(way, way))
    return sqrt(square)


@inlined_kernel
def stays_outside(i, memory, solid, limits):
    """Tell whether a piece, whose middle is outside of a solid, has no point that is deeper than the tolerance.

    It is made smaller, so that each point moves by the tolerance at most. If it then does not meet the surface it is
    outside; so no point of the piece is farther from the outside than it has moved.
    """
    middle, radius = row(memory.middles, i), radius_of(memory, i)
    share = max(1.0 - SHARE * limits.tolerance / radius, 0.0)
    reach = share * radius * WIDER + 2.0**-40 * limits.largest
    if memory.heights[i] > reach:
        return True
    a, b, c = corner(memory.pieces, i, 0), corner(memory.pieces, i, 1), corner(memory.pieces, i, 2)
    moved = plus(middle, share, minus(a, middle)), plus(middle, share, minus(b, middle))
    write_piece(memory.small, 0, moved[0], moved[1], plus(middle, share, minus(c, middle)))
    point = scratch(POINT_WORDS)
    read_point(address_of(memory.middles), i, point)
    prepare_point(solid[POINT_FRAME], point)
    return meets_triangle(solid[TREE], solid[POSE_OR_IDENTITY], point, reach, address_of(memory.small)) == 0


@inlined_kernel
def keep_open(memory, count, solid, limits):
    """Move the pieces to the front of which nothing is said yet; return how many there are."""
    left = 0
    for i in range(count):
        state = memory.states[i]
        if state < ABOVE or (state == ABOVE and stays_outside(i, memory, solid, limits)):
            continue
        a, b, c = corner(memory.pieces, i, 0), corner(memory.pieces, i, 1), corner(memory.pieces, i, 2)
        write_piece(memory.pieces, left, a, b, c)
        memory.owners[left], memory.faces[left] = memory.owners[i], memory.faces[i]
        left += 1
    return left


@inlined_kernel
def take_over(memory, count):
    """Let what was cut be the pieces."""
    for i in range(count):
        whence = memory.rows[i]
        memory.more_owners[i], memory.more_faces[i] = memory.owners[whence], memory.faces[whence]
    for i in range(count):
        write_piece(memory.pieces, i, corner(memory.more, i, 0), corner(memory.more, i, 1), corner(memory.more, i, 2))
        memory.owners[i], memory.faces[i] = memory.more_owners[i], memory.more_faces[i]


@kernel
def reach_of_pieces(first, owners, solid, own, their, surface, limits, memory, found):
    """Find how deep pieces of one body's faces are in a solid, as far as it takes to tell; return how that ended.

    first, owners   the pieces, and their faces
    solid           addresses: see TREE and so on
    own, their      (m, 3) the normals of faces, see `sort_pieces`
    surface         the faces of the solid
    found           (4,) DEEPEST and AREAS
    """
    count, looked_at = len(first), 0
    for k in range(len(found)):
        found[k] = 0.0
    if count > min(limits.most, len(memory.pieces)):
        return TOO_MANY if count > limits.most else NO_MEMORY
    for i in range(count):
        write_piece(memory.pieces, i, corner(first, i, 0), corner(first, i, 1), corner(first, i, 2))
        memory.owners[i] = owners[i]
    write_jobs(solid, memory)
    areas = found[AREAS:]
    placed = Placed(memory.pieces, memory.owners, memory.middles, memory.faces, memory.heights)
    while count > 0:
        looked_at += count
        if looked_at > limits.most:
            return TOO_MANY
        ending = locate(memory, count, solid[ORIENTED])
        if ending != DONE:
            return ending
        for i in range(count):
            found[DEEPEST] = max(found[DEEPEST], -memory.heights[i])
        if found[DEEPEST] > limits.tolerance:
            return TOO_DEEP
        sort_pieces(placed, count, own, their, surface, limits.tolerance, limits.flush, memory.states, areas)
        left = keep_open(memory, count, solid, limits)
        if looked_at + 2 * left > limits.most:  # what is cut becomes two pieces at least
            return TOO_MANY
        if 3 * left > len(memory.pieces):
            return NO_MEMORY
        count = cut_pieces(memory.pieces, left, memory.faces, surface, CUT, memory.more, memory.rows)
        take_over(memory, count)
        if 0 < count < FEW:
            if 3 * count > len(memory.pieces):
                return NO_MEMORY
            count = cut_pieces(memory.pieces, count, memory.faces, surface, CUT, memory.more, memory.rows)
            take_over(memory, count)
    return DONE
