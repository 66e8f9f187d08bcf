"""The entry points of clearances by the fast path: one yes or no from Python's objects, many queries in one kernel."""

import numpy as np
from numba import float64, int64

from tumble.core.interrupts import COUNTED, REFUSED
from tumble.core.jit import direct_call, external, fixed_kernel, inlined_kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, float64_at, int64_at, set_int64
from tumble.core.simd.objects import OBJECT, object_at, release_gil, take_gil
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, RADIUS, REPEATS, SLABS
from tumble.hierarchy.packed.layout import CHILD
from tumble.mesh.rigid_kernel import POSE_BYTES, POSE_WORDS, own_pose
from tumble.narrow.triangles.within import corners_nearer_than
from tumble.traversal.packed.each import FEW_QUERIES, KEY_BYTES
from tumble.traversal.packed.near import find_near
from tumble.traversal.packed.nearest_query import posed_corner
from tumble.traversal.packed.nodes import RELATION_BYTES, link
from tumble.traversal.packed.query import data, pose_of, tree_of
from tumble.traversal.packed.relation import SAFE_SQUARE, relate_apart, way_between, world_rounding
from tumble.traversal.packed.search import RELATIONS_WORDS
from tumble.traversal.packed.sort import sort_keys, unique_keys
from tumble.volume.relative import UNIT_ROUNDOFF


@inlined_kernel
def balls_farther(tree_a, pose_a, tree_b, pose_b, deviation, clearance):
    """Tell whether the balls about two meshes are farther apart than the clearance; as `balls_apart`."""
    dx, dy, dz = way_between(tree_a, pose_a, tree_b, pose_b)
    reach = (float64_at(tree_a, RADIUS) + float64_at(tree_b, RADIUS)) * (1.0 + 2.0 * deviation)
    reach += 2.0 * world_rounding(tree_a, pose_a, tree_b, pose_b) + clearance
    square = reach * reach * (1.0 + 16 * UNIT_ROUNDOFF)
    return square > SAFE_SQUARE and dx * dx + dy * dy + dz * dz > square


@external(int64(int64, int64, int64, int64, float64, float64, *4 * (int64,)))
def near_keys(tree_a, pose_a, tree_b, pose_b, deviation, clearance, first, keys, capacity, counts):
    """Find the triangles of two trees that are nearer than the clearance, or touch; see `find_near`."""
    if link(int64_at(tree_a, BLOCKS), CHILD, 0) == 0 or link(int64_at(tree_b, BLOCKS), CHILD, 0) == 0:
        return 0
    if balls_farther(tree_a, pose_a, tree_b, pose_b, deviation, clearance):
        return 0
    relations = scratch(RELATIONS_WORDS)
    relate_apart(tree_a, pose_a, tree_b, pose_b, deviation, relations)
    relate_apart(tree_b, pose_b, tree_a, pose_a, deviation, relations + RELATION_BYTES)
    return find_near(tree_a, pose_a, tree_b, pose_b, relations, deviation, clearance, first, keys, capacity, counts)


@external(int64(*7 * (int64,)))
def ask_near(header_a, header_b, pose_a, pose_b, identity, none, numbers):
    """Check the objects that Python passed, and look for one pair; other threads run meanwhile."""
    tree_a, tree_b = tree_of(header_a, identity), tree_of(header_b, identity)
    at_a = data(identity) if pose_a == none else pose_of(pose_a, identity)
    at_b = data(identity) if pose_b == none else pose_of(pose_b, identity)
    if tree_a == 0 or tree_b == 0 or at_a == 0 or at_b == 0:
        return REFUSED
    if int64_at(tree_a, SLABS) == 0 or int64_at(tree_b, SLABS) == 0:
        return REFUSED
    # copies: what was checked must not change while the GIL is released
    a, b, key = scratch(POSE_WORDS), scratch(POSE_WORDS), scratch(1)
    deviation_a, deviation_b = own_pose(at_a, a), own_pose(at_b, b)
    if deviation_a < 0.0 or deviation_b < 0.0:
        return REFUSED
    clearance = float64_at(numbers, 0)
    state = release_gil()
    found = near_keys(tree_a, a, tree_b, b, deviation_a + deviation_b, clearance, 1, key, 1, 0)
    take_gil(state)
    return found


