"""The entry points of distances by the fast path: one query from Python's objects, many in one kernel.

A query first looks for a common point, as `collides` does: that takes a few microseconds where the search for the
nearest of overlapping nodes would take many times as long, and its answer is exact. Only meshes that do not touch are
searched for their nearest triangles.
"""

import math

import numpy as np
from numba import float64, int64

from tumble.core.interrupts import COUNTED, REFUSED
from tumble.core.jit import direct_call, external, fixed_kernel, inlined_kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, float64_at, int32_at, int64_at, set_float64, set_int64
from tumble.core.simd.objects import OBJECT, object_at, release_gil, take_gil
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, FACES, HULLS, PATIENCE, SLABS, VERTICES
from tumble.hierarchy.packed.layout import CHILD
from tumble.mesh.rigid_kernel import POSE_BYTES, POSE_WORDS, own_pose
from tumble.narrow.distance import triangle_distance
from tumble.traversal.packed.each import FEW_QUERIES
from tumble.traversal.packed.nearest import find_nearest
from tumble.traversal.packed.nearest_leaves import NO_PAIR
from tumble.traversal.packed.nodes import RELATION_BYTES, link
from tumble.traversal.packed.query import data, length, may_meet, pose_of, tree_of
from tumble.traversal.packed.relation import relate_apart
from tumble.traversal.packed.search import RELATIONS_WORDS
from tumble.traversal.packed.walk import walk

# The numbers of a query, 64-bit words: first what is known, then the answer.
DISTANCE = 0  # in: the largest distance that is wanted; out: the distance
POINTS = 1  # of a and of b, six numbers
PAIR = 7  # two whole numbers
COUNTS = 9
NUMBERS = COUNTS + COUNTED
FOUND, NOTHING = 1, 0
ANSWER_WORDS = 2


@inlined_kernel
def posed_corner(tree, pose, i, k):
    """Return corner k of triangle i in the world, in the order of operations of `tumble.mesh.apply_pose`."""
    v = int64_at(tree, VERTICES) + 24 * int32_at(int64_at(tree, FACES), 3 * i + k)
    x, y, z = float64_at(v, 0), float64_at(v, 1), float64_at(v, 2)
    return (
        ((float64_at(pose, 0) * x + float64_at(pose, 1) * y) + float64_at(pose, 2) * z) + float64_at(pose, 3),
        ((float64_at(pose, 4) * x + float64_at(pose, 5) * y) + float64_at(pose, 6) * z) + float64_at(pose, 7),
        ((float64_at(pose, 8) * x + float64_at(pose, 9) * y) + float64_at(pose, 10) * z) + float64_at(pose, 11),
    )


@external(float64(*6 * (int64,)))
def distance_of_pair(tree_a, pose_a, tree_b, pose_b, key, points):
    """Return the distance of a pair of triangles, given by its key, and write its nearest points."""
    i, j = key >> 32, key & LOWER_HALF
    p, q, r = posed_corner(tree_a, pose_a, i, 0), posed_corner(tree_a, pose_a, i, 1), posed_corner(tree_a, pose_a, i, 2)
    u, v, w = posed_corner(tree_b, pose_b, j, 0), posed_corner(tree_b, pose_b, j, 1), posed_corner(tree_b, pose_b, j, 2)
    return triangle_distance(
        p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2],
        u[0], u[1], u[2], v[0], v[1], v[2], w[0], w[1], w[2], points,
    )  # fmt: skip


@external(int64(int64, int64, int64, int64, float64, float64, int64, int64, int64))
def nearest_key(tree_a, pose_a, tree_b, pose_b, deviation, most, start, answer, counts):
    """Write the key of the nearest pair, or of one that touches, to `answer`; return FOUND, NOTHING or a negative code.

    `most` is the largest distance that is wanted. The second word of `answer` gets the leaves of the pair, or -1: a
    `start` for a search of the same trees at other poses; -1 for none. No answer depends on it.
    """
    set_int64(answer, 1, NO_PAIR)
    if link(int64_at(tree_a, BLOCKS), CHILD, 0) == 0 or link(int64_at(tree_b, BLOCKS), CHILD, 0) == 0:
        return NOTHING
    relations = scratch(RELATIONS_WORDS)
    if may_meet(tree_a, pose_a, tree_b, pose_b, deviation, relations) != 0:
        found = walk(tree_a, pose_a, tree_b, pose_b, relations, 1, answer, 1, counts)
        if found != 0:
            return found
    else:
        relate_apart(tree_a, pose_a, tree_b, pose_b, deviation, relations)
        relate_apart(tree_b, pose_b, tree_a, pose_a, deviation, relations + RELATION_BYTES)
    code = find_nearest(tree_a, pose_a, tree_b, pose_b, relations, deviation, most, start, answer, counts)
    if code != 0:
        return code
    return NOTHING if int64_at(answer, 0) == NO_PAIR else FOUND


@inlined_kernel
def write_answer(tree_a, pose_a, tree_b, pose_b, key, numbers):
    """Write the answer for a pair, given by its key."""
    set_float64(numbers, DISTANCE, distance_of_pair(tree_a, pose_a, tree_b, pose_b, key, numbers + 8 * POINTS))
    set_int64(numbers, PAIR, key >> 32)
    set_int64(numbers, PAIR + 1, key & LOWER_HALF)


