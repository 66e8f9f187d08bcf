"""The entry points of clearances by the fast path: many queries in one kernel, and the distances of what they found."""

import numpy as np
from numba import float64, int64

from tumble.core.interrupts import COUNTED
from tumble.core.jit import external, fixed_kernel, inlined_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, float64_at, int64_at, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, RADIUS, REPEATS
from tumble.hierarchy.packed.layout import CHILD
from tumble.mesh.rigid_kernel import POSE_BYTES
from tumble.traversal.packed.each import FEW_QUERIES, KEY_BYTES
from tumble.traversal.packed.near import find_near
from tumble.traversal.packed.query import RELATIONS_WORDS
from tumble.traversal.packed.relation import SAFE_SQUARE, relate_apart, way_between, world_rounding
from tumble.traversal.packed.sort import sort_keys, unique_keys
from tumble.traversal.packed.walk import RELATION_BYTES, link
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


_SIDE = (int64[::1], float64[:, :, ::1], float64[::1])
_QUERIES = (*_SIDE, *_SIDE, int64[:, ::1], float64[::1], int64, int64, int64, int64[::1], int64[::1], int64[::1])


@fixed_kernel(int64(*_QUERIES))
def near_many(
    trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, clearances, start, stop, first, counts, keys,
    totals,
):  # fmt: skip
    """Ask for pairs[start:stop] in turn, as `tumble.traversal.packed.each.query_each` does, each with its clearance.

    What was done is added to `totals`, COUNTED numbers.
    """
    address_a, address_b, place = address_of(poses_a), address_of(poses_b), address_of(keys)
    used, done = np.int64(0), scratch(COUNTED)
    for k in range(start, stop):
        if k & FEW_QUERIES == 0 and poll(0) != 0:
            return k
        i, j = pairs[k, 0], pairs[k, 1]
        tree_a, tree_b = trees_a[i], trees_b[j]
        pose_a, pose_b = address_a + i * POSE_BYTES, address_b + j * POSE_BYTES
        at, free = place + used * KEY_BYTES, keys.size - used
        for c in range(COUNTED):
            set_int64(done, c, 0)
        deviation = deviations_a[i] + deviations_b[j]
        found = near_keys(tree_a, pose_a, tree_b, pose_b, deviation, clearances[k], first, at, free, done)
        counts[k] = found
        if found > free or found < 0:
            return k
        for c in range(COUNTED):
            totals[c] += int64_at(done, c)
        if first == 0:
            sort_keys(at, 0, found)
            if float64_at(tree_a, REPEATS) != 0.0 or float64_at(tree_b, REPEATS) != 0.0:
                found = unique_keys(at, found)
                counts[k] = found
        used += found
    return stop