@direct_call(int64(*7 * (OBJECT,)))
def near_hit(header_a, header_b, pose_a, pose_b, identity, none, numbers):
    """Return whether two trees are nearer than numbers[0], a float64 array, 1 or 0, or REFUSED."""
    return ask_near(
        object_at(header_a), object_at(header_b), object_at(pose_a), object_at(pose_b), object_at(identity),
        object_at(none), data(object_at(numbers)),
    )  # fmt: skip


@external(int64(int64, int64, int64, int64, int64, float64))
def still_near(tree_a, pose_a, tree_b, pose_b, key, clearance):
    """Tell whether a pair of triangles, given by its key, is nearer than the clearance, or touches."""
    i, j = key >> 32, key & LOWER_HALF
    p, q, r = posed_corner(tree_a, pose_a, i, 0), posed_corner(tree_a, pose_a, i, 1), posed_corner(tree_a, pose_a, i, 2)
    u, v, w = posed_corner(tree_b, pose_b, j, 0), posed_corner(tree_b, pose_b, j, 1), posed_corner(tree_b, pose_b, j, 2)
    return 1 if corners_nearer_than(p, q, r, u, v, w, clearance) else 0


_SIDE = (int64[::1], float64[:, :, ::1], float64[::1])
_QUERIES = (*_SIDE, *_SIDE, int64[:, ::1], float64[::1], int64, int64, int64, int64[::1], int64[::1], int64[::1])


@fixed_kernel(int64(*_QUERIES))
def near_many(
    trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, clearances, start, stop, first, counts, keys,
    totals,
):  # fmt: skip
    """Ask for pairs[start:stop] in turn, as `tumble.traversal.packed.each.query_each` does, each with its clearance.

    What was done is added to `totals`, COUNTED numbers. A search for one pair begins with the one that was found last.
    """
    address_a, address_b, place = address_of(poses_a), address_of(poses_b), address_of(keys)
    witness, tree_a, tree_b = np.int64(-1), np.int64(0), np.int64(0)
    used, done = np.int64(0), scratch(COUNTED)
    for k in range(start, stop):
        if k & FEW_QUERIES == 0 and poll(0) != 0:
            return k
        i, j = pairs[k, 0], pairs[k, 1]
        if trees_a[i] != tree_a or trees_b[j] != tree_b:
            tree_a, tree_b, witness = trees_a[i], trees_b[j], np.int64(-1)
        pose_a, pose_b = address_a + i * POSE_BYTES, address_b + j * POSE_BYTES
        at, free = place + used * KEY_BYTES, keys.size - used
        for c in range(COUNTED):
            set_int64(done, c, 0)
        clearance, deviation = clearances[k], deviations_a[i] + deviations_b[j]
        tried = first != 0 and witness >= 0 and free > 0
        if tried and still_near(tree_a, pose_a, tree_b, pose_b, witness, clearance) != 0:
            keys[used] = witness
            found = np.int64(1)
        else:
            found = near_keys(tree_a, pose_a, tree_b, pose_b, deviation, clearance, first, at, free, done)
        counts[k] = found
        if found > free or found < 0:
            return k
        for c in range(COUNTED):
            totals[c] += int64_at(done, c)
        if first != 0 and found > 0:
            witness = keys[used]
        if first == 0:
            sort_keys(at, 0, found)
            if float64_at(tree_a, REPEATS) != 0.0 or float64_at(tree_b, REPEATS) != 0.0:
                found = unique_keys(at, found)
                counts[k] = found
        used += found
    return stop