@inlined_kernel
def prepared(tree):
    """Tell whether a tree has all that a search for the nearest needs, and count the question.

    Threads that count at once may lose a question: hulls are then made one question later.
    """
    patience = int64_at(tree, PATIENCE)
    set_int64(tree, PATIENCE, patience - 1)
    return int64_at(tree, SLABS) != 0 and (patience >= 0 or int64_at(tree, HULLS) != 0)


@inlined_kernel
def checked_sides(header_a, header_b, pose_a, pose_b, identity, none, a, b):
    """Check the objects that Python passed, and copy the poses to `a` and `b`: other threads may write into the arrays.

    Return both trees, and how far the poses are from rotations; what is refused has a negative number there.
    """
    tree_a, tree_b = tree_of(header_a, identity), tree_of(header_b, identity)
    at_a = data(identity) if pose_a == none else pose_of(pose_a, identity)
    at_b = data(identity) if pose_b == none else pose_of(pose_b, identity)
    if tree_a == 0 or tree_b == 0 or at_a == 0 or at_b == 0:
        return tree_a, tree_b, -1.0
    if not prepared(tree_a) or not prepared(tree_b):
        return tree_a, tree_b, -1.0
    deviation_a, deviation_b = own_pose(at_a, a), own_pose(at_b, b)
    if deviation_a < 0.0 or deviation_b < 0.0:
        return tree_a, tree_b, -1.0
    return tree_a, tree_b, deviation_a + deviation_b


@inlined_kernel
def run_query(tree_a, a, tree_b, b, deviation, numbers):
    """Run one query and write its answer, with an infinite distance where there is none; return what was found."""
    key, most = scratch(ANSWER_WORDS), float64_at(numbers, DISTANCE)
    for k in range(COUNTED):
        set_int64(numbers, COUNTS + k, 0)
    found = nearest_key(tree_a, a, tree_b, b, deviation, most, NO_PAIR, key, numbers + 8 * COUNTS)
    if found == FOUND:
        write_answer(tree_a, a, tree_b, b, int64_at(key, 0), numbers)
    elif found == NOTHING:
        set_float64(numbers, DISTANCE, math.inf)
    return found


@external(int64(*7 * (int64,)))
def ask_nearest(header_a, header_b, pose_a, pose_b, identity, none, numbers):
    """Check the objects that Python passed, and run one query; other threads run while it searches."""
    a, b = scratch(POSE_WORDS), scratch(POSE_WORDS)
    tree_a, tree_b, deviation = checked_sides(header_a, header_b, pose_a, pose_b, identity, none, a, b)
    if deviation < 0.0:
        return REFUSED
    state = release_gil()
    found = run_query(tree_a, a, tree_b, b, deviation, numbers)
    take_gil(state)
    return found


@direct_call(int64(*7 * (OBJECT,)))
def nearest_pair(header_a, header_b, pose_a, pose_b, identity, none, numbers):
    """Return 1 with the answer in `numbers`, a float64 array of NUMBERS, 0 where nothing is near enough, or REFUSED."""
    if length(object_at(numbers), 0) != NUMBERS:
        return REFUSED
    return ask_nearest(
        object_at(header_a), object_at(header_b), object_at(pose_a), object_at(pose_b), object_at(identity),
        object_at(none), data(object_at(numbers)),
    )  # fmt: skip


_SIDE = (int64[::1], float64[:, :, ::1], float64[::1])


@fixed_kernel(int64(*_SIDE, *_SIDE, int64[:, ::1], int64, int64, float64, float64[:, ::1]))
def nearest_many(
    trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, most, numbers
):  # fmt: skip
    """Answer pairs[start:stop] in turn, each in a row of `numbers`; return where it ended: `stop`, or a negative code.

    `most` is the largest distance that is wanted. A row begins with infinity where nothing is near enough. Each
    search of the same two trees begins with the leaves that one before it found: along a motion they are still near.
    """
    address_a, address_b, place = address_of(poses_a), address_of(poses_b), address_of(numbers)
    start_at, tree_a, tree_b, key = NO_PAIR, np.int64(0), np.int64(0), scratch(ANSWER_WORDS)
    for k in range(start, stop):
        if k & FEW_QUERIES == 0:
            code = poll(0)
            if code != 0:
                return code
        i, j = pairs[k, 0], pairs[k, 1]
        if trees_a[i] != tree_a or trees_b[j] != tree_b:
            tree_a, tree_b, start_at = trees_a[i], trees_b[j], NO_PAIR
        pose_a, pose_b = address_a + i * POSE_BYTES, address_b + j * POSE_BYTES
        row = place + 8 * NUMBERS * k
        for count in range(COUNTED):
            set_int64(row, COUNTS + count, 0)
        deviation = deviations_a[i] + deviations_b[j]
        found = nearest_key(tree_a, pose_a, tree_b, pose_b, deviation, most, start_at, key, row + 8 * COUNTS)
        if found < 0:
            return found
        if found == NOTHING:
            set_float64(row, DISTANCE, math.inf)
            continue
        write_answer(tree_a, pose_a, tree_b, pose_b, int64_at(key, 0), row)
        start_at = start_at if int64_at(key, 1) == NO_PAIR else int64_at(key, 1)
    return stop
